//! Pauses that grow.
use std::time::Duration;

/// Pauses between attempts: each twice as long as the one before, up to the longest.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pauses {
    next: Duration,
    longest: Duration,
}

impl Pauses {
    pub(crate) fn new(first: Duration, longest: Duration) -> Self {
        Self {
            next: first,
            longest,
        }
    }

    pub(crate) fn next_pause(&mut self) -> Duration {
        let pause = self.next;
        self.next = (pause * 2).min(self.longest);
        pause
    }
}

/// Without an end.
impl Iterator for Pauses {
    type Item = Duration;

    fn next(&mut self) -> Option<Duration> {
        Some(self.next_pause())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_double_up_to_the_longest() {
        let seconds = Duration::from_secs;
        let pauses: Vec<Duration> = Pauses::new(seconds(2), seconds(7)).take(4).collect();
        assert_eq!(pauses, [2, 4, 7, 7].map(seconds));
    }
}
