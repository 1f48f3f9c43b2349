//! The message map: how many tokens each tier adds to each message.

use super::super::display::{Bar, number};
use super::super::subject::Subject;
use crate::model::{Layer, LayerState, MessageKind, Tier};

/// One message of the map.
pub(crate) struct MapMessage {
    pub(crate) title: &'static str,
    pub(crate) tokens: String,
    pub(crate) bar: Bar,
    pub(crate) tiers: Vec<(Tier, String)>,
}

/// The map, and its sum in words.
pub(crate) struct MessageMap {
    pub(crate) sum: String,
    pub(crate) messages: Vec<MapMessage>,
}

pub(crate) fn message_map(subject: &Subject<'_>) -> MessageMap {
    let prompt = subject.prompt();
    let widest = prompt.messages.iter().map(|message| message.tokens).max().unwrap_or(0);
    let mut on_access = 0;
    let messages = prompt
        .messages
        .iter()
        .filter(|message| message.tokens > 0)
        .map(|message| {
            let layers: Vec<&Layer> = if message.kind == MessageKind::ToolOutput {
                on_access += message.tokens;
                prompt.focus_layers.iter().collect()
            } else {
                let of_message = |layer: &&Layer| {
                    layer.message == message.kind && layer.state == LayerState::Loaded
                };
                subject.agent().layers.iter().filter(of_message).collect()
            };
            let sums: Vec<(Tier, usize)> = Tier::ALL
                .into_iter()
                .map(|tier| {
                    let of_tier = layers.iter().filter(|layer| layer.tier == tier);
                    (tier, of_tier.map(|each| each.tokens).sum())
                })
                .filter(|(_, tokens)| *tokens > 0)
                .collect();
            MapMessage {
                title: message.kind.label(),
                tokens: number(message.tokens),
                bar: Bar::new(&sums, widest),
                tiers: sums.iter().map(|(tier, tokens)| (*tier, number(*tokens))).collect(),
            }
        })
        .collect();
    let mut sum = format!("{} at start", number(prompt.tokens));
    if on_access > 0 {
        sum.push_str(&format!(", {} on access", number(on_access)));
    }
    MessageMap { sum, messages }
}
