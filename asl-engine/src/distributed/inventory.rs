//! Manifests of S3 Inventory (developer guide, ItemReader: S3_INVENTORY).
use super::csv::{CsvFormat, Header};
use super::s3_object::S3Object;
use asl_model::CsvDelimiter;
use serde_json::Value;

/// A `manifest.json` of S3 Inventory: the data files, and the names of their columns.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Inventory {
    pub(super) files: Vec<S3Object>,
    pub(super) format: CsvFormat,
}

/// Reads a `manifest.json`; data files lie in its "destinationBucket", or else in `bucket`, its own.
pub(super) fn read(text: &str, bucket: &str, max_depth: usize) -> Result<Inventory, String> {
    let manifest =
        asl_path::json::parse(text, max_depth).map_err(|error| format!("not JSON: {error}"))?;
    let file_format = string(&manifest, "fileFormat")?;
    if file_format != "CSV" {
        return Err(format!(
            "an inventory of fileFormat {file_format}: only CSV can be read"
        ));
    }
    let columns = string(&manifest, "fileSchema")?.split(',');
    let header = columns.map(|name| name.trim().to_owned()).collect();
    let bucket = manifest
        .get("destinationBucket")
        .and_then(Value::as_str)
        .map_or(bucket, bucket_of_arn);
    let files = manifest
        .get("files")
        .and_then(Value::as_array)
        .ok_or("not an inventory: it has no array \"files\"")?;
    let files = files
        .iter()
        .map(|file| Ok(S3Object::new(bucket, string(file, "key")?)))
        .collect::<Result<_, String>>()?;
    Ok(Inventory {
        files,
        format: CsvFormat {
            delimiter: CsvDelimiter::Comma,
            header: Header::Given(header),
        },
    })
}

/// `name` of `arn:aws:s3:::name`.
fn bucket_of_arn(arn: &str) -> &str {
    arn.rsplit_once(':').map_or(arn, |(_, bucket)| bucket)
}

fn string<'v>(object: &'v Value, name: &str) -> Result<&'v str, String> {
    object
        .get(name)
        .and_then(Value::as_str)
        .ok_or_else(|| format!("not an inventory: it has no string \"{name}\""))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use serde_json::json;

    pub(in crate::distributed) fn manifest() -> Value {
        json!({
            "sourceBucket": "source",
            "destinationBucket": "arn:aws:s3:::inventory",
            "version": "2016-11-30",
            "fileFormat": "CSV",
            "fileSchema": "Bucket, Key, Size",
            "files": [{"key": "data/1.csv.gz", "size": 9}, {"key": "data/2.csv.gz", "size": 9}],
        })
    }

    #[test]
    fn files_and_columns_are_found() {
        let inventory = read(&manifest().to_string(), "own", 10).expect("an inventory");
        assert_eq!(
            inventory.files,
            [
                S3Object::new("inventory", "data/1.csv.gz"),
                S3Object::new("inventory", "data/2.csv.gz")
            ]
        );
        let columns = ["Bucket", "Key", "Size"].map(str::to_owned).to_vec();
        assert_eq!(inventory.format.header, Header::Given(columns));
    }

    #[test]
    fn files_are_beside_the_manifest_where_it_names_no_bucket() {
        let mut manifest = manifest();
        manifest["destinationBucket"] = Value::Null;
        let inventory = read(&manifest.to_string(), "own", 10).expect("an inventory");
        assert_eq!(inventory.files[0].bucket, "own");
    }

    #[test]
    fn other_formats_and_other_files_are_refused() {
        let mut orc = manifest();
        orc["fileFormat"] = json!("ORC");
        assert_eq!(
            read(&orc.to_string(), "own", 10),
            Err("an inventory of fileFormat ORC: only CSV can be read".to_owned())
        );
        assert_eq!(
            read("[]", "own", 10),
            Err("not an inventory: it has no string \"fileFormat\"".to_owned())
        );
        let mut no_key = manifest();
        no_key["files"] = json!([{}]);
        assert_eq!(
            read(&no_key.to_string(), "own", 10),
            Err("not an inventory: it has no string \"key\"".to_owned())
        );
    }
}
