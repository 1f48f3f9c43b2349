//! When to scan: soon after a change, seldom enough not to burn the processor.

use std::time::{Duration, Instant};

use super::Depth;

/// How fast to react.
#[derive(Debug, Clone, Copy)]
pub struct Pace {
    /// How long it must be quiet after a change.
    pub quiet: Duration,
    /// The longest wait after the first change of a burst.
    pub ceiling: Duration,
    /// The time between sweeps while somebody looks.
    pub sweep: Duration,
    /// The time between looks where the system doesn't tell of changes.
    pub poll: Duration,
    /// The time between sweeps while nobody looks.
    pub idle: Duration,
}

impl Default for Pace {
    fn default() -> Self {
        Self {
            quiet: Duration::from_millis(25),
            ceiling: Duration::from_millis(80),
            sweep: Duration::from_secs(3),
            poll: Duration::from_secs(2),
            idle: Duration::from_secs(30),
        }
    }
}

/// A scan may take this part of the time between two sweeps.
const SHARE_OF_SWEEPS: u32 = 50;

/// A scan may take this part of the time during a burst of changes.
const SHARE_OF_BURSTS: u32 = 2;

/// Decides when the next scan is due.
#[derive(Debug)]
pub(super) struct Schedule {
    pace: Pace,
    /// First and last change of a burst.
    burst: Option<(Instant, Instant)>,
    /// No scan for a change before this moment.
    rest: Instant,
    /// The end of the last scan of everything, and how long it took.
    last_full: (Instant, Duration),
}

impl Schedule {
    pub(super) fn new(pace: Pace, now: Instant) -> Self {
        Self { pace, burst: None, rest: now, last_full: (now, Duration::ZERO) }
    }

    /// Something changed.
    pub(super) fn touch(&mut self, now: Instant) {
        let first = self.burst.map_or(now, |(first, _)| first);
        self.burst = Some((first, now));
    }

    /// A scan has ended.
    pub(super) fn scanned(&mut self, depth: Depth, began: Instant, now: Instant) {
        let took = now.saturating_duration_since(began);
        // Changes in a row are spread out. One after a sweep needn't wait: sweeps are seldom.
        if self.burst.take().is_some() {
            self.rest = now + took * SHARE_OF_BURSTS;
        }
        if depth == Depth::Everything {
            self.last_full = (now, took);
        }
    }

    /// When to scan, at the latest; `told` says whether the system tells of changes, `looked_at`
    /// whether anybody looks.
    pub(super) fn due(&self, told: bool, looked_at: bool) -> Instant {
        let sweep = self.sweep(told, looked_at);
        let Some((first, last)) = self.burst else { return sweep };
        let settled = (last + self.pace.quiet).min(first + self.pace.ceiling);
        settled.max(self.rest)
    }

    /// What the scan that is due must look at.
    pub(super) fn depth(&self, now: Instant, told: bool, looked_at: bool) -> Depth {
        let is_sweep = self.burst.is_none() || now >= self.sweep(told, looked_at);
        if is_sweep || !told { Depth::Everything } else { Depth::WatchedFolders }
    }

    fn sweep(&self, told: bool, looked_at: bool) -> Instant {
        let between = match (told, looked_at) {
            (true, true) => self.pace.sweep,
            (false, true) => self.pace.poll,
            (_, false) => self.pace.idle,
        };
        let (ended, took) = self.last_full;
        ended + between.max(took * SHARE_OF_SWEEPS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: Duration = Duration::from_millis(1);

    #[test]
    fn a_change_is_scanned_when_it_is_quiet_again() {
        let start = Instant::now();
        let mut schedule = Schedule::new(Pace::default(), start);
        schedule.touch(start + 100 * MS);
        assert_eq!(schedule.due(true, true), start + 125 * MS);
        schedule.touch(start + 110 * MS);
        assert_eq!(schedule.due(true, true), start + 135 * MS);
    }

    #[test]
    fn a_burst_waits_no_longer_than_the_ceiling() {
        let start = Instant::now();
        let mut schedule = Schedule::new(Pace::default(), start);
        for after in (0..200).step_by(10) {
            schedule.touch(start + after * MS);
        }
        assert_eq!(schedule.due(true, true), start + 80 * MS);
    }

    #[test]
    fn slow_scans_are_spread_out() {
        let start = Instant::now();
        let mut schedule = Schedule::new(Pace::default(), start);
        schedule.scanned(Depth::Everything, start, start + 100 * MS);
        assert_eq!(schedule.due(true, true), start + 5_100 * MS);
        schedule.touch(start + 101 * MS);
        assert_eq!(schedule.due(true, true), start + 126 * MS, "a sweep is no burst");
        schedule.scanned(Depth::WatchedFolders, start + 130 * MS, start + 180 * MS);
        schedule.touch(start + 181 * MS);
        assert_eq!(schedule.due(true, true), start + 280 * MS);
    }

    #[test]
    fn changes_do_not_put_off_sweeps() {
        let start = Instant::now();
        let mut schedule = Schedule::new(Pace::default(), start);
        schedule.touch(start + 100 * MS);
        assert_eq!(schedule.depth(start + 125 * MS, true, true), Depth::WatchedFolders);
        assert_eq!(schedule.depth(start + 125 * MS, false, true), Depth::Everything);
        schedule.scanned(Depth::WatchedFolders, start + 125 * MS, start + 126 * MS);
        assert_eq!(schedule.due(true, true), start + 3_000 * MS);
        schedule.touch(start + 2_999 * MS);
        assert_eq!(schedule.depth(start + 3_024 * MS, true, true), Depth::Everything);
    }

    #[test]
    fn nobody_looking_means_few_sweeps() {
        let start = Instant::now();
        let schedule = Schedule::new(Pace::default(), start);
        assert_eq!(schedule.due(true, true), start + 3_000 * MS);
        assert_eq!(schedule.due(false, true), start + 2_000 * MS);
        assert_eq!(schedule.due(true, false), start + 30_000 * MS);
    }
}
