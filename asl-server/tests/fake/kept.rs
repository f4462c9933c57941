//! Data of the tests' backend.
use super::link::Link;
use asl_backend::*;
use asl_engine::runtime::{Clock, Performer};
use asl_engine::{
    EffectId, ErrorOutput, Execution, Input, MacTokens, Outcome, PendingEffect, Program, Timestamp,
};
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use tokio::sync::Notify;

#[derive(Default)]
pub(super) struct FakeStore {
    pub(super) entries: BTreeMap<EntryKey, (u64, Arc<str>)>,
    pub(super) writes: u64,
    pub(super) definitions: HashMap<DefinitionId, (Arc<Definition>, Program)>,
    /// In the order of their starts.
    pub(super) executions: Vec<KeptExecution>,
    pub(super) map_runs: Vec<KeptMapRun>,
    pub(super) changes: Vec<StatusChange>,
    /// Tasks of activities that nobody has taken.
    pub(super) offers: HashMap<String, VecDeque<(Arc<str>, EffectId)>>,
    /// Redrives by their executions and client tokens.
    pub(super) redrives: HashMap<(Arc<str>, Arc<str>), Timestamp>,
}

/// An execution.
pub(super) struct KeptExecution {
    pub(super) arn: Arc<str>,
    pub(super) about: Arc<StartData>,
    pub(super) execution: Execution,
    pub(super) effects: HashMap<EffectId, KeptEffect>,
    pub(super) map_runs: FollowedMapRuns,
    pub(super) events: Vec<Arc<str>>,
    pub(super) ended: Option<(Outcome, Timestamp)>,
    pub(super) redriven: Option<Timestamp>,
}

/// The data of a start.
pub(super) struct StartData {
    pub(super) start_date: Timestamp,
    pub(super) definition: DefinitionId,
    /// None of a child of a distributed Map.
    pub(super) request: Option<StartExecution>,
    pub(super) parent: Option<Parent>,
}

/// The parent of a child.
pub(super) struct Parent {
    pub(super) arn: Arc<str>,
    pub(super) effect: EffectId,
    pub(super) map_run_arn: Option<Arc<str>>,
    pub(super) item_count: u64,
}

pub(super) struct KeptEffect {
    pub(super) pending: PendingEffect,
    pub(super) link: Arc<Link>,
    /// The child execution.
    pub(super) child: Option<Arc<str>>,
}

pub(super) struct KeptMapRun {
    pub(super) arn: Arc<str>,
    pub(super) execution_arn: Arc<str>,
    pub(super) figures: MapRunFigures,
    pub(super) status: ExecutionStatus,
    pub(super) started: Timestamp,
    pub(super) stopped: Option<Timestamp>,
}

pub(super) struct FakeState {
    pub(super) kept: Mutex<FakeStore>,
    pub(super) changed: Notify,
    pub(super) clock: Clock,
    pub(super) tokens: Arc<MacTokens>,
    pub(super) performer: OnceLock<Arc<dyn Performer>>,
}

impl FakeState {
    pub(super) fn new() -> Self {
        Self {
            kept: Mutex::default(),
            changed: Notify::default(),
            clock: Clock::default(),
            tokens: Arc::new(MacTokens::new("tests", b"a key")),
            performer: OnceLock::new(),
        }
    }

    /// Waits for the end of an execution, and returns its outcome.
    pub(super) async fn ended(&self, arn: &str) -> Outcome {
        let look = || self.kept().execution(arn)?.ended.clone();
        self.wait_for(look).await.0
    }

    pub(super) fn kept(&self) -> MutexGuard<'_, FakeStore> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl FakeStore {
    pub(super) fn execution(&mut self, arn: &str) -> Option<&mut KeptExecution> {
        self.executions.iter_mut().find(|it| *it.arn == *arn)
    }

