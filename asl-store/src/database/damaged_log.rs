//! Detection of damage in the middle of a log.
//!
//! SQLite reads a log up to its first damaged frame, and drops the rest. That is right if a power cut tore
//! the last transaction, which was not acknowledged. It loses acknowledged ones silently if they follow. The checksum of
//! a frame covers all frames before it, so a frame can be verified from the one before it alone (SQLite, Database File Format, 4 The Write-Ahead Log).
use crate::OpenError;
use crate::database::connection::log_of;
use crate::error::OpenFault;
use std::fs::{self, File};
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Bytes of the header of a log, and of that of a frame.
const LOG_HEADER: usize = 32;
const FRAME_HEADER: usize = 24;

/// The largest page that a database may have, in bytes.
const LARGEST_PAGE: u32 = 65_536;

/// Copies of damaged logs that one folder keeps.
const MOST_COPIES: usize = 100;

/// A log whose damage cuts off transactions that are intact.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DamagedLog {
    /// The number of transactions that may be lost, at most.
    pub(crate) lost: u64,
}

impl DamagedLog {
    /// Returns the damage of the log of a database, or None if no intact transaction lies behind damage.
    pub(crate) fn find(database: &Path) -> io::Result<Option<Self>> {
        let mut file = match File::open(log_of(database)) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let mut log = BufReader::with_capacity(1 << 20, &mut file);
        let Some(header) = read_part::<LOG_HEADER>(&mut log)? else {
            return Ok(None);
        };
        let Some(mut frames) = FrameReader::new(&header) else {
            return Ok(None);
        };
        let lost = frames.count_lost(&mut log)?;
        drop(log);
        // Another process may have restarted the log meanwhile.
        let again = read_part::<LOG_HEADER>(&mut File::open(log_of(database))?)?;
        Ok((lost > 0 && again == Some(header)).then_some(Self { lost }))
    }

    /// Copies the log to a file next to it, before it is overwritten.
    pub(crate) fn copy_log(database: &Path) -> Result<PathBuf, OpenFault> {
        let log = log_of(database);
        let copy = (1..=MOST_COPIES).map(|number| {
            let mut name = log.clone().into_os_string();
            name.push(format!(".damaged-{number}"));
            PathBuf::from(name)
        });
        let mut free = copy.filter(|copy| !copy.exists());
        let failed = |source| OpenError::Io {
            what: format!("the log {} is damaged, and cannot be copied", log.display()),
            source,
        };
        let copy = free.next().ok_or_else(|| {
            failed(io::Error::other(format!(
                "{MOST_COPIES} copies exist already: move them elsewhere"
            )))
        })?;
        fs::copy(&log, &copy)
            .and_then(|_| File::open(&copy)?.sync_all())
            .map_err(failed)?;
        Ok(copy)
    }
}

/// Reads exactly `N` bytes, or None at the end.
fn read_part<const N: usize>(from: &mut impl Read) -> io::Result<Option<[u8; N]>> {
    let mut part = [0; N];
    match from.read_exact(&mut part) {
        Ok(()) => Ok(Some(part)),
        Err(error) if error.kind() == ErrorKind::UnexpectedEof => Ok(None),
        Err(error) => Err(error),
    }
}

fn number_at(bytes: &[u8], at: usize) -> u32 {
    let four = bytes.get(at..at + 4).and_then(|four| four.try_into().ok());
    u32::from_be_bytes(four.unwrap_or_default())
}

/// A reader of the frames of a log.
struct FrameReader {
    is_big_endian: bool,
    page: usize,
    salts: (u32, u32),
    /// The checksum of the frame before.
    before: (u32, u32),
    header_is_intact: bool,
}

impl FrameReader {
    /// Returns None for a header that is not one of a log.
    fn new(header: &[u8; LOG_HEADER]) -> Option<Self> {
        let is_big_endian = match number_at(header, 0) {
            0x377f_0682 => false,
            0x377f_0683 => true,
            _ => return None,
        };
        let page = number_at(header, 8);
        if !page.is_power_of_two() || !(512..=LARGEST_PAGE).contains(&page) {
            return None;
        }
        let written_checksum = (number_at(header, 24), number_at(header, 28));
        let mut frames = Self {
            is_big_endian,
            page: usize::try_from(page).ok()?,
            salts: (number_at(header, 16), number_at(header, 20)),
            before: written_checksum,
            header_is_intact: true,
        };
        frames.header_is_intact = frames.checksum((0, 0), &header[..24]) == written_checksum;
        Some(frames)
    }

