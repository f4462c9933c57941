//! The service descriptions of botocore, as far as they are kept.
use flate2::read::GzDecoder;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// A service.
pub(crate) struct ServiceModel {
    /// Other names of the service.
    pub(crate) aliases: Vec<String>,
    pub(crate) metadata: Value,
    /// Names and descriptions.
    pub(crate) operations: Map<String, Value>,
    pub(crate) shapes: Map<String, Value>,
}

/// Returns all services, by their names in resources.
pub(crate) fn read_all(package: &Path) -> Result<BTreeMap<String, ServiceModel>, String> {
    let mut models = BTreeMap::new();
    for folder in folders(&package.join("data"))? {
        // The last version is the present one.
        let Some(version) = folders(&folder)?.pop() else {
            continue;
        };
        let file = version.join("service-2.json.gz");
        let Ok(bytes) = fs::read(&file) else {
            continue;
        };
        let mut text = String::new();
        let read = GzDecoder::new(bytes.as_slice()).read_to_string(&mut text);
        read.map_err(|error| format!("{}: {error}", file.display()))?;
        let value: Value =
            serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
        let own = folder.file_name().unwrap_or_default().to_string_lossy();
        let id = value["metadata"]["serviceId"].as_str().unwrap_or(&own);
        let object = |field: &str| value[field].as_object().cloned().unwrap_or_default();
        // As the SDK for Java has it, after which Step Functions goes: "Config Service" is `config`.
        let whole = plain(id);
        let short = whole.strip_suffix("service").unwrap_or(&whole);
        let name = match models.contains_key(short) {
            true => plain(&own),
            false => short.to_owned(),
        };
        let model = ServiceModel {
            aliases: vec![own.to_string(), whole],
            metadata: value["metadata"].clone(),
            operations: object("operations"),
            shapes: object("shapes"),
        };
        models.insert(name, model);
    }
    match models.len() {
        0 => Err(format!("{}: no services are there", package.display())),
        _ => Ok(models),
    }
}

/// "CloudWatch Logs" is `cloudwatchlogs` in a resource.
fn plain(service_id: &str) -> String {
    let kept = service_id.chars().filter(char::is_ascii_alphanumeric);
    kept.map(|character| character.to_ascii_lowercase())
        .collect()
}

/// Returns the version that the package says of itself.
pub(crate) fn version(package: &Path) -> Result<String, String> {
    let path = package.join("__init__.py");
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let line = text
        .lines()
        .find_map(|line| line.strip_prefix("__version__ = "));
    line.map(|version| version.trim_matches(['\'', '"']).to_owned())
        .ok_or_else(|| format!("{}: expected a line __version__ = '…'", path.display()))
}

/// Returns the folders within one, in order.
fn folders(path: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(path).map_err(|error| format!("{}: {error}", path.display()))?;
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect();
    folders.sort();
    Ok(folders)
}
