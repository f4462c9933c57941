//! A line of a text with a marker under the place that matters.
use crate::terminal::{self, ERROR, FRAME, character_width, visible};
use anstyle::Style;
use asl_model::Position;
use asl_template::Place;
use std::fmt;

/// Starts of the lines of a text, and columns of long lines: computed once for any number of snippets.
#[derive(Debug)]
pub(crate) struct Lines<'t> {
    text: &'t str,
    /// Start of each line, and its first mark.
    lines: Vec<(usize, usize)>,
    /// Byte offsets of every so many characters of a line.
    marks: Vec<usize>,
}

/// Characters from one mark to the next.
const MARKED: usize = 1_024;

impl<'t> Lines<'t> {
    /// Reads a text.
    pub(crate) fn new(text: &'t str) -> Self {
        let mut lines = Self {
            text,
            lines: Vec::new(),
            marks: Vec::new(),
        };
        let mut column = 0;
        for (offset, character) in text.char_indices().chain([(text.len(), '\n')]) {
            if column == 0 {
                lines.lines.push((offset, lines.marks.len()));
            }
            if column % MARKED == 0 {
                lines.marks.push(offset);
            }
            column = if character == '\n' { 0 } else { column + 1 };
        }
        lines
    }

    /// Returns a one-based line from a character on, or from a few before it; how many characters there are before.
    fn from(&self, line: usize, character: usize) -> (&'t str, usize) {
        let index = line.saturating_sub(1);
        let Some((_, first_mark)) = self.lines.get(index) else {
            return ("", 0);
        };
        let end = match self.lines.get(index + 1) {
            Some((next, _)) => next - 1,
            None => self.text.len(),
        };
        let mark = first_mark + character / MARKED;
        let start = self.marks.get(mark).filter(|start| **start <= end);
        let text = start.and_then(|start| self.text.get(*start..end));
        let text = text.unwrap_or("");
        (
            text.strip_suffix('\r').unwrap_or(text),
            character / MARKED * MARKED,
        )
    }
}

/// A place in a text, shown with its line.
#[derive(Debug)]
pub(crate) struct Snippet<'t> {
    name: &'t str,
    line: usize,
    column: usize,
    /// The line, from a character before the column on.
    text: &'t str,
    /// Characters of the line before.
    before: usize,
    style: Style,
}

impl<'t> Snippet<'t> {
    /// Creates a place in `text`, one-based, columns in characters.
    pub(crate) fn new(name: &'t str, text: &'t str, line: usize, column: usize) -> Self {
        Self::in_lines(name, &Lines::new(text), line, column)
    }

    /// A place in a text of which several are shown.
    pub(crate) fn in_lines(name: &'t str, lines: &Lines<'t>, line: usize, column: usize) -> Self {
        let (text, before) = lines.from(line, column.saturating_sub(2 * MARKED));
        Self {
            name,
            line,
            column,
            text,
            before,
            style: ERROR,
        }
    }

    /// Creates a snippet at a place in a file. It reads only a part of the line.
    pub(crate) fn at_place(name: &'t str, place: Place<'t>) -> Self {
        let Position { line, column } = place.position();
        let before = column.saturating_sub(2 * MARKED + 1);
        let start = place.file.offset(Position {
            line,
            column: before + 1,
        });
        let rest = place.file.text().get(start..).unwrap_or_default();
        let end = rest
            .char_indices()
            .take(4 * MARKED)
            .find(|(_, character)| *character == '\n');
        let most = || {
            rest.char_indices()
                .nth(4 * MARKED)
                .map_or(rest.len(), |(at, _)| at)
        };
        let text = rest
            .get(..end.map_or_else(most, |(at, _)| at))
            .unwrap_or_default();
        Self {
            name,
            line,
            column,
            text: text.strip_suffix('\r').unwrap_or(text),
            before,
            style: ERROR,
        }
    }

    /// Returns its marker in another style.
    pub(crate) fn with_style(mut self, style: Style) -> Self {
        self.style = style;
        self
    }

    /// Returns the part of the line around the column that fits, and how many characters before it are left out.
    fn window(&self, width: usize) -> (Vec<char>, usize) {
        let wanted = self.column.saturating_sub(1);
        let start = wanted.saturating_sub(width * 2 / 3);
        // A little context before the place is enough where the line is long.
        let start = if wanted < width { 0 } else { start };
        let start = start.max(self.before);
        let shown = self.text.chars().skip(start - self.before);
        (shown.take(width).collect(), start)
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
        let marker = "^".repeat(token_width(&shown[..at], &shown[at..]));
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

/// Columns of the string, variable, path, word or sign that begins here.
fn token_width(before: &[char], rest: &[char]) -> usize {
    let length = match rest.first() {
        Some(c) if is_word(*c) && is_value(before) => rest
            .iter()
            .take_while(|c| is_word(**c) || **c == '/')
            .count(),
        Some('"') => string_length(rest),
        Some('$') => 1 + rest[1..].iter().take_while(|c| is_word(**c)).count(),
        Some(c) if is_word(*c) => rest.iter().take_while(|c| is_word(**c)).count(),
        _ => 1,
    };
    let columns = rest.iter().take(length).copied().map(character_width);
    columns.sum::<usize>().max(1)
}

/// Returns true before a value of YAML, `key: value` or `- value`, which may be the name of a file.
fn is_value(before: &[char]) -> bool {
    matches!(before, [.., ':' | '-', ' '])
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
    fn a_place_in_a_file_is_shown_as_one_in_a_text() {
        let text = format!("a\r\n{} x\r\n", "é".repeat(9_000));
        let file = asl_template::File::new("f", text.as_str());
        for (line, column) in [(1, 1), (2, 1), (2, 5_000), (2, 9_002), (3, 1)] {
            let offset = file.offset(Position { line, column });
            let place = Place {
                file: &file,
                offset,
            };
            let shown = plain(&Snippet::at_place("f", place));
            assert_eq!(shown, plain(&Snippet::new("f", &text, line, column)));
        }
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
    fn lines_end_as_texts_have_them() {
        let lines = Lines::new("a\r\n\nbc");
        let text = |line| lines.from(line, 0).0;
        assert_eq!([1, 2, 3, 4].map(text), ["a", "", "bc", ""]);
        assert_eq!(Lines::new("").from(1, 0), ("", 0));
        let long = format!("x\n{}", "é".repeat(3_000));
        let (rest, before) = Lines::new(&long).from(2, 2_500);
        assert_eq!((rest.chars().count(), before), (952, 2_048));
        assert_eq!(Lines::new(&long).from(2, 9_000).0, "");
    }

    /// The text is read once, and not again for each place.
    #[test]
    fn many_places_are_shown_in_linear_time() {
        let took = |places: usize| {
            let began = std::time::Instant::now();
            for text in ["{ \"a\": 1 }\n".repeat(places), "1, ".repeat(5 * places)] {
                let lines = Lines::new(&text);
                for place in 0..places {
                    let (line, column) = match lines.lines.len() > 2 {
                        true => (place + 1, 3),
                        false => (1, 15 * place + 1),
                    };
                    drop(Snippet::in_lines("a.json", &lines, line, column).to_string());
                }
            }
            began.elapsed()
        };
        let (few, many) = (took(2_500), took(20_000));
        // Eight times as many: sixty-four times as long where each was looked for anew.
        assert!(many < 32 * few, "{few:?}, then {many:?}");
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
