//! The stack: layers grouped by the message that carries them, in the order sent.

use super::super::display::{count, message_icon, number};
use super::super::query::PageQuery;
use super::super::subject::Subject;
use super::bands::{Band, BandMaker, Style};
use crate::model::{LayerState, MessageKind};

/// One message and its layers.
pub(crate) struct Group<'a> {
    pub(crate) icon: &'static str,
    pub(crate) title: &'static str,
    pub(crate) note: String,
    pub(crate) end: String,
    pub(crate) bands: Vec<Band<'a>>,
}

/// All messages, then the layers that are not sent.
pub(crate) fn groups<'a>(subject: &'a Subject<'a>, query: &'a PageQuery) -> Vec<Group<'a>> {
    let agent = subject.agent();
    let mut maker = BandMaker { subject, query, largest: 0 };
    maker.largest = subject.layers().map(|layer| layer.tokens).max().unwrap_or(0);
    let is_sent = |state| matches!(state, LayerState::Loaded | LayerState::Truncated);
    let mut groups = Vec::new();
    let mut last_order = 0;
    for message in &subject.prompt().messages {
        if message.kind == MessageKind::ToolOutput {
            groups.push(tool_output(subject, &maker, message.tokens, last_order));
            continue;
        }
        let bands: Vec<_> = agent
            .layers
            .iter()
            .filter(|layer| layer.message == message.kind && is_sent(layer.state))
            .map(|layer| maker.band(layer, layer.order, Style::Start))
            .collect();
        last_order = bands.iter().filter_map(|band| band.order).max().unwrap_or(0).max(last_order);
        if bands.is_empty() {
            continue;
        }
        groups.push(Group {
            icon: message_icon(message.kind),
            title: message.kind.label(),
            note: note(message.kind).to_owned(),
            end: count(message.tokens, "token", "tokens"),
            bands,
        });
    }
    let unsent: Vec<_> = agent
        .layers
        .iter()
        .filter(|layer| layer.message == MessageKind::None || !is_sent(layer.state))
        .map(|layer| maker.band(layer, None, Style::Off))
        .collect();
    if !unsent.is_empty() {
        groups.push(Group {
            icon: message_icon(MessageKind::None),
            title: MessageKind::None.label(),
            note: "known to the agent, outside the prompt".to_owned(),
            end: count(unsent.len(), "file", "files"),
            bands: unsent,
        });
    }
    groups
}

fn tool_output<'a>(
    subject: &'a Subject<'a>,
    maker: &BandMaker<'a>,
    tokens: usize,
    last_order: u32,
) -> Group<'a> {
    let bands: Vec<_> = (last_order + 1..)
        .zip(&subject.prompt().focus_layers)
        .map(|(order, layer)| maker.band(layer, Some(order), Style::Later))
        .collect();
    Group {
        icon: message_icon(MessageKind::ToolOutput),
        title: MessageKind::ToolOutput.label(),
        note: focus_note(subject, bands.is_empty()),
        end: format!("{} tokens", number(tokens)),
        bands,
    }
}

/// What the access to the focus brings, in words.
pub(crate) fn focus_note(subject: &Subject<'_>, is_empty: bool) -> String {
    let Some(focus) = subject.focus() else { return String::new() };
    let path = subject.show(&focus.path).0;
    match &focus.outside {
        Some(why) if is_empty => format!("an access to {path} adds nothing: {why}"),
        _ if !focus.exists && is_empty => {
            format!("nothing exists at {path} yet: a failed read brings nothing")
        }
        _ if !focus.exists => format!(
            "nothing exists at {path} yet: a failed read brings nothing; a tool that creates the \
             file brings this"
        ),
        _ if is_empty => format!("an access to {path} adds nothing"),
        _ => format!("added when a tool reads {path}"),
    }
}

const fn note(message: MessageKind) -> &'static str {
    match message {
        MessageKind::SystemInstruction => "added at its end, always sent",
        MessageKind::FirstUserMessage => "sent once, when a chat starts",
        MessageKind::ToolOutput | MessageKind::None => "",
    }
}
