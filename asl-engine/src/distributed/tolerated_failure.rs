//! Failure threshold of a distributed Map (2024 specification, Map State, failure tolerance).

/// "ToleratedFailureCount" and "ToleratedFailurePercentage", evaluated.
///
/// With neither, the first failed item is one too many; with both, exceeding either is.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct ToleratedFailure {
    count: Option<u64>,
    percentage: Option<f64>,
}

/// An invalid percentage: the cause of a States.Runtime, in the words of the service.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("ToleratedFailurePercentage must be between 0 and 100.")]
pub(crate) struct ToleratedFailureError;

impl ToleratedFailure {
    /// The cause of that error, as the service writes it.
    pub(crate) const CAUSE: &'static str = "The specified tolerated failure threshold was exceeded";

    /// Creates a threshold; `percentage` from 0 to 100.
    ///
    /// # Errors
    /// A percentage outside of that range.
    pub(crate) fn new(
        count: Option<u64>,
        percentage: Option<f64>,
    ) -> Result<Self, ToleratedFailureError> {
        if percentage.is_some_and(|p| !(0.0..=100.0).contains(&p)) {
            return Err(ToleratedFailureError);
        }
        Ok(Self { count, percentage })
    }

    /// Failed items that are tolerated.
    pub(crate) fn count(self) -> Option<u64> {
        self.count
    }

    /// Percentage of failed items that is tolerated.
    pub(crate) fn percentage(self) -> Option<f64> {
        self.percentage
    }

    /// Returns the threshold with other limits, if given; an invalid percentage changes nothing.
    #[must_use]
    pub(crate) fn updated(self, count: Option<u64>, percentage: Option<f64>) -> Self {
        let percentage = percentage.filter(|percentage| (0.0..=100.0).contains(percentage));
        Self {
            count: count.or(self.count),
            percentage: percentage.or(self.percentage),
        }
    }

    /// Returns true if `failed` of `total` items are more than tolerated. Items that timed out count as failed; a failed
    /// batch counts as all of its items.
    pub(crate) fn is_exceeded(&self, failed: u64, total: u64) -> bool {
        let by_count = |count| failed > count;
        // Multiplied instead of divided: no item is lost to rounding, and no items are no division by zero.
        let by_percentage = |percentage| failed as f64 * 100.0 > percentage * total as f64;
        match (self.count, self.percentage) {
            (None, None) => failed > 0,
            (count, percentage) => {
                count.is_some_and(by_count) || percentage.is_some_and(by_percentage)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tolerated(count: Option<u64>, percentage: Option<f64>) -> ToleratedFailure {
        ToleratedFailure::new(count, percentage).expect("within range")
    }

    #[test]
    fn no_failure_is_tolerated_by_default() {
        assert!(!ToleratedFailure::default().is_exceeded(0, 10));
        assert!(ToleratedFailure::default().is_exceeded(1, 10));
    }

    #[test]
    fn a_count_is_exceeded_by_one_more() {
        assert!(!tolerated(Some(2), None).is_exceeded(2, 2));
        assert!(tolerated(Some(2), None).is_exceeded(3, 1_000));
        assert!(tolerated(Some(0), None).is_exceeded(1, 1_000));
    }

    #[test]
    fn a_percentage_is_of_all_items() {
        assert!(!tolerated(None, Some(1.5)).is_exceeded(3, 200));
        assert!(tolerated(None, Some(1.5)).is_exceeded(4, 200));
        assert!(!tolerated(None, Some(100.0)).is_exceeded(7, 7));
        assert!(!tolerated(None, Some(0.0)).is_exceeded(0, 0));
    }

    #[test]
    fn either_of_both_is_enough() {
        let both = tolerated(Some(5), Some(50.0));
        assert!(!both.is_exceeded(5, 10));
        assert!(both.is_exceeded(6, 100));
        assert!(both.is_exceeded(2, 3));
    }

    #[test]
    fn a_percentage_outside_0_to_100_is_refused_as_the_service_does() {
        for percentage in [-1.1, 100.1, f64::NAN, f64::INFINITY] {
            let error = ToleratedFailure::new(None, Some(percentage)).expect_err("out of range");
            assert_eq!(
                error.to_string(),
                "ToleratedFailurePercentage must be between 0 and 100."
            );
        }
    }

    proptest! {
        #[test]
        fn more_failures_never_help(
            count in proptest::option::of(0u64..50),
            percentage in proptest::option::of(0.0f64..=100.0),
            failed in 0u64..100,
            total in 100u64..200,
        ) {
            let threshold = tolerated(count, percentage);
            if threshold.is_exceeded(failed, total) {
                prop_assert!(threshold.is_exceeded(failed + 1, total));
            }
        }
    }
}
