//! Configuration of a runtime.
use super::admission::Admission;
use super::chance::Chance;
use super::event_loop::{EventLoop, EventLoopRun, Places, Receivers, Senders, SharedState};
use super::observer::IsolatedObserver;
use super::performer::{Performer, Storage, TaskHandlers, WithStorage};
use super::tokens::TokenBook;
use super::{Clock, Observer, Runtime, RuntimeHandle};
use crate::TaskTokens;
use std::num::NonZeroUsize;
use std::sync::Arc;
use tokio::sync::mpsc;

/// Configuration of a [`Runtime`].
#[derive(Default)]
#[must_use = "nothing runs before it is built"]
pub struct RuntimeBuilder {
    clock: Clock,
    performer: Option<Arc<dyn Performer>>,
    storage: Option<Arc<dyn Storage>>,
    observer: Option<Arc<dyn Observer>>,
    seed: Option<u64>,
    tokens: Option<Arc<dyn TaskTokens>>,
    event_loops: Option<NonZeroUsize>,
    refuses_unhandled_tasks: bool,
    places: Places,
}

/// Maximum number of pending commands for an event loop before their senders wait.
const WAITING_COMMANDS: usize = 256;

impl RuntimeBuilder {
    /// Sets the clock of the executions. The default is the time of the system.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// Sets the performer of tasks: [`TaskHandlers`], or any other handler; without [`storage`](Self::storage), it also
    /// serves object stores.
    pub fn handlers(mut self, performer: impl Performer) -> Self {
        self.performer = Some(Arc::new(performer));
        self
    }

    /// Sets the object store of ItemReader and ResultWriter.
    pub fn storage(mut self, storage: impl Storage) -> Self {
        self.storage = Some(Arc::new(storage));
        self
    }

    /// Sets the observer. Use a pair for two observers.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.observer = Some(Arc::new(IsolatedObserver(observer)));
        self
    }

    /// Makes runs repeatable: the runtime draws names of executions and the key of its task tokens from this, where the
    /// operating system's randomness is the default. Two runtimes of one seed give the same names and tokens.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// Sets the source of task tokens. The default is [`MacTokens`](crate::MacTokens) with a random key: such tokens are
    /// invalid in another process, where an execution may be [resumed](RuntimeHandle::resume).
    pub fn tokens(mut self, tokens: impl TaskTokens + 'static) -> Self {
        self.tokens = Some(Arc::new(tokens));
        self
    }

    /// Sets the number of event loops that share the executions, each a thread of its own. The default is the number of
    /// tokio's worker threads. A virtual clock always has one, a task of tokio, because all executions share its time.
    pub fn event_loops(mut self, count: NonZeroUsize) -> Self {
        self.event_loops = Some(count);
        self
    }

    /// Limits the executions that run at a time: starting another one waits until one ends. Child executions of a distributed
    /// Map do not count, but the executions that task handlers start do: a handler that waits for one keeps the place of its
    /// own execution. By default there is no limit.
    ///
    /// ```
    /// # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
    /// use asl_engine::runtime::Runtime;
    /// use std::num::NonZeroUsize;
    ///
    /// let runtime = Runtime::builder().max_executions(NonZeroUsize::MIN).build();
    /// # });
    /// ```
    pub fn max_executions(mut self, count: NonZeroUsize) -> Self {
        self.places.executions = Some(count);
        self
    }

    /// Limits the tasks, and requests to object stores, that are at work at a time; others wait in the order of their
    /// requests, and their timeouts start when they begin. By default there is no limit, and a virtual clock ignores it: a
    /// task that waits for another one would keep its time from passing. A handler that waits for an execution that it
    /// started keeps its own place: the tasks of that execution need others.
    pub fn max_tasks(mut self, count: NonZeroUsize) -> Self {
        self.places.tasks = Some(count);
        self
    }

    /// Lets an execution fail as soon as it is started where its program has a task that
    /// [nothing handles](RuntimeHandle::check), whether it would come to that task or not: States.Runtime, with all such
    /// tasks as the cause. By default the task itself fails, as one of a function that does not exist does.
    pub fn refuse_unhandled_tasks(mut self) -> Self {
        self.refuses_unhandled_tasks = true;
        self
    }

    /// Starts the runtime.
    ///
    /// # Panics
    /// Outside of a tokio runtime, as `tokio::spawn` does. A real clock needs one with time enabled.
    pub fn build(self) -> Runtime {
        let (loops, receivers): (Vec<_>, Vec<_>) = (0..self.loops()).map(|_| channels()).unzip();
        let chance = Chance::new(self.seed);
        let tokens = self.tokens.unwrap_or_else(|| Arc::new(chance.tokens()));
        let performer = performer(self.performer, self.storage);
        let observer = self.observer;
        let admission = Admission {
            performer: Arc::downgrade(&performer),
            records_history: observer.as_ref().is_some_and(|it| it.records_history()),
            refuses_unhandled_tasks: self.refuses_unhandled_tasks,
        };
        let tokens = TokenBook::new(tokens);
        let shared = SharedState::new(
            self.clock,
            tokens,
            chance,
            admission,
            self.places,
            loops.into(),
        );
        let shared = Arc::new(shared);
        let event_loop = |(index, receivers)| {
            let (loop_shared, performer) = (Arc::clone(&shared), Arc::clone(&performer));
            let event_loop =
                EventLoop::new(loop_shared, index, receivers, performer, observer.clone());
            EventLoopRun::start(event_loop, shared.clock.is_virtual())
        };
        let event_loops = receivers.into_iter().enumerate().map(event_loop).collect();
        Runtime {
            handle: RuntimeHandle { shared },
            event_loops,
        }
    }

    fn loops(&self) -> usize {
        if self.clock.is_virtual() {
            return 1;
        }
        let workers = || tokio::runtime::Handle::current().metrics().num_workers();
        self.event_loops.map_or_else(workers, NonZeroUsize::get)
    }
}

/// Returns the performer of tasks and object stores.
fn performer(
    tasks: Option<Arc<dyn Performer>>,
    storage: Option<Arc<dyn Storage>>,
) -> Arc<dyn Performer> {
    let tasks = tasks.unwrap_or_else(|| Arc::new(TaskHandlers::new()));
    match storage {
        Some(storage) => Arc::new(WithStorage { tasks, storage }),
        None => tasks,
    }
}

/// Creates the channels of an event loop.
fn channels() -> (Senders, Receivers) {
    let (commands, commanded) = mpsc::channel(WAITING_COMMANDS);
    let (arrivals, arriving) = mpsc::unbounded_channel();
    let receivers = Receivers {
        commands: commanded,
        arrivals: arriving,
    };
    (Senders { commands, arrivals }, receivers)
}
