//! The writer thread: everything that arrives during a commit is part of the next one.
use crate::OpenError;
use crate::database::connection::{BUSY_TIMEOUT, Place};
use crate::database::followers::Followers;
use crate::database::health::{Health, Trouble};
use crate::database::operation::Operation;
use crate::error::OpenFault;
use crate::error::is_lack_of_room;
use crate::statistics::{Counters, count};
use rusqlite::{Connection, Row};
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;
use std::time::Duration;

/// Maximum number of operations in a transaction, which bounds the memory in use.
const MOST_OPERATIONS: usize = 8_192;
/// Batches that wait for the writer; who brings more waits.
const QUEUE: usize = 64;
/// Pause before a write is repeated after the disk was full.
const PAUSE: Duration = Duration::from_millis(250);
/// Attempts to write over the log. After the last one, a write is repeated even if a reader still needs the log.
const MOST_ATTEMPTS: u32 = 60;
/// Pages in the write-ahead log from which on it is copied into the database.
const CHECKPOINT_PAGES: i32 = 1_000;
/// And from which on nothing is written until that is done.
const FULL_CHECKPOINT_PAGES: i32 = 32_000;

/// Operations written together, and actions after the commit.
pub(crate) struct Batch {
    pub(crate) operations: Vec<Operation>,
    /// Called once it is durable, and with false if it never will be.
    pub(crate) told: Box<dyn FnOnce(bool) + Send>,
}

/// Orders to the writer.
enum Order {
    Write(Batch),
    /// Nothing comes after this.
    Close,
}

/// The way to the thread that writes.
#[derive(Clone)]
pub(crate) struct Writer {
    orders: SyncSender<Order>,
}

impl Writer {
    /// Starts the writer with this connection. The thread ends on request, or when all senders are gone.
    pub(crate) fn start(
        mut connection: Connection,
        observers: WriteObservers,
        place: &Place,
    ) -> Result<(Self, JoinHandle<()>), OpenFault> {
        let (checkpoints, checkpointing) = checkpointing(place)?;
        let (orders, received) = sync_channel(QUEUE);
        let log_pages = count_log_pages(&mut connection);
        let thread = std::thread::Builder::new().name("asl-store-writer".to_owned());
        let write = move || {
            WriterThread {
                connection,
                received,
                observers,
                log_pages,
                checkpoints,
                is_over: false,
            }
            .run();
            // What panicked has said so.
            let _ = checkpointing.join();
        };
        let thread = thread.spawn(write).map_err(no_thread)?;
        Ok((Self { orders }, thread))
    }

    /// Writes a batch after all earlier ones; waits if there are many.
    pub(crate) fn write(&self, batch: Batch) {
        // After it was closed nothing is acknowledged.
        let _ = self.orders.send(Order::Write(batch));
    }

    /// Has the thread end once all that was given before is written.
    pub(crate) fn close(&self) {
        // It may have ended.
        let _ = self.orders.send(Order::Close);
    }
}

/// Parts of the store that a commit concerns.
pub(crate) struct WriteObservers {
    pub(crate) health: Health,
    pub(crate) counters: Arc<Counters>,
    pub(crate) followers: Arc<Followers>,
}

struct WriterThread {
    connection: Connection,
    received: Receiver<Order>,
    observers: WriteObservers,
    log_pages: Arc<AtomicI32>,
    /// To the thread that copies the log into the database.
    checkpoints: SyncSender<()>,
    is_over: bool,
}

impl WriterThread {
    fn run(mut self) {
        while !self.is_over
            && let Ok(first) = self.received.recv()
        {
            let (mut batches, mut count) = (Vec::new(), 0);
            let mut next = Some(first);
            while let Some(order) = next.take() {
                match order {
                    Order::Write(batch) => {
                        count += batch.operations.len();
                        batches.push(batch);
                    }
                    Order::Close => self.is_over = true,
                }
                if count < MOST_OPERATIONS && !self.is_over {
                    next = self.received.try_recv().ok();
                }
            }
            let is_written = count == 0 || self.write_all(&mut batches);
            for batch in &mut batches {
                let told = std::mem::replace(&mut batch.told, Box::new(|_| ()));
                told(is_written);
            }
            if !is_written {
                // Nothing that was not written is acknowledged; later batches would stand on it.
                return self.refuse();
            }
            // The event loops get the commit before the requests of followers.
            let operations = batches.iter().flat_map(|batch| &batch.operations);
            self.observers.followers.notify(operations);
            self.checkpoint();
        }
        // All is in the database when the store is closed.
        let _ = self
            .connection
            .execute_batch("PRAGMA wal_checkpoint(TRUNCATE)");
    }

