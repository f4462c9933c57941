//! `cargo xtask aws-protocols`: holds `asl-aws` to protocol cases in the form of botocore: models, parameters with the request
//! that they make, responses with the result that they have.
mod requests;
mod results;
mod vectors;

use crate::services::{self, botocore::ServiceModel};
use asl_aws::services::{Service, Services};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Arguments of `cargo xtask aws-protocols`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder with input/PROTOCOL.json, output/PROTOCOL.json, and maybe ignore-list.json
    folder: PathBuf,
    /// A folder with cases of signatures
    #[arg(long, value_name = "FOLDER")]
    signatures: Option<PathBuf>,
}

/// Runs the cases; whether all hold.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let ignored = IgnoreList::read(&arguments.folder.join("ignore-list.json"))?;
    let mut tally = Tally::default();
    for side in ["input", "output"] {
        for path in files(&arguments.folder.join(side))? {
            let protocol = path.file_stem().unwrap_or_default().to_string_lossy();
            for suite in read(&path)?.as_array().into_iter().flatten() {
                run_suite(suite, side, &protocol, &ignored, &mut tally)?;
            }
        }
    }
    if let Some(folder) = &arguments.signatures {
        vectors::run(folder, &mut tally)?;
    }
    tally.print();
    match tally.held {
        0 => Err(format!("{}: no case is there", arguments.folder.display())),
        _ => Ok(tally.failures.is_empty()),
    }
}

fn run_suite(
    suite: &Value,
    side: &str,
    protocol: &str,
    ignored: &IgnoreList,
    tally: &mut Tally,
) -> Result<(), String> {
    for case in suite["cases"].as_array().into_iter().flatten() {
        let service = service(suite, case)?;
        let id = text(&case["id"]);
        let found = match side {
            "input" => requests::check(&service, suite, case),
            _ => results::check(&service, case),
        };
        let is_ignored = ignored.contains(side, protocol, &id, &text(&suite["description"]));
        tally.add(&format!("{side}/{protocol}"), &id, found, is_ignored);
    }
    Ok(())
}

/// Returns the service of a case, through the form in which `asl-services` keeps services.
fn service(suite: &Value, case: &Value) -> Result<Service, String> {
    let given = &case["given"];
    let object = |value: &Value| value.as_object().cloned().unwrap_or_default();
    let operation = (text(&given["name"]), given.clone());
    let model = ServiceModel {
        aliases: Vec::new(),
        metadata: suite["metadata"].clone(),
        operations: [operation].into_iter().collect(),
        shapes: object(&suite["shapes"]),
    };
    let models = BTreeMap::from([("case".to_owned(), model)]);
    let file = services::file("cases", &models)?;
    let services = Services::from_data(file).ok_or("the model cannot be read")?;
    let service = services.callable_service("case");
    service.ok_or_else(|| "the service cannot be read".to_owned())
}

#[derive(Debug, Default)]
struct Tally {
    counts: BTreeMap<String, (usize, usize)>,
    held: usize,
    failures: Vec<String>,
    ignored: Vec<String>,
}

impl Tally {
    fn add(&mut self, group: &str, id: &str, found: Result<(), String>, is_ignored: bool) {
        let (held, all) = self.counts.entry(group.to_owned()).or_default();
        *all += 1;
        match found {
            Ok(()) => {
                *held += 1;
                self.held += 1;
            }
            Err(_) if is_ignored => self.ignored.push(format!("{group} {id}")),
            Err(difference) => self.failures.push(format!("{group} {id}: {difference}")),
        }
    }

    fn print(&self) {
        for failure in &self.failures {
            println!("FAILED {failure}");
        }
        for ignored in &self.ignored {
            println!("left out {ignored}: on the list of cases to ignore");
        }
        for (group, (held, all)) in &self.counts {
            println!("{group:<34} {held:>4} of {all}");
        }
    }
}

/// The cases that the authors of the suites leave out themselves.
#[derive(Debug, Default)]
struct IgnoreList(Value);

impl IgnoreList {
    fn read(path: &Path) -> Result<Self, String> {
        match path.exists() {
            true => read(path).map(Self),
            false => Ok(Self::default()),
        }
    }

    fn contains(&self, side: &str, protocol: &str, id: &str, suite: &str) -> bool {
        let general = &self.0["general"][side]["suites"];
        let own = &self.0["protocols"][protocol][side]["cases"];
        let has = |list: &Value, name: &str| {
            let mut names = list.as_array().into_iter().flatten();
            names.any(|listed| listed == name)
        };
        has(general, suite) || has(own, id)
    }
}

fn files(folder: &Path) -> Result<BTreeSet<PathBuf>, String> {
    let entries = std::fs::read_dir(folder);
    let entries = entries.map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}

fn read(path: &Path) -> Result<Value, String> {
    let at = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| at(&error))?;
    serde_json::from_str(&text).map_err(|error| at(&error))
}

fn text(value: &Value) -> String {
    value.as_str().unwrap_or_default().to_owned()
}

/// Makes all numbers of one kind.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => number.as_f64().map_or(Value::Null, Value::from),
        Value::Array(elements) => elements.iter().map(plain).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().filter(|(_, value)| !value.is_null());
            fields
                .map(|(name, value)| (name.clone(), plain(value)))
                .collect()
        }
        other => other.clone(),
    }
}
