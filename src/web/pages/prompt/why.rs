//! 'Why is a file not here?': the same answer as `tierboard explain`, for a file or for words.

use std::path::Path;

use super::super::display::{ShownPath, file_name};
use super::super::files::file_id;
use super::super::query::PageQuery;
use super::super::subject::Subject;
use crate::snapshot::{Place, explain};

/// Answers shown at once.
const SHOWN: usize = 12;

/// One answer.
pub(crate) struct Answer {
    pub(crate) icon: &'static str,
    pub(crate) title: &'static str,
    pub(crate) path: Option<ShownPath>,
    pub(crate) place: String,
    pub(crate) detail: String,
    pub(crate) fix: Option<String>,
    pub(crate) href: Option<String>,
}

/// What was asked, and everything that answers it.
pub(crate) struct Why {
    pub(crate) asked: String,
    pub(crate) answers: Vec<Answer>,
    pub(crate) left_out: usize,
}

pub(crate) fn why(subject: &Subject<'_>, query: &PageQuery, asked: &str) -> Why {
    let mut places = explain(subject.fs, subject.view, asked, subject.places.home()).places;
    let left_out = places.len().saturating_sub(SHOWN);
    places.truncate(SHOWN);
    let known = |path: &Path| {
        subject.view.sources().any(|source| source.path == path)
            || subject.view.not_loaded().any(|file| file.path == path)
    };
    let answer = |place: &Place| {
        let has_path = !place.path.as_os_str().is_empty();
        let href = (has_path && known(&place.path)).then(|| {
            let link = query.link(format!("/files/{}", file_id(&place.path)));
            match place.line {
                Some(line) => link.at(format!("L{line}")).to_string(),
                None => link.to_string(),
            }
        });
        Answer {
            icon: if place.in_prompt { "d-start" } else { "d-off" },
            title: if place.in_prompt { "In the prompt" } else { "Not in the prompt" },
            path: has_path.then(|| subject.show(&place.path)),
            place: match place.line {
                Some(line) if has_path => format!("{}:{line}", file_name(&place.path)),
                _ => String::new(),
            },
            detail: subject.sentence(&place.answer),
            fix: place.fix.as_deref().map(|fix| subject.sentence(fix)),
            href,
        }
    };
    Why { asked: asked.to_owned(), answers: places.iter().map(answer).collect(), left_out }
}
