//! `asl serve --watch`: the definitions of a folder are state machines.
use crate::arguments::ServeArguments;
use crate::definition::Definition;
use crate::exit::Failure;
use crate::stamp::{LOOKS, PERIOD, Stamp, stamp};
use crate::substitutions::Substitutions;
use crate::terminal::{self, FAINT, SUCCESS, WARNING};
use asl_model::{Options, Placeholders, StateMachineType};
use asl_server::{DeploymentOutcome, Deployments};
use asl_test::find_definitions;
use std::collections::{BTreeMap, BTreeSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

/// Definitions of a folder at most: one that has more is the wrong one.
const MOST: usize = 1_000;

/// A folder whose definitions are state machines.
pub(super) struct WatchedFolder {
    folder: PathBuf,
    substitutions: Substitutions,
    express: BTreeSet<String>,
    /// The files, as they were when they were last looked at.
    stamps: BTreeMap<PathBuf, Stamp>,
    /// Files whose name another one has, as they were reported.
    left_out: BTreeSet<PathBuf>,
    looks: u32,
}

impl WatchedFolder {
    /// Returns the folder that the arguments name.
    pub(super) fn new(arguments: &ServeArguments) -> Result<Option<Self>, Failure> {
        let Some(folder) = &arguments.watch else {
            return Ok(None);
        };
        let watched = Self {
            folder: folder.clone(),
            substitutions: Substitutions::read(&arguments.substitutions)?,
            express: arguments.express.iter().cloned().collect(),
            stamps: BTreeMap::new(),
            left_out: BTreeSet::new(),
            looks: 0,
        };
        watched.files().map_err(Failure::new)?;
        Ok(Some(watched))
    }

    /// Reports which of the values given one by one no definition had.
    pub(super) fn warn_of_unused(&self) {
        self.substitutions.warn_of_unused();
    }

    /// Checks the files, and deploys changed definitions.
    pub(super) async fn look(&mut self, deployments: &Deployments) {
        if self.looks.is_multiple_of(LOOKS) {
            // They are requested their times in a thread that may wait.
            tokio::task::block_in_place(|| self.find());
        }
        self.looks = self.looks.wrapping_add(1);
        let now = tokio::task::block_in_place(|| self.stamps_now());
        for (path, now) in now {
            if self.stamps.get(&path) == Some(&now) {
                continue;
            }
            if now.is_none() {
                self.stamps.remove(&path);
                report(
                    &path,
                    format_args!("deleted; state machine '{}' remains", name(&path)),
                );
                continue;
            }
            let put = self.put(&path, deployments).await;
            // What is still being written is read again at the next look.
            if put.is_err() && stamp(&path) != now {
                continue;
            }
            self.stamps.insert(path.clone(), now);
            match put {
                Ok(DeploymentOutcome::Unchanged) => {}
                Ok(deployed) => report(&path, format_args!("{}", deployed_as(deployed, &path))),
                Err(failure) => {
                    failure.report();
                    warn(&format!("state machine '{}' is unchanged", name(&path)));
                }
            }
        }
    }

    /// Looks for files that came.
    fn find(&mut self) {
        let mut files = match self.files() {
            Ok(files) => files,
            Err(error) => return warn(&error),
        };
        // Of two with one name, the one that is nearer counts.
        files.sort_by_key(|file| file.components().count());
        let mut names: BTreeMap<String, PathBuf> = BTreeMap::new();
        for known in self.stamps.keys() {
            names.insert(name(known), known.clone());
        }
        for file in files {
            match names.get(&name(&file)) {
                Some(other) if *other == file => {}
                Some(other) => {
                    if self.left_out.insert(file.clone()) {
                        warn(&format!(
                            "{} is ignored: state machine '{}' comes from {}",
                            file.display(),
                            name(&file),
                            other.display()
                        ));
                    }
                }
                None => {
                    names.insert(name(&file), file.clone());
                    self.stamps.insert(file, None);
                }
            }
        }
    }

    fn files(&self) -> Result<Vec<PathBuf>, String> {
        let folder = self.folder.display();
        let files = find_definitions(&self.folder)
            .map_err(|error| format!("--watch {folder}: cannot be read: {error}"))?;
        match files.len() > MOST {
            true => Err(format!(
                "--watch {folder}: the folder contains {} definitions, and at most {MOST} are allowed",
                files.len()
            )),
            false => Ok(files),
        }
    }

    fn stamps_now(&self) -> Vec<(PathBuf, Stamp)> {
        let files = self.stamps.keys();
        files.map(|path| (path.clone(), stamp(path))).collect()
    }

    /// Puts a definition in place.
    async fn put(
        &self,
        path: &Path,
        deployments: &Deployments,
    ) -> Result<DeploymentOutcome, Failure> {
        let (name, shown) = (name(path), path.display().to_string());
        let machine_type = match self.express.contains(&name) {
            true => StateMachineType::Express,
            false => StateMachineType::Standard,
        };
        let source = Definition::read(&self.substitutions, &shown)?;
        let options = Options::default()
            .with_state_machine_type(machine_type)
            .with_placeholders(Placeholders::Left);
        let (_, _warnings) = source.parse(source.options(options, true))?;
        let text = as_json(&source)?;
        let put = deployments.put(&name, &text, machine_type).await;
        put.map_err(|error| Failure::new(format!("{shown}: {error}")))
    }
}

/// Looks at the files from time to time, if there are some; for ever.
pub(super) async fn poll_forever(
    watched: Option<WatchedFolder>,
    deployments: &Deployments,
) -> Infallible {
    let Some(mut watched) = watched else {
        return std::future::pending().await;
    };
    loop {
        tokio::time::sleep(PERIOD).await;
        watched.look(deployments).await;
    }
}

/// Returns the name of a file's state machine: up to its first dot.
fn name(path: &Path) -> String {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.split('.').next().unwrap_or_default().to_owned()
}

/// Returns the text of a definition as clients expect it: JSON as it was written, and YAML as JSON.
fn as_json(source: &Definition) -> Result<String, Failure> {
    let text = source.text().as_str();
    if serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok() {
        return Ok(text.to_owned());
    }
    let value = asl_model::value_from_text(text, source.source().options(Options::default()));
    // It was read before.
    let value = value.map_err(|_| Failure::new(format!("{} cannot be read", source.name())))?;
    Ok(format!("{value:#}"))
}

fn deployed_as(deployed: DeploymentOutcome, path: &Path) -> String {
    let done = match deployed {
        DeploymentOutcome::Created => "created",
        _ => "updated",
    };
    format!("state machine '{}' {SUCCESS}{done}{SUCCESS:#}", name(path))
}

fn report(path: &Path, what: std::fmt::Arguments<'_>) {
    terminal::error_line(&format!("{FAINT}{}:{FAINT:#} {what}", path.display()));
}

fn warn(what: &str) {
    terminal::error_line(&format!("{WARNING}warning:{WARNING:#} {what}"));
}
