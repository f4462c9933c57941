//! Ends of paths among arguments.
use super::fault::{Fault, PResult, describe_next};
use crate::Argument;
use asl_path::{Path, PatternBudget};

/// Returns a path reaches to the next comma, closing parenthesis or white space that is not in brackets, in the parentheses
/// of a path function, in a quoted name or in a regular expression.
pub(super) fn parse_path<'a>(patterns: &PatternBudget, input: &'a str) -> PResult<'a, Argument> {
    let end = path_length(input)?;
    let (text, rest) = input.split_at(end);
    match Path::parse_within(text, patterns) {
        Ok(path) => Ok((rest, Argument::Path(path))),
        Err(error) => {
            let (_, at) = input
                .split_at_checked(error.position())
                .unwrap_or((text, input));
            Fault::fail(at, format!("not a path: {}", error.message()))
        }
    }
}

fn path_length(input: &str) -> Result<usize, nom::Err<Fault<'_>>> {
    let from = |at: usize| input.get(at..).unwrap_or(input);
    let mut open: Vec<usize> = Vec::new();
    let mut scanner = Scanner { text: input, at: 0 };
    let mut before = '$';
    while let Some((at, c)) = scanner.next() {
        if open.is_empty() && (matches!(c, ',' | ')' | ']') || c.is_whitespace()) {
            return Ok(at);
        }
        match c {
            '[' | '(' => open.push(at),
            ']' | ')' => drop(open.pop()),
            '\'' | '"' if !open.is_empty() => scanner.skip_past(c).ok_or_else(|| {
                let message = "the quoted text that begins here is not closed";
                Fault::new(from(at), message.to_owned())
            })?,
            // A regular expression follows the operator `=~`; without its end, a bracket stays open.
            '/' if before == '~' => scanner.skip_past('/').unwrap_or(()),
            _ => {}
        }
        if !c.is_whitespace() {
            before = c;
        }
    }
    match open.pop().map(from) {
        None => Ok(input.len()),
        Some(bracket) => {
            let message = format!(
                "the path has no closing bracket for {}",
                describe_next(bracket)
            );
            Err(Fault::new(bracket, message))
        }
    }
}

/// Walks over a path's characters.
struct Scanner<'a> {
    text: &'a str,
    at: usize,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<(usize, char)> {
        let c = self.text.get(self.at..)?.chars().next()?;
        let at = self.at;
        self.at += c.len_utf8();
        Some((at, c))
    }

    /// Skips past the next unescaped `end`; None if there is none.
    fn skip_past(&mut self, end: char) -> Option<()> {
        loop {
            let (_, c) = self.next()?;
            if c == end {
                return Some(());
            }
            if c == '\\' {
                self.next();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::path_length;

    #[test]
    fn a_path_ends_where_its_brackets_allow() {
        let cases = [
            ("$", ""),
            ("$.a", ",$.b"),
            ("$.a", " ,"),
            ("$.a", "\t)"),
            ("$.a", "]"),
            ("$['a','b']", ", 1"),
            ("$['a)']", ", 1"),
            (r"$['a\'],']", ", 1"),
            ("$[\"]\"]", ", 1"),
            ("$.a[0, 1]", ", 2"),
            ("$.a[?(@.b == ')' && (@.c))].d", ")"),
            (r"$.a[?(@.b =~ /[)'\/]/i)]", ", 1"),
            ("$.a.length()", " , 1"),
            ("$.a.concat($.b, ')')", ")"),
            ("$.it's", ", 1"),
            ("$..a[*]", "\n)"),
        ];
        for (path, rest) in cases {
            assert_eq!(
                path_length(&format!("{path}{rest}")).ok(),
                Some(path.len()),
                "{path}{rest}"
            );
        }
    }
}
