//! "SdkHttpMetadata" of results.
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// Header of the id of a request.
pub(crate) const REQUEST_ID: &str = "x-amzn-requestid";

/// Returns the headers by name, as lists and with the last of each, and the status. The names are in small letters.
pub(crate) fn http_metadata<'h>(
    headers: impl Iterator<Item = (&'h str, String)>,
    status: u16,
) -> Value {
    let mut by_name: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
    for (name, value) in headers {
        by_name.entry(name).or_default().push(value.into());
    }
    let (mut all, mut last) = (Map::new(), Map::new());
    for (name, values) in by_name {
        let name = header_name(name);
        last.insert(name.clone(), values.last().cloned().unwrap_or_default());
        all.insert(name, values.into());
    }
    json!({
        "AllHttpHeaders": all,
        "HttpHeaders": last,
        "HttpStatusCode": status,
    })
}

/// Returns a header's name as the service shows it; as it is received, its case is lost.
pub(crate) fn header_name(name: &str) -> String {
    match name {
        REQUEST_ID => return "x-amzn-RequestId".to_owned(),
        "x-amz-crc32" => return name.to_owned(),
        "x-amzn-remapped-content-length" => return "x-amzn-Remapped-Content-Length".to_owned(),
        _ => {}
    }
    let words = name.split('-').map(|word| {
        let (first, rest) = word.split_at_checked(1).unwrap_or((word, ""));
        first.to_ascii_uppercase() + rest
    });
    words.collect::<Vec<_>>().join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_are_named_as_the_service_shows_them() {
        assert_eq!(header_name("content-length"), "Content-Length");
        assert_eq!(
            header_name("x-amz-executed-version"),
            "X-Amz-Executed-Version"
        );
        assert_eq!(header_name("x-amzn-requestid"), "x-amzn-RequestId");
        assert_eq!(header_name("x-amz-crc32"), "x-amz-crc32");
        assert_eq!(header_name("a--b"), "A--B");
    }

    #[test]
    fn a_header_that_is_repeated_is_a_list() {
        let headers = [("server", "a"), ("date", "d"), ("server", "b")];
        let headers = headers
            .iter()
            .map(|(name, value)| (*name, (*value).to_owned()));
        let expected = json!({
            "AllHttpHeaders": {"Date": ["d"], "Server": ["a", "b"]},
            "HttpHeaders": {"Date": "d", "Server": "b"},
            "HttpStatusCode": 200,
        });
        assert_eq!(http_metadata(headers, 200), expected);
    }
}
