//! Assets of CDK: files that it copies next to its templates, and says so in a manifest.
use crate::{File, ReadOptions};
use serde_json::Value;

/// Returns the path, from where a template lies, of the file that CDK puts into its bucket under `key`.
pub(crate) fn path_of(template: &File, key: &str, reading: &ReadOptions<'_>) -> Option<String> {
    let name = template.path().file_name()?.to_str()?;
    let stack = name.strip_suffix(".template.json")?;
    // A nested stack has no manifest of its own: there what CDK calls its copies has to do.
    let of_manifest = || from_manifest(template, &format!("{stack}.assets.json"), key, reading);
    let copy = || {
        let path = format!("asset.{key}");
        reading
            .files
            .read(&template.resolve(&path))
            .is_ok()
            .then_some(path)
    };
    let is_plain = !key.contains(['/', '\\', ':']);
    of_manifest().or_else(|| copy().filter(|_| is_plain))
}

fn from_manifest(
    template: &File,
    name: &str,
    key: &str,
    reading: &ReadOptions<'_>,
) -> Option<String> {
    let text = reading.files.read(&template.resolve(name)).ok()?;
    let manifest: Value = asl_model::value_from_text(&text, asl_model::Options::default()).ok()?;
    let files = manifest.get("files")?.as_object()?;
    let mut assets = files.values();
    let asset = assets.find(|asset| {
        let destinations = asset.get("destinations").and_then(Value::as_object);
        let mut destinations = destinations.into_iter().flat_map(|all| all.values());
        destinations.any(|it| it.get("objectKey").and_then(Value::as_str) == Some(key))
    })?;
    Some(asset.get("source")?.get("path")?.as_str()?.to_owned())
}
