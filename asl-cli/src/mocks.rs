//! `asl mocks`.
use crate::arguments::{MocksCommand, MocksInitArguments};
use crate::definition;
use crate::exit::{Exit, Failure, print};
use crate::substitutions::Substitutions;
use crate::terminal::{self, FAINT};
use asl_engine::Resource;
use asl_model::Options;
use asl_test::{DEFINITION_ENDINGS, Definition, SkeletonSettings, skeleton};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// Does what the subcommand says.
pub(crate) fn mocks(command: &MocksCommand) -> Result<Exit, Failure> {
    let MocksCommand::Init(arguments) = command;
    init(arguments)
}

/// Writes a test file to begin with.
fn init(arguments: &MocksInitArguments) -> Result<Exit, Failure> {
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let source = definition::Definition::read(&substitutions, &arguments.definition)?;
    substitutions.warn_of_unused();
    // Its faults are told with their places.
    source.parse(source.found().options(Options::default()))?;
    let definition = Definition::parse(source.text().as_str())
        .map_err(|error| Failure::new(format!("{}: {error}", source.name())))?;
    let (output, name) = places(arguments)?;
    let settings = SkeletonSettings {
        definition: name,
        substitutions: substitutions.into_used(),
    };
    let text = skeleton(&definition, &settings, result_of());
    match output {
        None => print(text.trim_end())?,
        Some(path) => {
            write(&path, &text, arguments.force)?;
            let path = path.display();
            terminal::error_line(&format!(
                "{FAINT}wrote{FAINT:#} {path}{FAINT}: fill in the mocks and the case, and run asl test{FAINT:#}"
            ));
        }
    }
    Ok(Exit::Success)
}

/// Where the text goes, none for stdout, and what it is to name the definition by.
fn places(arguments: &MocksInitArguments) -> Result<(Option<PathBuf>, Option<String>), Failure> {
    let definition = arguments.definition.as_str();
    let path = Path::new(definition);
    let name = path.file_name().and_then(|name| name.to_str());
    let stem = name.and_then(|name| {
        DEFINITION_ENDINGS
            .iter()
            .find_map(|ending| name.strip_suffix(ending))
    });
    let beside = stem.map(|stem| path.with_file_name(format!("{stem}.test.yaml")));
    let output = match arguments.output.as_deref() {
        Some("-") => None,
        None if definition == "-" => None,
        Some(output) => Some(PathBuf::from(output)),
        None => Some(beside.clone().ok_or_else(|| {
            Failure::new(format!(
                "{definition} has none of the endings {}: name the test file too",
                DEFINITION_ENDINGS.join(", ")
            ))
        })?),
    };
    let is_beside = output.is_none() || output == beside;
    let folder = output.as_deref().and_then(Path::parent);
    let is_below = |folder: &Path| path.strip_prefix(folder).ok().and_then(Path::to_str);
    let named = match folder.and_then(is_below) {
        Some(below) => below.to_owned(),
        None => absolute(path),
    };
    Ok((output, (!is_beside).then_some(named)))
}

fn absolute(path: &Path) -> String {
    let absolute = std::path::absolute(path);
    absolute
        .unwrap_or_else(|_| path.to_owned())
        .display()
        .to_string()
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let mut options = OpenOptions::new();
    options.write(true);
    match force {
        true => options.create(true).truncate(true),
        false => options.create_new(true),
    };
    let written = options
        .open(path)
        .and_then(|mut file| file.write_all(text.as_bytes()));
    let path = path.display();
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => {
            Failure::new(format!("{path} is there already: --force writes over it"))
        }
        _ => Failure::new(format!("cannot write {path}: {error}")),
    })
}

/// What the services return that tasks call.
fn result_of() -> impl Fn(&Resource) -> Option<Value> {
    let services = asl_services::Services::new();
    move |resource| asl_test_state::sample_result(&services, resource)
}
