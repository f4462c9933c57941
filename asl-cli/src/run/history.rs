//! `--history FILE`: what GetExecutionHistory returns.
use crate::exit::Failure;
use asl_engine::history::History;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Refuses, before the run, a file that cannot be written after it, and one that the run reads: each of `arguments` is what
/// it is for, and `@FILE` or FILE.
pub(crate) fn check(path: &Path, arguments: &[(&str, Option<&str>)]) -> Result<(), Failure> {
    for (what, argument) in arguments {
        let argument = argument.unwrap_or("-");
        let file = Path::new(argument.strip_prefix('@').unwrap_or(argument));
        if argument != "-" && is_same_file(path, file) {
            return Err(Failure::new(format!(
                "--history {} would overwrite {what}: give another file",
                path.display()
            )));
        }
    }
    let folder = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty());
    let why = match folder {
        _ if path.is_dir() => "it is a directory, not a file".to_owned(),
        Some(folder) if !folder.is_dir() => format!("there is no directory {}", folder.display()),
        _ => return Ok(()),
    };
    Err(Failure::new(format!(
        "cannot write {}: {why}",
        path.display()
    )))
}

/// Whether two paths lead to one file that exists.
fn is_same_file(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let file = |path: &Path| path.metadata().ok().map(|file| (file.dev(), file.ino()));
        file(one).is_some_and(|one| Some(one) == file(other))
    }
    #[cfg(not(unix))]
    {
        let file = |path: &Path| path.canonicalize().ok();
        file(one).is_some_and(|one| Some(one) == file(other))
    }
}

/// Writes the events of an execution.
pub(crate) fn write(path: &Path, history: &History) -> Result<(), Failure> {
    try_write(path, history)
        .map_err(|error| Failure::new(format!("cannot write {}: {error}", path.display())))
}

fn try_write(path: &Path, history: &History) -> io::Result<()> {
    let mut file = BufWriter::new(File::create(path)?);
    history.write_to(&mut file)?;
    file.write_all(b"\n")?;
    file.flush()
}
