//! Checks that each normative sentence of the documents is part of a statement of the index.
use super::statement::Statement;
use crate::CasesError;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Number of surrounding words shown with a word.
const SURROUNDINGS: usize = 8;

/// Separator of the parts of a quotation with omissions.
const ELLIPSIS: char = '…';

/// Words of a document that no statement holds, and quotations that the document does not have: `document: words`.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Gaps {
    pub(super) uncovered: Vec<String>,
    pub(super) misquoted: Vec<String>,
}

/// Reads the documents that the statements name, from `folder`.
pub(super) fn compare(folder: &Path, statements: &[Statement]) -> Result<Gaps, CasesError> {
    let names: BTreeSet<&str> = statements.iter().map(|one| one.document.as_str()).collect();
    let mut gaps = Gaps::default();
    for name in names {
        let path = folder.join(name);
        let text =
            fs::read_to_string(&path).map_err(|error| CasesError::unreadable(&path, &error))?;
        let of_document = statements.iter().filter(|one| one.document == name);
        compare_document(name, &text, of_document, &mut gaps);
    }
    Ok(gaps)
}

/// Words are compared, not their punctuation: quotation marks and the rules of tables differ between copies of a text.
fn compare_document<'s>(
    name: &str,
    text: &str,
    statements: impl Iterator<Item = &'s Statement>,
    gaps: &mut Gaps,
) {
    let words = words(text);
    let mut held = vec![false; words.len()];
    for statement in statements {
        let mut parts = statement.text.split(ELLIPSIS).map(self::words);
        if !parts.all(|part| hold(&words, &part, &mut held)) {
            gaps.misquoted.push(format!("{name}: {}", statement.id));
        }
    }
    let binding = binding_words(&words);
    for (index, word) in words.iter().enumerate() {
        if binding.contains(word) && !held[index] {
            let from = index.saturating_sub(SURROUNDINGS);
            let to = (index + SURROUNDINGS).min(words.len());
            let shown = words[from..to].join(" ");
            gaps.uncovered.push(format!("{name}: {shown}"));
        }
    }
}

/// Marks every occurrence of `part` in `words`. Returns true if it occurs.
fn hold(words: &[&str], part: &[&str], held: &mut [bool]) -> bool {
    let mut found = part.is_empty();
    let ends = words.len().saturating_sub(part.len());
    for start in (0..=ends).filter(|start| words[*start..].starts_with(part)) {
        held[start..start + part.len()].fill(true);
        found = true;
    }
    found
}

fn words(text: &str) -> Vec<&str> {
    text.split(|character: char| !character.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect()
}

/// A specification has its words in capitals (RFC 2119); other documents do not.
fn binding_words(words: &[&str]) -> &'static [&'static str] {
    if words.contains(&"MUST") {
        &["MUST", "MAY", "SHOULD"]
    } else {
        &["must", "should"]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn gaps(text: &str, quotations: &[&str]) -> Gaps {
        let statements: Vec<Statement> = quotations
            .iter()
            .map(|text| {
                let statement =
                    json!({"id": "d/1", "document": "d", "level": "MUST", "text": text});
                serde_json::from_value(statement).expect("a statement")
            })
            .collect();
        let mut gaps = Gaps::default();
        compare_document("d", text, statements.iter(), &mut gaps);
        gaps
    }

    #[test]
    fn a_binding_word_outside_of_every_quotation_is_reported_with_its_surroundings() {
        let text = "A state\nMUST have a \u{201c}Type\u{201d}. It MAY have a comment.";
        let found = gaps(text, &["A state MUST have a \"Type\"."]);
        assert_eq!(
            found.uncovered,
            ["d: A state MUST have a Type It MAY have a comment"]
        );
        assert_eq!(gaps(text, &["A state MUST have", "MAY"]), Gaps::default());
    }

    #[test]
    fn a_quotation_may_leave_something_out_and_must_not_invent() {
        let text = "The value MUST, if it is given, be a path.";
        assert_eq!(gaps(text, &["value MUST… be a path"]), Gaps::default());
        assert_eq!(gaps(text, &["value MUST be"]).misquoted, ["d: d/1"]);
    }

    #[test]
    fn small_letters_bind_where_a_document_has_no_capitals() {
        assert_eq!(gaps("You must. You may.", &[]).uncovered.len(), 1);
        assert_eq!(gaps("One MUST. Then one must.", &[]).uncovered.len(), 1);
    }
}
