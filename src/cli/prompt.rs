//! `tierboard prompt`

use super::args::{FixedTexts, PromptArgs};
use super::viewing::{say_limits, write_documents, write_views};
use super::{CliError, Terminal};
use crate::agents;
use crate::fs::{DiskFs, Environment};
use crate::report::text::{self, Painter, visible_lines};
use crate::snapshot::View;

pub(super) fn run(
    args: &PromptArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    if let Some(version) = &args.agent_version {
        let known: Vec<_> = agents::ALL
            .iter()
            .map(|agent| agent.info())
            .filter(|info| args.view.agent == "all" || info.id == args.view.agent)
            .map(|info| info.checked_against)
            .collect();
        if !known.contains(&version.as_str()) {
            return Err(CliError::Usage(format!(
                "Behaviour of version {version} is not known here. Known: {}.",
                known.join(", ")
            )));
        }
    }
    let shows_fixed_texts = args.fixed_texts == FixedTexts::Installed;
    if args.view.json {
        if shows_fixed_texts {
            let problem = "JSON always holds placeholders: --fixed-texts installed needs text.";
            return Err(CliError::Usage(problem.to_owned()));
        }
        return write_documents(&args.view, environment, terminal);
    }
    let is_terminal = terminal.is_terminal;
    write_views(&args.view, environment, terminal, |mut view, agent, painter| {
        if shows_fixed_texts && view.prompt.has_fixed_texts() {
            let real = agent.installed_fixed_texts(&DiskFs, environment);
            view.prompt
                .show_fixed_texts(&real.map_err(|error| CliError::Usage(error.to_string()))?);
        }
        say_limits(&view, painter);
        let text = shown(args, &view, painter)?;
        Ok(if is_terminal { visible_lines(&text) } else { text })
    })
}

fn shown(args: &PromptArgs, view: &View<'_>, painter: &Painter) -> Result<String, CliError> {
    let text = text::shown(view, &args.shown, painter, args.with_provenance);
    let text = text.map_err(|known| {
        let known = known.join(", ");
        CliError::Usage(format!("No view is called \"{}\". Known: {known}.", args.shown))
    })?;
    // A line break at the end, so that a shell's own prompt starts on its own line.
    let end = if text.ends_with('\n') { "" } else { "\n" };
    Ok(text + end)
}
