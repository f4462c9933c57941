//! What someone may have meant by a name that is unknown.

/// Bytes of a name that is looked at: nobody slips in a longer one.
const LONGEST: usize = 64;

/// The candidate nearest to a name, where one is near enough to be a slip of the hand.
pub(crate) fn nearest<T: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = T>,
) -> Option<T> {
    if name.len() > LONGEST {
        return None;
    }
    let lower = name.to_lowercase();
    let allowed = lower.chars().count().max(3) / 3;
    let candidates = candidates.into_iter();
    let near = candidates.filter(|it| it.as_ref().len().abs_diff(lower.len()) <= allowed);
    let measured = near.map(|it| {
        (
            strsim::osa_distance(&lower, &it.as_ref().to_lowercase()),
            it,
        )
    });
    let near = measured.filter(|(distance, _)| *distance <= allowed);
    let best = near.min_by_key(|(distance, _)| *distance);
    best.map(|(_, candidate)| candidate)
}

/// Whether a name can be nothing but a slip for a known one. Of names that come to an API within a year one in a hundred is as near
/// to one that is there already, and most of these are a next version: `listObjectsV2`.
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
    use super::{is_slip, nearest};

    #[test]
    fn a_next_version_is_no_slip() {
        assert!(is_slip("getObjekt", "getObject"));
        assert!(is_slip("GETOBJECT", "getObject"));
        assert!(!is_slip("listObjectsV2", "listObjects"));
        assert!(!is_slip("listObjectsV3", "listObjectsV2"));
        assert!(!is_slip("createTopics", "createGroup"));
    }

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["getObject", "putObject"];
        assert_eq!(nearest("getObjekt", names), Some("getObject"));
        assert_eq!(nearest("PUTOBJECT", names), Some("putObject"));
        assert_eq!(nearest("describe", names), None);
        let long = "getObject".repeat(8);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
