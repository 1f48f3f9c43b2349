//! When to scan: soon after a change, seldom enough not to burn the processor.

use std::time::{Duration, Instant};

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
    last_scan: Instant,
    took: Duration,
}

impl Schedule {
    pub(super) fn new(pace: Pace, now: Instant) -> Self {
        Self { pace, burst: None, last_scan: now, took: Duration::ZERO }
    }

    /// Something changed.
    pub(super) fn touch(&mut self, now: Instant) {
        let first = self.burst.map_or(now, |(first, _)| first);
        self.burst = Some((first, now));
    }

    /// A scan has ended.
    pub(super) fn scanned(&mut self, began: Instant, now: Instant) {
        self.burst = None;
        self.last_scan = now;
        self.took = now.saturating_duration_since(began);
    }

    /// When to scan, at the latest; `watched` says whether changes are told, `looked_at` whether
    /// anybody looks.
    pub(super) fn due(&self, watched: bool, looked_at: bool) -> Instant {
        let between = match (watched, looked_at) {
            (true, true) => self.pace.sweep,
            (false, true) => self.pace.poll,
            (_, false) => self.pace.idle,
        };
        let sweep = self.last_scan + between.max(self.took * SHARE_OF_SWEEPS);
        let Some((first, last)) = self.burst else { return sweep };
        let settled = (last + self.pace.quiet).min(first + self.pace.ceiling);
        settled.max(self.last_scan + self.took * SHARE_OF_BURSTS)
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
        schedule.scanned(start, start + 100 * MS);
        assert_eq!(schedule.due(true, true), start + 5_100 * MS);
        schedule.touch(start + 101 * MS);
        assert_eq!(schedule.due(true, true), start + 300 * MS);
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
