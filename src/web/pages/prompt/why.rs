//! 'Why is a file not here?': an answer for the name of a file, or for words that are missing.

use super::super::display::ShownPath;
use super::super::files::unread_href;
use super::super::query::PageQuery;
use super::super::sources::Sources;
use super::super::subject::Subject;
use super::super::text::lines;
use super::super::text::search::find_all;
use super::super::unloaded;
use crate::model::LayerState;

/// Answers shown at once.
pub(crate) const SHOWN: usize = 12;

/// One answer.
pub(crate) struct Answer {
    pub(crate) icon: &'static str,
    pub(crate) title: String,
    pub(crate) path: ShownPath,
    pub(crate) detail: String,
    pub(crate) fix: Option<String>,
    pub(crate) href: String,
}

/// What was asked, and everything that answers it.
pub(crate) struct Why {
    pub(crate) asked: String,
    pub(crate) answers: Vec<Answer>,
    pub(crate) left_out: usize,
}

/// Looks for files by name, then for the words in every source.
pub(crate) fn why(subject: &Subject, query: &PageQuery, sources: &Sources<'_>, asked: &str) -> Why {
    let mut answers = Vec::new();
    let name = asked.trim_start_matches("./").to_lowercase();
    for file in unloaded::unloaded(subject) {
        let path = subject.places.show(&file.path);
        if path.0.to_lowercase().contains(&name) {
            answers.push(Answer {
                icon: unloaded::icon(file.reason),
                title: file.reason.label().to_owned(),
                path,
                detail: file.detail.clone(),
                fix: file.fix.clone(),
                href: unread_href(query, &file.path),
            });
        }
    }
    for entry in sources.iter() {
        let path = subject.places.show(&entry.source.path);
        let is_named = path.0.to_lowercase().contains(&name);
        let hits = if is_named { Vec::new() } else { find_all(&entry.source.text, asked) };
        if !is_named && hits.is_empty() {
            continue;
        }
        let is_sent = matches!(entry.layer.state, LayerState::Loaded | LayerState::Truncated);
        let carrier = entry.layer.message.label().to_lowercase();
        let file = query.link(format!("/files/{}", entry.source.id));
        let spans = lines::spans(&entry.source.text);
        let (detail, href) = match hits.first() {
            Some(hit) => {
                let line = spans.partition_point(|span| span.end <= hit.start) + 1;
                let more = match hits.len() {
                    1 => String::new(),
                    many => format!(" and {} more places", many - 1),
                };
                (format!("The words stand in line {line}{more}."), file.at(format!("L{line}")))
            }
            None => (String::new(), file),
        };
        let state = if is_sent {
            format!("It is in the prompt: {carrier}.")
        } else {
            format!("The file is known and not sent: {}.", entry.layer.reason.map_or("it holds no text", |reason| reason.label()).to_lowercase())
        };
        answers.push(Answer {
            icon: if is_sent { "d-start" } else { "d-off" },
            title: if is_sent { "In the prompt".into() } else { "Not sent".into() },
            path,
            detail: format!("{state} {detail}").trim().to_owned(),
            fix: None,
            href: href.to_string(),
        });
    }
    let left_out = answers.len().saturating_sub(SHOWN);
    answers.truncate(SHOWN);
    Why { asked: asked.to_owned(), answers, left_out }
}
