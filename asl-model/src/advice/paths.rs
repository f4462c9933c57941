//! A path that lacks its beginning.
use super::{Advice, replaced};
use crate::read::{Place, Reader};
use asl_path::{Path, ReferencePath};

impl Reader<'_> {
    /// Returns advice for a text that is not a Path.
    pub(crate) fn advise_invalid_path(&self, place: &Place<'_>, text: &str) -> Advice {
        match complete(text).filter(|path| Path::parse(path).is_ok()) {
            Some(path) => beginning(place, path, true),
            None => Advice::default(),
        }
    }

    /// Returns advice for a text that is not a Reference Path.
    pub(crate) fn advise_invalid_reference_path(&self, place: &Place<'_>, text: &str) -> Advice {
        if let Some(path) = complete(text).filter(|path| ReferencePath::parse(path).is_ok()) {
            return beginning(place, path, true);
        }
        match Path::parse(text).is_ok() {
            true => Advice::new(
                "a Reference Path selects a single node, by names and indices only: no wildcard, slice, filter or function",
            ),
            false => Advice::default(),
        }
    }

    /// Returns advice for the value of a field in `.$` that is neither a path nor a function. It may be a literal string.
    pub(crate) fn advise_invalid_template_value(&self, place: &Place<'_>, text: &str) -> Advice {
        match complete(text).filter(|path| Path::parse(path).is_ok()) {
            Some(path) => beginning(place, path, false),
            None => Advice::default(),
        }
    }
}

fn beginning(place: &Place<'_>, path: String, is_sure: bool) -> Advice {
    Advice::new(format!("a path starts with `$`: \"{path}\""))
        .with_fix(replaced(is_sure, place, path))
}

/// `$.seat` of `seat`, where that consists of names, indices and dots.
fn complete(text: &str) -> Option<String> {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '[' | ']');
    let rest = text.strip_prefix('.').unwrap_or(text);
    let begins = rest.starts_with(|c: char| c.is_alphabetic() || c == '_');
    (begins && rest.chars().all(is_plain)).then(|| format!("$.{rest}"))
}

#[cfg(test)]
mod tests {
    use crate::testing::{advice, task};
    use serde_json::json;

    #[test]
    fn a_path_gets_its_beginning() {
        for (fields, told) in [
            (
                json!({"ResultPath": "seat"}),
                "a path starts with `$`: \"$.seat\" (write \"$.seat\")",
            ),
            (
                json!({"InputPath": ".order.id"}),
                "a path starts with `$`: \"$.order.id\" (write \"$.order.id\")",
            ),
            (
                json!({"TimeoutSecondsPath": "limits[0]"}),
                "a path starts with `$`: \"$.limits[0]\" (write \"$.limits[0]\")",
            ),
            (
                json!({"Parameters": {"a.$": "order.id"}}),
                "a path starts with `$`: \"$.order.id\" (write \"$.order.id\"?)",
            ),
            (
                json!({"ResultPath": "$.a[*]"}),
                "a Reference Path selects a single node, by names and indices only: no wildcard, slice, filter or function",
            ),
            (json!({"ResultPath": "two words"}), ""),
        ] {
            assert_eq!(advice(&task(fields)), [told]);
        }
    }
}
