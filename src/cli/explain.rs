//! `tierboard explain`

use super::args::ExplainArgs;
use super::viewing::{chosen, say_limits, scanned, view, write_views};
use super::{CliError, Terminal};
use crate::fs::{DiskFs, Environment};
use crate::report::json::ExplanationJson;
use crate::report::text;
use crate::snapshot::explain;

pub(super) fn run(
    args: &ExplainArgs,
    environment: &Environment,
    terminal: &mut Terminal<'_>,
) -> Result<(), CliError> {
    if args.question.trim().is_empty() {
        return Err(CliError::Usage("Name a file, or words from one.".to_owned()));
    }
    if args.view.json {
        let snapshot = scanned(&args.view, environment, terminal)?;
        let mut answers = Vec::new();
        for agent in chosen(&args.view)? {
            let view = view(&args.view, environment, &snapshot, agent)?;
            let explanation = explain(&DiskFs, &view, &args.question, environment.home.as_deref());
            answers.push(ExplanationJson::new(&view, &args.question, &explanation));
        }
        return match answers.as_slice() {
            [one] if args.view.agent != "all" => super::write_json(terminal, one),
            all => super::write_json(terminal, &all),
        };
    }
    write_views(&args.view, environment, terminal, |view, _, painter| {
        say_limits(&view, painter);
        let explanation = explain(&DiskFs, &view, &args.question, environment.home.as_deref());
        Ok(text::explain(&explanation, &args.question, painter))
    })
}
