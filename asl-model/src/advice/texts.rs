//! A text that is nearly JSON or YAML: what the hand slipped on.
use crate::{Change, Fix};

/// A syntax error in a text at a byte.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Slip {
    /// A message that is more precise than the expected token.
    pub(crate) message: Option<String>,
    /// The offset in bytes, if it differs.
    pub(crate) offset: Option<usize>,
    pub(crate) hint: Option<String>,
    pub(crate) fix: Option<Fix>,
}

impl Slip {
    fn hinted(hint: impl Into<String>) -> Self {
        Self {
            hint: Some(hint.into()),
            ..Self::default()
        }
    }
}

/// The slip in a text that begins with a brace, which cannot be read on `at` a byte; `is_yaml` reports whether YAML could be
/// read.
pub(crate) fn slip_in_json(text: &str, at: usize, is_yaml: impl Fn() -> bool) -> Option<Slip> {
    let (before, rest) = text.split_at_checked(at)?;
    comma_too_many(before, rest, is_yaml)
        .or_else(|| comment(rest))
        .or_else(|| quotation_marks(before, rest))
        .or_else(|| comma_missing(before, rest))
        .or_else(|| word(rest))
        .or_else(|| brackets(before, rest))
}

/// Returns a comma before a bracket or another comma.
fn comma_too_many(before: &str, rest: &str, is_yaml: impl Fn() -> bool) -> Option<Slip> {
    let offset = before.trim_end().len().checked_sub(1)?;
    let earlier = before.get(..offset)?.trim_end();
    let follows_value = !earlier.ends_with([',', '{', '[', ':']);
    if !before.get(offset..)?.starts_with(',') || !follows_value {
        return None;
    }
    // Of two commas in an array a value may be missing between them.
    let is_sure = match rest.chars().next()? {
        '}' | ']' => true,
        ',' => open_brackets(before)
            .last()
            .is_some_and(|open| open.bracket == '{'),
        _ => return None,
    };
    let hint = match is_yaml() {
        true => {
            "remove it: CloudFormation accepts the text, because it reads it as YAML, but the service's API does not"
        }
        false => "remove it: JSON allows commas only between fields or elements",
    };
    let change = Change::RemoveComma { offset };
    Some(Slip {
        message: Some("an extra comma".to_owned()),
        offset: Some(offset),
        hint: Some(hint.to_owned()),
        fix: is_sure.then(|| Fix::safe("remove the comma", change)),
    })
}

fn comment(rest: &str) -> Option<Slip> {
    let is_one = ["//", "/*", "#"]
        .iter()
        .any(|begin| rest.starts_with(begin));
    is_one.then(|| {
        Slip::hinted(
            "JSON has no comments: use the field Comment of the machine, a state or a rule",
        )
    })
}

fn quotation_marks(before: &str, rest: &str) -> Option<Slip> {
    if rest.starts_with(['\'', '“', '”', '„', '‘', '’', '`']) {
        return Some(Slip::hinted(
            "write names and strings in straight double quotes: \"…\"",
        ));
    }
    if rest.starts_with(['\n', '\r']) && before.matches('"').count() > 0 && is_in_string(before) {
        return Some(Slip::hinted(
            "a text ends on its line: its closing quotation mark is missing, or the break is to be written \\n",
        ));
    }
    let follows_text = before.ends_with('"') && rest.starts_with(char::is_alphanumeric);
    follows_text.then(|| Slip::hinted("write a quotation mark inside a string as \\\""))
}

/// Two values without a comma between them.
fn comma_missing(before: &str, rest: &str) -> Option<Slip> {
    let offset = before.trim_end().len();
    let ends_value = before
        .trim_end()
        .ends_with(|c: char| matches!(c, '"' | '}' | ']') || c.is_ascii_alphanumeric());
    let begins_value = rest.starts_with(['"', '{', '[']);
    let is_apart = offset < before.len() || rest.starts_with(['{', '[']);
    // After a name a colon is missing.
    let is_element = open_brackets(before)
        .last()
        .is_some_and(|open| !open.is_after_name);
    (ends_value && begins_value && is_apart && is_element).then(|| Slip {
        message: Some("a comma is missing".to_owned()),
        offset: Some(offset),
        hint: Some("add a comma between two fields or elements".to_owned()),
        fix: None,
    })
}

