//! What the Prompt page shows: which texts, in which view.

use std::borrow::Cow;
use std::ops::Range;

use super::super::display::{count, message_icon};
use super::super::layers::focus_note;
use super::super::query::{Link, PageQuery};
use super::super::subject::Subject;
use super::super::text::lines;
use crate::model::{Layer, Message, MessageKind, TracedText};

/// The views of a prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum View {
    Sent,
    Show,
    Layer,
}

impl View {
    pub(crate) const ALL: [Self; 3] = [Self::Sent, Self::Show, Self::Layer];

    /// The name in addresses, which are also those of the API.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Sent => "sent",
            Self::Show => "memory-show",
            Self::Layer => "layer",
        }
    }

    pub(crate) fn of(query: &PageQuery) -> Self {
        let asked = query.get("view");
        Self::ALL.into_iter().find(|view| asked == Some(view.name())).unwrap_or(Self::Sent)
    }

    pub(crate) const fn label(self, show_command: &'static str) -> &'static str {
        match self {
            Self::Sent => "As sent",
            Self::Show => show_command,
            Self::Layer => "One layer",
        }
    }
}

/// One text of a view, cut into lines.
pub(crate) struct Sheet<'a> {
    pub(crate) kind: MessageKind,
    /// The start of its anchors.
    pub(crate) anchor: &'static str,
    pub(crate) icon: &'static str,
    pub(crate) title: String,
    pub(crate) note: String,
    pub(crate) tokens: String,
    pub(crate) text: Cow<'a, TracedText>,
    pub(crate) spans: Vec<Range<usize>>,
}

impl<'a> Sheet<'a> {
    fn new(
        kind: MessageKind,
        title: String,
        note: String,
        tokens: usize,
        text: Cow<'a, TracedText>,
    ) -> Self {
        // An empty text has no line here: there is nothing to show.
        let spans = if text.is_empty() { Vec::new() } else { lines::spans(text.as_str()) };
        let tokens = count(tokens, "token", "tokens");
        Self {
            kind,
            anchor: kind.name(),
            icon: message_icon(kind),
            title,
            note,
            tokens,
            text,
            spans,
        }
    }
}

/// All layers that have a text, in the order read.
pub(crate) fn layers<'a>(subject: &Subject<'a>) -> impl Iterator<Item = &'a Layer> {
    subject.layers().filter(|layer| !layer.block.is_empty())
}

/// The layer that the One layer view shows: the one asked for, else the first.
pub(crate) fn chosen_layer<'a>(subject: &Subject<'a>, query: &PageQuery) -> Option<&'a Layer> {
    let asked = query.get("layer");
    layers(subject)
        .find(|layer| asked == Some(&*layer.id.0))
        .or_else(|| layers(subject).next().filter(|_| asked.is_none()))
}

/// The texts of a view.
pub(crate) fn sheets<'a>(subject: &Subject<'a>, query: &PageQuery) -> Vec<Sheet<'a>> {
    match View::of(query) {
        View::Sent => sent(subject),
        View::Show => vec![shown(subject)],
        View::Layer => {
            chosen_layer(subject, query).map(|layer| one(subject, layer)).into_iter().collect()
        }
    }
}

fn sent<'a>(subject: &Subject<'a>) -> Vec<Sheet<'a>> {
    let sheet = |message: &'a Message| {
        let is_empty = message.text.is_empty();
        let note = match message.kind {
            MessageKind::SystemInstruction => "role: system".to_owned(),
            MessageKind::FirstUserMessage => "role: user, inside session_context".to_owned(),
            MessageKind::ToolOutput => focus_note(subject, is_empty),
            MessageKind::None => String::new(),
        };
        let title = message.kind.label().to_owned();
        Sheet::new(message.kind, title, note, message.tokens, Cow::Borrowed(&message.text))
    };
    subject.prompt().messages.iter().map(sheet).collect()
}

/// What the agent's own command prints, with the provenance of the part that comes from files.
fn shown<'a>(subject: &Subject<'a>) -> Sheet<'a> {
    let printed = subject.prompt().memory_show.as_str();
    let flattened = &subject.prompt().flattened;
    let mut text = TracedText::default();
    match printed.find(flattened.as_str()).filter(|_| !flattened.is_empty()) {
        Some(start) => {
            text.push_literal(&printed[..start]);
            text.append(flattened);
            text.push_literal(&printed[start + flattened.len()..]);
        }
        None => text.push_literal(printed),
    }
    let title = subject.agent().info.show_command.to_owned();
    let tokens = subject.tool.estimate_tokens(printed);
    Sheet::new(
        MessageKind::None,
        title,
        "printed for people, never sent".into(),
        tokens,
        Cow::Owned(text),
    )
}

fn one<'a>(subject: &Subject<'a>, layer: &'a Layer) -> Sheet<'a> {
    let title = format!("{} layer", layer.tier.label());
    let note = subject.show(&layer.source.path).0;
    Sheet::new(layer.message, title, note, layer.tokens, Cow::Borrowed(&layer.block))
}

/// The address of the exact text as a file.
pub(crate) fn download(subject: &Subject<'_>, query: &PageQuery) -> Link {
    let view = View::of(query);
    let name = match (view, chosen_layer(subject, query)) {
        (View::Layer, Some(layer)) => layer.id.to_string(),
        _ => view.name().to_owned(),
    };
    query.link("/prompt.txt").with("view", name)
}
