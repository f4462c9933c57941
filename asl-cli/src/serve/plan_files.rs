//! The files of an application: they are read as a plan, and again when they change.
use crate::exit::Failure;
use crate::stamp::{LOOKS, Stamp, stamp};
use crate::substitutions::Substitutions;
use asl_application::{Plan, sources_of_folder};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Definitions of a folder at most: one that has more is the wrong one.
const MOST: usize = 1_000;

/// The files of an application.
pub(super) struct PlanFiles {
    paths: Vec<PathBuf>,
    substitutions: Substitutions,
    /// Templates and definitions, as they were found last.
    sources: Vec<PathBuf>,
    /// All files of the plan, as they were when they were last read.
    stamps: BTreeMap<PathBuf, Stamp>,
    looks: u32,
}

impl PlanFiles {
    pub(super) fn new(paths: Vec<PathBuf>, substitutions: Substitutions) -> Self {
        Self {
            paths,
            substitutions,
            sources: Vec::new(),
            stamps: BTreeMap::new(),
            looks: 0,
        }
    }

    /// Returns the files and folders that were given.
    pub(super) fn paths(&self) -> &[PathBuf] {
        &self.paths
    }

    /// Reports which of the values given one by one no file had.
    pub(super) fn warn_of_unused(&self) {
        self.substitutions.warn_of_unused();
    }

    /// Reads all files.
    ///
    /// # Errors
    /// A path that cannot be read, and a folder with too many definitions.
    pub(super) fn read(&mut self) -> Result<Plan, Failure> {
        self.sources = self.find()?;
        // A change while they are read is a change.
        let before = stamps_of(self.sources.iter());
        let plan = Plan::read(&self.sources, &self.substitutions.reading());
        self.stamps = stamps_of(plan.files.iter());
        self.stamps.extend(before);
        Ok(plan)
    }

    /// Returns true if a file has changed since it was read, or if there is another one.
    pub(super) fn have_changed(&mut self) -> bool {
        self.looks = self.looks.wrapping_add(1);
        let is_new = self.looks.is_multiple_of(LOOKS)
            && self.find().is_ok_and(|sources| sources != self.sources);
        is_new || stamps_of(self.stamps.keys()) != self.stamps
    }

    fn find(&self) -> Result<Vec<PathBuf>, Failure> {
        let mut sources = Vec::new();
        for path in &self.paths {
            match path.is_dir() {
                true => sources.extend(find_in_folder(path)?),
                false => sources.push(path.clone()),
            }
        }
        let sources = sources.iter();
        let sources = sources.map(|path| path.strip_prefix(".").unwrap_or(path).to_owned());
        Ok(sources.collect())
    }
}

fn find_in_folder(folder: &Path) -> Result<Vec<PathBuf>, Failure> {
    let name = folder.display();
    let sources = sources_of_folder(folder)
        .map_err(|error| Failure::new(format!("{name}: cannot be read: {error}")))?;
    match sources.len() > MOST {
        true => Err(Failure::new(format!(
            "{name}: the folder contains {} definitions, and at most {MOST} are allowed",
            sources.len()
        ))),
        false => Ok(sources),
    }
}

fn stamps_of<'p>(files: impl Iterator<Item = &'p PathBuf>) -> BTreeMap<PathBuf, Stamp> {
    files.map(|path| (path.clone(), stamp(path))).collect()
}