    /// Writes until there is room for it; false if it cannot be written at all.
    fn write_all(&mut self, batches: &mut [Batch]) -> bool {
        loop {
            let written = self.try_write(batches);
            // Writes into a removed file are not acknowledged.
            if !self.observers.health.check_files() {
                return false;
            }
            let error = match written {
                Ok(()) => {
                    self.observers.health.set(None);
                    count(&self.observers.counters.commits, 1);
                    break;
                }
                Err(error) => error,
            };
            let may_pass = is_lack_of_room(&error);
            let what = format!("the database cannot be written: {error}");
            self.observers.health.set(Some(Trouble { what, may_pass }));
            if !may_pass || self.observers.health.is_closing() {
                return false;
            }
            self.wait_for_room();
        }
        let operations = batches.iter_mut().flat_map(|batch| &mut batch.operations);
        operations.for_each(Operation::committed);
        true
    }

    fn try_write(&mut self, batches: &[Batch]) -> rusqlite::Result<()> {
        let transaction = self.connection.transaction()?;
        let operations = batches.iter().flat_map(|batch| &batch.operations);
        crate::database::operation::write_all(&transaction, operations)?;
        transaction.commit()
    }

    /// Takes what comes, and says that it is not written.
    fn refuse(&self) {
        while !self.is_over
            && let Ok(Order::Write(batch)) = self.received.recv()
        {
            (batch.told)(false);
        }
    }

    /// Starts copying the log into the database, concurrently with the next write; waits if the log grows faster.
    fn checkpoint(&self) {
        let pages = self.log_pages();
        if pages >= FULL_CHECKPOINT_PAGES {
            // It is tried again after the next commit.
            let _ = self
                .connection
                .execute_batch("PRAGMA wal_checkpoint(RESTART)");
        } else if pages >= CHECKPOINT_PAGES {
            // One is under way.
            let _ = self.checkpoints.try_send(());
        }
    }

    /// Waits until the log is copied into the database and no reader needs it, so that the next commit is written over it.
    /// Nothing is written before: a log that grows takes the room that is free again, and then nothing can be copied any more.
    fn wait_for_room(&self) {
        let health = &self.observers.health;
        for attempt in 0_u32.. {
            std::thread::sleep(PAUSE);
            let is_done = match self.restart_log() {
                // One who reads for long, such as a backup, stops a store for half a minute at most.
                Ok(is_restarted) => is_restarted || attempt >= MOST_ATTEMPTS,
                Err(error) => !is_lack_of_room(&error),
            };
            if is_done || health.is_closing() || !health.check_files() {
                return;
            }
        }
    }

    /// Copies the log into the database; returns true if the next commit can be written over it.
    fn restart_log(&self) -> rusqlite::Result<bool> {
        let is_busy = |row: &Row<'_>| row.get::<_, bool>(0);
        let restart = "PRAGMA wal_checkpoint(RESTART)";
        self.connection.busy_timeout(PAUSE)?;
        let result = self.connection.query_row(restart, [], is_busy);
        self.connection.busy_timeout(BUSY_TIMEOUT)?;
        Ok(!result?)
    }

    fn log_pages(&self) -> i32 {
        self.log_pages.load(Ordering::Relaxed)
    }
}

/// Has the pages of the log counted that a commit leaves.
fn count_log_pages(connection: &mut Connection) -> Arc<AtomicI32> {
    let pages = Arc::new(AtomicI32::new(0));
    let counted = Arc::clone(&pages);
    let hooked = connection.wal_hook(Some(move |_: &mut rusqlite::hooks::Wal, count| {
        counted.store(count, Ordering::Relaxed);
        Ok(())
    }));
    // Without the hook nothing is copied before the store is closed.
    debug_assert!(hooked.is_ok());
    pages
}