    fn checksum(&self, (mut first, mut second): (u32, u32), bytes: &[u8]) -> (u32, u32) {
        for eight in bytes.chunks_exact(8) {
            let (one, other) = (number_at(eight, 0), number_at(eight, 4));
            let (one, other) = match self.is_big_endian {
                true => (one, other),
                false => (one.swap_bytes(), other.swap_bytes()),
            };
            first = first.wrapping_add(one).wrapping_add(second);
            second = second.wrapping_add(other).wrapping_add(first);
        }
        (first, second)
    }

    /// Counts the intact transactions behind the first damage. One alone may belong to a batch that a power cut tore: its pages reach
    /// the disk in any order, and it was not acknowledged. If another one follows it, it was acknowledged.
    fn count_lost(&mut self, log: &mut impl Read) -> io::Result<u64> {
        let mut page = vec![0; self.page];
        let mut is_damaged = !self.header_is_intact;
        let mut behind = 0;
        while let Some(header) = read_part::<FRAME_HEADER>(log)? {
            match log.read_exact(&mut page) {
                Err(error) if error.kind() == ErrorKind::UnexpectedEof => break,
                read => read?,
            }
            let written_checksum = (number_at(&header, 16), number_at(&header, 20));
            let sum = self.checksum(self.before, &header[..8]);
            let is_of_this_log = (number_at(&header, 8), number_at(&header, 12)) == self.salts;
            let is_intact = is_of_this_log && self.checksum(sum, &page) == written_checksum;
            let ends_transaction = number_at(&header, 4) != 0;
            is_damaged |= !is_intact;
            behind += u64::from(is_damaged && is_intact && ends_transaction);
            self.before = written_checksum;
        }
        Ok(if behind > 1 { behind } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::Connection;

    /// Returns a database of some transactions, as a process leaves it that is killed; and where each frame begins.
    fn killed(folder: &Path, transactions: i64) -> PathBuf {
        let database = folder.join("live.db");
        for file in [database.clone(), log_of(&database)] {
            let _ = fs::remove_file(file);
        }
        let connection = Connection::open(&database).unwrap();
        connection
            .pragma_update(None, "journal_mode", "WAL")
            .unwrap();
        connection.execute_batch("CREATE TABLE t(x)").unwrap();
        for number in 0..transactions {
            connection
                .execute("INSERT INTO t VALUES (?1)", [number])
                .unwrap();
        }
        let copy = folder.join("asl.db");
        fs::copy(&database, &copy).unwrap();
        fs::copy(log_of(&database), log_of(&copy)).unwrap();
        copy
    }

    fn flip(database: &Path, at: impl Fn(usize) -> usize) {
        let mut bytes = fs::read(log_of(database)).unwrap();
        let at = at(bytes.len());
        bytes[at] ^= 0xff;
        fs::write(log_of(database), bytes).unwrap();
    }

    fn folder(name: &str) -> PathBuf {
        let folder = std::env::temp_dir().join(format!("asl-store-{}-{name}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        folder
    }

    #[test]
    fn transactions_behind_damage_are_counted() {
        let folder = folder("damaged-log");
        let database = killed(&folder, 20);
        assert_eq!(DamagedLog::find(&database).unwrap(), None);
        flip(&database, |length| length / 3);
        let found = DamagedLog::find(&database).unwrap().unwrap();
        let rows: i64 = Connection::open(&database)
            .unwrap()
            .query_row("SELECT count(*) FROM t", [], |row| row.get(0))
            .unwrap();
        // The damaged one itself is not counted.
        assert_eq!(
            i64::try_from(found.lost).unwrap(),
            20 - rows - 1,
            "{found:?}"
        );
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn the_end_that_a_power_cut_tears_is_no_damage() {
        let folder = folder("torn-log");
        let database = killed(&folder, 20);
        // Within the last page, and within the one before it.
        flip(&database, |length| length - 100);
        assert_eq!(DamagedLog::find(&database).unwrap(), None);
        let database = killed(&folder, 20);
        flip(&database, |length| length - 5_000);
        assert_eq!(DamagedLog::find(&database).unwrap(), None);
        let bytes = fs::read(log_of(&database)).unwrap();
        fs::write(log_of(&database), &bytes[..bytes.len() / 2 + 7]).unwrap();
        assert_eq!(DamagedLog::find(&database).unwrap(), None);
        assert_eq!(DamagedLog::find(&folder.join("none.db")).unwrap(), None);
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn copies_do_not_replace_each_other() {
        let folder = folder("copied-log");
        let database = killed(&folder, 2);
        let first = DamagedLog::copy_log(&database).unwrap();
        let second = DamagedLog::copy_log(&database).unwrap();
        assert_ne!(first, second);
        assert_eq!(fs::read(first).unwrap(), fs::read(second).unwrap());
        fs::remove_dir_all(folder).unwrap();
    }
}
