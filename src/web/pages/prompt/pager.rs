//! Which rows of a long prompt stand on which page.

use std::ops::Range;

use super::super::display::number;
use super::super::query::Link;

/// Rows on one page.
pub(crate) const ROWS: usize = 5000;

/// The rows of all sheets, counted through.
pub(crate) struct Pager {
    /// The number of the first row of each sheet.
    starts: Vec<usize>,
    total: usize,
    rows: usize,
    page: usize,
}

impl Pager {
    /// `lengths` are the rows of each sheet.
    pub(crate) fn new(lengths: &[usize], rows: usize, page: usize) -> Self {
        let mut total = 0;
        let starts = lengths.iter().map(|length| (total, total += length).0).collect();
        let pages = total.div_ceil(rows).max(1);
        Self { starts, total, rows, page: page.clamp(1, pages) }
    }

    pub(crate) const fn pages(&self) -> usize {
        let pages = self.total.div_ceil(self.rows);
        if pages == 0 { 1 } else { pages }
    }

    /// The page shown, from 1.
    pub(crate) const fn page(&self) -> usize {
        self.page
    }

    /// The page, from 1, that shows a row of a sheet.
    pub(crate) fn page_of(&self, sheet: usize, row: usize) -> usize {
        (self.starts[sheet] + row) / self.rows + 1
    }

    /// The rows of a sheet that stand on this page.
    pub(crate) fn rows_of(&self, sheet: usize, length: usize) -> Range<usize> {
        let first = (self.page - 1) * self.rows;
        let start = first.saturating_sub(self.starts[sheet]).min(length);
        let end = (first + self.rows).saturating_sub(self.starts[sheet]).min(length);
        start..end.max(start)
    }

    /// `Rows 5,001 to 10,000 of 21,344`, where not all are shown.
    pub(crate) fn shown(&self) -> Option<String> {
        (self.pages() > 1).then(|| {
            let first = (self.page - 1) * self.rows;
            let last = (first + self.rows).min(self.total);
            format!("Rows {} to {} of {}", number(first + 1), number(last), number(self.total))
        })
    }

    /// The addresses of the pages before and after.
    pub(crate) fn neighbours(&self, here: &Link) -> (Option<String>, Option<String>) {
        let link = |page: usize| here.clone().without("hit").with("rows", page.to_string()).to_string();
        let before = (self.page > 1).then(|| link(self.page - 1));
        let after = (self.page < self.pages()).then(|| link(self.page + 1));
        (before, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_tile_all_rows() {
        let lengths = [3, 0, 10, 4];
        let mut seen = vec![Vec::new(); lengths.len()];
        for page in 1..=Pager::new(&lengths, 5, 1).pages() {
            let pager = Pager::new(&lengths, 5, page);
            for (sheet, &length) in lengths.iter().enumerate() {
                for row in pager.rows_of(sheet, length) {
                    assert_eq!(pager.page_of(sheet, row), page);
                    seen[sheet].push(row);
                }
            }
        }
        let all: Vec<Vec<usize>> = lengths.iter().map(|&length| (0..length).collect()).collect();
        assert_eq!(seen, all);
    }

    #[test]
    fn a_page_past_the_end_is_the_last() {
        let pager = Pager::new(&[7], 5, 99);
        assert_eq!(pager.rows_of(0, 7), 5..7);
        assert_eq!(pager.shown().as_deref(), Some("Rows 6 to 7 of 7"));
        assert_eq!(Pager::new(&[], 5, 3).pages(), 1);
    }
}
