//! `asl test --watch`.
use super::{find, read, run};
use crate::arguments::TestArguments;
use crate::exit::{Exit, Failure};
use crate::stamp::{LOOKS, PERIOD, Stamp, stamp};
use crate::terminal::{self, FAINT, count_noun};
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

/// The whole screen and what was scrolled away, and to its beginning.
const CLEAR: &str = "\u{1b}[2J\u{1b}[3J\u{1b}[H";

/// Runs the tests again where a file changes, until the user ends it: with what came of the last run.
pub(super) fn watch(arguments: &TestArguments) -> Result<Exit, Failure> {
    let failure = |error| Failure::new(format!("cannot watch: {error}"));
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(failure)?;
    tokio.block_on(async {
        let mut interruption = std::pin::pin!(tokio::signal::ctrl_c());
        let arguments = Arc::new(arguments.clone());
        let mut last = Exit::Interrupted;
        loop {
            let begun = SystemTime::now();
            let running = Arc::clone(&arguments);
            let ran = tokio::task::spawn_blocking(move || run_once(&running));
            let (exit, files) = tokio::select! {
                // What still runs cannot be awaited.
                _ = &mut interruption => last.leave(),
                ran = ran => ran.map_err(|_| Failure::new("the run panicked"))?,
            };
            last = exit;
            let mut watched = WatchedFiles::new(files, &arguments, begun);
            let files = count_noun(watched.stamps.len(), "file");
            terminal::error_line(&format!(
                "{FAINT}watching {files}; press Ctrl-C to stop{FAINT:#}"
            ));
            loop {
                tokio::select! {
                    _ = &mut interruption => return Ok(last),
                    () = tokio::time::sleep(PERIOD) => {}
                }
                if watched.has_changed(&arguments) {
                    break;
                }
            }
        }
    })
}

/// Returns one run, and the files that it depends on.
fn run_once(arguments: &TestArguments) -> (Exit, Vec<PathBuf>) {
    if terminal::is_interactive() {
        // Nobody is left to tell where stderr is closed.
        let _ = write!(std::io::stderr(), "{CLEAR}");
    }
    match read(arguments) {
        Ok(suite) => {
            let files = suite.files().map(Path::to_owned).collect();
            (
                run(&suite, arguments).unwrap_or_else(Failure::report),
                files,
            )
        }
        Err(failure) => (failure.report(), Vec::new()),
    }
}

/// The files of a run, as they were.
struct WatchedFiles {
    stamps: BTreeMap<PathBuf, Stamp>,
    test_files: Vec<PathBuf>,
    looks: u32,
}

impl WatchedFiles {
    /// Creates the watched state. A file that was written after the run started counts as changed, because the run may not
    /// have read it.
    fn new(files: Vec<PathBuf>, arguments: &TestArguments, begun: SystemTime) -> Self {
        let known = |path: PathBuf| {
            let stamp = stamp(&path);
            let is_newer = stamp.is_some_and(|(written, _)| written > begun);
            let unlike_any = Some((SystemTime::UNIX_EPOCH, u64::MAX));
            (path, if is_newer { unlike_any } else { stamp })
        };
        Self {
            stamps: files.into_iter().map(known).collect(),
            test_files: find(arguments).unwrap_or_default(),
            looks: 0,
        }
    }

    fn has_changed(&mut self, arguments: &TestArguments) -> bool {
        self.looks = (self.looks + 1) % LOOKS;
        let is_new = |(path, before): (&PathBuf, &Stamp)| stamp(path) != *before;
        self.stamps.iter().any(is_new)
            || (self.looks == 0 && find(arguments).unwrap_or_default() != self.test_files)
    }
}
