//! A store that is open.
use crate::clock::StoreClock;
use crate::database::connection::Place;
use crate::database::damaged_log::DamagedLog;
use crate::database::followers::Followers;
use crate::database::health::Health;
use crate::database::meta;
use crate::database::schema;
use crate::database::sealed_history::HistoryCounts;
use crate::database::stored_files::StoredFiles;
use crate::database::writer::{WriteObservers, Writer, no_thread};
use crate::draining::TaskDrain;
use crate::error::OpenFault;
use crate::event_loop::{EventLoop, EventLoops, Pool, look};
use crate::history::{Histories, sealing};
use crate::lock::{FolderLock, check_file_system};
use crate::maintenance::backup;
use crate::notice::StoreNotice;
use crate::observer::Observation;
use crate::shared::StoreContext;
use crate::statistics::{Counters, Statistics};
use crate::unsealed::SealSignal;
use crate::{OpenError, Options, memory, tokens};
use asl_backend::ExpressHost;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::Semaphore;

/// A backend that stores its executions in a folder, or in memory.
///
/// Acknowledged data survives the end of the process, however it ends; executions continue when the store is opened again.
/// Clones refer to the same store, which is closed with [`close`](Self::close), or when the last clone is dropped.
#[derive(Clone)]
pub struct Store {
    pub(crate) inner: Arc<Inner>,
}

pub(crate) struct Inner {
    pub(crate) shared: Arc<StoreContext>,
    pub(crate) loops: Arc<EventLoops>,
    pub(crate) histories: Arc<Histories>,
    pub(crate) express: ExpressHost,
    threads: Mutex<Threads>,
    /// Until it is closed.
    lock: Mutex<Option<FolderLock>>,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").finish_non_exhaustive()
    }
}

/// Returns the tokio runtime of the caller, which performs tasks.
fn current_runtime() -> Result<Handle, OpenError> {
    Handle::try_current().map_err(|_| OpenError::NoRuntime)
}

#[derive(Default)]
struct Threads {
    event_loops: Vec<JoinHandle<()>>,
    sealing: Option<JoinHandle<()>>,
    writing: Option<JoinHandle<()>>,
}

impl Store {
    /// Opens the store in a folder, which is created if it does not exist, and continues its executions.
    ///
    /// Tasks are performed on the tokio runtime that this is called in.
    ///
    /// # Errors
    /// Returns an error if another process uses the folder, if the store is damaged, not writable or of a later version, or
    /// if the caller is outside of a tokio runtime.
    pub fn open(folder: impl AsRef<Path>, options: Options) -> Result<Self, OpenError> {
        Ok(Self::open_folder(folder.as_ref(), options)?)
    }

    fn open_folder(folder: &Path, options: Options) -> Result<Self, OpenFault> {
        let tokio = current_runtime()?;
        std::fs::create_dir_all(folder).map_err(|source| OpenError::Io {
            what: format!("cannot create the folder {}", folder.display()),
            source,
        })?;
        check_file_system(folder)?;
        let lock = FolderLock::take(folder)?;
        Self::open_place(Place::in_folder(folder), Some(lock), options, tokio)
    }

    /// Creates a store in memory: all of it is gone when it is closed.
    ///
    /// # Errors
    /// Returns an error if the database cannot be used, or if the caller is outside of a tokio runtime.
    pub fn in_memory(options: Options) -> Result<Self, OpenError> {
        let tokio = current_runtime()?;
        let name = format!("asl-store-{}", random_number()?);
        Ok(Self::open_place(Place::Memory(name), None, options, tokio)?)
    }

