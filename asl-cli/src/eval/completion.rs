//! Completion at the cursor: fields of the data, variables, functions.
use super::evaluation::Evaluation;
use asl_intrinsics::Function;
use asl_jsonata::{Dialect, Documents};
use serde_json::Value;

/// Returns the start of the word before the cursor, and its completions. Names in JSONata are completed as well.
pub(crate) fn complete(
    evaluation: &Evaluation,
    line: &str,
    position: usize,
    is_jsonata: bool,
) -> (usize, Vec<String>) {
    let before = line.get(..position).unwrap_or(line);
    let start = word_start(before);
    let word = &before[start..];
    let is_jsonata = is_jsonata || evaluation.is_jsonata || before.contains("{%");
    let candidates = match word.rfind('.') {
        Some(_) if word.starts_with("States.") => functions(),
        Some(dot) => fields_of(&evaluation.documents, &word[..dot], evaluation.is_jsonata),
        None => names(evaluation, word, is_jsonata),
    };
    (start, starting_with(word, candidates))
}

/// Those that a word may become, in order.
pub(super) fn starting_with(
    word: &str,
    candidates: impl IntoIterator<Item = String>,
) -> Vec<String> {
    let candidates = candidates.into_iter();
    let mut matching: Vec<String> = candidates.filter(|it| it.starts_with(word)).collect();
    matching.sort_unstable();
    matching.dedup();
    matching
}

/// A word is a path of names, from its `$` on.
fn word_start(text: &str) -> usize {
    let is_part = |character: char| {
        character.is_alphanumeric() || matches!(character, '_' | '$' | '.' | '[' | ']')
    };
    text.char_indices()
        .rev()
        .take_while(|(_, character)| is_part(*character))
        .last()
        .map_or(text.len(), |(at, _)| at)
}

fn functions() -> Vec<String> {
    Function::ALL
        .map(|function| format!("{}(", function.name()))
        .into()
}

/// Returns the completions of a word without a dot.
fn names(evaluation: &Evaluation, word: &str, is_jsonata: bool) -> Vec<String> {
    let documents = &evaluation.documents;
    let mut names = Vec::new();
    if word.starts_with('$') || word.is_empty() {
        names.extend(documents.variables.keys().map(|name| format!("${name}")));
    }
    let dialect = match evaluation.is_jsonata {
        true => Dialect::Jsonata,
        false => Dialect::StatesLanguage,
    };
    if is_jsonata && word.starts_with('$') {
        names.extend(dialect.functions().map(|name| format!("${name}(")));
    }
    match evaluation.is_jsonata {
        true => names.extend(keys(&documents.input, "")),
        false if is_jsonata => names.push("$states".to_owned()),
        false if !word.starts_with('$') => names.extend(functions()),
        false => {}
    }
    names
}

/// Returns the fields of what a path leads to, as the path would continue.
fn fields_of(documents: &Documents, path: &str, is_jsonata: bool) -> Vec<String> {
    let states: [(&str, Option<&Value>); 4] = [
        ("input", Some(&documents.input)),
        ("context", Some(&documents.context)),
        ("result", documents.result.as_ref()),
        ("errorOutput", documents.error_output.as_ref()),
    ];
    let mut steps = path.split('.');
    let root = match (steps.next(), is_jsonata) {
        (Some("$states"), false) => match steps.next() {
            None => {
                let there = states.iter().filter(|(_, value)| value.is_some());
                return there.map(|(name, _)| format!("{path}.{name}")).collect();
            }
            Some(name) => states
                .iter()
                .find(|(known, _)| *known == name)
                .and_then(|(_, value)| *value),
        },
        (Some("$"), _) => Some(&documents.input),
        (Some("$$"), _) => Some(&documents.context),
        (Some(name), _) if name.starts_with('$') => at(name, |name| {
            documents.variables.get(name.trim_start_matches('$'))
        }),
        (Some(name), true) => at(name, |name| documents.input.get(name)),
        _ => None,
    };
    let value = steps.try_fold(root, |value, step| {
        value.map(|value| at(step, |name| value.get(name)))
    });
    let prefix = format!("{path}.");
    value
        .flatten()
        .map(|value| keys(value, &prefix))
        .unwrap_or_default()
}

/// Returns a step with its indexes: `items[0][1]`.
fn at<'v>(step: &str, named: impl FnOnce(&str) -> Option<&'v Value>) -> Option<&'v Value> {
    let mut parts = step.split('[');
    let mut value = named(parts.next()?)?;
    for index in parts {
        value = value.get(index.strip_suffix(']')?.parse::<usize>().ok()?)?;
    }
    Some(value)
}

fn keys(value: &Value, prefix: &str) -> Vec<String> {
    // JSONata looks into the items of an array.
    let value = value.get(0).unwrap_or(value);
    let names = value.as_object().map(|object| object.keys());
    let plain = names.into_iter().flatten().filter(|name| {
        name.chars()
            .all(|character| character.is_alphanumeric() || character == '_')
    });
    plain.map(|name| format!("{prefix}{name}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_intrinsics::random::SplitMix64;
    use asl_model::Timestamp;
    use serde_json::json;

    fn completed(line: &str, is_jsonata: bool) -> Vec<String> {
        let variables = json!({"total": {"net": 1}, "tax": 2});
        let evaluation = Evaluation {
            documents: Documents::default()
                .with_input(json!({"items": [{"sku": 1, "price": 2}], "größe": 1, "a b": 1}))
                .with_variables(variables.as_object().cloned().unwrap())
                .with_result(json!({"Payload": 1})),
            now: Timestamp::from_milliseconds(0),
            random: SplitMix64::new(0),
            is_jsonata,
        };
        let (start, candidates) = complete(&evaluation, line, line.len(), false);
        let line = |word: String| format!("{}{word}", &line[..start]);
        candidates.into_iter().map(line).collect()
    }

    #[test]
    fn fields_variables_and_functions_are_completed() {
        for (line, expected) in [
            ("$.", &["$.größe", "$.items"][..]),
            ("$.items[0].s", &["$.items[0].sku"]),
            ("$t", &["$tax", "$total"]),
            ("$total.", &["$total.net"]),
            ("$$.x", &[]),
            (
                "States.Array",
                &[
                    "States.Array(",
                    "States.ArrayContains(",
                    "States.ArrayGetItem(",
                    "States.ArrayLength(",
                    "States.ArrayPartition(",
                    "States.ArrayRange(",
                    "States.ArrayUnique(",
                ],
            ),
            ("{% 1 + $states.r", &["{% 1 + $states.result"]),
            ("{% $states.result.", &["{% $states.result.Payload"]),
            (
                "{% $sum($states.input.items.p",
                &["{% $sum($states.input.items.price"],
            ),
            (
                "{% $pa",
                &[
                    "{% $pad(",
                    "{% $parse(",
                    "{% $parseInteger(",
                    "{% $partition(",
                ],
            ),
            ("größe", &[]),
        ] {
            assert_eq!(completed(line, false), expected, "{line}");
        }
    }

    #[test]
    fn plain_jsonata_has_the_fields_of_the_input() {
        for (line, expected) in [
            ("it", &["items"][..]),
            ("$count(items.", &["$count(items.price", "$count(items.sku"]),
            ("$ev", &["$eval("]),
            ("$.g", &["$.größe"]),
        ] {
            assert_eq!(completed(line, true), expected, "{line}");
        }
    }
}