/// Words of other languages, and names without quotes.
fn word(rest: &str) -> Option<Slip> {
    let end = rest
        .find(|c: char| !c.is_alphanumeric() && c != '_')
        .unwrap_or(rest.len());
    let word = rest.get(..end)?;
    let meant = match word {
        "True" | "TRUE" | "yes" => "true",
        "False" | "FALSE" | "no" => "false",
        "None" | "NULL" | "Null" | "undefined" | "nil" => "null",
        "" => return None,
        word if word.starts_with(char::is_alphabetic) && word.len() <= 80 => {
            return Some(Slip::hinted(format!("put it in double quotes: \"{word}\"")));
        }
        _ => return None,
    };
    Some(Slip::hinted(format!("JSON writes {meant}")))
}

fn brackets(before: &str, rest: &str) -> Option<Slip> {
    let open = open_brackets(before);
    let close = |bracket| if bracket == '{' { '}' } else { ']' };
    match (open.last(), rest.chars().next()) {
        (Some(open), None) => {
            let close = close(open.bracket);
            Some(Slip::hinted(format!(
                "a `{close}` is missing: {} is not closed",
                open.described()
            )))
        }
        (Some(open), Some(found @ ('}' | ']'))) if found != close(open.bracket) => {
            let close = close(open.bracket);
            Some(Slip::hinted(format!(
                "{} must be closed with `{close}`",
                open.described()
            )))
        }
        (None, Some('}' | ']')) => Some(Slip::hinted(
            "an extra bracket: all brackets are already closed",
        )),
        (None, Some(_)) if !before.trim().is_empty() => Some(Slip::hinted(
            "a definition is one object: remove the text after it",
        )),
        _ => None,
    }
}

/// A bracket that is open at the end of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Open<'t> {
    bracket: char,
    /// The field whose value it begins.
    field: Option<&'t str>,
    /// True if the last token was the name of a field.
    is_after_name: bool,
}

impl Open<'_> {
    fn described(&self) -> String {
        let bracket = self.bracket;
        match self.field {
            Some(field) => format!("the `{bracket}` of \"{field}\""),
            None => format!("a `{bracket}`"),
        }
    }
}

/// The brackets that are open at the end of a text, the innermost last.
fn open_brackets(before: &str) -> Vec<Open<'_>> {
    let mut open: Vec<Open<'_>> = Vec::new();
    let mut last_text = None;
    let mut previous = ' ';
    let mut rest = before.char_indices();
    while let Some((at, character)) = rest.next() {
        match character {
            '"' => {
                let end = end_of_string(&mut rest, before.len());
                last_text = before.get(at + 1..end);
                if let Some(open) = open.last_mut() {
                    open.is_after_name = open.bracket == '{' && matches!(previous, '{' | ',');
                }
            }
            '{' | '[' => open.push(Open {
                bracket: character,
                field: last_text.filter(|text| previous == ':' && text.len() <= 80),
                is_after_name: false,
            }),
            '}' | ']' => {
                open.pop();
            }
            ':' => {
                if let Some(open) = open.last_mut() {
                    open.is_after_name = false;
                }
            }
            _ => {}
        }
        if !character.is_whitespace() {
            previous = character;
        }
    }
    open
}

fn end_of_string(rest: &mut std::str::CharIndices<'_>, length: usize) -> usize {
    while let Some((at, character)) = rest.next() {
        match character {
            '\\' => {
                rest.next();
            }
            '"' => return at,
            _ => {}
        }
    }
    length
}

/// Returns true if the last line of a text ends within a string.
fn is_in_string(before: &str) -> bool {
    let line = before.rsplit('\n').next().unwrap_or(before);
    let escaped = line.matches("\\\"").count();
    (line.matches('"').count() - escaped) % 2 == 1
}

/// Returns the slip in a text in YAML that cannot be read on at a line and a column, both one-based.
pub(crate) fn slip_in_yaml(text: &str, message: &str, line: usize, column: usize) -> Option<Slip> {
    let line = text.lines().nth(line.checked_sub(1)?)?;
    let indent = line.len() - line.trim_start().len();
    if line.get(..indent)?.contains('\t') {
        return Some(Slip::hinted(
            "a tab indents this line: YAML takes spaces alone",
        ));
    }
    if let Some((name, _)) = line.split_once(": {%") {
        let name = name.trim_start().trim_start_matches("- ");
        return Some(Slip::hinted(format!(
            "JSONata stands in quotes in YAML: {name}: \"{{% … %}}\""
        )));
    }
    if message.starts_with("mapping values are not allowed") {
        let before: String = line.chars().take(column.saturating_sub(1)).collect();
        return Some(Slip::hinted(match before.contains(": ") {
            true => "put a string that contains `: ` in quotes",
            false => "the line is indented further than the fields it belongs to",
        }));
    }
    if message.starts_with("expected one document") {
        return Some(Slip::hinted(
            "a definition is one document: remove the `---` inside it",
        ));
    }
    let is_about_indentation = [
        "did not find expected",
        "while parsing a block",
        "invalid indentation",
        "simple key",
    ];
    is_about_indentation
        .iter()
        .any(|part| message.contains(part))
        .then(|| {
            Slip::hinted("check the indentation: the fields of one object start in the same column")
        })
}

