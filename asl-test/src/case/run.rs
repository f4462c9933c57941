//! Running a case.
use super::Case;
use crate::coverage::ReachedPoints;
use crate::judge::{differences, plain};
use crate::mock::PlanError;
use crate::record::Recorder;
use crate::{CaseReport, CaseRun, Definition, Difference};
use asl_engine::runtime::{Clock, Runtime};
use asl_engine::{Identity, Limits, Start, StartAt};
use std::sync::Arc;
use std::time::Instant;

/// The record of a run, and its coverage.
type Ran = (CaseRun, Vec<ReachedPoints>);

impl Case {
    /// Runs it, on this thread; where tokio runs already, on one of its own.
    pub fn run(&self) -> CaseReport {
        let begun = Instant::now();
        let report = match tokio::runtime::Handle::try_current() {
            Ok(_) => std::thread::scope(|scope| scope.spawn(|| self.run_here()).join().ok()),
            Err(_) => Some(self.run_here()),
        };
        let report =
            report.unwrap_or_else(|| Err(vec![plain("run", "the case panicked".to_owned())]));
        let (run, mut covered, differences) = match report {
            Ok(((run, covered), differences)) => (Some(run), covered, differences),
            Err(differences) => (None, Vec::new(), differences),
        };
        if self.covers {
            self.add_not_run(&mut covered);
        }
        CaseReport {
            name: self.name.clone(),
            file: self.file.clone(),
            position: self.position,
            differences: differences.into_iter().map(|it| self.located(it)).collect(),
            run,
            covered,
            elapsed: begun.elapsed(),
        }
    }

    /// Adds definitions that the case did not run, without reached points: its own definition first, then nested state
    /// machines.
    fn add_not_run(&self, covered: &mut Vec<ReachedPoints>) {
        let nested = self.mocks.iter().flat_map(|mock| mock.machines());
        for definition in std::iter::once(&self.definition).chain(nested) {
            ReachedPoints::nothing_of(definition).merge_into(covered);
        }
    }

    fn located(&self, difference: Difference) -> Difference {
        let position = self.positions.get(difference.subject).copied();
        Difference {
            position: difference.position.or(position),
            ..difference
        }
    }

    fn run_here(&self) -> Result<(Ran, Vec<Difference>), Vec<Difference>> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        let runtime =
            runtime.map_err(|error| refused(format!("cannot start a runtime: {error}")))?;
        let run = runtime.block_on(self.drive());
        // Commands that are still at work are dropped without waiting for threads.
        runtime.shutdown_background();
        run
    }

    async fn drive(&self) -> Result<(Ran, Vec<Difference>), Vec<Difference>> {
        let recorder = Recorder::new(&self.definition, self.covers);
        let recorder = Arc::new(recorder.with_variables(self.variables.clone()));
        let storage = Arc::new(self.storage());
        let folder = self.temporary_folder()?;
        let refusals = |errors: Vec<PlanError>| {
            let errors = errors.into_iter();
            errors
                .map(|error| plain("mocks", error.message))
                .collect::<Vec<_>>()
        };
        let mocks = self
            .mocks(&recorder, &storage, folder.as_ref())
            .map_err(refusals)?;
        let runtime = Runtime::builder()
            .clock(Clock::virtual_from(self.now))
            .seed(self.seed)
            .handlers(mocks)
            .storage(Arc::clone(&storage))
            .observer(Arc::clone(&recorder))
            .build();
        let start = self.start()?;
        let mut execution = runtime
            .start_execution(self.definition.program(), start)
            .await;
        let ended = execution.ended().await;
        drop(runtime);
        let recorded = recorder.take();
        let gaps = recorded.gaps.into_iter().map(|gap| plain("mocks", gap));
        let mut found: Vec<Difference> = gaps.collect();
        let run = CaseRun {
            outcome: ended.outcome,
            start_date: ended.start_date,
            stop_date: ended.stop_date,
            transitions: ended.transitions,
            visits: recorded.visits,
            calls: recorded.calls,
            variables: recorded.variables,
            failed_in: recorded.failed_in,
        };
        found.extend(self.not_recorded());
        found.extend(differences(&self.expectations, &run, &self.definition));
        Ok(((run, recorded.covered), found))
    }

    fn start(&self) -> Result<Start, Vec<Difference>> {
        let program = self.definition.program();
        let at = match (&self.start_at, self.variables.is_empty()) {
            (None, true) => None,
            (state, _) => {
                let machine = self.definition.machine();
                let name = state.as_deref().unwrap_or(machine.states.start_at.as_str());
                let found = program.find_state(name);
                let missing = || {
                    refused(format!(
                        "startAt names the state `{name}`, which does not exist"
                    ))
                };
                let state = found.ok_or_else(missing)?;
                Some(Box::new(
                    StartAt::new(state).with_variables(self.variables.clone()),
                ))
            }
        };
        Ok(Start::new("test", self.input.clone(), self.now)
            .with_identity(Arc::new(Identity::new(self.definition.name(), "test")))
            .with_seed(self.seed)
            .with_limits(limits(&self.definition, self.max_transitions))
            .with_state_machine_type(self.definition.state_machine_type())
            .with_context(self.context.clone())
            .with_at(at))
    }
}

/// Returns the service's bounds, where its rules hold, and one on transitions.
pub(crate) fn limits(definition: &Definition, max_transitions: u64) -> Limits {
    Limits::from_profile(definition.program().profile()).with_max_transitions(max_transitions)
}

/// Returns the reason why a case could not start.
pub(crate) fn refused(message: String) -> Vec<Difference> {
    vec![plain("run", message)]
}
