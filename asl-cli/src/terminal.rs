//! Text for people: colours, widths, stderr.
use anstyle::{AnsiColor, Color, Style};
use std::fmt::Write as _;
use std::io::{IsTerminal, Write as _};
use unicode_width::UnicodeWidthChar;

const fn colour(colour: AnsiColor) -> Style {
    Style::new().fg_color(Some(Color::Ansi(colour)))
}

/// Errors.
pub(crate) const ERROR: Style = colour(AnsiColor::BrightRed).bold();
/// Warnings.
pub(crate) const WARNING: Style = colour(AnsiColor::BrightYellow).bold();
/// Success.
pub(crate) const SUCCESS: Style = colour(AnsiColor::Green);
/// Hints.
pub(crate) const HINT: Style = colour(AnsiColor::Cyan);
/// Frames and line numbers.
pub(crate) const FRAME: Style = colour(AnsiColor::Blue).bold();
/// Emphasis.
pub(crate) const STRONG: Style = Style::new().bold();
/// Less important text.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// No terminal is narrower.
const NARROWEST: usize = 40;
/// Columns to use where stderr is no terminal, and `COLUMNS` does not say.
const DEFAULT_WIDTH: usize = 120;

/// Writes lines to stderr, without colours if it is not a terminal or `NO_COLOR` is set. Control characters in the text are
/// escaped, except our own colours.
pub(crate) fn error_line(text: &str) {
    // Nobody is left to tell where stderr is closed.
    let _ = writeln!(anstream::stderr().lock(), "{}", without_commands(text));
}

/// Writes a warning to stderr like [`error_line`].
pub(crate) fn warn(what: &str) {
    error_line(&format!("{WARNING}warning:{WARNING:#} {what}"));
}

/// Writes lines to stdout like [`error_line`]; a closed pipe is not an error.
pub(crate) fn print_lines(lines: &[impl AsRef<str>]) -> std::io::Result<()> {
    let mut stdout = anstream::stdout().lock();
    for line in lines {
        match writeln!(stdout, "{}", without_commands(line.as_ref())) {
            Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            written => written?,
        }
    }
    stdout.flush()
}

/// Control sequences of the styles above, and of their end.
const COLOURS: [&str; 8] = [
    "\u{1b}[0m",
    "\u{1b}[1m",
    "\u{1b}[2m",
    "\u{1b}[32m",
    "\u{1b}[34m",
    "\u{1b}[36m",
    "\u{1b}[91m",
    "\u{1b}[93m",
];

/// The text with nothing in it that a terminal takes for a command, but line feeds and our own colours.
fn without_commands(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(character) = rest.chars().next() {
        let colour = COLOURS.iter().find(|colour| rest.starts_with(**colour));
        let taken = match (character, colour) {
            (_, Some(colour)) => {
                shown.push_str(colour);
                colour.len()
            }
            ('\n', None) => {
                shown.push('\n');
                1
            }
            (other, None) => {
                shown.push(visible(other));
                other.len_utf8()
            }
        };
        rest = rest.get(taken..).unwrap_or_default();
    }
    shown
}

/// Returns a text for a terminal: on its lines, nothing that it takes for a command.
pub(crate) fn escape_controls(text: &str) -> String {
    let character = |character| match character {
        '\n' | '\t' => character,
        other => visible(other),
    };
    text.chars().map(character).collect()
}

/// Returns the text of some JSON for a terminal: the same value, with escapes for what it would take for a command.
pub(crate) fn escape_json(text: &str) -> String {
    let mut shown = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '\n' => shown.push('\n'),
            other if visible(other) != other => {
                let _ = write!(shown, "\\u{:04x}", u32::from(other));
            }
            other => shown.push(other),
        }
    }
    shown
}

/// Returns true if stderr is a terminal.
pub(crate) fn is_interactive() -> bool {
    std::io::stderr().is_terminal()
}

/// Columns of the terminal behind stderr.
pub(crate) fn width() -> usize {
    if !is_interactive() {
        return configured_width().unwrap_or(DEFAULT_WIDTH);
    }
    terminal_size::terminal_size_of(std::io::stderr()).map_or(DEFAULT_WIDTH, |(width, _)| {
        usize::from(width.0).max(NARROWEST)
    })
}

/// Columns of the terminal behind stdout.
pub(crate) fn output_width() -> usize {
    terminal_size::terminal_size_of(std::io::stdout())
        .map(|(width, _)| usize::from(width.0).max(NARROWEST))
        .or_else(configured_width)
        .unwrap_or(DEFAULT_WIDTH)
}

/// Returns the width from the environment, for output to a file or a pipe.
fn configured_width() -> Option<usize> {
    let columns = std::env::var("COLUMNS").ok()?.parse().ok()?;
    Some(NARROWEST.max(columns))
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

/// Returns a character that a terminal cannot take for a command.
pub(crate) fn visible(character: char) -> char {
    match character {
        '\t' | '\n' | '\r' => ' ',
        other if other.is_control() || is_direction(other) => '\u{FFFD}',
        other => other,
    }
}

/// Returns true if it changes the order in which a terminal shows characters: what is read need not be what is there.
fn is_direction(character: char) -> bool {
    matches!(
        character,
        '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
    )
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
pub(crate) fn count_noun(count: usize, noun: &str) -> String {
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
        for command in [
            "\u{1b}]0;title\u{7}",
            "\u{1b}[2J",
            "\u{9b}2J",
            "\u{202e}",
            "\u{2066}",
            "\r",
        ] {
            let line = without_commands(&format!("{ERROR}FAILED{ERROR:#} {command}\nnext"));
            let own = anstream::adapter::strip_str(&line).to_string();
            assert!(
                line.starts_with("\u{1b}[1m\u{1b}[91mFAILED\u{1b}[0m "),
                "{line:?}"
            );
            assert!(
                own.chars().all(|it| it == '\n' || visible(it) == it),
                "{own:?}"
            );
            assert!(!line.contains(command), "{line:?}");
        }
    }

    #[test]
    fn every_style_of_ours_passes() {
        for style in [ERROR, WARNING, SUCCESS, HINT, FRAME, STRONG, FAINT] {
            let text = format!("{style}text{style:#}");
            assert_eq!(without_commands(&text), text);
        }
    }

    #[test]
    fn json_is_escaped_and_stays_the_same_value() {
        let text = "[\"a\u{9b}b\u{202e}\u{7f}é\"]";
        let shown = escape_json(text);
        assert_eq!(shown, "[\"a\\u009bb\\u202e\\u007fé\"]");
        let value = |text| serde_json::from_str::<serde_json::Value>(text).unwrap();
        assert_eq!(value(&shown), value(text));
    }
}
