//! What someone may have meant by a name that is unknown.

/// The candidate nearest to a name, where one is near enough to be a slip of the hand.
pub(crate) fn nearest<T: AsRef<str>>(
    name: &str,
    candidates: impl IntoIterator<Item = T>,
) -> Option<T> {
    let lower = name.to_lowercase();
    let allowed = name.chars().count().max(3) / 3;
    let distance = |candidate: &T| strsim::osa_distance(&lower, &candidate.as_ref().to_lowercase());
    let measured = candidates.into_iter().map(|it| (distance(&it), it));
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
    }
}
