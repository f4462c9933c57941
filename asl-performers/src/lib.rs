#![doc = include_str!("../README.md")]

/// Lets `{:?}` print what `{}` prints: what leaves `main` by `?` is printed by it.
macro_rules! debug_as_display {
    ($name:ty) => {
        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

#[cfg(feature = "aws")]
mod aws;
mod directory_storage;
mod external;
#[cfg(any(feature = "aws", feature = "http"))]
mod http_metadata;
#[cfg(feature = "aws")]
mod http_tasks;
mod mock;
mod object_tasks;
#[cfg(feature = "http")]
mod task_uuid;

#[cfg(feature = "aws")]
pub use aws::{AwsTasks, RunningJobs, S3Storage};
pub use directory_storage::DirectoryStorage;
pub use external::{CommandError, ExternalHandlers, HandlerError, UrlError};
#[cfg(feature = "exec")]
pub use external::{Exec, RunningCommands};
#[cfg(feature = "http")]
pub use external::{FunctionInvoker, Http, InvokeRequest, Lambda};
#[cfg(feature = "aws")]
pub use http_tasks::{ConnectionBook, ConnectionBookError, HttpTasks};
pub use mock::{MockConfiguration, MockConfigurationError, MockHandler};
pub use object_tasks::ObjectTasks;
