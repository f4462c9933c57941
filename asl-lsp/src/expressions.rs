//! References in paths, intrinsic functions and JSONata, also in incomplete text.
use asl_jsonata::{DelimitedText, Dialect, Expression, Options, delimited};
use asl_path::variable_name;
use std::ops::Range;

/// The language of a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A path, or an intrinsic function with paths.
    Path,
    /// JSONata with its delimiters.
    Jsonata,
}

/// A use of a variable.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// Its name, without `$`.
    pub(crate) range: Range<usize>,
    /// True if a function has the name; a variable can hide it.
    pub(crate) is_built_in: bool,
}

/// Returns the references to variables in a string, in order.
pub(crate) fn variables(text: &str, kind: Kind) -> Vec<Reference> {
    match kind {
        Kind::Path => scanned(text, kind),
        Kind::Jsonata => parsed(text).unwrap_or_else(|| scanned(text, kind)),
    }
}

/// By the parser, which knows what an expression binds itself.
fn parsed(text: &str) -> Option<Vec<Reference>> {
    let DelimitedText::Expression(source) = delimited(text) else {
        return None;
    };
    let options = Options::default().with_dialect(Dialect::StatesLanguage);
    let expression = Expression::parse_with(source, &options).ok()?;
    let references = expression.references();
    let begin = "{%".len();
    let variables = references.variables.iter().map(|it| (it, false));
    let functions = references.built_in.iter().map(|it| (it, true));
    let found = variables.chain(functions).filter_map(|(one, is_built_in)| {
        // Where it stands, with its `$`.
        let at = begin + one.position;
        let start = text.get(at..)?.find('$')? + at + 1;
        let rest = text.get(start..)?.strip_prefix(&one.name)?;
        Some(Reference {
            range: start..text.len() - rest.len(),
            is_built_in,
        })
    });
    let mut found: Vec<Reference> = found.collect();
    found.sort_by_key(|one| one.range.start);
    Some(found)
}

/// By its characters alone: a `$` with a name behind it, outside of strings.
fn scanned(text: &str, kind: Kind) -> Vec<Reference> {
    let mut found = Vec::new();
    let mut quote = None;
    let mut is_escaped = false;
    let mut before = None;
    for (at, character) in text.char_indices() {
        let last = before.replace(character);
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        match (character, quote) {
            ('\\', _) => is_escaped = true,
            (it, Some(open)) if it == open => quote = None,
            (_, Some(_)) => {}
            ('\'', None) => quote = Some('\''),
            ('"' | '`', None) if kind == Kind::Jsonata => quote = Some(character),
            ('$', None) if last != Some('$') => {
                let start = at + 1;
                let rest = text.get(start..).unwrap_or_default();
                if let Some((name, after)) = variable_name(rest)
                    && name != "states"
                    && !(kind == Kind::Jsonata && is_no_variable(after))
                {
                    found.push(Reference {
                        range: start..start + name.len(),
                        is_built_in: false,
                    });
                }
            }
            _ => {}
        }
    }
    found
}

/// Returns the word at a place: a name with its `$` and dots, up to what calls it.
pub(crate) fn word_at(text: &str, at: usize) -> Range<usize> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.');
    let start = word_start(text, at);
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    let word = text.get(start..at + end).unwrap_or_default();
    // Of JSONata a name alone: `$states.input` is a field of one.
    let length = match word.starts_with('$') {
        true => word.find('.').unwrap_or(word.len()),
        false => word.len(),
    };
    start..start + length
}

/// Returns the names up to the one at a place, with the dots between them: `$$.Task` of `$$.Task.Token`.
pub(crate) fn path_at(text: &str, at: usize) -> Range<usize> {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$');
    let rest = text.get(at..).unwrap_or_default();
    let end = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
    word_start(text, at)..at + end
}

/// Returns the start of the word before an offset.
pub(crate) fn word_start(text: &str, at: usize) -> usize {
    let is_part = |it: char| it.is_alphanumeric() || matches!(it, '_' | '$' | '.');
    let before = text.get(..at).unwrap_or_default();
    let word = before
        .char_indices()
        .rev()
        .take_while(|(_, it)| is_part(*it));
    word.last().map_or(before.len(), |(start, _)| start)
}

/// Returns true for a called function and for a bound name, which are not variables of the machine.
fn is_no_variable(after: &str) -> bool {
    let after = after.trim_start();
    after.starts_with('(') || after.starts_with(":=")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str, kind: Kind) -> Vec<&str> {
        let found = variables(text, kind).into_iter();
        let found = found.filter(|one| !one.is_built_in);
        found.map(|one| &text[one.range]).collect()
    }

    #[test]
    fn variables_of_paths_and_functions_are_found() {
        for (text, expected) in [
            ("$x.a[0]", &["x"][..]),
            ("$.x", &[]),
            ("$$.x", &[]),
            ("$states.input", &[]),
            (
                "States.Format('{} $no \\'$no', $a.b, States.Array($c, $.d))",
                &["a", "c"],
            ),
            ("States.Format('{}', $größe", &["größe"]),
        ] {
            assert_eq!(found(text, Kind::Path), expected, "{text}");
        }
    }

    #[test]
    fn variables_of_jsonata_are_found_even_where_it_is_broken() {
        for (text, expected) in [
            ("{% $x + $sum($y.a) & '$no' %}", &["x", "y"][..]),
            ("{% ($own := 1; $own + $x) %}", &["x"]),
            (
                "{% $map($list, function($v) { $v + $x }) %}",
                &["list", "x"],
            ),
            ("{% $states.input.a + $x", &["x"]),
            ("{% $x + $count( & \"$no\" %}", &["x"]),
            ("{% ($own := $x; ", &["x"]),
        ] {
            assert_eq!(found(text, Kind::Jsonata), expected, "{text}");
        }
    }
}
