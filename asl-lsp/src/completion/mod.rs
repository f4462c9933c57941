//! Completion at the cursor.

mod data;
mod fields;
mod queries;
mod services;
mod skeleton;
mod values;

use crate::analysis::Analysis;
use crate::outline::Role;
use crate::syntax::{Spot, Style, Word, encoded};
use crate::texts::Use;
use asl_services::Services;
use lsp_types::CompletionItemKind;
use std::ops::Range;

/// Something that could be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) label: String,
    pub(crate) kind: CompletionItemKind,
    /// In a few words behind it.
    pub(crate) detail: Option<String>,
    /// In Markdown.
    pub(crate) documentation: Option<String>,
    /// The snippet to insert, with `$` for placeholders.
    pub(crate) snippet: String,
    pub(crate) range: Range<usize>,
    /// Those that are likelier come first.
    pub(crate) rank: Use,
}

/// A text being completed, and its last complete version.
#[derive(Debug)]
pub(crate) struct Completion<'a> {
    analysis: &'a Analysis,
    sound: Option<&'a Analysis>,
    services: &'a Services,
    offset: usize,
}

/// Returns the candidates at a place, in no order.
pub(crate) fn complete(
    analysis: &Analysis,
    sound: Option<&Analysis>,
    services: &Services,
    offset: usize,
) -> Vec<Candidate> {
    let completion = Completion {
        analysis,
        sound,
        services,
        offset,
    };
    completion.candidates()
}

impl Completion<'_> {
    fn candidates(&self) -> Vec<Candidate> {
        let syntax = &self.analysis.syntax;
        let outline = self.analysis.outline();
        if syntax.text().trim().is_empty() {
            return self.skeletons();
        }
        let cursor = syntax.cursor(self.offset);
        match (cursor.spot, cursor.container) {
            (Spot::Name(word), Some(container)) => match outline.role(container) {
                Role::States => self.missing_states(container, &word),
                Role::Assign => self.assigned_names(container, &word),
                Role::Template => self.arguments(container, &word),
                _ => self.fields(container, &word),
            },
            (Spot::Value(word), container) => {
                let role = match (word.node, container) {
                    (Some(node), _) => outline.role(node),
                    (None, Some(container)) => outline.role(container).of_child(""),
                    (None, None) => Role::Outside,
                };
                let is_name_of_field = syntax.is_yaml()
                    && matches!(role, Role::Owner(_))
                    && word.style.is_none_or(|style| style == Style::Plain);
                match (is_name_of_field, word.node) {
                    (true, Some(node)) => self.fields(node, &Word { node: None, ..word }),
                    _ => self.values(role, container, &word),
                }
            }
            _ => Vec::new(),
        }
    }

    /// Returns a candidate that replaces a word with a string, quoted if necessary.
    fn text(&self, word: &Word, text: &str, kind: CompletionItemKind) -> Candidate {
        let syntax = &self.analysis.syntax;
        let is_json = !syntax.is_yaml() || self.is_in_json(word);
        let style = word.style.unwrap_or(match is_json {
            true => Style::Double,
            false => Style::Plain,
        });
        let has_quotes = matches!(word.style, Some(Style::Double | Style::Single));
        let quoted = || serde_json::Value::from(text).to_string();
        let written = match (style, has_quotes) {
            (Style::Double, false) => quoted(),
            // What a word without quotes begins is a text all the same.
            (Style::Plain, _) if is_json => quoted(),
            _ => encoded(text, style).unwrap_or_else(quoted),
        };
        Candidate {
            label: text.to_owned(),
            kind,
            detail: None,
            documentation: None,
            snippet: escaped(&written),
            range: word.range.clone(),
            rank: Use::Usual,
        }
    }

    /// Returns true if a place of a YAML text is in brackets, where JSON can stand.
    fn is_in_json(&self, word: &Word) -> bool {
        let syntax = &self.analysis.syntax;
        let container = syntax.cursor(self.offset).container.or(word.node);
        let node = container.and_then(|id| syntax.node(id));
        node.is_some_and(|node| {
            node.column.is_none() && syntax.slice(node.span.clone()).starts_with("{\"")
        })
    }
}

/// Returns a text as a snippet that says the same.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('$', "\\$")
        .replace('}', "\\}")
}

/// Returns a snippet as plain text: for clients that do not fill in.
pub(crate) fn without_places(snippet: &str) -> String {
    let mut text = String::with_capacity(snippet.len());
    let mut characters = snippet.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\\' => text.extend(characters.next()),
            '$' if characters.peek() == Some(&'{') => {
                characters.next();
                // `${1:text}`: the text.
                while characters.next_if(char::is_ascii_digit).is_some() {}
                characters.next_if_eq(&':');
                text.extend(characters.by_ref().take_while(|it| *it != '}'));
            }
            '$' => while characters.next_if(char::is_ascii_digit).is_some() {},
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests;
