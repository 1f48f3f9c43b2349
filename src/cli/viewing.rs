//! From arguments to a view: the part that every reading command shares.

use super::args::ViewArgs;
use super::progress::with_progress;
use super::{CliError, Terminal};
use crate::agents::{self, Agent, ScanOptions};
use crate::fs::{DiskFs, Environment};
use crate::report::Places;
use crate::report::json::Document;
use crate::report::text::{Painter, notes_on_the_text};
use crate::snapshot::{Snapshot, View, ViewRequest, scan};

/// Scans the workspace that the arguments name.
pub(super) fn scanned(
    args: &ViewArgs,
    environment: &Environment,
    terminal: &Terminal<'_>,
) -> Result<Snapshot, CliError> {
    let options = ScanOptions {
        trust: args.trust.into(),
        model: args.model.clone(),
        extensions: args.extensions.clone(),
    };
    let message = format!("Reading {} ...", args.path.display());
    Ok(with_progress(terminal.watched, &message, || {
        scan(&DiskFs, environment, &args.path, &options)
    })?)
}

/// The agents that the arguments name.
pub(super) fn chosen(args: &ViewArgs) -> Result<Vec<&'static dyn Agent>, CliError> {
    if args.agent == "all" {
        return Ok(agents::ALL.to_vec());
    }
    agents::by_id(&args.agent).map(|agent| vec![agent]).ok_or_else(|| {
        let known: Vec<_> = agents::ALL.iter().map(|agent| agent.info().id).collect();
        CliError::Usage(format!(
            "No agent is called \"{}\". Known: {}, all.",
            args.agent,
            known.join(", ")
        ))
    })
}

/// The view of one agent.
pub(super) fn view<'a>(
    args: &ViewArgs,
    environment: &Environment,
    snapshot: &'a Snapshot,
    agent: &dyn Agent,
) -> Result<View<'a>, CliError> {
    let request = ViewRequest { focus: args.focus.clone(), accesses: args.access.clone() };
    View::new(&DiskFs, environment, snapshot, agent, &request)
        .ok_or_else(|| CliError::Internal("The snapshot lacks the agent".to_owned()))
}

/// Writes the document of each chosen agent: an object for one, a list for `all`.
pub(super) fn write_documents(
    args: &ViewArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    let agents = chosen(args)?;
    let snapshot = scanned(args, environment, terminal)?;
    let mut documents = Vec::new();
    for agent in agents {
        let view = view(args, environment, &snapshot, agent)?;
        documents.push(Document::new(&view, args.after_reload));
    }
    match documents.as_slice() {
        [one] if args.agent != "all" => super::write_json(terminal, one),
        all => super::write_json(terminal, &all),
    }
}

/// Calls `show` for each chosen agent and writes what it gives.
pub(super) fn write_views(
    args: &ViewArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
    show: impl Fn(View<'_>, &dyn Agent, &Painter) -> Result<String, CliError>,
) -> Result<(), CliError> {
    let agents = chosen(args)?;
    let snapshot = scanned(args, environment, terminal)?;
    let painter = Painter::new(
        terminal.colour,
        Places::new(&snapshot.workspace, &[], environment.home.as_deref()),
    );
    for agent in agents {
        let view = view(args, environment, &snapshot, agent)?;
        let text = show(view, agent, &painter)?;
        super::write_out(terminal, &text)?;
    }
    Ok(())
}

/// Says on standard error what limits the text that is about to stand on standard output.
#[expect(clippy::print_stderr, reason = "a text that is piped on must stay free of notes")]
pub(super) fn say_limits(view: &View<'_>, painter: &Painter) {
    eprint!("{}", notes_on_the_text(view, &painter.uncoloured()));
}
