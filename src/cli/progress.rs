//! A line for people who wait.

use std::sync::mpsc::channel;
use std::time::Duration;

/// Work that takes longer says so.
const PATIENCE: Duration = Duration::from_millis(300);

/// Does `work`. When a person watches and it takes long, `message` stands on standard error until
/// it is done.
#[expect(clippy::print_stderr, reason = "progress is for the person, not for the output")]
pub(super) fn with_progress<T>(watched: bool, message: &str, work: impl FnOnce() -> T) -> T {
    if !watched {
        return work();
    }
    std::thread::scope(|scope| {
        let (done, wait) = channel::<()>();
        scope.spawn(move || {
            if wait.recv_timeout(PATIENCE).is_ok() {
                return;
            }
            eprint!("{message}");
            // Ends when the sender goes away, with or without a word.
            let _ = wait.recv();
            eprint!("\r\x1b[2K");
        });
        let result = work();
        let _ = done.send(());
        result
    })
}
