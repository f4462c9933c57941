//! A line of a text with a marker under the place that matters.
use crate::terminal::{self, ERROR, FRAME, character_width, visible};
use anstyle::Style;
use std::fmt;

/// A place in a text, shown with its line.
#[derive(Debug)]
pub(crate) struct Snippet<'t> {
    name: &'t str,
    line: usize,
    column: usize,
    text: &'t str,
    style: Style,
}

impl<'t> Snippet<'t> {
    /// A place in `text`, one-based, columns in characters.
    pub(crate) fn new(name: &'t str, text: &'t str, line: usize, column: usize) -> Self {
        let line_text = text.split('\n').nth(line.saturating_sub(1)).unwrap_or("");
        Self {
            name,
            line,
            column,
            text: line_text.strip_suffix('\r').unwrap_or(line_text),
            style: ERROR,
        }
    }

    /// Its marker in another style.
    pub(crate) fn with_style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// The part of the line around the column that fits, and how many characters before it are left out.
    fn window(&self, width: usize) -> (Vec<char>, usize) {
        let wanted = self.column.saturating_sub(1);
        let start = wanted.saturating_sub(width * 2 / 3);
        // A little context before the place is enough where the line is long.
        let start = if wanted < width { 0 } else { start };
        (self.text.chars().skip(start).take(width).collect(), start)
    }
}

impl fmt::Display for Snippet<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = self.line.to_string();
        let gutter = " ".repeat(number.len());
        let (shown, skipped) = self.window(terminal::width().saturating_sub(number.len() + 6));
        let at = self.column.saturating_sub(1 + skipped).min(shown.len());
        let before = if skipped > 0 { "…" } else { "" };
        let text: String = shown.iter().copied().map(visible).collect();
        let indent: usize = shown[..at]
            .iter()
            .copied()
            .map(character_width)
            .sum::<usize>()
            + before.len().min(1);
        let marker = "^".repeat(token_width(&shown[at..]));
        let style = self.style;
        writeln!(
            f,
            "{gutter}{FRAME}-->{FRAME:#} {}:{}:{}",
            self.name, self.line, self.column
        )?;
        writeln!(f, "{gutter} {FRAME}|{FRAME:#}")?;
        writeln!(f, "{FRAME}{number} |{FRAME:#} {before}{text}")?;
        write!(
            f,
            "{gutter} {FRAME}|{FRAME:#} {}{style}{marker}{style:#}",
            " ".repeat(indent)
        )
    }
}

/// Columns of the string, variable, word or sign that begins here.
fn token_width(rest: &[char]) -> usize {
    let length = match rest.first() {
        Some('"') => string_length(rest),
        Some('$') => 1 + rest[1..].iter().take_while(|c| is_word(**c)).count(),
        Some(c) if is_word(*c) => rest.iter().take_while(|c| is_word(**c)).count(),
        _ => 1,
    };
    let columns = rest.iter().take(length).copied().map(character_width);
    columns.sum::<usize>().max(1)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '+')
}

/// Characters up to the closing quote, or the end.
fn string_length(rest: &[char]) -> usize {
    let mut escaped = false;
    for (index, character) in rest.iter().enumerate().skip(1) {
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return index + 1,
            _ => {}
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(snippet: &Snippet<'_>) -> String {
        anstream::adapter::strip_str(&snippet.to_string()).to_string()
    }

    #[test]
    fn the_token_is_marked() {
        let snippet = Snippet::new("a.json", "{\n  \"Next\": \"B\\\"ad\"\n}", 2, 11);
        assert_eq!(
            plain(&snippet),
            " --> a.json:2:11\n  |\n2 |   \"Next\": \"B\\\"ad\"\n  |           ^^^^^^^"
        );
    }

    #[test]
    fn a_place_behind_the_end_is_marked_there() {
        let snippet = Snippet::new("a.json", "{", 1, 2);
        assert_eq!(plain(&snippet), " --> a.json:1:2\n  |\n1 | {\n  |  ^");
        let snippet = Snippet::new("a.json", "", 3, 9);
        assert_eq!(plain(&snippet), " --> a.json:3:9\n  |\n3 | \n  | ^");
    }

    #[test]
    fn of_a_long_line_only_the_part_around_the_place_is_shown() {
        let text = format!("[{}false]", "1,".repeat(100_000));
        let shown = plain(&Snippet::new("a.json", &text, 1, 200_002));
        assert!(
            shown.lines().all(|line| line.chars().count() <= 140),
            "{shown}"
        );
        let marker = shown.lines().last().unwrap().find('^').unwrap();
        let source = shown.lines().nth(2).unwrap();
        assert!(
            source
                .chars()
                .skip(marker)
                .collect::<String>()
                .starts_with("false")
        );
    }
}
