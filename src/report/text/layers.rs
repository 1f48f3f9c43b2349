//! `tierboard layers`: every layer, state and reason.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::notes::note;
use super::{Painter, counted, visible};
use crate::model::{Layer, LayerState, LoadMode, MessageKind, NotLoaded, Reason};
use crate::snapshot::View;

/// Entries of one reason above which the rest is counted, unless all are asked for.
const MAX_SHOWN: usize = 10;

/// The layers of a view, grouped by the message that carries them, in sending order.
#[must_use]
pub fn layers(view: &View<'_>, painter: &Painter, all: bool) -> String {
    let mut text = String::new();
    head(&mut text, view, painter);
    let layers: Vec<&Layer> = view.layers().collect();
    let widths = Widths::of(&layers, painter);
    for kind in [
        MessageKind::SystemInstruction,
        MessageKind::FirstUserMessage,
        MessageKind::ToolOutput,
        MessageKind::None,
    ] {
        let of_kind: Vec<_> = layers.iter().filter(|layer| layer.message == kind).collect();
        if of_kind.is_empty() {
            continue;
        }
        let tokens: usize = view
            .prompt
            .messages
            .iter()
            .filter(|message| message.kind == kind)
            .map(|message| message.tokens)
            .sum();
        let sum = if kind == MessageKind::None { String::new() } else { counted(tokens, "token") };
        line(&mut text, &format!("\n{}  {}", painter.strong(kind.label()), painter.faint(&sum)));
        for layer in of_kind {
            line(&mut text, &row(layer, painter, &widths));
        }
    }
    if layers.is_empty() {
        line(&mut text, "\nNo layers yet. The agent would read these files, and none exists:");
        for path in [&view.agent.global_file, &view.agent.index_file] {
            line(&mut text, &format!("  {}", painter.path(path)));
        }
        for name in &view.agent.names {
            line(&mut text, &format!("  {}", painter.path(&view.snapshot.workspace.join(name))));
        }
    }
    not_loaded(&mut text, view, painter, all);
    text
}

fn line(text: &mut String, content: &str) {
    text.push_str(content.trim_end());
    text.push('\n');
}

fn head(text: &mut String, view: &View<'_>, painter: &Painter) {
    let agent = view.agent;
    let trust = if agent.trust.trusted { "trusted" } else { "not trusted" };
    let version = match &agent.installed_version {
        Some(installed) if installed != agent.info.checked_against => {
            format!("{installed} installed, checked against {}", agent.info.checked_against)
        }
        _ => format!("checked against {}", agent.info.checked_against),
    };
    line(
        text,
        &format!(
            "{}  {}",
            painter.strong(agent.info.name),
            visible(&view.snapshot.workspace.to_string_lossy())
        ),
    );
    let how = format!(
        "{}, {version}; {trust} ({}: {}); {} at start",
        agent.fidelity.name(),
        view.snapshot.trust_mode.name(),
        painter.sentence(&agent.trust.decided_by),
        counted(view.prompt.tokens, "token"),
    );
    line(text, &painter.faint(&how));
    for diagnostic in &agent.diagnostics {
        line(text, &note(diagnostic, painter));
    }
}

struct Widths {
    tier: usize,
    path: usize,
}

impl Widths {
    fn of(layers: &[&Layer], painter: &Painter) -> Self {
        let tier = layers.iter().map(|layer| layer.tier.label().len()).max().unwrap_or(0);
        let path = layers
            .iter()
            .map(|layer| painter.path(&layer.source.path).chars().count())
            .max()
            .unwrap_or(0);
        Self { tier, path: path.min(60) }
    }
}

fn row(layer: &Layer, painter: &Painter, widths: &Widths) -> String {
    let order = layer.order.map_or_else(|| " -".to_owned(), |order| format!("{order:>2}"));
    let state = match (layer.state, layer.load) {
        (LayerState::Loaded, LoadMode::OnAccess) => "loaded on access",
        (LayerState::Skipped, LoadMode::OnDemand) => "on demand",
        (state, _) => state.name(),
    };
    let git = layer.git.map_or("", crate::model::GitState::name);
    let tier = format!("{:<width$}", layer.tier.label(), width = widths.tier);
    let path = format!("{:<width$}", painter.path(&layer.source.path), width = widths.path);
    let imports = match layer.source.imports.len() {
        0 => String::new(),
        count => format!("  {}", counted(count, "import")),
    };
    format!(
        "  {order}  {}  {path}  {:>6} {}  {state:<16}  {git}{imports}",
        painter.tier(layer.tier, &tier),
        layer.tokens,
        if layer.tokens == 1 { "token " } else { "tokens" },
    )
}

fn not_loaded(text: &mut String, view: &View<'_>, painter: &Painter, all: bool) {
    let mut by_reason: BTreeMap<Reason, Vec<&NotLoaded>> = BTreeMap::new();
    for file in view.not_loaded() {
        by_reason.entry(file.reason).or_default().push(file);
    }
    if by_reason.is_empty() {
        return;
    }
    let total: usize = by_reason.values().map(Vec::len).sum();
    line(
        text,
        &format!("\n{}  {}", painter.strong("Not loaded"), painter.faint(&counted(total, "file"))),
    );
    for (reason, files) in by_reason {
        let shown = if all { files.len() } else { files.len().min(MAX_SHOWN) };
        line(text, &format!("  {} ({})", painter.warning(reason.label()), files.len()));
        for file in &files[..shown] {
            line(text, &format!("    {}", painter.path(&file.path)));
            let mut detail = painter.sentence(&file.detail);
            if let Some(fix) = &file.fix {
                // Writing to a String can't fail.
                let _ = write!(detail, " {}", painter.sentence(fix));
            }
            if reason != Reason::AwaitsAccess || files.len() == 1 {
                line(text, &painter.faint(&format!("      {detail}")));
            }
        }
        if shown < files.len() {
            let rest = format!("    and {} more; --all shows them", files.len() - shown);
            line(text, &painter.faint(&rest));
        }
    }
}
