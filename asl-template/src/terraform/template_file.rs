//! Sources of Terraform's `templatefile`: definitions with `${name}`, and with expressions that only Terraform evaluates.
use crate::{DefinitionText, Finding, FindingCode};
use std::ops::Range;
use std::path::Path;

/// Placeholder for an expression during the check of the rest.
const PLACEHOLDER: &str = "${expression}";

/// Returns true if a file is called a source of `templatefile`: `order.asl.json.tftpl`.
pub(crate) fn is_template_file(path: &Path) -> bool {
    let ending = path.extension().and_then(|ending| ending.to_str());
    ending.is_some_and(|it| ["tftpl", "tpl", "tmpl"].contains(&it))
}

/// Returns a definition with placeholders for expressions that only Terraform can evaluate, and reports them; None if a
/// directive selects parts of the text.
pub(crate) fn without_expressions(
    text: &DefinitionText,
    is_template_file: bool,
) -> (Option<DefinitionText>, Vec<Finding>) {
    let mut findings = Vec::new();
    let mut values = Vec::new();
    let mut has_directives = false;
    for part in parts(text.as_str()) {
        let Some((file, offset)) = text.source_of(part.range.start) else {
            continue;
        };
        let written = text.as_str().get(part.range.clone()).unwrap_or_default();
        let shown = shortened(written);
        let code = FindingCode::TemplateExpression;
        match part.kind {
            Part::Escape if is_template_file => values.push((part.range, "${")),
            Part::Escape => {}
            Part::Directive => {
                has_directives = true;
                let message =
                    format!("the Terraform template directive '{shown}' cannot be evaluated here");
                findings.push(Finding::error(code, (&file, offset), message).with_hint(
                    "check the output of `terraform show -json` for the plan, which contains the deployed text",
                ));
            }
            Part::Expression if is_template_file || is_call(written) => {
                let message =
                    format!("the Terraform template expression '{shown}' cannot be evaluated here");
                findings.push(Finding::warning(code, (&file, offset), message).with_hint(
                    "pass it to `templatefile` as a variable, and set its value here with --substitute NAME=VALUE",
                ));
                values.push(match part.is_quoted {
                    true => (part.range, PLACEHOLDER),
                    false => (part.range, "\"${expression}\""),
                });
            }
            Part::Expression => {}
        }
    }
    ((!has_directives).then(|| text.replaced(&values)), findings)
}

/// A part of a text that is no plain text to Terraform, and no name.
struct TemplateExpression {
    range: Range<usize>,
    kind: Part,
    /// It stands within a string of JSON.
    is_quoted: bool,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Expression,
    Directive,
    /// `$${`
    Escape,
}

fn parts(text: &str) -> Vec<TemplateExpression> {
    let mut found = Vec::new();
    if !text.contains("${") && !text.contains("%{") {
        return found;
    }
    let mut is_quoted = false;
    let mut at = 0;
    while let Some(rest) = text.get(at..) {
        let Some(next) = rest.find(['"', '\\', '$', '%', '\n']) else {
            break;
        };
        let start = at + next;
        let rest = text.get(start..).unwrap_or_default();
        let kind = match rest.as_bytes() {
            [b'$', b'$', b'{', ..] => Some((Part::Escape, 3)),
            [b'$', b'{', ..] => end_of(rest).map(|end| (Part::Expression, end)),
            [b'%', b'{', ..] if is_directive(rest) => {
                end_of(rest).map(|end| (Part::Directive, end))
            }
            _ => None,
        };
        match kind {
            Some((kind, length)) => {
                at = start + length;
                let inner = text.get(start + 2..at - 1).unwrap_or_default();
                if kind != Part::Expression || !is_name(inner) {
                    found.push(TemplateExpression {
                        range: start..at,
                        kind,
                        is_quoted,
                    });
                }
            }
            None => {
                // An escape is two characters, whatever the second is.
                let length = rest
                    .chars()
                    .take(if rest.starts_with('\\') { 2 } else { 1 });
                at = start + length.map(char::len_utf8).sum::<usize>();
                match rest.as_bytes().first() {
                    Some(b'"') => is_quoted = !is_quoted,
                    // No string of JSON continues in the next line.
                    Some(b'\n') => is_quoted = false,
                    _ => {}
                }
            }
        }
    }
    found
}

