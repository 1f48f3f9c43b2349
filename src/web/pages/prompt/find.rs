//! Search in the prompt: hits over all sheets, and the way from one to the next.

use std::ops::Range;

use super::super::mask::{Secret, secrets};
use super::super::query::{Link, PageQuery};
use super::super::text::pieces::Marks;
use super::super::text::rows::row_at;
use super::super::text::search::find_all;
use super::pager::Pager;
use super::view::Sheet;

/// What was looked for, and where it is.
pub(crate) struct Find {
    pub(crate) words: String,
    /// Hits by sheet.
    hits: Vec<Vec<Range<usize>>>,
    secrets: Vec<Vec<Secret>>,
    /// The hit looked at, from 1; 0 when there is none.
    pub(crate) current: usize,
    pub(crate) total: usize,
}

/// Whether a part of a hit lies in one of these secrets, which are in order.
fn is_hidden(hit: &Range<usize>, secrets: &[Secret]) -> bool {
    let next = secrets.partition_point(|each| each.span.end <= hit.start);
    secrets.get(next).is_some_and(|each| each.span.start < hit.end)
}

impl Find {
    pub(crate) fn new(sheets: &[Sheet<'_>], query: &PageQuery) -> Self {
        let words = query.get("q").unwrap_or_default().to_owned();
        let reveal = query.is_on("reveal");
        let secrets: Vec<Vec<Secret>> = sheets
            .iter()
            .map(|sheet| if reveal { Vec::new() } else { secrets(sheet.text.as_str()) })
            .collect();
        // What is hidden can't be guessed letter by letter either.
        let hits: Vec<Vec<Range<usize>>> = sheets
            .iter()
            .zip(&secrets)
            .map(|(sheet, secrets)| {
                let mut hits = find_all(sheet.text.as_str(), &words);
                hits.retain(|hit| !is_hidden(hit, secrets));
                hits
            })
            .collect();
        let total = hits.iter().map(Vec::len).sum();
        let current = if total == 0 { 0 } else { query.number("hit").min(total) };
        Self { words, hits, secrets, current, total }
    }

    /// Whether there is anything that could be hidden.
    pub(crate) fn has_secrets(sheets: &[Sheet<'_>]) -> bool {
        sheets.iter().any(|sheet| !secrets(sheet.text.as_str()).is_empty())
    }

    /// The number of values that are hidden.
    pub(crate) fn hidden(&self) -> usize {
        self.secrets.iter().map(Vec::len).sum()
    }

    /// What is marked in a sheet.
    pub(crate) fn marks(&self, sheet: usize) -> Marks {
        Marks {
            secrets: self.secrets[sheet].clone(),
            hits: self.hits[sheet].clone(),
            first_hit: self.hits[..sheet].iter().map(Vec::len).sum::<usize>() + 1,
            current_hit: self.current,
        }
    }

    /// The page that shows the current hit.
    pub(crate) fn page(&self, sheets: &[Sheet<'_>], pager: &Pager) -> Option<usize> {
        self.place(self.current, sheets).map(|(sheet, row)| pager.page_of(sheet, row))
    }

    /// The address of the hit `by` further on, round and round.
    pub(crate) fn step(&self, by: usize, here: &Link) -> Option<String> {
        let last = self.total.checked_sub(1)?;
        let number = (self.current - 1 + if by == 0 { last } else { by }) % self.total + 1;
        let link = here.clone().without("rows").with("hit", number.to_string());
        Some(link.at(format!("hit-{number}")).to_string())
    }

    fn place(&self, number: usize, sheets: &[Sheet<'_>]) -> Option<(usize, usize)> {
        let mut left = number.checked_sub(1)?;
        for (sheet, hits) in self.hits.iter().enumerate() {
            match hits.get(left) {
                Some(hit) => return Some((sheet, row_at(&sheets[sheet].spans, hit.start))),
                None => left -= hits.len(),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hit_that_touches_a_secret_is_hidden() {
        let secret = |span: Range<usize>| Secret { span, what: "key" };
        let secrets = [secret(5..10), secret(10..12), secret(20..30)];
        for hidden in [4..6, 9..10, 5..10, 0..40, 11..13, 29..30, 12..21] {
            assert!(is_hidden(&hidden, &secrets), "{hidden:?}");
        }
        for shown in [0..5, 12..20, 30..31] {
            assert!(!is_hidden(&shown, &secrets), "{shown:?}");
        }
    }
}
