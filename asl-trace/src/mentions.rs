//! Data that a JSONata expression reads: the paths in its text, with their values.
use asl_jsonata::{Dialect, Documents, Expression, Options};
use serde_json::{Map, Value};

/// More than a person would read.
const MOST: usize = 8;

/// Returns the paths of `$states.input` and of variables in an expression, with their values. Paths without a value, such as
/// function parameters, are omitted.
pub(crate) fn mentions(
    source: &str,
    input: &Value,
    variables: &Map<String, Value>,
) -> Vec<(String, Value)> {
    let documents = Documents::default()
        .with_input(input.clone())
        .with_variables(variables.clone());
    let mut found: Vec<(String, Value)> = Vec::new();
    for path in paths(source) {
        if found.len() < MOST
            && found.iter().all(|(known, _)| known != path)
            && let Some(value) = value(path, &documents)
        {
            found.push((path.to_owned(), value));
        }
    }
    found
}

fn value(path: &str, documents: &Documents) -> Option<Value> {
    let options = Options::default().with_dialect(Dialect::StatesLanguage);
    let expression = Expression::parse_with(path, &options).ok()?;
    let mut environment = documents.environment();
    expression.evaluate(&mut environment).ok().flatten()
}

/// Finds `$name.field.field` outside strings and comments, except calls.
fn paths(source: &str) -> impl Iterator<Item = &str> {
    let mut rest = source;
    std::iter::from_fn(move || {
        loop {
            let at = rest.find(['$', '"', '\'', '/'])?;
            let from = &rest[at..];
            let length = match from.as_bytes().first() {
                Some(b'$') => path_length(from),
                Some(quote @ (b'"' | b'\'')) => string_length(from, *quote),
                _ if from.starts_with("/*") => from.find("*/").map_or(from.len(), |end| end + 2),
                _ => 1,
            };
            rest = from.get(length..).unwrap_or_default();
            let path = from.get(..length).unwrap_or_default();
            let is_call = rest.trim_start().starts_with('(');
            let is_context = path.starts_with("$states.") && !path.starts_with("$states.input");
            if path.len() > 1
                && path.starts_with('$')
                && path != "$states"
                && !is_call
                && !is_context
            {
                return Some(path);
            }
        }
    })
}

fn path_length(text: &str) -> usize {
    let is_name = |character: char| character.is_alphanumeric() || character == '_';
    let mut length = 1;
    loop {
        let rest = &text[length..];
        let name = rest
            .find(|character| !is_name(character))
            .unwrap_or(rest.len());
        length += name;
        let after = &text[length..];
        let goes_on = after
            .strip_prefix('.')
            .is_some_and(|it| it.starts_with(is_name));
        if name == 0 || !goes_on {
            return length;
        }
        length += 1;
    }
}

fn string_length(text: &str, quote: u8) -> usize {
    let mut escaped = false;
    for (index, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            _ if byte == quote => return index + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn paths_with_values_are_found_once() {
        let input = json!({"n": 3, "items": [{"p": 1}, {"p": 2}], "größe": 1});
        let variables = json!({"limit": {"max": 2}});
        let source = "$states.input.n > $limit.max and $sum($states.input.items.p) < 9 /* $limit */ and '$limit' != $unknown \
            and ($x := 1; $x = 1) and $states.input.n = 3 or $states.input.größe = $states.result.a";
        let found = mentions(source, &input, variables.as_object().unwrap());
        assert_eq!(
            found,
            [
                ("$states.input.n".to_owned(), json!(3)),
                ("$limit.max".to_owned(), json!(2)),
                ("$states.input.items.p".to_owned(), json!([1, 2])),
                ("$states.input.größe".to_owned(), json!(1)),
            ]
        );
    }
}