/// Maximum length of an expression in bytes; longer text is not an expression.
const LONGEST: usize = 4_096;

/// Returns the end of the expression at the start of a text.
fn end_of(text: &str) -> Option<usize> {
    let (mut depth, mut is_quoted, mut last) = (0_usize, false, 0);
    for (index, byte) in text.bytes().enumerate().take(LONGEST).skip(1) {
        // One that begins within another, but for its strings, shows that this is none; so no byte is looked at often.
        if byte == b'{' && depth > 0 && !is_quoted && matches!(last, b'$' | b'%') {
            return None;
        }
        last = byte;
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'{' if !is_quoted => depth += 1,
            b'}' if !is_quoted => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(index + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn is_name(inner: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || "_-.:/!".contains(c);
    inner.trim().chars().all(is_part)
}

/// Returns true if an expression calls a function of Terraform: JSONata, whose own functions begin with `$`, has nothing
/// like it.
fn is_call(expression: &str) -> bool {
    let inner = expression
        .strip_prefix("${")
        .unwrap_or_default()
        .trim_start();
    let name = inner.split('(').next().unwrap_or_default();
    let is_part = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_';
    name.len() < inner.len()
        && name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.chars().all(is_part)
        && expression.trim_end_matches(['}', ' ']).ends_with(')')
}

/// Returns true if a text begins with a directive: `%{ if x }`, `%{~ endfor ~}`.
fn is_directive(text: &str) -> bool {
    let inner = text.strip_prefix("%{").unwrap_or_default();
    let inner = inner.trim_start_matches('~').trim_start();
    let word: &str = inner
        .split(|c: char| !c.is_ascii_lowercase())
        .next()
        .unwrap_or_default();
    let after = inner.get(word.len()..).unwrap_or_default();
    ["if", "else", "endif", "for", "endfor"].contains(&word) && after.starts_with([' ', '~', '}'])
}

fn shortened(text: &str) -> String {
    const MOST: usize = 60;
    match text.char_indices().nth(MOST) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::File;
    use std::sync::Arc;

    fn read(text: &str, is_template_file: bool) -> (Option<String>, Vec<String>) {
        let file = Arc::new(File::new("f", text));
        let (text, findings) =
            without_expressions(&DefinitionText::from_file(&file), is_template_file);
        let text = text.map(|text| text.as_str().to_owned());
        let places = findings.iter().map(|it| it.to_string());
        (text, places.collect())
    }

    #[test]
    fn expressions_stand_for_anything() {
        let text = r#"{"a": ${jsonencode({"b": [1]})}, "c": "x ${upper("d")} ${e}", "f": "${ e ? 1 : 2 }", "g": "$${h}"}"#;
        let (read, findings) = read(text, true);
        assert_eq!(
            read.unwrap(),
            r#"{"a": "${expression}", "c": "x ${expression} ${e}", "f": "${expression}", "g": "${h}"}"#
        );
        assert_eq!(findings.len(), 3);
        assert_eq!(
            findings[0],
            "f:1:7: TEMPLATE_EXPRESSION: the Terraform template expression '${jsonencode({\"b\": [1]})}' cannot be evaluated here"
        );
    }

    #[test]
    fn directives_leave_no_definition() {
        let (read, findings) = read("{\n%{ if a ~}\n\"b\": 1\n%{~ endif }\n}", true);
        assert_eq!((read, findings.len()), (None, 2));
        assert!(findings[1].starts_with("f:4:1: "));
    }

    #[test]
    fn other_files_are_left_as_they_are() {
        for text in [
            r#"{"Output": "{% $states.input.items${id: $sum(price)} %}"}"#,
            r#"{"Output": "{%{'a': 1}%}", "b": "$${x}"}"#,
            r#"{"a": "100 %{x}", "b": "${A.B} ${AWS::Region} ${", "c": "\\\"${x y}"}"#,
        ] {
            assert_eq!(
                read(text, false),
                (Some(text.to_owned()), Vec::new()),
                "{text}"
            );
        }
        assert_eq!(read("{\"a\": ${jsonencode(b)}}", false).1.len(), 1);
    }
}
