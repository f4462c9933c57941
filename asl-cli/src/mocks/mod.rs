//! `asl mocks`.
mod record;

use crate::arguments::{MocksCommand, MocksInitArguments};
use crate::definition::{Definition as Named, Lookup};
use crate::exit::{Exit, Failure, print};
use crate::substitutions::Substitutions;
use crate::terminal::{self, FAINT};
use asl_engine::Resource;
use asl_model::Options;
use asl_test::{DEFINITION_ENDINGS, Definition, SCHEMA, SkeletonSettings, names_read, skeleton};
use serde_json::Value;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// The file by which editors complete test files.
const SCHEMA_FILE: &str = "asl-test.schema.json";

/// Runs the subcommand.
pub(crate) fn mocks(command: &MocksCommand) -> Result<Exit, Failure> {
    match command {
        MocksCommand::Init(arguments) => write_skeletons(arguments),
        MocksCommand::Record(arguments) => record::record(arguments),
    }
}

/// Writes the skeletons of a definition, or of those in a folder.
fn write_skeletons(arguments: &MocksInitArguments) -> Result<Exit, Failure> {
    match Path::new(&arguments.definition).is_dir() {
        true if arguments.output.is_some() => Err(Failure::new(format!(
            "{} is a folder, and each of its definitions gets its own test file: omit the second argument",
            arguments.definition
        ))),
        true => init_all(arguments),
        false => init(arguments, &arguments.definition).map(|()| Exit::Success),
    }
}

/// Writes a test file next to each definition of a folder that has none.
fn init_all(arguments: &MocksInitArguments) -> Result<Exit, Failure> {
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let mut looked = Lookup::look(&substitutions, &arguments.definition)?;
    let mut failed = looked.report_failures();
    let definitions = looked.definitions();
    if definitions.is_empty() {
        return Err(looked.nothing(&arguments.definition));
    }
    for definition in definitions {
        let name = definition.source().reference();
        let (output, _) = places(&name, None)?;
        if let Some(path) = output.filter(|path| path.exists() && !arguments.force) {
            let path = path.display();
            terminal::error_line(&format!(
                "{FAINT}{path} already exists: use --force to overwrite it{FAINT:#}"
            ));
            continue;
        }
        if let Err(failure) = init(arguments, &name) {
            failure.report();
            failed += 1;
        }
    }
    Ok(match failed {
        0 => Exit::Success,
        _ => Exit::Refused,
    })
}

/// Writes a test file skeleton for one definition.
fn init(arguments: &MocksInitArguments, argument: &str) -> Result<(), Failure> {
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let source = Named::read(&substitutions, argument)?;
    substitutions.warn_of_unused();
    // Its faults are reported with their places.
    source.parse(source.source().options(Options::default()))?;
    let definition = Definition::parse(source.text().as_str())
        .map_err(|error| Failure::new(format!("{}: {error}", source.name())))?;
    let (output, name) = places(argument, arguments.output.as_deref())?;
    let settings = SkeletonSettings::default()
        .with_definition(name)
        .with_substitutions(substitutions.into_used())
        // A test file is of use without a schema too.
        .with_schema(output.as_deref().and_then(|path| schema_for(path).ok()));
    let names = names_read(source.text().as_str());
    let text = skeleton(
        &definition,
        &settings,
        result_of(|name| names.contains(name)),
    );
    match output {
        None => print(text.trim_end())?,
        Some(path) => {
            write(&path, &text, arguments.force)?;
            let path = path.display();
            terminal::error_line(&format!(
                "{FAINT}wrote{FAINT:#} {path}{FAINT}: complete the mocks and the case, then run asl test{FAINT:#}"
            ));
        }
    }
    Ok(())
}

/// Returns the path of the schema as seen from a test file. The schema is written into the working directory if neither that nor
/// a folder between the two has it.
fn schema_for(test: &Path) -> Result<String, Failure> {
    let folder = test.parent().unwrap_or(Path::new(""));
    let has_schema = |folder: &&Path| folder.join(SCHEMA_FILE).exists();
    if let Some(near) = folder.ancestors().find(has_schema) {
        let levels = folder
            .strip_prefix(near)
            .map_or(0, |below| below.iter().count());
        return Ok(format!("{}{SCHEMA_FILE}", "../".repeat(levels)));
    }
    let is_below = folder.is_relative() && folder.iter().all(|part| part != "..");
    let place = if is_below { Path::new("") } else { folder };
    let path = place.join(SCHEMA_FILE);
    write(&path, SCHEMA, false)?;
    let path = path.display();
    terminal::error_line(&format!(
        "{FAINT}wrote{FAINT:#} {path}{FAINT}: editors use it to complete test files{FAINT:#}"
    ));
    let levels = if is_below {
        folder.iter().filter(|part| *part != ".").count()
    } else {
        0
    };
    Ok(format!("{}{SCHEMA_FILE}", "../".repeat(levels)))
}

/// Returns the path of the test file, none for stdout, and the name of the definition in it if that cannot be found otherwise.
fn places(
    argument: &str,
    output: Option<&str>,
) -> Result<(Option<PathBuf>, Option<String>), Failure> {
    let (file, machine) = match argument.rsplit_once('#') {
        Some((file, machine)) if !Path::new(argument).exists() => (file, Some(machine)),
        _ => (argument, None),
    };
    let path = Path::new(file);
    let name = path.file_name().and_then(|name| name.to_str());
    let by_ending = |name: &str| {
        let mut endings = DEFINITION_ENDINGS.iter();
        endings.find_map(|ending| name.strip_suffix(ending).map(str::to_owned))
    };
    let stem = machine
        .map(str::to_owned)
        .or_else(|| name.and_then(by_ending));
    let beside = stem.map(|stem| path.with_file_name(format!("{stem}.test.yaml")));
    let output = match output {
        Some("-") => None,
        None if argument == "-" => None,
        Some(output) => Some(PathBuf::from(output)),
        None => Some(beside.clone().ok_or_else(|| {
            Failure::new(format!(
                "{argument} ends with none of {}: also name the test file",
                DEFINITION_ENDINGS.join(", ")
            ))
        })?),
    };
    let is_beside = machine.is_none() && (output.is_none() || output == beside);
    let folder = output.as_deref().and_then(Path::parent);
    let is_below = |folder: &Path| path.strip_prefix(folder).ok().and_then(Path::to_str);
    let mut named = match folder.and_then(is_below) {
        Some(below) => below.to_owned(),
        None => absolute(path),
    };
    if let Some(machine) = machine {
        named = format!("{named}#{machine}");
    }
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
        ErrorKind::AlreadyExists => Failure::new(format!(
            "{path} already exists: use --force to overwrite it"
        )),
        _ => Failure::new(format!("cannot write {path}: {error}")),
    })
}

/// Returns sample results of the services that tasks call: required fields, and those that the definition reads.
fn result_of(is_read: impl Fn(&str) -> bool) -> impl Fn(&Resource) -> Option<Value> {
    let services = asl_services::Services::new();
    move |resource| asl_test_state::sample_result(&services, resource, &is_read)
}
