//! Manifests of Amazon Athena's UNLOAD (developer guide, ItemReader: ATHENA_DATA).
use super::s3_object::S3Object;

/// Returns the data files that a manifest lists: one `s3://bucket/key` in each line.
pub(super) fn read(text: &str) -> Result<Vec<S3Object>, String> {
    let lines = text.lines().enumerate();
    lines
        .map(|(index, line)| (index, line.trim().trim_matches('"')))
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| {
            let location = line.strip_prefix("s3://");
            location
                .and_then(|location| location.split_once('/'))
                .map(|(bucket, key)| S3Object::new(bucket, key))
                .ok_or_else(|| {
                    let number = index + 1;
                    format!(
                        "not a manifest: expected s3://bucket/key in line {number}, found {line}"
                    )
                })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_is_a_file() {
        assert_eq!(
            read("s3://b/x/1.gz\r\n\n\"s3://c/2\"\n"),
            Ok(vec![S3Object::new("b", "x/1.gz"), S3Object::new("c", "2")])
        );
    }

    #[test]
    fn other_lines_are_refused() {
        assert_eq!(
            read("s3://b/1\nfile.csv"),
            Err("not a manifest: expected s3://bucket/key in line 2, found file.csv".to_owned())
        );
    }
}
