//! Options of a store.
use crate::{Notices, StoreObserver};
use asl_engine::runtime::{Performer, TaskHandlers};
use asl_performers::MockConfiguration;
use std::fmt;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::Duration;

/// Durability of acknowledged data.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Durability {
    /// All acknowledged requests survive: each commit is synced to the disk.
    #[default]
    Full,
    /// A power cut loses the newest commits. Nothing is lost if only the process is killed.
    Fast,
}

/// Options of a store.
///
/// ```
/// use asl_engine::runtime::{TaskHandlers, value_fn};
/// use asl_store::Options;
/// use std::sync::Arc;
///
/// let handlers = TaskHandlers::new().on_value("greet", |_input| async { Ok("hello".into()) });
/// let options = Options::new(Arc::new(handlers)).with_max_in_memory(1_000);
/// ```
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// Performs tasks and storage requests.
    pub performer: Arc<dyn Performer>,
    /// Test cases that replace tasks, of executions that were started with one.
    pub mocks: Option<MockConfiguration>,
    /// Durability of acknowledged data.
    pub durability: Durability,
    /// Event loops, each of which is a thread that runs some of the executions: whole trees of an execution, the children of its
    /// Map Runs, and the executions that its tasks start and wait for. None for half as many as there are cores, 8 at most.
    pub event_loops: Option<NonZeroUsize>,
    /// Executions in memory, of which those that only wait are the first to leave it.
    pub max_in_memory: usize,
    /// Bytes of memory that all executions, requests to start one and histories may take together, as
    /// [`Limits::max_execution_bytes`](asl_engine::Limits) weighs them. Beyond three quarters of them executions leave memory, and
    /// starts are refused. None for half of what the machine, the control group and the address space of the process allow.
    pub max_memory: Option<u64>,
    /// Tasks and storage requests that are performed at a time; the rest wait.
    pub max_performing: usize,
    /// Executions that run at a time, children of Map Runs not counted.
    pub max_running: u64,
    /// Bytes that the database may take, its log not counted; beyond them nothing new is acknowledged. None for as many as
    /// the disk has.
    pub max_bytes: Option<u64>,
    /// Bytes that the data of an execution weighs in memory, with that of all its children, before it fails (see
    /// [`Limits::max_execution_bytes`](asl_engine::Limits)); None for as many as the core allows by default.
    pub max_execution_bytes: Option<u64>,
    /// Retention period of ended executions.
    pub retention: Duration,
    /// Number of bytes of the database, without its log and free space, above which the oldest ended executions are deleted
    /// early.
    pub retention_bytes: Option<u64>,
    /// The receiver of reports to an operator.
    pub notices: Notices,
    /// Sees executions and tasks.
    pub observer: Option<Arc<dyn StoreObserver>>,
    /// Lets effects and acknowledgements go before they are durable: wrong, and here so that tests of durability can show
    /// that they would notice.
    #[doc(hidden)]
    pub acknowledges_early: bool,
    /// Seals the histories of all that ended, of those too that cost less to be made again: here so that small tests have some.
    #[doc(hidden)]
    pub seals_all: bool,
}

asl_path::with_methods! {
    impl Options {
        with_mocks(mocks: Option<MockConfiguration>),
        with_durability(durability: Durability),
        with_event_loops(event_loops: Option<NonZeroUsize>),
        with_max_in_memory(max_in_memory: usize),
        with_max_memory(max_memory: Option<u64>),
        with_max_performing(max_performing: usize),
        with_max_running(max_running: u64),
        with_max_bytes(max_bytes: Option<u64>),
        with_max_execution_bytes(max_execution_bytes: Option<u64>),
        with_retention(retention: Duration),
        with_retention_bytes(retention_bytes: Option<u64>),
        with_notices(notices: Notices),
        with_observer(observer: Option<Arc<dyn StoreObserver>>),
    }
}

const NINETY_DAYS: Duration = Duration::from_secs(90 * 24 * 60 * 60);

impl Options {
    /// Creates the defaults, with this performer.
    pub fn new(performer: Arc<dyn Performer>) -> Self {
        Self {
            performer,
            mocks: None,
            durability: Durability::Full,
            event_loops: None,
            max_in_memory: 10_000,
            max_memory: None,
            max_performing: 256,
            max_running: 10_000_000,
            max_bytes: None,
            max_execution_bytes: None,
            retention: NINETY_DAYS,
            retention_bytes: None,
            notices: Notices::default(),
            observer: None,
            acknowledges_early: false,
            seals_all: false,
        }
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::new(Arc::new(TaskHandlers::new()))
    }
}

impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("durability", &self.durability)
            .field("event_loops", &self.event_loops)
            .field("max_in_memory", &self.max_in_memory)
            .field("max_memory", &self.max_memory)
            .field("max_performing", &self.max_performing)
            .field("max_running", &self.max_running)
            .field("max_execution_bytes", &self.max_execution_bytes)
            .field("retention", &self.retention)
            .field("retention_bytes", &self.retention_bytes)
            .finish_non_exhaustive()
    }
}
