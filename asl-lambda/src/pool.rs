//! The processes of one function.
use crate::code_stamp::CodeStamp;
use crate::interpreter::Interpreters;
use crate::invocation::{Invocation, InvocationOutcome};
use crate::worker::Worker;
use crate::{Function, Options};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;

/// The time for which a look at the files of the code holds.
const LOOK_HOLDS: Duration = Duration::from_millis(300);

/// The processes of a function, as it is configured now.
pub(crate) struct Pool {
    pub(crate) function: Arc<Function>,
    options: Arc<Options>,
    places: Arc<Semaphore>,
    interpreters: Arc<Interpreters>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// The one that was used last is at the end.
    idle: Vec<Idle>,
    looked: Option<(Instant, CodeStamp)>,
    is_closed: bool,
}

struct Idle {
    worker: Worker,
    since: Instant,
    code: CodeStamp,
}

impl Pool {
    pub(crate) fn new(
        function: Function,
        options: Arc<Options>,
        interpreters: Arc<Interpreters>,
    ) -> Self {
        let most = match function.debug_port {
            Some(_) => 1,
            None => options.max_concurrency.clamp(1, Semaphore::MAX_PERMITS),
        };
        Self {
            function: Arc::new(function),
            options,
            places: Arc::new(Semaphore::new(most)),
            interpreters,
            state: Mutex::default(),
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Invokes the function in a process that is free, or in a new one.
    pub(crate) async fn invoke(&self, invocation: Invocation) -> InvocationOutcome {
        // It is never closed.
        let _place = self.places.acquire().await;
        let code = self.code().await;
        let worker = match self.take(code) {
            Some(worker) => Ok(worker),
            None => self.start().await,
        };
        let worker = match worker {
            Ok(worker) => worker,
            Err(why) => {
                let message = format!("Error: {why}");
                let id = &invocation.request_id;
                return InvocationOutcome::of_platform("Runtime.InvalidEntrypoint", id, &message);
            }
        };
        let (limit, init) = (self.function.time_limit(), self.options.init_time);
        let (ended, is_usable) = worker.invoke(invocation, limit, init).await;
        if is_usable {
            self.put_back(worker, code);
        }
        ended
    }

    /// Starts a process before there is an event.
    pub(crate) async fn warm_up(&self) {
        let Ok(_place) = self.places.acquire().await else {
            return;
        };
        let code = self.code().await;
        if let Ok(worker) = self.start().await {
            // A process that hangs shows it with its first event.
            let _ = tokio::time::timeout(self.options.init_time, worker.ready()).await;
            self.put_back(worker, code);
        }
    }

    async fn start(&self) -> Result<Worker, String> {
        let (function, interpreters) = (Arc::clone(&self.function), Arc::clone(&self.interpreters));
        let found = tokio::task::spawn_blocking(move || interpreters.find(&function)).await;
        let interpreter = found.map_err(|error| error.to_string())??;
        Worker::start(&self.function, interpreter.as_ref(), &self.options).await
    }

    /// Takes a free process that runs this code, and drops those that do not.
    fn take(&self, code: CodeStamp) -> Option<Worker> {
        let mut dropped = Vec::new();
        let mut state = self.state();
        while let Some(idle) = state.idle.pop() {
            if idle.code == code && idle.worker.is_running() {
                return Some(idle.worker);
            }
            // A kill looks for descendants: not while others wait.
            dropped.push(idle);
        }
        drop(state);
        None
    }

    fn put_back(&self, worker: Worker, code: CodeStamp) {
        let mut state = self.state();
        if !state.is_closed && worker.is_running() {
            state.idle.push(Idle {
                worker,
                since: Instant::now(),
                code,
            });
        }
    }

    /// Returns the code as it is, or was a moment ago.
    async fn code(&self) -> CodeStamp {
        if let Some((at, code)) = self.state().looked
            && at.elapsed() < LOOK_HOLDS
        {
            return code;
        }
        let folder = self.function.code.clone();
        let looked = tokio::task::spawn_blocking(move || CodeStamp::of(&folder)).await;
        let looked = looked.unwrap_or_else(|_| CodeStamp::of(&self.function.code));
        self.state().looked = Some((Instant::now(), looked));
        looked
    }

    /// Ends processes that have been free for long.
    pub(crate) fn end_idle(&self) {
        let mut state = self.state();
        let idle_time = self.options.idle_time;
        let ended: Vec<Idle> = state
            .idle
            .extract_if(.., |idle| idle.since.elapsed() >= idle_time)
            .collect();
        drop(state);
        drop(ended);
    }

    /// Ends the processes, those at work once they have answered.
    pub(crate) fn close(&self) {
        let mut state = self.state();
        state.is_closed = true;
        let idle = std::mem::take(&mut state.idle);
        drop(state);
        drop(idle);
    }
}
