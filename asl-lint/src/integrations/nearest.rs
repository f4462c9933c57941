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

#[cfg(test)]
mod tests {
    use super::nearest;

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
