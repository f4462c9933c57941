//! Suggestions for unknown names.

/// Bytes of the longest name that is compared.
const LONGEST: usize = 256;

/// Returns the candidate nearest to `name`, if it is close enough to be a typing error: letters swapped, dropped, added or
/// changed, ignoring case; or, for four letters or more, the start of exactly one candidate.
///
/// ```
/// use asl_model::nearest;
/// assert_eq!(nearest("Dnoe", ["Start", "Done"]), Some("Done"));
/// assert_eq!(nearest("Timeout", ["TimeoutSeconds", "Retry"]), Some("TimeoutSeconds"));
/// assert_eq!(nearest("Something", ["Start", "Done"]), None);
/// ```
pub fn nearest<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    Comparisons { left: usize::MAX }.nearest(name, candidates)
}

/// `` ; did you mean `X`? ``, to be put after what says that `name` is unknown; empty where no candidate is near.
///
/// ```
/// assert_eq!(asl_model::did_you_mean("Chrage", ["Charge", "Ship"]), "; did you mean `Charge`?");
/// assert_eq!(asl_model::did_you_mean("Refund", ["Charge", "Ship"]), "");
/// ```
pub fn did_you_mean<'c>(name: &str, candidates: impl IntoIterator<Item = &'c str>) -> String {
    match nearest(name, candidates) {
        Some(candidate) => format!("; did you mean `{candidate}`?"),
        None => String::new(),
    }
}

/// Remaining budget for comparing names, so that thousands of unknown names among thousands of known ones take little time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Comparisons {
    /// Bytes that are looked at, and pairs of bytes that are compared.
    left: usize,
}

impl Default for Comparisons {
    fn default() -> Self {
        Self { left: 8 << 20 }
    }
}

impl Comparisons {
    /// As [`nearest`]; None once all is spent.
    pub(crate) fn nearest<'c>(
        &mut self,
        name: &str,
        candidates: impl IntoIterator<Item = &'c str>,
    ) -> Option<&'c str> {
        if name.len() > LONGEST || self.left == 0 {
            return None;
        }
        let name = Name::new(name);
        let mut best: Option<(usize, &str)> = None;
        let mut begun: Option<&str> = None;
        let mut is_begun_once = true;
        for candidate in candidates {
            self.left = self.left.saturating_sub(1 + candidate.len().min(LONGEST));
            if self.left == 0 {
                return None;
            }
            let Some(known) = name.comparable(candidate) else {
                continue;
            };
            self.left = self.left.saturating_sub(name.small.len() * known.len());
            let distance = strsim::osa_distance(&name.small, &known);
            if distance <= name.allowed && best.is_none_or(|(least, _)| distance < least) {
                best = Some((distance, candidate));
            }
            if name.is_beginning_of(&known) {
                is_begun_once = begun.is_none();
                begun = Some(candidate);
            }
        }
        let begun = begun.filter(|_| is_begun_once);
        best.map(|(_, candidate)| candidate).or(begun)
    }
}

/// A name that is unknown.
struct Name {
    /// In small letters.
    small: String,
    letters: usize,
    /// Maximum number of typing errors.
    allowed: usize,
}

impl Name {
    fn new(name: &str) -> Self {
        let small = name.to_lowercase();
        let letters = small.chars().count();
        let allowed = match letters {
            // One letter in the place of another is no slip, but another name.
            0 | 1 => 0,
            2..=5 => 1,
            letters => letters / 3,
        };
        Self {
            small,
            letters,
            allowed,
        }
    }

    /// Returns the candidate in lowercase, if a comparison can succeed.
    fn comparable(&self, candidate: &str) -> Option<String> {
        let known = (candidate.len() <= LONGEST).then(|| candidate.to_lowercase())?;
        let is_near = known.chars().count().abs_diff(self.letters) <= self.allowed;
        (is_near || self.is_beginning_of(&known)).then_some(known)
    }

    fn is_beginning_of(&self, known: &str) -> bool {
        self.letters >= 4 && known.starts_with(&self.small)
    }
}

#[cfg(test)]
mod tests {
    use super::{Comparisons, nearest};

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let names = ["HappyPath", "RetryPath", "Empty"];
        for (name, meant) in [
            ("HapyPath", Some("HappyPath")),
            ("retrypath", Some("RetryPath")),
            ("Emtpy", Some("Empty")),
            ("Happy", Some("HappyPath")),
            ("Something", None),
            ("Ret", None),
        ] {
            assert_eq!(nearest(name, names), meant, "{name}");
        }
        assert_eq!(nearest("B", ["A"]), None);
        assert_eq!(nearest("Resul", ["ResultPath", "ResultSelector"]), None);
    }

    #[test]
    fn what_is_nearest_comes_first_whatever_its_place() {
        assert_eq!(nearest("Chargd", ["Chargers", "Charge"]), Some("Charge"));
        assert_eq!(nearest("a", ["A"]), Some("A"));
    }

    #[test]
    fn comparing_ends_when_all_is_spent() {
        let mut comparisons = Comparisons { left: 100 };
        assert_eq!(comparisons.nearest("Dnoe", ["Done"]), Some("Done"));
        let many = std::iter::repeat_n("Other", 10).chain(["Done"]);
        assert_eq!(comparisons.nearest("Dnoe", many), None);
        assert_eq!(comparisons.nearest("Dnoe", ["Done"]), None);
    }

    #[test]
    fn names_beyond_all_use_are_not_compared() {
        let long = "x".repeat(10_000);
        assert_eq!(nearest(&long, [long.as_str()]), None);
    }
}
