//! Rules for redrives (AWS Step Functions Developer Guide, Redriving executions).
use super::ExecutionStatus;
use asl_engine::Timestamp;
use std::time::Duration;

/// Period after the end of an execution in which it can be redriven.
pub const REDRIVABLE_PERIOD: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Period in which the same client token identifies the same redrive.
pub const SAME_REDRIVE: Duration = Duration::from_secs(15 * 60);
/// Events of one execution, as the service's quotas have it: with so many there is no redrive any more.
const MOST_EVENTS: u64 = 25_000;

/// Returns the reason why a Standard execution cannot be redriven, in the words of the API; None if it can.
///
/// ```
/// use asl_engine::Timestamp;
/// use asl_backend::{ExecutionStatus, why_not_redrivable};
///
/// let (ended, now) = (Timestamp::from_milliseconds(0), Timestamp::from_milliseconds(5_000));
/// assert_eq!(why_not_redrivable(ExecutionStatus::Failed, Some(ended), 7, now), None);
/// let why = why_not_redrivable(ExecutionStatus::Running, None, 7, now);
/// assert_eq!(why.as_deref(), Some("Execution is RUNNING and cannot be redriven"));
/// ```
pub fn why_not_redrivable(
    status: ExecutionStatus,
    stop_date: Option<Timestamp>,
    event_count: u64,
    now: Timestamp,
) -> Option<String> {
    match status {
        ExecutionStatus::Failed | ExecutionStatus::TimedOut | ExecutionStatus::Aborted => {}
        // Recorded.
        status => {
            return Some(format!(
                "Execution is {} and cannot be redriven",
                status.word()
            ));
        }
    }
    let ended = stop_date.unwrap_or(now);
    if now.duration_since(ended) > REDRIVABLE_PERIOD {
        return Some("Execution has exceeded the redrivable period of 14 days".to_owned());
    }
    (event_count >= MOST_EVENTS).then(|| {
        format!(
            "Execution has {MOST_EVENTS} events, the most that are possible, and cannot be redriven"
        )
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn why_not(status: ExecutionStatus, days: u64, events: u64) -> Option<String> {
        let ended = Timestamp::default();
        let now = ended.plus_seconds(days * 24 * 60 * 60 + 1);
        why_not_redrivable(status, Some(ended), events, now)
    }

    #[test]
    fn what_failed_may_be_redriven_for_two_weeks() {
        let statuses = [
            ExecutionStatus::Failed,
            ExecutionStatus::TimedOut,
            ExecutionStatus::Aborted,
        ];
        for status in statuses {
            assert_eq!(why_not(status, 13, 5), None);
            assert!(why_not(status, 14, 5).unwrap().contains("14 days"));
        }
    }

    #[test]
    fn what_runs_or_succeeded_or_has_a_full_history_may_not() {
        for status in [ExecutionStatus::Running, ExecutionStatus::Succeeded] {
            let reason = format!("Execution is {} and cannot be redriven", status.word());
            assert_eq!(why_not(status, 0, 5), Some(reason));
        }
        let full = why_not(ExecutionStatus::Failed, 0, 25_000).unwrap();
        assert!(full.contains("25000 events"), "{full}");
    }
}
