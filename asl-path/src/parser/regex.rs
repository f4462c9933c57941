//! Compiled regular expressions: those of Java that need no backtracking, matched in linear time.

use crate::PatternBudget;
use regex_automata::meta;
pub(crate) use regex_automata::meta::Regex;
use regex_automata::nfa::thompson::{self, NFA};
use regex_automata::util::syntax;
use std::error::Error;

/// Maximum size of the compiled form of a pattern, in bytes.
const SIZE_LIMIT: usize = 1 << 20;

/// Maximum cache of one automaton of a pattern, in bytes. There are two automata.
const CACHE: usize = 64 << 10;

/// Jayway asks whether the pattern matches a text from its beginning to its end. Gives the number of states too.
pub(super) fn compile(
    text: &str,
    flags: &str,
    budget: &PatternBudget,
) -> Result<(Regex, usize), String> {
    budget.charge(2 * CACHE)?;
    let text = if flags.contains('U') {
        text.to_owned()
    } else {
        ascii_classes(text)
    };
    // Compiled alone first: a stray parenthesis must not close the group put around it.
    let automaton = NFA::compiler()
        .configure(thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT)))
        .syntax(syntax(flags))
        .build(&text)
        .map_err(|error| match error.size_limit() {
            Some(_) => too_large(budget),
            None => reason(&error),
        })?;
    // A comment would swallow what follows it on the line.
    let end = if flags.contains('x') { "\n)" } else { ")" };
    let regex = Regex::builder()
        .configure(meta::Config::new().hybrid_cache_capacity(CACHE))
        .syntax(syntax(flags))
        .build(&format!(r"\A(?:{text}{end}\z"))
        .map_err(|error| reason(&error))?;
    budget.charge(regex.memory_usage())?;
    Ok((regex, automaton.states().len()))
}

fn syntax(flags: &str) -> syntax::Config {
    syntax::Config::new()
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .dot_matches_new_line(flags.contains('s'))
        .ignore_whitespace(flags.contains('x'))
}

/// Finding that out took its time too.
fn too_large(budget: &PatternBudget) -> String {
    match budget.charge(SIZE_LIMIT) {
        Ok(()) => format!("it is too large: compiled it has more than {SIZE_LIMIT} bytes"),
        Err(used_up) => used_up,
    }
}

/// In Java `\d`, `\w` and `\s` stand for ASCII characters.
fn ascii_classes(text: &str) -> String {
    let mut translated = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        if character != '\\' {
            translated.push(character);
            continue;
        }
        match characters.next() {
            Some('d') => translated.push_str("[0-9]"),
            Some('D') => translated.push_str("[^0-9]"),
            Some('w') => translated.push_str("[0-9A-Za-z_]"),
            Some('W') => translated.push_str("[^0-9A-Za-z_]"),
            Some('s') => translated.push_str(r"[\t\n\x0B\f\r ]"),
            Some('S') => translated.push_str(r"[^\t\n\x0B\f\r ]"),
            other => {
                translated.push('\\');
                translated.extend(other);
            }
        }
    }
    translated
}

/// Returns the last line of the first cause's message, which is the reason.
fn reason(error: &(dyn Error + 'static)) -> String {
    let causes = std::iter::successors(Some(error), |error| (*error).source());
    let text = causes.last().map(ToString::to_string).unwrap_or_default();
    let line = text.lines().last().unwrap_or_default().trim();
    line.strip_prefix("error: ").unwrap_or(line).to_owned()
}
