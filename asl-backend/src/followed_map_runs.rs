//! Changes of the Map Runs of an execution, for backends that store them.
use super::ExecutionStatus;
use asl_engine::history::EventDetails;
use asl_engine::{Execution, HistoryEvent, MapRunStatus};
use std::collections::{BTreeMap, VecDeque};

/// The data of a Map Run other than its children. Changes of it are reported.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct MapRunFigures {
    /// Items that there are; 0 while they are read.
    pub items: u64,
    /// Children that run at a time; 0 for no limit.
    pub max_concurrency: u64,
    /// Items that may fail.
    pub tolerated_failure_count: u64,
    /// Percentage of the items that may fail.
    pub tolerated_failure_percentage: f64,
}

impl From<&MapRunStatus> for MapRunFigures {
    fn from(run: &MapRunStatus) -> Self {
        Self {
            items: run.items,
            max_concurrency: run.max_concurrency,
            tolerated_failure_count: run.tolerated_failure_count,
            tolerated_failure_percentage: run.tolerated_failure_percentage,
        }
    }
}

/// The running Map Runs of an execution, as last reported. The execution records its history: events contain the end of a
/// Map Run.
#[derive(Debug, Default)]
pub struct FollowedMapRuns {
    present: BTreeMap<String, FollowedMapRun>,
    ended: Vec<End>,
}

#[derive(Debug, Clone, Copy)]
struct FollowedMapRun {
    figures: MapRunFigures,
    last_event: u64,
}

/// The end of a Map Run, and the id of the previous event. The event of the end does not name the Map Run.
#[derive(Debug, Clone, Copy)]
struct End {
    status: ExecutionStatus,
    previous_event: u64,
}

/// Changes of the Map Runs of an execution since the last report.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct MapRunChanges {
    /// Map Runs that started or changed, by their ARNs.
    pub told: Vec<(String, MapRunFigures)>,
    /// Map Runs that ended, with their outcome.
    pub ended: Vec<(String, ExecutionStatus)>,
}

impl FollowedMapRuns {
    /// Creates the state with all running Map Runs of an execution, as already reported.
    pub fn of(execution: &Execution) -> Self {
        let runs = execution.map_runs().map(|run| {
            let (figures, last_event) = ((&run).into(), run.last_event);
            (
                run.arn,
                FollowedMapRun {
                    figures,
                    last_event,
                },
            )
        });
        Self {
            present: runs.collect(),
            ended: Vec::new(),
        }
    }

    /// Returns true if the Map Run is running.
    pub fn contains(&self, arn: &str) -> bool {
        self.present.contains_key(arn)
    }

    /// Reads the end of a Map Run from an event.
    pub fn note(&mut self, event: &HistoryEvent) {
        let status = match event.details {
            EventDetails::MapRunSucceeded => ExecutionStatus::Succeeded,
            EventDetails::MapRunFailed(_) => ExecutionStatus::Failed,
            _ => return,
        };
        let previous_event = event.previous_event_id;
        self.ended.push(End {
            status,
            previous_event,
        });
    }

    /// Returns the changes since the last call. A Map Run that ended without an event was stopped.
    pub fn follow(&mut self, execution: &Execution) -> MapRunChanges {
        let Self { present, .. } = Self::of(execution);
        let before = std::mem::replace(&mut self.present, present);
        let is_told = |(arn, run): &(&String, &FollowedMapRun)| {
            let told = before.get(*arn);
            told.is_some_and(|told| told.figures == run.figures)
        };
        let told = self.present.iter().filter(|run| !is_told(run));
        let told = told.map(|(arn, run)| (arn.clone(), run.figures)).collect();
        let ends = std::mem::take(&mut self.ended);
        let gone = before.into_iter();
        let gone = gone.filter(|(arn, _)| !self.present.contains_key(arn));
        let ended = ended(gone.collect(), ends);
        MapRunChanges { told, ended }
    }
}

/// Determines how each Map Run ended, from the event that follows its last one. After a redrive, several can have the same
/// last event, and they use the remaining events in order.
fn ended(gone: Vec<(String, FollowedMapRun)>, ends: Vec<End>) -> Vec<(String, ExecutionStatus)> {
    let mut by_event: BTreeMap<u64, VecDeque<ExecutionStatus>> = BTreeMap::new();
    for end in ends {
        let ends = by_event.entry(end.previous_event).or_default();
        ends.push_back(end.status);
    }
    let mut status = |run: FollowedMapRun| by_event.get_mut(&run.last_event)?.pop_front();
    let ended = gone.into_iter().map(|(arn, run)| {
        let status = status(run).unwrap_or(ExecutionStatus::Aborted);
        (arn, status)
    });
    ended.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_engine::model::{Options, parse_value};
    use asl_engine::{Effect, ErrorOutput, Input, Outcome, Program, Start, Step, Timestamp};
    use serde_json::{Value, json};

    /// Runs two concurrent distributed Maps with one child each.
    fn beside() -> Execution {
        let branch = |label: &str| {
            let child = json!({"ProcessorConfig": {"Mode": "DISTRIBUTED", "ExecutionType": "STANDARD"}, "StartAt": format!("Of {label}"),
                "States": {format!("Of {label}"): {"Type": "Pass", "End": true}}});
            json!({"StartAt": label, "States": {label: {"Type": "Map", "Label": label, "ItemProcessor": child, "End": true}}})
        };
        let both = json!({"Type": "Parallel", "Branches": [branch("A"), branch("Z")], "End": true});
        let definition: Value = json!({"StartAt": "Both", "States": {"Both": both}});
        let (machine, _) = parse_value(&definition, Options::default()).expect("a definition");
        let program = Program::compile(&machine).expect("a program");
        let mut execution = Execution::start(program, Start::new("e", json!([1]), moment()));
        execution.record_history(true);
        execution
    }

    fn moment() -> Timestamp {
        Timestamp::from_milliseconds(0)
    }

    /// Returns how the Map Runs of two labels end when the child of one fails.
    fn ends_where_fails(label: &str) -> Vec<(String, ExecutionStatus)> {
        let (mut execution, mut followed) = (beside(), FollowedMapRuns::default());
        let mut step = |execution: &mut Execution, input| -> (Step, MapRunChanges) {
            let step = execution.step_with(moment(), input, |event| followed.note(&event));
            let changes = followed.follow(execution);
            (step, changes)
        };
        let (begun, changes) = step(&mut execution, None);
        assert_eq!((changes.told.len(), changes.ended.len()), (2, 0));
        let of_label = |effect: &Effect| {
            let Effect::Child(child) = effect else {
                return false;
            };
            let arn = child.start.identity.execution_arn();
            arn.contains(&format!("/{label}:"))
        };
        let child = begun.effects.iter().find(|effect| of_label(effect));
        let input = Input::ChildExecutionEnded {
            id: child.expect("a child of it").id(),
            outcome: Outcome::Failed(ErrorOutput::default()),
        };
        let (_, changes) = step(&mut execution, Some(input));
        let named = changes.ended.into_iter().map(|(arn, status)| {
            let (_, label) = arn.rsplit_once('/').expect("a label");
            (label[..1].to_owned(), status)
        });
        named.collect()
    }

    #[test]
    fn the_one_that_failed_is_told_from_the_one_that_was_stopped_by_that() {
        let (failed, stopped) = (ExecutionStatus::Failed, ExecutionStatus::Aborted);
        for (label, a, z) in [("A", failed, stopped), ("Z", stopped, failed)] {
            let expected = [("A".to_owned(), a), ("Z".to_owned(), z)];
            assert_eq!(ends_where_fails(label), expected, "{label} fails");
        }
    }
}
