//! What someone may have meant by a name that is unknown.

/// The candidate nearest to `name`, where one is near enough to be a slip of the hand.
pub(crate) fn nearest<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> Option<&'c str> {
    let allowed = name.chars().count().max(3) / 3;
    candidates
        .into_iter()
        .map(|candidate| (distance(name, candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Letters to add, drop or change, case aside.
fn distance(from: &str, to: &str) -> usize {
    strsim::levenshtein(&from.to_lowercase(), &to.to_lowercase())
}

/// `; did you mean "X"?`, or nothing.
pub(crate) fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> String {
    nearest(name, candidates)
        .map(|candidate| format!("; did you mean \"{candidate}\"?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["HappyPath", "RetryPath", "Empty"];
        assert_eq!(nearest("HapyPath", names), Some("HappyPath"));
        assert_eq!(nearest("retrypath", names), Some("RetryPath"));
        assert_eq!(nearest("Something", names), None);
    }
}
