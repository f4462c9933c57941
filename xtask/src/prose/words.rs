//! Wording that is counted.

/// Words that open a relative clause.
const RELATIVE_WORDS: [&str; 12] = [
    "What", "Whether", "How", "Where", "Who", "Why", "When", "Which", "Whose", "Whoever",
    "Whatever", "Wherever",
];

/// Words and phrases that stand for a more exact term.
const STOP_LIST: [&str; 40] = [
    "told",
    "tell",
    "tells",
    "telling",
    "nobody",
    "whoever",
    "whatever",
    "asked for",
    "asks for",
    "ask for",
    "let go",
    "lets go",
    "take up",
    "takes up",
    "taken up",
    "go on",
    "goes on",
    "going on",
    "stand in",
    "stands in",
    "what is",
    "what are",
    "what was",
    "what it",
    "what they",
    "what came",
    "where it",
    "where they",
    "where one",
    "where there",
    "is none",
    "mend",
    "mends",
    "mended",
    "hand on",
    "hands on",
    "handed on",
    "likewise",
    "beside",
    "somebody",
];

/// Participles and adverbs that do not end in -ed.
const IRREGULAR: [&str; 33] = [
    "Told",
    "Came",
    "Found",
    "Kept",
    "Held",
    "Made",
    "Begun",
    "Left",
    "Gone",
    "Done",
    "Lost",
    "Sent",
    "Known",
    "Seen",
    "Given",
    "Taken",
    "Written",
    "Drawn",
    "About",
    "Outside",
    "Inside",
    "Afterwards",
    "Beyond",
    "Beside",
    "Above",
    "Below",
    "Before",
    "After",
    "Built",
    "Chosen",
    "Met",
    "Spent",
    "Within",
];

/// Nouns that end in -ed.
const NOUNS: [&str; 5] = ["Seed", "Feed", "Speed", "Need", "Embed"];

/// Returns true if the first word of a doc block opens a relative clause.
pub(super) fn opens_with_clause(block: &str) -> bool {
    let first = block.split(|it: char| !it.is_alphanumeric()).next();
    first.is_some_and(|word| RELATIVE_WORDS.contains(&word))
}

/// Counts the words and phrases of the stop list in a text.
pub(super) fn count_stop_words(text: &str) -> usize {
    let words: Vec<String> = text
        .split(|it: char| !it.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let single = words.iter().map(String::as_str);
    let pairs = words.windows(2).map(|pair| pair.join(" "));
    single.filter(|word| STOP_LIST.contains(word)).count()
        + pairs
            .filter(|pair| STOP_LIST.contains(&pair.as_str()))
            .count()
}

/// Returns true if a type's name is one word that is a participle or an adverb.
pub(super) fn is_bare_participle(name: &str) -> bool {
    let one_word = name.chars().filter(|it| it.is_uppercase()).count() == 1;
    let participle = name.ends_with("ed") && !NOUNS.contains(&name);
    one_word && (participle || IRREGULAR.contains(&name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clauses_are_known_by_their_first_word() {
        assert!(opens_with_clause("What a state does."));
        assert!(opens_with_clause("Whether, if at all, it ends."));
        assert!(!opens_with_clause("Whatsit: a thing."));
        assert!(!opens_with_clause("Returns what a state does."));
    }

    #[test]
    fn stop_words_are_whole_words_across_lines() {
        assert_eq!(count_stop_words("It is told\nto let\ngo of a teller."), 2);
        assert_eq!(count_stop_words("Mended; amended."), 1);
    }

    #[test]
    fn participles_are_single_words() {
        for name in ["Told", "Inspected", "Beyond"] {
            assert!(is_bare_participle(name), "{name}");
        }
        for name in ["ToldState", "Seed", "Feed", "Speed", "Need"] {
            assert!(!is_bare_participle(name), "{name}");
        }
    }
}
