//! Thresholds of coverage.
use super::{Coverage, PointKind, Tally};
use std::fmt;
use std::str::FromStr;

/// A minimum coverage in percent of all definitions, for all points or for one kind.
///
/// ```
/// use asl_test::coverage::Threshold;
///
/// let of_all: Threshold = "80".parse()?;
/// let of_states: Threshold = "states=100".parse()?;
/// assert_eq!((of_all.percent, of_states.to_string()), (80.0, "100 % of states".to_owned()));
/// # Ok::<(), String>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct Threshold {
    /// The kind of points; None for all kinds.
    pub kind: Option<PointKind>,
    /// Percentage, from 0 to 100.
    pub percent: f64,
}

impl FromStr for Threshold {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, number) = match text.split_once('=') {
            Some((kind, number)) => (Some(kind), number),
            None => (None, text),
        };
        let kind_of = |name: &str| {
            let mut kinds = PointKind::ALL.into_iter();
            let unknown = || {
                let names = PointKind::ALL.map(PointKind::plural).join(", ");
                format!("expected one of {names}, found `{name}`")
            };
            kinds.find(|kind| kind.plural() == name).ok_or_else(unknown)
        };
        let percent = number.trim_end_matches('%').parse::<f64>().ok();
        let percent = percent.filter(|percent| (0.0..=100.0).contains(percent));
        Ok(Self {
            kind: kind.map(kind_of).transpose()?,
            percent: percent.ok_or_else(|| {
                format!("expected a percentage from 0 to 100, or KIND=PERCENTAGE, found `{text}`")
            })?,
        })
    }
}

impl fmt::Display for Threshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.percent)?;
        match self.kind {
            Some(kind) => write!(f, " of {}", kind.plural()),
            None => Ok(()),
        }
    }
}

/// A threshold that a run does not reach.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MissedThreshold {
    /// The threshold.
    pub threshold: Threshold,
    /// The actual coverage.
    pub found: Tally,
}

impl fmt::Display for MissedThreshold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (percent, found) = (self.found.percent(), self.found);
        write!(
            f,
            "expected a coverage of {}, found {percent} % ({found})",
            self.threshold
        )
    }
}

impl Coverage {
    /// The thresholds that are not reached.
    pub fn missed(&self, thresholds: &[Threshold]) -> Vec<MissedThreshold> {
        let missed = |threshold: &Threshold| {
            let found = match threshold.kind {
                Some(kind) => self.tally_of(kind),
                None => self.tally(),
            };
            let threshold = *threshold;
            (!found.is_at_least(threshold.percent)).then_some(MissedThreshold { threshold, found })
        };
        thresholds.iter().filter_map(missed).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::Threshold;

    #[test]
    fn what_is_no_threshold_is_told() {
        for (text, told) in [
            (
                "most",
                "expected a percentage from 0 to 100, or KIND=PERCENTAGE, found `most`",
            ),
            ("101", "expected a percentage"),
            ("NaN", "expected a percentage"),
            ("states=", "expected a percentage"),
            ("lines=80", "expected one of states, transitions, choices"),
        ] {
            let error = text.parse::<Threshold>().unwrap_err();
            assert!(error.starts_with(told), "{error}");
        }
        assert_eq!("80%".parse::<Threshold>().unwrap().percent, 80.0);
    }
}
