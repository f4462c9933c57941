//! The tokio host: drives many executions, has their tasks done, keeps the clock.
//!
//! One event loop runs all executions of a [`Runtime`]. An execution that waits is bytes in a table and an entry in a
//! queue of timers, neither a task nor a thread; only [`TaskHandler`]s and object stores run as tasks of tokio.
//!
//! ```
//! # tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(async {
//! use asl_engine::runtime::{Clock, Runtime, TaskHandlers};
//! use asl_model::Timestamp;
//! use serde_json::json;
//!
//! let runtime = Runtime::builder()
//!     .clock(Clock::virtual_from(Timestamp::from_milliseconds(0)))
//!     .handlers(TaskHandlers::new().on("Double", |input| async move { Ok(json!(input["n"].as_i64().unwrap_or(0) * 2)) }))
//!     .build();
//! assert_eq!(runtime.now(), Timestamp::from_milliseconds(0));
//! # });
//! ```
mod chance;
mod clock;
mod effects;
mod event_loop;
mod handle;
mod handler;
mod hosted;
mod identifier;
mod mock;
mod observer;
mod routing;
mod storage;
mod task;
mod tasks;
mod timers;
mod tokens;

pub use crate::answer::{TaskAnswer, TaskError};
pub use clock::{Clock, ClockHold};
pub use handle::{ExecutionHandle, RuntimeHandle, TokenError};
pub use handler::{TaskHandler, handler_fn};
pub use hosted::EndedExecution;
pub use identifier::{ExecutionId, RunningExecution};
pub use mock::{MockConfiguration, MockConfigurationError, MockHandler};
pub use observer::{HistoryRecorder, Observer};
pub use routing::TaskHandlers;
pub use storage::{DirectoryStorage, MemoryStorage, Storage};
pub use task::Task;

use crate::TaskTokens;
use chance::Chance;
use effects::Effects;
use event_loop::{Command, EventLoop};
use std::collections::{HashMap, VecDeque};
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use storage::NoStorage;
use timers::Timers;
use tokens::TokenBook;
use tokio::sync::mpsc;
use tokio::task::{JoinHandle, JoinSet};

/// Runs executions. All that can be asked of it, it has from [`RuntimeHandle`].
///
/// Dropping it aborts what still runs: executions end without another step, handlers are cancelled and their futures
/// dropped.
#[derive(Debug)]
pub struct Runtime {
    handle: RuntimeHandle,
    event_loop: EventLoopTask,
}

/// The event loop's task; dropping it aborts it.
#[derive(Debug)]
struct EventLoopTask(JoinHandle<()>);

impl Drop for EventLoopTask {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// How a [`Runtime`] is to be.
#[derive(Default)]
#[must_use = "nothing runs before it is built"]
pub struct RuntimeBuilder {
    clock: Clock,
    handler: Option<Arc<dyn TaskHandler>>,
    storage: Option<Arc<dyn Storage>>,
    observer: Option<Arc<dyn Observer>>,
    seed: Option<u64>,
    tokens: Option<Arc<dyn TaskTokens>>,
}

/// How many commands may wait for the event loop before those who command wait themselves.
const WAITING_COMMANDS: usize = 256;

impl Runtime {
    /// A runtime with the system's clock, and without handlers, storage and observer unless they are given.
    pub fn builder() -> RuntimeBuilder {
        RuntimeBuilder::default()
    }

    /// A way to this runtime that can be cloned and kept elsewhere.
    pub fn handle(&self) -> &RuntimeHandle {
        &self.handle
    }

    /// Ends as dropping does, and waits until every handler's future is dropped.
    pub async fn shut_down(mut self) {
        // A loop that is gone already has nothing left to drop.
        let _ = self.handle.commands.send(Command::ShutDown).await;
        let _ = (&mut self.event_loop.0).await;
    }
}

impl Deref for Runtime {
    type Target = RuntimeHandle;

    fn deref(&self) -> &RuntimeHandle {
        &self.handle
    }
}

impl RuntimeBuilder {
    /// The clock to go by.
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// What performs tasks: [`TaskHandlers`], a [`MockHandler`], or any one handler.
    pub fn handlers(mut self, handler: impl TaskHandler) -> Self {
        self.handler = Some(Arc::new(handler));
        self
    }

    /// The object store of ItemReader and ResultWriter.
    pub fn storage(mut self, storage: impl Storage) -> Self {
        self.storage = Some(Arc::new(storage));
        self
    }

    /// Who is told what goes on. Several are a pair of them.
    pub fn observer(mut self, observer: impl Observer) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Makes runs repeatable: the runtime draws names of executions and the key of its task tokens from this, where the
    /// operating system's randomness is the default. Two runtimes of one seed give the same names and tokens.
    pub fn seed(mut self, seed: u64) -> Self {
        self.seed = Some(seed);
        self
    }

    /// What makes and verifies task tokens. By default [`MacTokens`](crate::MacTokens) with a key of this runtime's own:
    /// tokens then name nothing in another process, where an execution may be restored.
    pub fn tokens(mut self, tokens: impl TaskTokens + 'static) -> Self {
        self.tokens = Some(Arc::new(tokens));
        self
    }

    /// Starts the runtime.
    ///
    /// # Panics
    /// Outside of a tokio runtime, as `tokio::spawn` does. A real clock needs one with time enabled.
    pub fn build(self) -> Runtime {
        let (commands, arriving) = mpsc::channel(WAITING_COMMANDS);
        let (notices, noticed) = mpsc::unbounded_channel();
        let next_id = Arc::new(AtomicU64::new(0));
        let chance = Chance::new(self.seed);
        let tokens = self.tokens.unwrap_or_else(|| Arc::new(chance.tokens()));
        let tokens = Arc::new(TokenBook::new(tokens));
        let effects = Effects {
            clock: self.clock.clone(),
            handler: self
                .handler
                .unwrap_or_else(|| Arc::new(TaskHandlers::new())),
            storage: self.storage.unwrap_or_else(|| Arc::new(NoStorage)),
            observer: self.observer,
            next_id: Arc::clone(&next_id),
            notices,
            ready: VecDeque::new(),
            timers: Timers::default(),
            tokens: Arc::clone(&tokens),
            spawned: JoinSet::new(),
            busy: 0,
        };
        let event_loop = EventLoop {
            executions: HashMap::new(),
            effects,
            commands: arriving,
            notices: noticed,
            is_over: false,
        };
        Runtime {
            handle: RuntimeHandle {
                commands,
                clock: self.clock,
                next_id,
                tokens,
                chance: Arc::new(chance),
            },
            event_loop: EventLoopTask(tokio::spawn(event_loop.run())),
        }
    }
}
