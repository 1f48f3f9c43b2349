//! `tierboard tokens`: what each part of the prompt costs.

use std::path::Path;

use super::{Painter, counted};
use crate::model::{Layer, MessageKind};
use crate::snapshot::View;

/// Tokens by message and layer.
#[must_use]
pub fn tokens(view: &View<'_>, painter: &Painter) -> String {
    let mut text = String::new();
    let mut push = |name: &str, tokens: usize, layers: &mut dyn Iterator<Item = &Layer>| {
        push_row(&mut text, tokens, &painter.strong(name));
        let mut own = tokens;
        for layer in layers {
            own = own.saturating_sub(layer.tokens);
            let path = painter.path(&layer.source.path);
            let tier = painter.tier(layer.tier, layer.tier.label());
            push_row(&mut text, layer.tokens, &format!("  {tier}  {path}"));
        }
        if own > 0 {
            let agent = view.agent.info.name;
            push_row(&mut text, own, &painter.faint(&format!("  {agent}'s own text around them")));
        }
    };
    for message in &view.prompt.messages {
        match &message.access {
            Some(path) => {
                let layers = &mut view.prompt.focus_layers.iter();
                push(&name_of_access(path, painter), message.tokens, layers);
            }
            None => {
                let layers = &mut view.agent.layers.iter();
                let layers = &mut layers.filter(|layer| carries(message.kind, layer));
                push(message.kind.label(), message.tokens, layers);
            }
        }
    }
    for access in &view.prompt.accesses {
        push(&name_of_access(&access.path, painter), access.tokens, &mut access.layers.iter());
    }
    push_row(&mut text, view.prompt.tokens, &painter.strong("Sent at start"));
    let how = format!(
        "\n{} of {}'s own estimate: a quarter for each ASCII character, one and a half for each other UTF-16 unit. Its base prompt is not counted.",
        counted(view.prompt.tokens, "token"),
        view.agent.info.name
    );
    text.push_str(&painter.faint(&how));
    text.push('\n');
    text
}

fn name_of_access(path: &Path, painter: &Painter) -> String {
    format!("{} for {}", MessageKind::ToolOutput.label(), painter.path(path))
}

fn carries(kind: MessageKind, layer: &Layer) -> bool {
    layer.message == kind && layer.order.is_some()
}

fn push_row(text: &mut String, tokens: usize, what: &str) {
    text.push_str(&format!("{tokens:>9}  {what}\n"));
}