    fn open_place(
        place: Place,
        lock: Option<FolderLock>,
        options: Options,
        tokio: Handle,
    ) -> Result<Self, OpenFault> {
        let observation = Observation::new(options.observer.clone());
        let performer = observation.watch(Arc::clone(&options.performer));
        let options = Options {
            performer,
            ..options
        };
        let damaged = look_at_log(&place, &options)?;
        let mut connection = place.writing(&options)?;
        schema::migrate(&mut connection)?;
        if damaged {
            // The dropped frames must not be found again.
            schema::empty_log(&connection)?;
        }
        let tokens = tokens::open(&connection)?;
        let clock = StoreClock::new(meta::latest_moment(&connection)?);
        let health = Health::new(StoredFiles::of(&place), options.notices.clone());
        let counters = Arc::new(Counters::default());
        let followers = Arc::new(Followers::default());
        let observers = WriteObservers {
            health: health.clone(),
            counters: Arc::clone(&counters),
            followers: Arc::clone(&followers),
        };
        let (writer, writing) = Writer::start(connection, observers, &place)?;
        let cores = std::thread::available_parallelism().map_or(1, |count| count.get());
        let shared = Arc::new(StoreContext {
            clock,
            memory: memory::budget(options.max_memory),
            writer,
            followers,
            health,
            counters,
            tokens,
            tokio,
            performing: Arc::new(Semaphore::new(
                options.max_performing.min(Semaphore::MAX_PERMITS),
            )),
            unsealed: SealSignal::default(),
            draining: TaskDrain::default(),
            programs: Mutex::default(),
            readers: Mutex::default(),
            place,
            options,
            observation,
        });
        let express = ExpressHost::new(Arc::clone(&shared.options.performer))
            .with_memory(Arc::clone(&shared.memory));
        let loops = start_loops(&shared, cores)?;
        let (loops, event_loops) = loops;
        Pool::start(&loops)?;
        let histories = Arc::new(Histories::new(&loops, cores));
        let (sealed, reading) = (Arc::clone(&shared), shared.place.reading()?);
        let sealing =
            thread_named("asl-store-sealing").spawn(move || sealing::run(&sealed, &reading));
        let threads = Threads {
            event_loops,
            sealing: Some(sealing.map_err(no_thread)?),
            writing: Some(writing),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                shared,
                loops,
                histories,
                express,
                threads: Mutex::new(threads),
                lock: Mutex::new(lock),
            }),
        })
    }

    /// Returns the statistics since the store was opened.
    pub fn statistics(&self) -> Statistics {
        let shared = &self.inner.shared;
        Statistics {
            performing: shared.draining.under_way() as u64,
            memory_bytes: shared.memory.used_in_all(),
            max_memory_bytes: shared.memory.bytes(),
            ..shared.counters.read()
        }
    }

    /// Copies the current state of the store to a new file while executions continue, including the key of the task tokens.
    ///
    /// # Errors
    ///
    /// The file exists or cannot be written, or the database cannot be read.
    pub fn back_up(&self, file: impl AsRef<Path>) -> Result<HistoryCounts, OpenError> {
        let place = &self.inner.shared.place;
        let connection = place.reading().map_err(OpenFault::from)?;
        Ok(backup::into_new_file(&connection, file.as_ref())?)
    }

    /// Checks the database for damage, and returns SQLite's messages; empty if it is intact.
    ///
    /// # Errors
    /// Returns an error if the database cannot be read.
    pub fn check(&self) -> Result<Vec<String>, OpenError> {
        let connection = self.inner.shared.place.reading();
        let damage = connection.and_then(|connection| schema::damage(&connection));
        Ok(damage.map_err(OpenFault::from)?)
    }

    /// Takes no more tasks on from now on: those that are not begun are performed when the store is opened again.
    pub fn start_draining(&self) {
        self.inner.shared.draining.start();
    }

    /// Waits until running tasks have completed, or until the time is over; [`close`](Self::close) then stores their
    /// results. Returns the number of tasks that are still running: they run again after the store is opened again.
    pub async fn drain(&self, grace: Duration) -> usize {
        self.start_draining();
        self.inner.shared.draining.finish(grace).await
    }

    /// Lets no execution continue, and returns once all that was acknowledged is in the database and nothing writes to it
    /// any more: it can be opened anew. It blocks.
    pub fn close(&self) {
        self.inner.close();
    }
}

impl Inner {
    fn close(&self) {
        let threads =
            std::mem::take(&mut *self.threads.lock().unwrap_or_else(PoisonError::into_inner));
        self.shared.health.close();
        self.shared.followers.close();
        self.loops.shut_down();
        self.shared.unsealed.close();
        for thread in threads.event_loops.into_iter().chain(threads.sealing) {
            // What panicked has said so.
            let _ = thread.join();
        }
        self.loops.close_pool();
        self.shared.writer.close();
        if let Some(writing) = threads.writing {
            let _ = writing.join();
        }
        self.shared.forget_readers();
        // Whoever opens it from now on finds all of it.
        drop(
            self.lock
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .take(),
        );
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.close();
    }
}

fn thread_named(name: &str) -> std::thread::Builder {
    std::thread::Builder::new().name(name.to_owned())
}

/// Starts the event loops after recovery.
fn start_loops(
    shared: &Arc<StoreContext>,
    cores: usize,
) -> Result<(Arc<EventLoops>, Vec<JoinHandle<()>>), OpenFault> {
    let connection = shared.place.reading()?;
    let count = shared
        .options
        .event_loops
        .map_or(loops_of(cores), |count| count.get());
    let loops = Arc::new(EventLoops::new(Arc::clone(shared), &connection, count)?);
    let mut threads = Vec::new();
    for (index, found) in look(&loops, &connection)?.into_iter().enumerate() {
        let mut event_loop = EventLoop::new(&loops, index, shared.place.reading()?);
        event_loop.recover(found)?;
        let thread =
            thread_named(&format!("asl-store-executions-{index}")).spawn(move || event_loop.run());
        threads.push(thread.map_err(no_thread)?);
    }
    Ok((loops, threads))
}

/// Returns the number of event loops for a number of cores: the writer and the callers need cores too.
fn loops_of(cores: usize) -> usize {
    const MOST: usize = 8;
    (cores / 2).clamp(1, MOST)
}

/// Reports a log that is damaged in its middle, and keeps a copy of it; whether it is.
fn look_at_log(place: &Place, options: &Options) -> Result<bool, OpenFault> {
    let Place::File(database) = place else {
        return Ok(false);
    };
    let unreadable = |source| OpenError::Io {
        what: format!("the log of {} cannot be read", database.display()),
        source,
    };
    let Some(DamagedLog { lost }) = DamagedLog::find(database).map_err(unreadable)? else {
        return Ok(false);
    };
    let copy = DamagedLog::copy_log(database)?;
    options
        .notices
        .send(&StoreNotice::LogDamaged { lost, copy });
    Ok(true)
}

fn random_number() -> Result<u64, OpenError> {
    let number = getrandom::u64();
    number.map_err(|error| OpenError::NoRandomness(error.to_string()))
}
