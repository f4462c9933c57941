//! Typing errors, as opposed to names that are newer than the service data.

/// Returns true if a name can be nothing but a slip for a known one. Of names that come to an API within a year one in a
/// hundred is as near to one that is there already, and most of these are a next version: `listObjectsV2`.
pub(crate) fn is_slip(name: &str, known: &str) -> bool {
    let (name, known) = (name.to_lowercase(), known.to_lowercase());
    let digit = |c: char| c.is_ascii_digit();
    let bare = |name: &str| {
        name.trim_end_matches(digit)
            .trim_end_matches('v')
            .to_owned()
    };
    let is_next_version = name.ends_with(digit) && bare(&name) == bare(&known);
    !is_next_version && strsim::osa_distance(&name, &known) <= 2
}

#[cfg(test)]
mod tests {
    use super::is_slip;

    #[test]
    fn a_next_version_is_no_slip() {
        assert!(is_slip("getObjekt", "getObject"));
        assert!(is_slip("GETOBJECT", "getObject"));
        assert!(!is_slip("listObjectsV2", "listObjects"));
        assert!(!is_slip("listObjectsV3", "listObjectsV2"));
        assert!(!is_slip("createTopics", "createGroup"));
    }
}
