//! Which executions may be redriven, and what is said of the others.
use asl_engine::Timestamp;
use asl_host::engine::{ExecutionDescription, ExecutionStatus};
use std::time::Duration;

/// As the service's guide has it (Redriving executions).
const PERIOD: Duration = Duration::from_secs(14 * 24 * 60 * 60);
/// Events of one execution, as the service's quotas have it.
const MOST_EVENTS: u64 = 25_000;

/// "redriveStatus" of an execution.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Redrive {
    Possible,
    /// By that of the execution that it is a child of.
    ByMapRun,
    /// And why not.
    Impossible(String),
}

impl Redrive {
    pub(crate) fn new(execution: &ExecutionDescription, now: Timestamp) -> Self {
        let summary = &execution.summary;
        match summary.status {
            ExecutionStatus::Failed | ExecutionStatus::TimedOut | ExecutionStatus::Aborted => {}
            // Recorded.
            status => {
                return Self::Impossible(format!(
                    "Execution is {} and cannot be redriven",
                    status.word()
                ));
            }
        }
        let ended = summary.stop_date.unwrap_or(now);
        if now.duration_since(ended) > PERIOD {
            return Self::Impossible(
                "Execution has exceeded the redrivable period of 14 days".to_owned(),
            );
        }
        if execution.event_count >= MOST_EVENTS {
            return Self::Impossible(format!(
                "Execution has {MOST_EVENTS} events, the most that are possible, and cannot be redriven"
            ));
        }
        match summary.map_run_arn {
            Some(_) => Self::ByMapRun,
            None => Self::Possible,
        }
    }

    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Possible => "REDRIVABLE",
            Self::ByMapRun => "REDRIVABLE_BY_MAP_RUN",
            Self::Impossible(_) => "NOT_REDRIVABLE",
        }
    }

    /// "redriveStatusReason"
    pub(crate) fn reason(&self) -> Option<&str> {
        match self {
            Self::Impossible(reason) => Some(reason),
            Self::Possible | Self::ByMapRun => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_engine::ErrorOutput;
    use asl_host::engine::{DefinitionId, ExecutionSummary};

    fn execution(status: ExecutionStatus) -> ExecutionDescription {
        ExecutionDescription {
            summary: ExecutionSummary {
                arn: "arn:e".into(),
                name: "e".into(),
                state_machine_arn: "arn:m".into(),
                version_arn: None,
                alias_arn: None,
                status,
                start_date: Timestamp::default(),
                stop_date: Some(Timestamp::default()),
                redrive_count: 0,
                redrive_date: None,
                map_run_arn: None,
                item_count: None,
            },
            input: "{}".into(),
            output: None,
            error_output: ErrorOutput::default(),
            trace_header: None,
            definition: DefinitionId([0; 32]),
            revision: "{}".into(),
            event_count: 5,
            held: None,
        }
    }

    fn told(execution: &ExecutionDescription, days: u64) -> (&'static str, Option<String>) {
        let now = Timestamp::default().plus_seconds(days * 24 * 60 * 60 + 1);
        let redrive = Redrive::new(execution, now);
        (redrive.word(), redrive.reason().map(str::to_owned))
    }

    #[test]
    fn what_failed_may_be_redriven_for_two_weeks() {
        let failed = execution(ExecutionStatus::Failed);
        assert_eq!(told(&failed, 13), ("REDRIVABLE", None));
        assert_eq!(told(&failed, 14).0, "NOT_REDRIVABLE");
        for status in [ExecutionStatus::TimedOut, ExecutionStatus::Aborted] {
            assert_eq!(told(&execution(status), 0), ("REDRIVABLE", None));
        }
    }

    #[test]
    fn what_runs_or_succeeded_may_not() {
        for status in [ExecutionStatus::Running, ExecutionStatus::Succeeded] {
            let reason = format!("Execution is {} and cannot be redriven", status.word());
            assert_eq!(
                told(&execution(status), 0),
                ("NOT_REDRIVABLE", Some(reason))
            );
        }
    }

    #[test]
    fn a_full_history_and_a_parent_stand_in_the_way() {
        let mut full = execution(ExecutionStatus::Failed);
        full.event_count = 25_000;
        assert_eq!(told(&full, 0).0, "NOT_REDRIVABLE");
        let mut child = execution(ExecutionStatus::Failed);
        child.summary.map_run_arn = Some("arn:r".into());
        assert_eq!(told(&child, 0), ("REDRIVABLE_BY_MAP_RUN", None));
    }
}
