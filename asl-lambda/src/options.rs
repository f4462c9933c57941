//! Options for running functions.
use crate::LogLine;
use asl_performers::RunningCommands;
use std::collections::BTreeMap;
use std::fmt;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Processes of a function at least, where as many events wait: a function may invoke itself.
const LEAST_CONCURRENCY: usize = 4;

/// Options of [`Functions`](crate::Functions).
#[derive(Clone)]
#[non_exhaustive]
pub struct Options {
    /// A folder for the programs that run functions; it is created.
    pub folder: PathBuf,
    /// Processes of one function at most. Further events wait.
    pub max_concurrency: usize,
    /// The time after which a process without events ends.
    pub idle_time: Duration,
    /// The time for the start of a process; after it, that of an invocation begins.
    pub init_time: Duration,
    /// The region in ARNs and in the environment of functions.
    pub region: String,
    /// The account in ARNs.
    pub account: String,
    /// Variables in the environment of every function, such as the endpoints of services. Those of a function come after them.
    pub environment: BTreeMap<String, String>,
    /// The register of the processes, for a host that kills all of them at its end.
    pub processes: Arc<RunningCommands>,
    /// Receives each line that a function writes.
    pub log: Option<LogReceiver>,
}

/// A function that receives lines.
pub(crate) type LogReceiver = Arc<dyn Fn(&LogLine) + Send + Sync>;

impl Options {
    /// Creates the default options: as many processes of a function as cores, at least 4; 5 minutes of idle time; 10 seconds to
    /// start.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, NonZeroUsize::get);
        Self {
            folder: folder.into(),
            max_concurrency: cores.max(LEAST_CONCURRENCY),
            idle_time: Duration::from_secs(5 * 60),
            init_time: Duration::from_secs(10),
            region: "us-east-1".to_owned(),
            account: "123456789012".to_owned(),
            environment: BTreeMap::new(),
            processes: Arc::default(),
            log: None,
        }
    }

    /// Sets what receives each line that a function writes.
    #[must_use]
    pub fn on_log(mut self, receive: impl Fn(&LogLine) + Send + Sync + 'static) -> Self {
        self.log = Some(Arc::new(receive));
        self
    }
}

asl_path::with_methods! {
    impl Options {
        with_max_concurrency(max_concurrency: usize),
        with_idle_time(idle_time: Duration),
        with_init_time(init_time: Duration),
        with_region(region: String),
        with_account(account: String),
        with_environment(environment: BTreeMap<String, String>),
        with_processes(processes: Arc<RunningCommands>),
    }
}

/// Without the environment, which may have secrets.
impl fmt::Debug for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Options")
            .field("folder", &self.folder)
            .field("max_concurrency", &self.max_concurrency)
            .field("idle_time", &self.idle_time)
            .field("init_time", &self.init_time)
            .field("region", &self.region)
            .field("account", &self.account)
            .finish_non_exhaustive()
    }
}
