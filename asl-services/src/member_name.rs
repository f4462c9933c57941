//! Names of API members in Step Functions.

/// The name that a state has for a member of an API: words with a capital letter, acronyms too (Step Functions Developer
/// Guide, AWS SDK integrations: parameters are in PascalCase).
///
/// ```
/// use asl_services::step_functions_name;
/// assert_eq!(step_functions_name("executionArn"), "ExecutionArn");
/// assert_eq!(step_functions_name("SSEKMSKeyId"), "SsekmsKeyId");
/// assert_eq!(step_functions_name("ETag"), "ETag");
/// ```
pub fn step_functions_name(member: &str) -> String {
    let mut name = String::with_capacity(member.len());
    for word in words(member) {
        let mut characters = word.chars();
        if let Some(first) = characters.next() {
            name.push(first.to_ascii_uppercase());
            name.extend(characters.map(|character| character.to_ascii_lowercase()));
        }
    }
    name
}

/// The same with no more than its first letter made a capital: what the optimized integrations have.
pub(crate) fn capitalized(member: &str) -> String {
    let mut characters = member.chars();
    match characters.next() {
        Some(first) => first.to_uppercase().chain(characters).collect(),
        None => String::new(),
    }
}

/// Splits a name before a capital letter that follows a lowercase one or starts a word after an acronym, after digits, and
/// at characters that are neither letters nor digits.
fn words(member: &str) -> Vec<&str> {
    let bytes = member.as_bytes();
    let mut words = Vec::new();
    let mut start = 0;
    for index in 1..bytes.len() {
        if is_boundary(bytes, index) {
            words.extend(member.get(start..index));
            start = index;
        }
    }
    words.extend(member.get(start..));
    let separators = |c: char| !c.is_alphanumeric();
    words
        .into_iter()
        .map(|word| word.trim_matches(separators))
        .filter(|word| !word.is_empty())
        .collect()
}

fn is_boundary(bytes: &[u8], index: usize) -> bool {
    let at = |index: usize| bytes.get(index).copied().unwrap_or(b' ');
    let (before, here, after) = (at(index - 1), at(index), at(index + 1));
    let begins_word = here.is_ascii_uppercase() && after.is_ascii_lowercase();
    let follows_small =
        before.is_ascii_lowercase() && here.is_ascii_uppercase() && after.is_ascii_alphanumeric();
    (begins_word && before.is_ascii_uppercase())
        || follows_small
        || (before.is_ascii_digit() && here.is_ascii_alphabetic())
        || (!before.is_ascii_alphanumeric() && here.is_ascii_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn acronyms_are_words() {
        for (member, name) in [
            ("DBInstanceIdentifier", "DbInstanceIdentifier"),
            ("KeyId", "KeyId"),
            ("VPCId", "VpcId"),
            ("x-amz-meta", "XAmzMeta"),
            ("", ""),
            ("é", "é"),
        ] {
            assert_eq!(step_functions_name(member), name);
        }
        assert_eq!(capitalized("startDate"), "StartDate");
    }
}
