//! The counts of one crate.
use super::source::{comments, doc_blocks, type_names};
use super::words::{count_stop_words, is_bare_participle, opens_with_clause};
use std::fmt;

/// Wording counts of a crate.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Doc blocks.
    blocks: usize,
    /// Doc blocks that open with a relative clause.
    clauses: usize,
    /// Words of the stop list, in comments and texts.
    stop_words: usize,
    /// Types.
    types: usize,
    /// Types that are named by a bare participle or adverb.
    participles: usize,
}

impl Counts {
    /// Counts the wording of a source file.
    pub(super) fn of_source(source: &str) -> Self {
        let blocks = doc_blocks(source);
        let types = type_names(source);
        Self {
            blocks: blocks.len(),
            clauses: blocks
                .iter()
                .filter(|block| opens_with_clause(block))
                .count(),
            stop_words: count_stop_words(&comments(source)),
            types: types.len(),
            participles: types.iter().filter(|name| is_bare_participle(name)).count(),
        }
    }

    /// Counts the wording of a text for readers.
    pub(super) fn of_text(text: &str) -> Self {
        Self {
            stop_words: count_stop_words(text),
            ..Self::default()
        }
    }

    /// Adds the counts of two texts.
    pub(super) fn add(self, other: Self) -> Self {
        Self {
            blocks: self.blocks + other.blocks,
            clauses: self.clauses + other.clauses,
            stop_words: self.stop_words + other.stop_words,
            types: self.types + other.types,
            participles: self.participles + other.participles,
        }
    }

    /// Describes each count that must not grow and did.
    pub(super) fn growth_since(self, before: Self) -> Vec<String> {
        let limited = [
            (
                "doc blocks that open with a relative clause",
                self.clauses,
                before.clauses,
            ),
            ("words of the stop list", self.stop_words, before.stop_words),
            (
                "types named by a participle",
                self.participles,
                before.participles,
            ),
        ];
        let grown = limited.into_iter().filter(|(_, now, before)| now > before);
        grown
            .map(|(what, now, before)| format!("{now} {what}, {before} before"))
            .collect()
    }

    /// Prints the counts as a row of the table.
    pub(super) fn row(self) -> String {
        let Self {
            blocks,
            clauses,
            stop_words,
            types,
            participles,
        } = self;
        format!("{blocks} {clauses} {stop_words} {types} {participles}")
    }

    /// Reads a row of the table.
    pub(super) fn parse(row: &str) -> Result<Self, String> {
        let numbers: Result<Vec<usize>, _> = row.split_whitespace().map(str::parse).collect();
        match numbers.as_deref() {
            Ok(&[blocks, clauses, stop_words, types, participles]) => Ok(Self {
                blocks,
                clauses,
                stop_words,
                types,
                participles,
            }),
            _ => Err(format!("expected five numbers, found {row:?}")),
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = |part: usize, whole: usize| 100.0 * part as f64 / whole.max(1) as f64;
        write!(
            formatter,
            "{:5} doc blocks, {:4} open with a clause ({:.1} %), {:4} stop words, {:4} types, {:3} participles ({:.1} %)",
            self.blocks,
            self.clauses,
            share(self.clauses, self.blocks),
            self.stop_words,
            self.types,
            self.participles,
            share(self.participles, self.types),
        )
    }
}
