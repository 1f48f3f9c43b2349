//! Which rows of a long prompt stand on which page.

use std::ops::Range;

use super::super::display::number;
use super::super::query::Link;

/// Rows on one page, at most.
const ROWS: usize = 5000;

/// Bytes on one page, at most one row more.
const BYTES: usize = 2 << 20;

/// The rows of all sheets, counted through.
pub(crate) struct Pager {
    /// The number of the first row of each sheet, and of all rows.
    starts: Vec<usize>,
    /// The number of the first row of each page.
    pages: Vec<usize>,
    page: usize,
}

impl Pager {
    /// `sheets` are the rows of each sheet. The page is counted from 1.
    pub(crate) fn new(sheets: &[&[Range<usize>]], page: usize) -> Self {
        Self::with_limits(sheets, page, ROWS, BYTES)
    }

    fn with_limits(sheets: &[&[Range<usize>]], page: usize, rows: usize, bytes: usize) -> Self {
        let mut starts = vec![0];
        let mut pages = vec![0];
        let (mut row, mut page_bytes) = (0, 0);
        for sheet in sheets {
            for span in *sheet {
                let page_rows = row - pages.last().copied().unwrap_or(0);
                if page_rows == rows || page_bytes > bytes {
                    pages.push(row);
                    page_bytes = 0;
                }
                row += 1;
                page_bytes += span.len();
            }
            starts.push(row);
        }
        let page = page.clamp(1, pages.len());
        Self { starts, pages, page }
    }

    fn total(&self) -> usize {
        self.starts.last().copied().unwrap_or(0)
    }

    /// The rows of a page, counted through all sheets.
    fn all_rows(&self) -> Range<usize> {
        let end = self.pages.get(self.page).copied().unwrap_or_else(|| self.total());
        self.pages[self.page - 1]..end
    }

    /// The page, from 1, that shows a row of a sheet.
    pub(crate) fn page_of(&self, sheet: usize, row: usize) -> usize {
        self.pages.partition_point(|&first| first <= self.starts[sheet] + row)
    }

    /// The rows of a sheet that stand on this page.
    pub(crate) fn rows_of(&self, sheet: usize) -> Range<usize> {
        let own = self.starts[sheet]..self.starts[sheet + 1];
        let all = self.all_rows();
        let start = all.start.clamp(own.start, own.end);
        let end = all.end.clamp(start, own.end);
        start - own.start..end - own.start
    }

    /// `Rows 5,001 to 10,000 of 21,344`, where not all are shown.
    pub(crate) fn shown(&self) -> Option<String> {
        (self.pages.len() > 1).then(|| {
            let rows = self.all_rows();
            let total = number(self.total());
            format!("Rows {} to {} of {total}", number(rows.start + 1), number(rows.end))
        })
    }

    /// The addresses of the pages before and after.
    pub(crate) fn neighbours(&self, here: &Link) -> (Option<String>, Option<String>) {
        let link =
            |page: usize| here.clone().without("hit").with("rows", page.to_string()).to_string();
        let before = (self.page > 1).then(|| link(self.page - 1));
        let after = (self.page < self.pages.len()).then(|| link(self.page + 1));
        (before, after)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(lengths: &[usize], bytes: usize) -> Vec<Vec<Range<usize>>> {
        lengths.iter().map(|&length| vec![0..bytes; length]).collect()
    }

    #[test]
    fn pages_tile_all_rows() {
        for bytes in [1, 40] {
            let sheets = rows(&[3, 0, 10, 4], bytes);
            let sheets: Vec<&[Range<usize>]> = sheets.iter().map(Vec::as_slice).collect();
            let mut seen = vec![Vec::new(); sheets.len()];
            let pages = Pager::with_limits(&sheets, 1, 5, 100).pages.len();
            assert_eq!(pages, if bytes == 1 { 4 } else { 6 });
            for page in 1..=pages {
                let pager = Pager::with_limits(&sheets, page, 5, 100);
                for (sheet, seen) in seen.iter_mut().enumerate() {
                    for row in pager.rows_of(sheet) {
                        assert_eq!(pager.page_of(sheet, row), page);
                        seen.push(row);
                    }
                }
            }
            let all: Vec<Vec<usize>> =
                sheets.iter().map(|sheet| (0..sheet.len()).collect()).collect();
            assert_eq!(seen, all);
        }
    }

    #[test]
    fn a_page_past_the_end_is_the_last() {
        let sheets = rows(&[7], 1);
        let pager = Pager::with_limits(&[&sheets[0]], 99, 5, 100);
        assert_eq!(pager.rows_of(0), 5..7);
        assert_eq!(pager.shown().as_deref(), Some("Rows 6 to 7 of 7"));
        assert_eq!(Pager::new(&[], 3).shown(), None);
    }
}