    /// Returns the description of a Map Run.
    pub(super) fn describe_map_run(&self, run: &KeptMapRun) -> MapRunDescription {
        let of_run = |it: &&KeptExecution| it.map_run_arn() == Some(&run.arn);
        let children = self.executions.iter().filter(of_run);
        let children = children.map(|it| {
            let items = it
                .about
                .parent
                .as_ref()
                .map_or(1, |parent| parent.item_count);
            (it.status(), 1, items)
        });
        let (items, executions) = ItemCounts::of_map_run(children, run.figures.items, run.status);
        let execution = self
            .executions
            .iter()
            .find(|it| it.arn == run.execution_arn);
        MapRunDescription {
            arn: Arc::clone(&run.arn),
            execution_arn: Arc::clone(&run.execution_arn),
            state_machine_arn: map_run_state_machine(&run.arn).into(),
            status: run.status,
            start_date: run.started,
            stop_date: run.stopped,
            max_concurrency: run.figures.max_concurrency,
            tolerated_failure_percentage: run.figures.tolerated_failure_percentage,
            tolerated_failure_count: run.figures.tolerated_failure_count,
            items,
            executions,
            redrive_count: execution.map_or(0, |it| it.execution.redrive_count()),
            redrive_date: execution.and_then(|it| it.redriven),
        }
    }
}

impl KeptExecution {
    pub(super) fn map_run_arn(&self) -> Option<&Arc<str>> {
        self.about.parent.as_ref()?.map_run_arn.as_ref()
    }

    pub(super) fn status(&self) -> ExecutionStatus {
        let word = self
            .ended
            .as_ref()
            .map_or("RUNNING", |(outcome, _)| outcome.status());
        ExecutionStatus::from_word(word).unwrap_or(ExecutionStatus::Running)
    }

    pub(super) fn summary(&self) -> ExecutionSummary {
        let (about, start) = (&self.about, self.execution.start_parameters());
        let request = about.request.as_ref();
        let map_run = self.map_run_arn();
        ExecutionSummary {
            arn: Arc::clone(&self.arn),
            name: start.identity.execution_name().into(),
            state_machine_arn: match map_run {
                Some(map_run) => map_run_state_machine(map_run).into(),
                None => start.identity.state_machine_arn().into(),
            },
            version_arn: request.and_then(|it| it.version_arn.clone()),
            alias_arn: request.and_then(|it| it.alias_arn.clone()),
            status: self.status(),
            start_date: about.start_date,
            stop_date: self.ended.as_ref().map(|(_, date)| *date),
            redrive_count: self.execution.redrive_count(),
            redrive_date: self.redriven,
            map_run_arn: map_run.cloned(),
            item_count: about.parent.as_ref().map(|parent| parent.item_count),
        }
    }

    pub(super) fn description(&self) -> ExecutionDescription {
        let outcome = self.ended.as_ref().map(|(outcome, _)| outcome);
        let end = outcome.map(ExecutionEnd::from);
        let request = self.about.request.as_ref();
        ExecutionDescription {
            summary: self.summary(),
            input: input_text(self.execution.start_parameters()),
            output: end.as_ref().and_then(|end| end.output.clone()),
            error_output: end.map(|end| end.error_output).unwrap_or_default(),
            trace_header: match request.and_then(|it| it.mock_test_case.as_ref()) {
                Some(case) => Some(format!("case {case}").into()),
                None => request.and_then(|it| it.trace_header.clone()),
            },
            definition: self.about.definition,
            revision: request.map_or_else(|| "{}".into(), |it| Arc::clone(&it.revision)),
            event_count: self.events.len() as u64,
            held: None,
        }
    }

    pub(super) fn is_of(&self, parent: &ExecutionParent) -> bool {
        let request = self.about.request.as_ref();
        match parent {
            ExecutionParent::StateMachine(arn) => {
                request.is_some_and(|it| it.state_machine.arn == **arn)
            }
            ExecutionParent::Version(arn) => {
                request.is_some_and(|it| it.version_arn.as_ref() == Some(arn))
            }
            ExecutionParent::Alias(arn) => {
                request.is_some_and(|it| it.alias_arn.as_ref() == Some(arn))
            }
            ExecutionParent::MapRun(arn) => self.map_run_arn() == Some(arn),
        }
    }

    pub(super) fn error_output(&self) -> ErrorOutput {
        let outcome = self.ended.as_ref().map(|(outcome, _)| outcome);
        outcome.map_or_else(ErrorOutput::default, |it| {
            ExecutionEnd::from(it).error_output
        })
    }
}

/// An input for an execution, by its ARN; None for its first step.
pub(super) type Delivery = (Arc<str>, Option<Input>);
