//! Handlers outside of the process: commands and servers.
#[cfg(any(feature = "exec", feature = "http"))]
mod answer;
#[cfg(feature = "exec")]
mod command_line;
#[cfg(feature = "exec")]
mod descendants;
mod error;
#[cfg(feature = "exec")]
mod exec;
#[cfg(feature = "http")]
mod http;
#[cfg(feature = "http")]
mod invoke;
#[cfg(feature = "http")]
mod lambda;
#[cfg(feature = "http")]
mod lambda_answer;
mod places;
#[cfg(feature = "exec")]
mod running;
#[cfg(feature = "http")]
mod server;

pub use error::{CommandError, HandlerError, UrlError};
#[cfg(feature = "exec")]
pub use exec::Exec;
#[cfg(feature = "http")]
pub use http::Http;
#[cfg(feature = "http")]
pub use invoke::{FunctionInvoker, InvokeRequest};
#[cfg(feature = "http")]
pub use lambda::Lambda;
#[cfg(feature = "exec")]
pub use running::RunningCommands;

use asl_engine::runtime::Performer;
#[cfg(feature = "aws")]
pub(crate) use lambda::invoked;
use places::Places;
#[cfg(feature = "aws")]
pub(crate) use places::out_of_time;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::Arc;

/// Makes handlers of the texts that name them, `exec:COMMAND` and `http://HOST/PATH`. Those that one of these made share
/// how many work at a time.
///
/// ```
/// use asl_engine::runtime::TaskHandlers;
/// use asl_performers::ExternalHandlers;
///
/// let external = ExternalHandlers::new(64);
/// let handlers = TaskHandlers::new()
///     .route("reserve", external.handler("exec:python3 reserve.py")?)
///     .route("charge", external.handler("http://localhost:8080/charge")?);
/// let error = external.handler("exec:sh -c 'exit").err().ok_or("a quote that is closed")?;
/// assert_eq!(error.to_string(), "exec:sh -c 'exit: a quote is not closed");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct ExternalHandlers {
    #[cfg_attr(
        not(any(feature = "exec", feature = "http")),
        expect(dead_code, reason = "nothing works")
    )]
    places: Arc<Places>,
    #[cfg(feature = "exec")]
    commands: Arc<RunningCommands>,
    folder: Option<PathBuf>,
    /// Variables of the commands' environment, besides those of the process.
    environment: Vec<(String, OsString)>,
}

impl ExternalHandlers {
    /// Creates handlers with a limit of at least one on concurrent commands and connections; further tasks wait.
    pub fn new(max_concurrent: usize) -> Self {
        Self {
            places: Arc::new(Places::new(max_concurrent)),
            #[cfg(feature = "exec")]
            commands: Arc::default(),
            folder: None,
            environment: Vec::new(),
        }
    }

    /// Sets the folder in which commands run. The default, also for a plain file name, is the working directory.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.folder = Some(folder.into()).filter(|folder| !folder.as_os_str().is_empty());
        self
    }

    /// Adds a variable to the environment of commands, in addition to those of the process and of the task.
    #[must_use]
    pub fn environment(mut self, name: impl Into<String>, value: impl Into<OsString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Returns the handler that a text names.
    ///
    /// # Errors
    /// It names none, or one that this build is without.
    pub fn handler(&self, text: &str) -> Result<Arc<dyn Performer>, HandlerError> {
        match text.split_once(':') {
            Some(("exec", command)) => self.exec(text, command),
            Some(("http" | "https", _)) => self.http(text),
            _ => Err(HandlerError::Unknown(text.to_owned())),
        }
    }

    /// Returns the commands of its handlers that run.
    #[cfg(feature = "exec")]
    pub fn commands(&self) -> &Arc<RunningCommands> {
        &self.commands
    }

    #[cfg(feature = "exec")]
    fn exec(&self, text: &str, command: &str) -> Result<Arc<dyn Performer>, HandlerError> {
        let refused = |source| HandlerError::Command {
            text: text.to_owned(),
            source,
        };
        let exec = Exec::parse(command, self).map_err(refused)?;
        Ok(Arc::new(exec))
    }

    #[cfg(not(feature = "exec"))]
    fn exec(&self, text: &str, _: &str) -> Result<Arc<dyn Performer>, HandlerError> {
        Err(HandlerError::not_built(text, "exec"))
    }

    #[cfg(feature = "http")]
    fn http(&self, url: &str) -> Result<Arc<dyn Performer>, HandlerError> {
        Ok(Arc::new(Http::parse(url, self)?))
    }

    #[cfg(not(feature = "http"))]
    fn http(&self, url: &str) -> Result<Arc<dyn Performer>, HandlerError> {
        Err(HandlerError::not_built(url, "http"))
    }
}
