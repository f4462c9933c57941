//! State shared by all parts of a store.
use crate::Options;
use crate::clock::StoreClock;
use crate::database::connection::Place;
use crate::database::definitions::Programs;
use crate::database::followers::Followers;
use crate::database::health::Health;
use crate::database::operation::Operation;
use crate::database::writer::{Batch, Writer};
use crate::draining::TaskDrain;
use crate::error::is_damage;
use crate::notice::StoreNotice;
use crate::observer::Observation;
use crate::statistics::Counters;
use crate::unsealed::SealSignal;
use asl_backend::{BackendError, DefinitionId, MemoryBudget, StartExecution};
use asl_engine::{Program, TaskTokens};
use asl_performers::MockHandler;
use rusqlite::Connection;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::sync::{Semaphore, oneshot};

/// State shared by all parts of a store.
pub(crate) struct StoreContext {
    pub(crate) clock: StoreClock,
    pub(crate) writer: Writer,
    pub(crate) followers: Arc<Followers>,
    pub(crate) health: Health,
    pub(crate) counters: Arc<Counters>,
    pub(crate) place: Place,
    pub(crate) tokens: Arc<dyn TaskTokens>,
    pub(crate) options: Options,
    pub(crate) observation: Observation,
    /// Budget for executions in memory, starts and histories.
    pub(crate) memory: Arc<MemoryBudget>,
    /// Runtime for tasks.
    pub(crate) tokio: tokio::runtime::Handle,
    /// Those that are performed.
    pub(crate) draining: TaskDrain,
    /// Tasks that may be performed at a time.
    pub(crate) performing: Arc<Semaphore>,
    pub(crate) unsealed: SealSignal,
    /// Programs for readers, and for executions that are not stored.
    pub(crate) programs: Mutex<Programs>,
    /// Idle connections for reading.
    pub(crate) readers: Mutex<Vec<Connection>>,
}

/// Connections that are kept for the next who reads.
const MOST_READERS: usize = 8;

impl StoreContext {
    /// Reads, where blocking is allowed.
    pub(crate) fn read<T>(
        &self,
        read: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> rusqlite::Result<T> {
        let kept = self
            .readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .pop();
        let connection = match kept {
            Some(connection) => connection,
            None => self.place.reading()?,
        };
        let result = read(&connection);
        if let Err(error) = &result
            && is_damage(error)
        {
            let why = error.to_string();
            self.options.notices.send(&StoreNotice::Damage { why });
        }
        let mut readers = self.readers.lock().unwrap_or_else(PoisonError::into_inner);
        if readers.len() < MOST_READERS {
            readers.push(connection);
        }
        result
    }

    /// Closes the idle connections.
    pub(crate) fn forget_readers(&self) {
        self.readers
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clear();
    }

    /// The program of a definition that is kept.
    pub(crate) fn program(
        &self,
        connection: &Connection,
        id: DefinitionId,
    ) -> rusqlite::Result<Program> {
        let mut programs = self.programs.lock().unwrap_or_else(PoisonError::into_inner);
        programs.get(connection, id)
    }

    /// Returns the mocks of an execution that was started with an existing test case.
    pub(crate) fn test_case(&self, start: &StartExecution) -> Option<MockHandler> {
        start.test_case(self.options.mocks.as_ref())
    }

    /// Returns the error of a store that can neither read nor write at present.
    pub(crate) fn refusal(&self) -> Option<BackendError> {
        self.health.check_files();
        let trouble = self.health.trouble()?;
        Some(match trouble.may_pass {
            true => BackendError::Unavailable(trouble.what),
            false => BackendError::Broken(trouble.what),
        })
    }

    /// Writes, and waits until it is durable.
    pub(crate) async fn write(&self, operations: Vec<Operation>) -> Result<(), BackendError> {
        if let Some(refusal) = self.refusal() {
            return Err(refusal);
        }
        let (committed, durable) = oneshot::channel();
        let batch = Batch {
            operations,
            told: Box::new(move |is_durable| {
                // Whoever gave up waiting need not know.
                let _ = committed.send(is_durable);
            }),
        };
        let writer = self.writer.clone();
        // The queue of the writer may be full.
        let queued = tokio::task::spawn_blocking(move || writer.write(batch)).await;
        match (queued, self.answered(durable).await?) {
            (Ok(()), true) => Ok(()),
            _ => Err(self.refusal().unwrap_or_else(closing)),
        }
    }

    /// Waits for the response of a thread, for a few seconds if nothing can be written. The request may still be applied
    /// later.
    pub(crate) async fn answered<T>(
        &self,
        answer: oneshot::Receiver<T>,
    ) -> Result<T, BackendError> {
        let refusal = || self.refusal().unwrap_or_else(closing);
        tokio::select! {
            biased;
            answer = answer => answer.map_err(|_| refusal()),
            () = self.health.wait_until_hindered() => Err(refusal()),
        }
    }
}

pub(crate) fn closing() -> BackendError {
    BackendError::Unavailable("the store is being closed".to_owned())
}
