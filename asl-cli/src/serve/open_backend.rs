//! The backend that was requested, as far as it matters which one it is.
use super::suspended;
use crate::terminal;
use asl_backend::Backend;
use asl_store::Store;
use std::sync::Arc;
use std::time::Duration;

/// A backend that is open.
#[derive(Clone)]
pub(super) enum OpenBackend {
    /// This process alone.
    Store(Arc<Store>),
    /// A cluster, at this address.
    #[cfg(feature = "restate")]
    Restate(Arc<asl_restate::RestateBackend>, String),
}

impl OpenBackend {
    pub(super) fn backend(&self) -> Arc<dyn Backend> {
        match self {
            Self::Store(store) => Arc::clone(store) as _,
            #[cfg(feature = "restate")]
            Self::Restate(backend, _) => Arc::clone(backend) as _,
        }
    }

    /// Reports the state of the backend on stderr.
    pub(super) async fn report_status(&self) {
        match self {
            Self::Store(store) => suspended::report_suspended(store).await,
            #[cfg(feature = "restate")]
            Self::Restate(..) => {}
        }
    }

    /// Returns the location of the data, if it is neither a folder nor memory.
    pub(super) fn place(&self) -> Option<String> {
        match self {
            Self::Store(_) => None,
            #[cfg(feature = "restate")]
            Self::Restate(_, url) => Some(format!("the Restate cluster at {url}")),
        }
    }

    /// Takes no more tasks on.
    pub(super) fn start_draining(&self) {
        match self {
            Self::Store(store) => store.start_draining(),
            // Restate hands out no more once the node is gone, and what it was at to another one.
            #[cfg(feature = "restate")]
            Self::Restate(..) => {}
        }
    }

    /// Waits for tasks under way, for so long at most; says how many are cancelled.
    pub(super) async fn drain(&self, grace: Duration) {
        let cancelled = match self {
            Self::Store(store) => store.drain(grace).await,
            #[cfg(feature = "restate")]
            Self::Restate(..) => 0,
        };
        if cancelled > 0 {
            terminal::error_line(&format!(
                "cancelled {cancelled} {}, to be run again after the next start: --grace gives them more time",
                if cancelled == 1 { "task" } else { "tasks" }
            ));
        }
    }

    /// Waits until all acknowledged data is durable.
    pub(super) fn close(&self) {
        match self {
            // It waits for the disk.
            Self::Store(store) => tokio::task::block_in_place(|| store.close()),
            // It has acknowledged nothing that the cluster has not.
            #[cfg(feature = "restate")]
            Self::Restate(..) => {}
        }
    }
}
