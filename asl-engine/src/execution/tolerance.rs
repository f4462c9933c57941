//! How many failures of iterations a Map State tolerates (2022 specification, Map State).

/// "ToleratedFailureCount" and "ToleratedFailurePercentage": above either, the state fails.
#[derive(Debug, Clone, Copy, PartialEq, Default, serde::Serialize, serde::Deserialize)]
pub(super) struct Tolerance {
    pub(super) count: Option<u64>,
    pub(super) percentage: Option<f64>,
}

impl Tolerance {
    /// The service's words.
    pub(super) const CAUSE: &'static str = "The specified tolerated failure threshold was exceeded";

    /// Whether `failures` of `total` are too many; where neither is given, one is.
    pub(super) fn is_exceeded(self, failures: u64, total: u64) -> bool {
        let over_count = self.count.is_some_and(|count| failures > count);
        let over_percentage = self
            .percentage
            .is_some_and(|percentage| failures as f64 * 100.0 > percentage * total as f64);
        let untolerated = self.count.is_none() && self.percentage.is_none() && failures > 0;
        over_count || over_percentage || untolerated
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn either_threshold_may_be_exceeded() {
        let tolerance = Tolerance {
            count: Some(2),
            percentage: Some(50.0),
        };
        assert!(!tolerance.is_exceeded(2, 4));
        assert!(tolerance.is_exceeded(3, 100));
        assert!(tolerance.is_exceeded(2, 3));
    }

    #[test]
    fn nothing_is_tolerated_by_default() {
        assert!(
            Tolerance::default().is_exceeded(1, 1_000) && !Tolerance::default().is_exceeded(0, 0)
        );
    }
}
