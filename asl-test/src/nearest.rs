//! What someone may have meant by a name that is unknown.

/// `; did you mean X?`, where a candidate is near enough to be a slip of the hand.
pub(crate) fn did_you_mean<'c>(
    name: &str,
    candidates: impl IntoIterator<Item = &'c str>,
) -> String {
    let allowed = name.chars().count().max(3) / 3;
    let distance =
        |candidate: &str| strsim::osa_distance(&name.to_lowercase(), &candidate.to_lowercase());
    let nearest = candidates
        .into_iter()
        .map(|candidate| (distance(candidate), candidate))
        .filter(|(distance, _)| *distance <= allowed)
        .min_by_key(|(distance, _)| *distance);
    nearest.map_or_else(String::new, |(_, candidate)| {
        format!("; did you mean `{candidate}`?")
    })
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["Charge", "Ship"];
        assert_eq!(did_you_mean("Chrage", names), "; did you mean `Charge`?");
        assert_eq!(did_you_mean("ship", names), "; did you mean `Ship`?");
        assert_eq!(did_you_mean("Something", names), "");
    }
}