#[cfg(test)]
mod tests {
    use crate::{Options, validate};

    /// Returns the message with its place, the hint, and what a fix would do.
    fn diagnose(text: &str) -> (String, String, bool) {
        let found = validate(text, Options::default());
        let fault = found.iter().next().unwrap();
        let hint = fault.hint.clone().unwrap_or_default();
        (fault.message.clone(), hint, fault.fix.is_some())
    }

    fn assert_diagnosis(text: &str, message: &str, hint: &str, is_mended: bool) {
        let expected = (message.to_owned(), hint.to_owned(), is_mended);
        assert_eq!(diagnose(text), expected, "{text}");
    }

    #[test]
    fn commas_are_told_where_they_are_or_should_be() {
        let one_too_many = "remove it: JSON allows commas only between fields or elements";
        assert_diagnosis(
            "{\"a\": [1,,2]}",
            "an extra comma at line 1 column 9",
            one_too_many,
            false,
        );
        assert_diagnosis(
            "{\"a\": 1,,\n\"b\": 2}",
            "an extra comma at line 1 column 8",
            one_too_many,
            true,
        );
        let missing = "add a comma between two fields or elements";
        assert_diagnosis(
            "{\n  \"a\": \"é\"\n  \"b\": 1\n}",
            "a comma is missing at line 2 column 11",
            missing,
            false,
        );
        assert_diagnosis(
            "{\"a\": [{} {}]}",
            "a comma is missing at line 1 column 10",
            missing,
            false,
        );
        let colon = diagnose("{\"a\" \"b\"}");
        assert_eq!(
            colon.0,
            "expected ':' after a field name, found '\"' at line 1 column 6"
        );
    }

    #[test]
    fn what_other_languages_have_is_told() {
        let no_comments =
            "JSON has no comments: use the field Comment of the machine, a state or a rule";
        for (text, hint) in [
            ("{\n  // why\n  \"a\": 1}", no_comments),
            ("{\"a\": 1, # why\n}", no_comments),
            (
                "{'a': 1}",
                "write names and strings in straight double quotes: \"…\"",
            ),
            (
                "{\"a\": “b”}",
                "write names and strings in straight double quotes: \"…\"",
            ),
            ("{a: 1}", "put it in double quotes: \"a\""),
            ("{\"a\": True}", "JSON writes true"),
            ("{\"a\": None}", "JSON writes null"),
            (
                "{\"a\": \"say \"so\"\"}",
                "write a quotation mark inside a string as \\\"",
            ),
            (
                "{\"a\": \"b,\n\"c\": 1}",
                "a text ends on its line: its closing quotation mark is missing, or the break is to be written \\n",
            ),
        ] {
            assert_eq!(diagnose(text).1, hint, "{text}");
        }
    }

    #[test]
    fn brackets_are_told_by_their_fields() {
        for (text, hint) in [
            (
                "{\"States\": {\"A\": {}",
                "a `}` is missing: the `{` of \"States\" is not closed",
            ),
            ("{\"a\": [1}", "the `[` of \"a\" must be closed with `]`"),
            (
                "{\"a\": 1}}",
                "an extra bracket: all brackets are already closed",
            ),
            (
                "{\"a\": 1} {}",
                "a definition is one object: remove the text after it",
            ),
            ("{\"a\": \"}\"", "a `}` is missing: a `{` is not closed"),
        ] {
            assert_eq!(diagnose(text).1, hint, "{text}");
        }
    }

    #[test]
    fn slips_of_yaml_are_told() {
        for (text, hint) in [
            (
                "a:\n\tb: 1\n",
                "a tab indents this line: YAML takes spaces alone",
            ),
            (
                "a:\n  b: 1\n   c: 2\n",
                "the line is indented further than the fields it belongs to",
            ),
            ("a: b: c\n", "put a string that contains `: ` in quotes"),
            (
                "a:\n  Output: {% $x %}\n",
                "JSONata stands in quotes in YAML: Output: \"{% … %}\"",
            ),
            (
                "a: 1\n---\nb: 2\n",
                "a definition is one document: remove the `---` inside it",
            ),
        ] {
            assert_eq!(diagnose(text).1, hint, "{text}");
        }
    }
}
