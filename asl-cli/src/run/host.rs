//! Drives the execution on tokio.
use super::history::HistoryFile;
use super::step::Quit;
use super::tasks::Handlers;
use super::trace::{self, Trace};
use crate::child_histories::ChildHistories;
use crate::durations::elapsed;
use crate::exit::Failure;
use crate::interruption::Interruption;
use crate::terminal::{self, FAINT, WARNING};
use asl_engine::runtime::{Clock, EndedExecution, Observer, RunningExecution, Runtime};
use asl_engine::{ErrorOutput, HistoryEvent, Inspector, Outcome, Program, Start};
use asl_model::Timestamp;
use asl_performers::DirectoryStorage;
use asl_trace::{Account, Recorder};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::sync::Notify;

/// The longest wait that is not announced.
const SHORT_WAIT: Duration = Duration::from_secs(1);

/// Time for jobs of stopped tasks to be stopped.
const JOB_GRACE: Duration = Duration::from_secs(10);

/// Environment of an execution.
pub(crate) struct Host<'a> {
    pub(crate) clock: Clock,
    pub(crate) seed: Option<u64>,
    pub(crate) handlers: Handlers,
    pub(crate) storage: Option<DirectoryStorage>,
    pub(crate) history: Option<&'a Path>,
    /// Bytes of it.
    pub(crate) max_history_bytes: u64,
    pub(crate) child_histories: Option<&'a Path>,
    pub(crate) trace: Option<Arc<Mutex<Trace>>>,
    /// Records an explanation, if requested.
    pub(crate) recorder: Option<Recorder>,
    /// Announces waits on stderr, if the clock is real.
    pub(crate) announces_waits: bool,
    /// Receives the clean-up action for an immediate end of the process.
    pub(crate) quit: Quit,
}

/// The outcome of the run.
pub(crate) enum End {
    Ended {
        ended: Box<EndedExecution>,
        /// The explanation, if requested.
        account: Option<Account>,
        /// Result of writing the history.
        written: Result<(), Failure>,
    },
    /// The user would not wait for its end.
    Interrupted,
}

impl Host<'_> {
    /// Runs to the end, or until the user will not wait for it.
    pub(crate) fn run(self, program: Arc<Program>, start: Start) -> Result<End, Failure> {
        let tokio = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            // An execution that never waits keeps the runtime busy: look for signals each time it yields.
            .event_interval(1)
            .build()
            .map_err(|error| Failure::new(format!("cannot start the runtime: {error}")))?;
        let commands = self.handlers.commands();
        let end = tokio.block_on(self.drive(program, start));
        // Processes of functions wait for further events.
        commands.kill_all();
        // Handlers that are still at work are dropped, and their processes killed, without waiting for threads.
        tokio.shutdown_background();
        end
    }

    fn history_file(&self) -> Result<Option<HistoryFile>, Failure> {
        let create = |path| HistoryFile::create(path, self.max_history_bytes);
        self.history.map(create).transpose()
    }

    fn child_history_files(&self) -> Option<ChildHistories> {
        let create = |root| ChildHistories::new(root, self.max_history_bytes);
        self.child_histories.map(create)
    }

    async fn drive(self, program: Arc<Program>, start: Start) -> Result<End, Failure> {
        let watcher = Arc::new(Watcher {
            history: Mutex::new(self.history_file()?),
            children: Mutex::new(self.child_history_files()),
            records_history: self.history.is_some() || self.child_histories.is_some(),
            trace: self.trace,
            waits: (self.announces_waits && !self.clock.is_virtual()).then(|| self.clock.clone()),
            history_failed: Notify::new(),
        });
        let (quitting, commands) = (Arc::clone(&watcher), self.handlers.commands());
        // It is set once.
        let _ = self.quit.set(Box::new(move || {
            // Nobody is left to tell that the history could not be written.
            let _ = quitting.end_history();
            commands.kill_all();
        }));
        let mut interruption = Interruption::new(self.handlers.commands()).await?;
        let (jobs, objects) = (self.handlers.jobs(), self.handlers.storage());
        let performer = self.handlers.into_performer();
        let builder = Runtime::builder()
            .clock(self.clock)
            .handlers(performer)
            .observer((
                ExplainingObserver(self.recorder.clone()),
                Arc::clone(&watcher),
            ));
        let builder = match (self.storage, objects) {
            (Some(storage), _) => builder.storage(storage),
            (None, Some(objects)) => builder.storage(objects),
            (None, None) => builder,
        };
        let runtime = match self.seed {
            Some(seed) => builder.seed(seed),
            None => builder,
        }
        .build();
        let mut execution = runtime.start_execution(program, start).await;
        let mut ticks = tokio::time::interval(trace::PERIOD);
        let mut stopped = false;
        let ended = loop {
            tokio::select! {
                ended = execution.ended() => break ended,
                _ = ticks.tick(), if watcher.waits_before_a_terminal() => watcher.trace(Trace::tick),
                // The command fails anyway, and the execution may be endless.
                () = watcher.history_failed.notified() => {
                    let reason = ErrorOutput::without_name("stopped because its history cannot be written");
                    execution.stop(reason).await;
                }
                name = interruption.next() => {
                    if stopped {
                        return Ok(End::Interrupted);
                    }
                    stopped = true;
                    terminal::error_line(&format!(
                        "{WARNING}interrupted{WARNING:#}: stopping the execution (press again to quit immediately)"
                    ));
                    watcher.trace(Trace::clear);
                    execution.stop(ErrorOutput::without_name(format!("stopped by {name}"))).await;
                }
            }
        };
        watcher.trace(|trace| trace.end(&ended));
        // Jobs of tasks that were stopped or timed out are being stopped.
        if let Some(jobs) = jobs {
            tokio::select! {
                _ = jobs.finish(JOB_GRACE) => {}
                _ = interruption.next() => return Ok(End::Interrupted),
            }
        }
        let account = self
            .recorder
            .map(|recorder| recorder.take(execution.id(), &ended));
        Ok(End::Ended {
            ended: Box::new(ended),
            account,
            written: watcher.end_history(),
        })
    }
}