/// Starts a thread that copies the log into the database on request, as far as no reader needs it; it ends with the writer.
fn checkpointing(place: &Place) -> Result<(SyncSender<()>, JoinHandle<()>), OpenFault> {
    let connection = place.copying()?;
    let (asked, asks) = sync_channel(1);
    let thread = std::thread::Builder::new().name("asl-store-log".to_owned());
    let run = move || {
        while asks.recv().is_ok() {
            // It is tried again after a later commit.
            let _ = connection.execute_batch("PRAGMA wal_checkpoint(PASSIVE)");
        }
    };
    let thread = thread.spawn(run).map_err(no_thread)?;
    Ok((asked, thread))
}

pub(crate) fn no_thread(source: std::io::Error) -> OpenError {
    OpenError::Io {
        what: "cannot start a thread".to_owned(),
        source,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::journal::Record;
    use crate::database::schema;
    use crate::database::stored_files::StoredFiles;
    use crate::{Notices, Options};
    use std::io::Write as _;
    use std::time::Instant;

    /// Records of one commit, and their bytes.
    const RECORDS: i64 = 256;
    const BYTES: usize = 1_024;
    const TURN: Duration = Duration::from_millis(500);

    /// Commits one batch after the other for a while; how many there were.
    fn commit(writer: &Writer, next: &mut i64) -> u32 {
        let (begun, mut commits) = (Instant::now(), 0);
        while begun.elapsed() < TURN {
            let ids = *next..*next + RECORDS;
            *next += RECORDS;
            let record = |id| Record {
                id,
                execution: id % 10_000,
                data: vec![7; BYTES],
            };
            let operations = ids.map(record).map(Operation::Journal);
            let (done, durable) = std::sync::mpsc::channel();
            writer.write(Batch {
                operations: operations.collect(),
                told: Box::new(move |is_durable| done.send(is_durable).expect("it is waited for")),
            });
            assert!(durable.recv().expect("it is written"));
            commits += 1;
        }
        commits
    }

    fn append(log: &mut std::fs::File) -> std::io::Result<u32> {
        let (begun, mut commits) = (Instant::now(), 0);
        while begun.elapsed() < TURN {
            log.write_all(&[7; RECORDS as usize * BYTES])?;
            log.sync_data()?;
            commits += 1;
        }
        Ok(commits)
    }

    /// `cargo test --release -p asl-store --lib -- --ignored --nocapture`
    #[test]
    #[ignore = "it measures this machine"]
    fn commits_beside_a_bare_log() {
        let folder = std::env::temp_dir().join(format!("asl-store-writer-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let place = Place::in_folder(&folder);
        let mut connection = place.writing(&Options::default()).expect("a database");
        schema::migrate(&mut connection).expect("tables");
        let (writer, thread) = Writer::start(
            connection,
            WriteObservers {
                health: Health::new(StoredFiles::default(), Notices::default()),
                counters: Arc::default(),
                followers: Arc::default(),
            },
            &place,
        )
        .expect("a writer");
        let mut log = std::fs::File::create(folder.join("bare.log")).expect("a log");
        let (mut ours, mut bare, mut next) = (0, 0, 1);
        // By turns, so that what else the machine does falls on both.
        for _ in 0..10 {
            bare += append(&mut log).expect("it is written");
            ours += commit(&writer, &mut next);
        }
        writer.close();
        thread.join().expect("it ends");
        std::fs::remove_dir_all(&folder).expect("it is there");
        let (ours, bare) = (f64::from(ours) / 5.0, f64::from(bare) / 5.0);
        let mut out = std::io::stdout().lock();
        writeln!(
            out,
            "{ours:.0} commits/s of {RECORDS} records of {BYTES} bytes, a bare log {bare:.0}: {:.2}",
            ours / bare
        )
        .expect("it is said");
    }
}
