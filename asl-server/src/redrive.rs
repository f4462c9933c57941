//! Redrivable executions, and the reasons for others.
use asl_backend::{ExecutionDescription, why_not_redrivable};
use asl_engine::Timestamp;

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
        let (status, stop_date) = (summary.status, summary.stop_date);
        let why_not = why_not_redrivable(status, stop_date, execution.event_count, now);
        if let Some(why_not) = why_not {
            return Self::Impossible(why_not);
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
    use asl_backend::{DefinitionId, ExecutionStatus, ExecutionSummary};
    use asl_engine::ErrorOutput;

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

    fn redrive_status(
        execution: &ExecutionDescription,
        days: u64,
    ) -> (&'static str, Option<String>) {
        let now = Timestamp::default().plus_seconds(days * 24 * 60 * 60 + 1);
        let redrive = Redrive::new(execution, now);
        (redrive.word(), redrive.reason().map(str::to_owned))
    }

    #[test]
    fn what_failed_is_redriven_by_its_parent_where_it_has_one() {
        let failed = execution(ExecutionStatus::Failed);
        assert_eq!(redrive_status(&failed, 13), ("REDRIVABLE", None));
        assert_eq!(redrive_status(&failed, 14).0, "NOT_REDRIVABLE");
        let mut child = failed;
        child.summary.map_run_arn = Some("arn:r".into());
        assert_eq!(redrive_status(&child, 0), ("REDRIVABLE_BY_MAP_RUN", None));
        assert_eq!(redrive_status(&child, 14).0, "NOT_REDRIVABLE");
    }

    #[test]
    fn the_reason_is_told() {
        let reason = "Execution is SUCCEEDED and cannot be redriven".to_owned();
        let succeeded = execution(ExecutionStatus::Succeeded);
        assert_eq!(
            redrive_status(&succeeded, 0),
            ("NOT_REDRIVABLE", Some(reason))
        );
    }
}
