//! The compressed bitmaps of a split index (EWAH).

use std::io;

use super::broken;

/// The positions of set bits, as sorted ranges that don't touch.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Bitmap {
    ranges: Vec<std::ops::Range<u64>>,
}

impl Bitmap {
    /// Number of bits, number of words, words; what follows is not looked at.
    ///
    /// The words are runs: a marker says how many words of equal bits (bit 0: which; 32 bits: how
    /// many) come before how many words as they are (31 bits).
    pub(super) fn parse(content: &[u8]) -> io::Result<Self> {
        let short = || broken("a short bitmap");
        let (_bits, rest) = content.split_first_chunk::<4>().ok_or_else(short)?;
        let (count, rest) = rest.split_first_chunk::<4>().ok_or_else(short)?;
        let len = (u32::from_be_bytes(*count) as usize).checked_mul(8).ok_or_else(short)?;
        let words = rest.get(..len).ok_or_else(short)?;
        let (words, _) = words.as_chunks::<8>();
        let mut words = words.iter().map(|word| u64::from_be_bytes(*word));

        let mut bitmap = Self::default();
        let mut at: u64 = 0;
        while let Some(marker) = words.next() {
            let equal = ((marker >> 1) & 0xffff_ffff) * 64;
            if marker & 1 == 1 {
                bitmap.add(at, at + equal);
            }
            at += equal;
            for _ in 0..(marker >> 33) {
                let word = words.next().ok_or_else(short)?;
                for bit in (0..64).filter(|bit| word >> bit & 1 == 1) {
                    bitmap.add(at + bit, at + bit + 1);
                }
                at += 64;
            }
        }
        Ok(bitmap)
    }

    fn add(&mut self, start: u64, end: u64) {
        match self.ranges.last_mut() {
            Some(last) if last.end == start => last.end = end,
            _ => self.ranges.push(start..end),
        }
    }

    pub(super) fn contains(&self, position: u64) -> bool {
        let next = self.ranges.partition_point(|range| range.end <= position);
        self.ranges.get(next).is_some_and(|range| range.contains(&position))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bitmap(words: &[u64]) -> io::Result<Bitmap> {
        let mut content = vec![0; 4];
        content.extend((words.len() as u32).to_be_bytes());
        content.extend(words.iter().flat_map(|word| word.to_be_bytes()));
        content.extend([0; 4]);
        Bitmap::parse(&content)
    }

    #[test]
    fn runs_and_plain_words_are_told_apart() {
        // One word of ones, one plain word; two words of zeros, one plain word.
        let read = bitmap(&[1 | 1 << 1 | 1 << 33, 0b1001, 2 << 1 | 1 << 33, 1 << 63]).unwrap();
        let set: Vec<_> = (0..400).filter(|&at| read.contains(at)).collect();
        let want: Vec<_> = (0..65).chain([67, 64 * 4 + 63]).collect();
        assert_eq!(set, want);
        assert_eq!(bitmap(&[]).unwrap(), Bitmap::default());
    }

    #[test]
    fn damage_is_an_error() {
        assert!(bitmap(&[5 << 33, 1]).is_err());
        assert!(Bitmap::parse(&[0; 7]).is_err());
        assert!(Bitmap::parse(&[0, 0, 0, 0, 255, 255, 255, 255, 0]).is_err());
    }
}
