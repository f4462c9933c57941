//! Text for people: colours, widths, stderr.
use anstyle::{AnsiColor, Color, Style};
use std::io::{IsTerminal, Write};
use unicode_width::UnicodeWidthChar;

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

/// What went wrong.
pub(crate) const ERROR: Style = colour(AnsiColor::BrightRed).bold();
/// What may be wrong.
pub(crate) const WARNING: Style = colour(AnsiColor::BrightYellow).bold();
/// What went well.
pub(crate) const SUCCESS: Style = colour(AnsiColor::Green);
/// Hints.
pub(crate) const HINT: Style = colour(AnsiColor::Cyan);
/// Frames and line numbers.
pub(crate) const FRAME: Style = colour(AnsiColor::Blue).bold();
/// What matters.
pub(crate) const STRONG: Style = Style::new().bold();
/// What matters less.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// Columns to use where stderr is no terminal.
const DEFAULT_WIDTH: usize = 120;

/// Writes a line to stderr, without colours where it is no terminal or `NO_COLOR` is set.
pub(crate) fn error_line(text: &str) {
    // Nobody is left to tell where stderr is closed.
    let _ = writeln!(anstream::stderr().lock(), "{text}");
}

/// Whether stderr is a terminal.
pub(crate) fn is_interactive() -> bool {
    std::io::stderr().is_terminal()
}

/// Columns of the terminal behind stderr.
pub(crate) fn width() -> usize {
    if !is_interactive() {
        return DEFAULT_WIDTH;
    }
    terminal_size::terminal_size_of(std::io::stderr())
        .map_or(DEFAULT_WIDTH, |(width, _)| usize::from(width.0).max(40))
}

/// Columns that a character takes, as it is shown.
pub(crate) fn character_width(character: char) -> usize {
    visible(character).width().unwrap_or(1)
}

/// Columns that a text takes.
pub(crate) fn text_width(text: &str) -> usize {
    text.chars().map(character_width).sum()
}

/// `text` in at most `width` columns, its end replaced by `…` where it is longer.
pub(crate) fn truncate(text: &str, width: usize) -> String {
    let mut result = String::new();
    let mut used = 0;
    for character in text.chars() {
        used += character_width(character);
        if used > width {
            // What was written may fill the width to its end.
            while text_width(&result) + 1 > width && result.pop().is_some() {}
            result.push('…');
            break;
        }
        result.push(visible(character));
    }
    result
}

/// A character that a terminal cannot take for a command.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        other if other.is_control() => '\u{FFFD}',
        other => other,
    }
}

/// `A, B and 3 more`: the first always, and as many of the others as `width` columns hold.
pub(crate) fn listed(names: &[&str], width: usize) -> String {
    let whole: usize = names.iter().map(|name| text_width(name) + 2).sum();
    if whole <= width + 2 {
        return truncate(&names.join(", "), width);
    }
    let Some((first, others)) = names.split_first() else {
        return String::new();
    };
    let room = width.saturating_sub(" and 99 more".len());
    let mut text = truncate(first, width);
    let mut hidden = others.len();
    for name in others {
        if text_width(&text) + 2 + text_width(name) > room {
            break;
        }
        text.push_str(", ");
        text.push_str(&truncate(name, room));
        hidden -= 1;
    }
    match hidden {
        0 => text,
        _ => format!("{text} and {hidden} more"),
    }
}

/// `1 error`, `2 errors`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cut_at_columns_not_characters() {
        assert_eq!(truncate("abcdef", 6), "abcdef");
        assert_eq!(truncate("abcdef", 4), "abc…");
        assert_eq!(truncate("日本語", 6), "日本語");
        assert_eq!(truncate("日本語", 5), "日本…");
        assert_eq!(truncate("日本語", 4), "日…");
    }

    #[test]
    fn of_many_names_the_first_are_listed() {
        let names = ["Alpha", "Beta", "Gamma", "Delta"];
        assert_eq!(listed(&names, 40), "Alpha, Beta, Gamma, Delta");
        assert_eq!(listed(&names, 25), "Alpha, Beta, Gamma, Delta");
        assert_eq!(listed(&names, 24), "Alpha, Beta and 2 more");
        assert_eq!(listed(&names, 4), "Alp… and 3 more");
        assert_eq!(listed(&[], 10), "");
    }

    #[test]
    fn commands_to_the_terminal_do_not_pass() {
        assert_eq!(truncate("a\u{1b}[31m\tb", 20), "a\u{FFFD}[31m b");
    }
}
