//! `tierboard tokens`: what each part of the prompt costs.

use super::{Painter, counted};
use crate::model::{Layer, MessageKind};
use crate::snapshot::View;

/// Tokens by message and layer.
#[must_use]
pub fn tokens(view: &View<'_>, painter: &Painter) -> String {
    let mut text = String::new();
    for message in &view.prompt.messages {
        let name = match &message.access {
            Some(path) => format!("{} for {}", message.kind.label(), painter.path(path)),
            None => message.kind.label().to_owned(),
        };
        push_row(&mut text, message.tokens, &painter.strong(&name));
        for layer in view.layers().filter(|layer| carries(message.kind, layer)) {
            let path = painter.path(&layer.source.path);
            let tier = painter.tier(layer.tier, layer.tier.label());
            push_row(&mut text, layer.source.tokens, &format!("  {tier}  {path}"));
        }
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

fn carries(kind: MessageKind, layer: &Layer) -> bool {
    layer.message == kind && layer.order.is_some()
}

fn push_row(text: &mut String, tokens: usize, what: &str) {
    text.push_str(&format!("{tokens:>9}  {what}\n"));
}
