//! Numbers of reached points.
use std::fmt;
use std::ops::AddAssign;

/// A number of reached points, out of a total.
///
/// ```
/// let tally = asl_test::coverage::Tally { reached: 2, all: 3 };
/// assert_eq!(tally.percent(), 66.6);
/// assert_eq!(tally.to_string(), "2/3");
/// assert!(tally.is_at_least(66.0) && !tally.is_at_least(67.0));
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(
    clippy::exhaustive_structs,
    reason = "its fields are its whole meaning"
)]
pub struct Tally {
    /// Number of reached points.
    pub reached: u64,
    /// Total number of points.
    pub all: u64,
}

impl Tally {
    /// Returns the percentage with one decimal, never rounded up: 100 means all. An empty total is 100.
    pub fn percent(self) -> f64 {
        match self.all {
            0 => 100.0,
            all => (1_000.0 * self.reached as f64 / all as f64).floor() / 10.0,
        }
    }

    /// Returns true if at least so many percent were reached.
    pub fn is_at_least(self, percent: f64) -> bool {
        100.0 * self.reached as f64 >= percent * self.all as f64
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.reached += other.reached;
        self.all += other.all;
    }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.reached, self.all)
    }
}