/// Observes the execution.
struct Watcher {
    history: Mutex<Option<HistoryFile>>,
    children: Mutex<Option<ChildHistories>>,
    records_history: bool,
    trace: Option<Arc<Mutex<Trace>>>,
    /// The clock that measures announced waits.
    waits: Option<Clock>,
    history_failed: Notify,
}

/// Records an explanation, if requested.
struct ExplainingObserver(Option<Recorder>);

impl Observer for ExplainingObserver {
    fn started(&self, execution: &RunningExecution) {
        if let Some(recorder) = &self.0 {
            recorder.started(execution);
        }
    }

    fn inspector(&self, execution: &RunningExecution) -> Option<Box<dyn Inspector>> {
        self.0.as_ref()?.inspector(execution)
    }

    fn ended(&self, execution: &RunningExecution, outcome: &Outcome) {
        if let Some(recorder) = &self.0 {
            recorder.ended(execution, outcome);
        }
    }
}

impl Watcher {
    fn waits_before_a_terminal(&self) -> bool {
        self.trace.is_some() && terminal::is_interactive()
    }

    fn trace(&self, tell: impl FnOnce(&mut Trace)) {
        if let Some(trace) = &self.trace {
            tell(&mut trace.lock().unwrap_or_else(PoisonError::into_inner));
        }
    }

    fn history(&self) -> MutexGuard<'_, Option<HistoryFile>> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn children(&self) -> MutexGuard<'_, Option<ChildHistories>> {
        self.children.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end_history(&self) -> Result<(), Failure> {
        let children = self.children().take();
        let written = children.map_or(Ok(()), ChildHistories::finish);
        let history = self.history().take();
        history.map_or(Ok(()), HistoryFile::finish).and(written)
    }
}

impl Observer for Watcher {
    fn records_history(&self) -> bool {
        self.records_history || self.trace.is_some()
    }

    fn event(&self, execution: &RunningExecution, event: HistoryEvent) {
        self.trace(|trace| trace.event(execution, &event));
        // The children of a distributed Map have histories of their own.
        if execution.is_child() {
            if let Some(children) = &mut *self.children() {
                children.push(execution, &event);
            }
        } else if let Some(history) = &mut *self.history() {
            let had_failed = history.has_failed();
            history.push(&event);
            if !had_failed && history.has_failed() {
                self.history_failed.notify_one();
            }
        }
    }

    fn waits(&self, _execution: &RunningExecution, state: &str, until: Timestamp) {
        let Some(now) = self.waits.as_ref().map(Clock::now) else {
            return;
        };
        if until.duration_since(now) > SHORT_WAIT
            && let Some(wait) = elapsed(now, until)
        {
            terminal::error_line(&format!(
                "{FAINT}waiting {wait} in state '{state}', until {until}; --clock virtual skips waits{FAINT:#}"
            ));
        }
    }

    fn ended(&self, execution: &RunningExecution, _outcome: &Outcome) {
        self.trace(|trace| trace.forget(execution.id));
        if let Some(children) = &mut *self.children() {
            children.end(execution.id);
        }
    }
}
