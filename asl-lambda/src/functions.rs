//! All functions of a host.
use crate::interpreter::Interpreters;
use crate::invocation::{Invocation, InvocationOutcome, InvokeError, MAX_EVENT_BYTES};
use crate::names::FunctionName;
use crate::pool::Pool;
use crate::process::write_bootstraps;
use crate::{Function, Interpreter, Options};
use asl_intrinsics::random;
use hyper::header::HeaderValue;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use std::time::Duration;

/// The time between looks for processes that are not needed.
const SWEEPS: (Duration, Duration) = (Duration::from_millis(100), Duration::from_secs(10));

/// Functions by name, each with its warm processes.
///
/// ```
/// use asl_lambda::{Function, Functions, Invocation, InvocationOutcome, Options, Runtime};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("asl-lambda-example-{}", std::process::id()));
/// # std::fs::create_dir_all(&folder)?;
/// std::fs::write(folder.join("app.py"), "def double(event, context):\n    return 2 * event['n']\n")?;
/// let functions = Functions::new(Options::new(folder.join(".asl")))?;
/// let python = Runtime::from_identifier("python3");
/// functions.put(Function::new("double", python, &folder).with_handler("app.double"));
/// # tokio::runtime::Builder::new_current_thread().enable_all().build()?.block_on(async {
/// let ended = functions.invoke("double", Invocation::new(r#"{"n": 21}"#)).await?;
/// assert_eq!(ended, InvocationOutcome::Result(b"42".to_vec()));
/// # functions.stop();
/// # Ok(()) })
/// # }
/// ```
#[derive(Clone)]
pub struct Functions {
    shared: Arc<SharedFunctions>,
}

struct SharedFunctions {
    options: RwLock<Arc<Options>>,
    pools: RwLock<BTreeMap<String, Arc<Pool>>>,
    interpreters: Arc<Interpreters>,
}

impl fmt::Debug for Functions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Functions")
            .field("names", &self.names())
            .finish_non_exhaustive()
    }
}

impl Functions {
    /// Creates a host without functions.
    ///
    /// # Errors
    /// The folder of the options cannot be written to.
    pub fn new(options: Options) -> io::Result<Self> {
        write_bootstraps(&options.folder)?;
        Ok(Self {
            shared: Arc::new(SharedFunctions {
                options: RwLock::new(Arc::new(options)),
                pools: RwLock::default(),
                interpreters: Arc::default(),
            }),
        })
    }

    fn pools(&self) -> RwLockReadGuard<'_, BTreeMap<String, Arc<Pool>>> {
        let pools = self.shared.pools.read();
        pools.unwrap_or_else(PoisonError::into_inner)
    }

    fn pools_to_change(&self) -> RwLockWriteGuard<'_, BTreeMap<String, Arc<Pool>>> {
        let pools = self.shared.pools.write();
        pools.unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the options.
    pub fn options(&self) -> Arc<Options> {
        let options = self.shared.options.read();
        Arc::clone(&options.unwrap_or_else(PoisonError::into_inner))
    }

    /// Sets the variables that all functions put from now on have in their environment.
    pub fn set_environment(&self, environment: BTreeMap<String, String>) {
        let options = Options::clone(&self.options()).with_environment(environment);
        let shared = self.shared.options.write();
        *shared.unwrap_or_else(PoisonError::into_inner) = Arc::new(options);
    }

    /// Adds a function, or replaces the one of its name if it differs. Events of the old one end in its processes.
    pub fn put(&self, function: Function) {
        let mut pools = self.pools_to_change();
        let known = pools.get(&function.name);
        if known.is_some_and(|pool| *pool.function == function) {
            return;
        }
        let name = function.name.clone();
        let interpreters = Arc::clone(&self.shared.interpreters);
        let pool = Pool::new(function, self.options(), interpreters);
        let old = pools.insert(name, Arc::new(pool));
        drop(pools);
        if let Some(old) = old {
            old.close();
        }
    }

    /// Removes a function.
    pub fn remove(&self, name: &str) {
        let removed = self.pools_to_change().remove(name);
        if let Some(pool) = removed {
            pool.close();
        }
    }

    /// Returns the names of all functions, in order.
    pub fn names(&self) -> Vec<String> {
        self.pools().keys().cloned().collect()
    }

    /// Returns true if there are no functions.
    pub fn is_empty(&self) -> bool {
        self.pools().is_empty()
    }

    /// Returns true if there is a function of this name or ARN.
    pub fn has(&self, function: &str) -> bool {
        self.pools()
            .contains_key(FunctionName::parse(function).name)
    }

    fn pool(&self, function: &str) -> Option<Arc<Pool>> {
        let name = FunctionName::parse(function).name;
        self.pools().get(name).cloned()
    }

    /// Finds the interpreter of a function, as [`Interpreter::find`] does, but asks each program once.
    ///
    /// # Errors
    /// There is no interpreter, as a message for the reader says.
    pub fn find_interpreter(&self, function: &Function) -> Result<Option<Interpreter>, String> {
        self.shared.interpreters.find(function)
    }

    /// Starts a process of a function, so that its first event need not wait for it.
    pub async fn warm_up(&self, function: &str) {
        if let Some(pool) = self.pool(function) {
            pool.warm_up().await;
        }
    }

    /// Invokes a function by its name or ARN. The function works on even if the caller no longer waits.
    ///
    /// # Errors
    /// The event reaches no function.
    pub async fn invoke(
        &self,
        function: &str,
        mut invocation: Invocation,
    ) -> Result<InvocationOutcome, InvokeError> {
        let Some(pool) = self.pool(function) else {
            let options = self.options();
            let name = FunctionName::parse(function);
            return Err(InvokeError::not_found(
                &options.region,
                &options.account,
                name,
            ));
        };
        if invocation.event.len() > MAX_EVENT_BYTES {
            return Err(InvokeError::TooLarge);
        }
        if invocation.request_id.is_empty() {
            invocation.request_id = random_id();
        }
        // What cannot be a header is not sent.
        let is_header = |text: &String| HeaderValue::try_from(text.as_str()).is_ok();
        invocation.trace_id = invocation.trace_id.filter(is_header);
        invocation.client_context = invocation.client_context.filter(is_header);
        let working = tokio::spawn(async move { pool.invoke(invocation).await });
        let ended = working.await;
        Ok(ended.unwrap_or_else(|_| {
            InvocationOutcome::of_platform(
                "Runtime.ExitError",
                "",
                "the host of functions has stopped",
            )
        }))
    }

    /// Ends processes that have no work for long, from time to time, for ever.
    pub async fn sweep(self) {
        loop {
            let period = (self.options().idle_time / 4).clamp(SWEEPS.0, SWEEPS.1);
            tokio::time::sleep(period).await;
            let pools: Vec<Arc<Pool>> = self.pools().values().cloned().collect();
            // Killing looks at other processes of the machine.
            let swept = tokio::task::spawn_blocking(move || {
                pools.iter().for_each(|pool| pool.end_idle());
            });
            let _ = swept.await;
        }
    }

    /// Ends all processes.
    pub fn stop(&self) {
        let pools = std::mem::take(&mut *self.pools_to_change());
        pools.values().for_each(|pool| pool.close());
        self.options().processes.kill_all();
    }
}

/// Returns a random UUID, which is what ids of requests are.
pub(crate) fn random_id() -> String {
    let mut bytes = [0; 16];
    // Without random numbers the id is zeros: it still fits the only event of its process.
    let _ = getrandom::fill(&mut bytes);
    let bits = u128::from_be_bytes(bytes);
    random::uuid((bits >> 64) as u64, bits as u64)
}
