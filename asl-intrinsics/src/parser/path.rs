//! Where a path ends among arguments.
use super::fault::{Fault, PResult, found};
use crate::Argument;
use asl_path::Path;

/// A path reaches to the next comma, closing parenthesis or white space that is not in brackets, in the parentheses of
/// a path function, in a quoted name or in a regular expression.
pub(super) fn parse_path(input: &str) -> PResult<'_, Argument> {
    let end = path_length(input)?;
    let (text, rest) = input.split_at(end);
    match Path::parse(text) {
        Ok(path) => Ok((rest, Argument::Path(path))),
        Err(error) => {
            let (_, at) = input
                .split_at_checked(error.position())
                .unwrap_or((text, input));
            Fault::fail(at, format!("'{text}' is not a path: {}", error.message()))
        }
    }
}

fn path_length(input: &str) -> Result<usize, nom::Err<Fault<'_>>> {
    let mut open: Vec<usize> = Vec::new();
    let mut scanner = Scanner {
        text: input,
        at: 0,
        last: '$',
    };
    while let Some((at, c)) = scanner.next() {
        match c {
            '[' | '(' => open.push(at),
            ']' | ')' if open.pop().is_none() => return Ok(at),
            ',' if open.is_empty() => return Ok(at),
            _ if c.is_whitespace() && open.is_empty() => return Ok(at),
            '\'' | '"' if !open.is_empty() && !scanner.skip_to(c) => {
                let from = input.get(at..).unwrap_or(input);
                return Err(Fault::new(
                    from,
                    format!("the name that begins here has no closing {}", found(from)),
                ));
            }
            '/' if !open.is_empty() && scanner.last == '~' => {
                scanner.skip_to('/');
            }
            _ => {}
        }
        if !c.is_whitespace() {
            scanner.last = c;
        }
    }
    match open.last() {
        None => Ok(input.len()),
        Some(at) => {
            let from = input.get(*at..).unwrap_or(input);
            Err(Fault::new(
                from,
                format!("the path has no closing bracket for {}", found(from)),
            ))
        }
    }
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    /// The last character that was not white space.
    last: char,
}

impl Scanner<'_> {
    fn next(&mut self) -> Option<(usize, char)> {
        let c = self.text.get(self.at..)?.chars().next()?;
        let at = self.at;
        self.at += c.len_utf8();
        Some((at, c))
    }

    /// Skips past the next `end` that no backslash escapes; false where there is none.
    fn skip_to(&mut self, end: char) -> bool {
        while let Some((_, c)) = self.next() {
            if c == '\\' {
                self.next();
            } else if c == end {
                return true;
            }
        }
        false
    }
}
