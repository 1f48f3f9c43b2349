//! `tierboard layers`: every layer, state and reason.

use std::path::Path;

use super::notes::note;
use super::unloaded::not_loaded;
use super::{Painter, counted, visible};
use crate::model::{ImportStatus, Layer, LayerState, LoadMode, MessageKind, Source};
use crate::snapshot::View;

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
        let tokens = tokens_of(view, kind);
        let sum = if kind == MessageKind::None { String::new() } else { counted(tokens, "token") };
        line(&mut text, &format!("\n{}  {}", painter.strong(kind.label()), painter.faint(&sum)));
        for layer in of_kind {
            line(&mut text, &row(layer, painter, &widths));
        }
    }
    if layers.is_empty() {
        line(&mut text, "\nNo layer adds text. The agent reads these files where they exist:");
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

/// What the messages of a kind cost, those of accesses among them.
fn tokens_of(view: &View<'_>, kind: MessageKind) -> usize {
    let messages = view.prompt.messages.iter().filter(|message| message.kind == kind);
    let accesses = view.prompt.accesses.iter().filter(|_| kind == MessageKind::ToolOutput);
    messages.map(|message| message.tokens).chain(accesses.map(|access| access.tokens)).sum()
}

pub(super) fn line(text: &mut String, content: &str) {
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
    focus(text, view, painter);
}

/// What the agent is imagined to work on, and what that brings when it brings nothing.
fn focus(text: &mut String, view: &View<'_>, painter: &Painter) {
    let brought = |path: &Path| {
        let prompt = &view.prompt;
        let message = prompt.messages.iter().find(|it| it.access.as_deref() == Some(path));
        let access = prompt.accesses.iter().find(|it| it.path == path);
        message.map(|it| &it.text).or(access.map(|it| &it.text)).is_some_and(|it| !it.is_empty())
    };
    let of_focus = view.request.focus.iter().map(|access| ("Focus", access));
    let accesses = view.request.accesses.iter().map(|access| ("Access", access));
    for (what, access) in of_focus.chain(accesses) {
        let said = match (&access.outside, access.exists, brought(&access.path)) {
            (Some(outside), ..) => format!(" brings nothing: {outside}."),
            (None, true, true) => String::new(),
            (None, true, false) => " brings nothing: no context file on its way is new.".to_owned(),
            (None, false, true) => " does not exist: a failed read brings nothing, a tool that creates it brings what is shown.".to_owned(),
            (None, false, false) => " does not exist and brings nothing.".to_owned(),
        };
        let path = painter.path(&access.path);
        line(text, &format!("{}: {path}{}", painter.strong(what), painter.sentence(&said)));
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
    let imports = imports(&layer.source);
    // What is not sent costs what it would when opened.
    let tokens =
        if layer.state == LayerState::Skipped { layer.source.tokens } else { layer.tokens };
    format!(
        "  {order}  {}  {path}  {:>6} {}  {state:<16}  {git}{imports}",
        painter.tier(layer.tier, &tier),
        tokens,
        if tokens == 1 { "token " } else { "tokens" },
    )
}

/// The imports of a source and of what it imports: `2 imports, 1 failed`.
fn imports(source: &Source) -> String {
    let all = || source.with_imported().flat_map(|source| &source.imports);
    let brought = all().filter(|import| import.status == ImportStatus::Imported).count();
    let failed = all().filter(|import| import.status.is_failure()).count();
    match (brought, failed) {
        (0, 0) => String::new(),
        (0, failed) => format!("  {} failed", counted(failed, "import")),
        (brought, 0) => format!("  {}", counted(brought, "import")),
        (brought, failed) => format!("  {}, {failed} failed", counted(brought, "import")),
    }
}
