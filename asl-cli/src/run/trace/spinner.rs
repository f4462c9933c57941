//! A line that moves while a terminal waits.
use crate::terminal::{self, FAINT, HINT, listed};
use asl_trace::Visit;
use std::io::Write;
use std::time::{Duration, Instant};

/// Interval between frames.
pub(crate) const PERIOD: Duration = Duration::from_millis(100);
/// Waits shorter than this show nothing.
const PATIENCE: Duration = Duration::from_millis(250);
const FRAMES: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// The last line of a terminal.
pub(crate) struct Spinner {
    since: Instant,
    is_drawn: bool,
    frame: usize,
}

impl Spinner {
    pub(crate) fn new() -> Self {
        Self {
            since: Instant::now(),
            is_drawn: false,
            frame: 0,
        }
    }

    /// Something happened: the line makes room for it.
    pub(crate) fn clear(&mut self) {
        self.since = Instant::now();
        if std::mem::take(&mut self.is_drawn) {
            write("\r\x1b[2K");
        }
    }

    /// Draws the next frame with the awaited tasks.
    pub(crate) fn draw<'e>(&mut self, waiting: impl Iterator<Item = &'e Visit>) {
        let waited = self.since.elapsed();
        if !terminal::is_interactive() || waited < PATIENCE {
            return;
        }
        let names: Vec<&str> = waiting.map(|visit| &*visit.state).collect();
        let text = listed(&names, terminal::width().saturating_sub(28));
        let frame = FRAMES[self.frame % FRAMES.len()];
        self.frame += 1;
        self.is_drawn = true;
        let seconds = waited.as_secs();
        write(&format!(
            "\r\x1b[2K{HINT}{frame}{HINT:#} {text} {FAINT}{seconds} s{FAINT:#}"
        ));
    }
}

fn write(text: &str) {
    let mut stderr = anstream::stderr().lock();
    // Nobody is left to tell where stderr is closed.
    let _ = write!(stderr, "{text}").and_then(|()| stderr.flush());
}
