//! Regular expressions, matched in time that grows with the text only.
mod members;
mod patterns;
mod translate;
mod translator;

pub use patterns::Patterns;

use crate::ParseError;
use crate::evaluate::{Evaluation, Outcome, failure};
use crate::syntax::RegexLiteral;
use regex_automata::hybrid::LazyStateID;
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::pikevm::PikeVM;
use regex_automata::nfa::thompson::{self, NFA};
use regex_automata::util::pool::Pool;
use regex_automata::{Anchored, Input, meta};
use std::fmt;
use std::panic::{RefUnwindSafe, UnwindSafe};

type MakeCaches = Box<dyn Fn() -> Caches + Send + Sync + UnwindSafe + RefUnwindSafe>;

/// A regular expression that is ready to be matched.
///
/// A match is found in two passes. The first one, over an automaton, finds where it ends; it pays for each byte that it reads, since it may read on for long
/// to find a longer match. The second one finds the groups between there and where the search began, and pays for the ends of groups that it copies.
pub(crate) struct Pattern {
    /// As it is written.
    literal: RegexLiteral,
    /// Number of states of the automaton: the maximum cost per byte.
    states: usize,
    /// The number of group ends that a state keeps in the second pass.
    slots: usize,
    ends: DFA,
    groups: meta::Regex,
    caches: Pool<Caches, MakeCaches>,
}

/// Caches of the matcher.
struct Caches {
    ends: Cache,
    groups: meta::Cache,
}

impl Caches {
    fn new(ends: &DFA, groups: &meta::Regex) -> Self {
        Self {
            ends: ends.create_cache(),
            groups: groups.create_cache(),
        }
    }

    /// Drops large caches.
    fn shrink(&mut self, pattern: &Pattern) {
        if self.ends.memory_usage() + self.groups.memory_usage() > KEPT_CACHE {
            *self = Self::new(&pattern.ends, &pattern.groups);
        }
    }
}

/// The positions of a match and its groups, in bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct RegexMatch {
    pub(super) start: usize,
    pub(super) end: usize,
    /// None for each group that took no part in the match.
    pub(super) groups: Vec<Option<(usize, usize)>>,
}

/// Maximum size of the compiled form of an expression, in bytes.
const SIZE_LIMIT: usize = 1 << 20;

/// Size of the cache that is kept after a match, in bytes.
const KEPT_CACHE: usize = 64 << 10;

/// Ends of groups that the second pass may keep for all states together, with 16 bytes for each.
const MOST_SLOTS: usize = 1 << 20;

/// States looked at for one step.
const STATES_PER_STEP: usize = 64;

/// Bytes read between two payments.
const BYTES_PER_PAYMENT: usize = 64;

impl Pattern {
    /// Compiles a literal.
    ///
    /// # Errors
    ///
    /// It is no regular expression of JavaScript, uses look-around or references to groups, or becomes too large.
    fn compile(literal: &RegexLiteral) -> Result<Self, Refusal> {
        let text = translate::translated(literal).map_err(Refusal::Invalid)?;
        let nfa = NFA::compiler()
            .configure(thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT)))
            .build(&text)
            .map_err(|error| match error.size_limit() {
                Some(_) => Refusal::TooLarge,
                None => Refusal::invalid(&error),
            })?;
        let groups = meta::Regex::new(&text).map_err(|error| Refusal::invalid(&error))?;
        let (states, slots) = states_and_slots(&nfa).ok_or(Refusal::TooManyGroups)?;
        let ends = DFA::builder()
            .configure(DFA::config().skip_cache_capacity_check(true))
            .build_from_nfa(nfa)
            .map_err(|error| Refusal::invalid(&error))?;
        let (automaton, regex) = (ends.clone(), groups.clone());
        let make: MakeCaches = Box::new(move || Caches::new(&automaton, &regex));
        Ok(Self {
            literal: literal.clone(),
            states,
            slots,
            ends,
            groups,
            caches: Pool::new(make),
        })
    }

    /// Returns the size of the compiled form in bytes.
    fn size(&self) -> usize {
        self.ends.get_nfa().memory_usage() + self.groups.memory_usage()
    }

    /// As it is written.
    #[cfg(test)]
    pub(crate) fn literal(&self) -> &RegexLiteral {
        &self.literal
    }

    /// Returns the first match in a text from a position on.
    pub(super) fn find(
        &self,
        evaluation: &mut Evaluation<'_, '_>,
        text: &str,
        from: usize,
    ) -> Outcome<Option<RegexMatch>> {
        let mut caches = self.caches.get();
        let found = self.find_with(&mut caches, evaluation, text, from);
        caches.shrink(self);
        found
    }

    fn find_with(
        &self,
        caches: &mut Caches,
        evaluation: &mut Evaluation<'_, '_>,
        text: &str,
        mut from: usize,
    ) -> Outcome<Option<RegexMatch>> {
        loop {
            let Some(end) = self.end(&mut caches.ends, evaluation, text, from)? else {
                return Ok(None);
            };
            pay_groups(evaluation, end - from, self.states, self.slots)?;
            let mut captures = self.groups.create_captures();
            let input = Input::new(text).range(from..end);
            self.groups
                .search_captures_with(&mut caches.groups, &input, &mut captures);
            if let Some(found) = captures.get_match() {
                let groups = 1..captures.group_len();
                let range = |group| captures.get_group(group).map(|span| (span.start, span.end));
                return Ok(Some(RegexMatch {
                    start: found.start(),
                    end: found.end(),
                    groups: groups.map(range).collect(),
                }));
            }
            // It was between the bytes of a character.
            match (end + 1..=text.len()).find(|at| text.is_char_boundary(*at)) {
                Some(next) => from = next,
                None => return Ok(None),
            }
        }
    }

    /// Returns the end of the first match from a position on.
    fn end(
        &self,
        cache: &mut Cache,
        evaluation: &mut Evaluation<'_, '_>,
        text: &str,
        from: usize,
    ) -> Outcome<Option<usize>> {
        let input = Input::new(text).range(from..);
        let mut state = self
            .ends
            .start_state_forward(cache, &input)
            .map_err(|error| unmatchable(&error))?;
        let mut end = None;
        let mut at = from;
        let rest = text.as_bytes().get(from..).unwrap_or_default();
        for bytes in rest.chunks(BYTES_PER_PAYMENT) {
            self.pay(evaluation, bytes.len())?;
            for byte in bytes {
                state = self
                    .ends
                    .next_state(cache, state, *byte)
                    .map_err(|error| unmatchable(&error))?;
                if state.is_tagged() {
                    if state.is_match() {
                        end = Some(at);
                    } else if is_last(state) {
                        return Ok(end);
                    }
                }
                at += 1;
            }
        }
        state = self
            .ends
            .next_eoi_state(cache, state)
            .map_err(|error| unmatchable(&error))?;
        Ok(if state.is_match() { Some(at) } else { end })
    }

    fn pay(&self, evaluation: &mut Evaluation<'_, '_>, bytes: usize) -> Outcome<()> {
        evaluation.charge_steps(bytes.saturating_mul(self.states) / STATES_PER_STEP + 1)
    }
}

/// Number of states of an automaton, and of the ends of groups that each keeps; None if these are too many together.
fn states_and_slots(nfa: &NFA) -> Option<(usize, usize)> {
    let (states, slots) = (nfa.states().len(), nfa.group_info().slot_len());
    (states.saturating_mul(slots) <= MOST_SLOTS).then_some((states, slots))
}

/// Pays for finding groups in so many bytes. For each byte all states may be looked at, each with its own ends of groups.
fn pay_groups(
    evaluation: &mut Evaluation<'_, '_>,
    bytes: usize,
    states: usize,
    slots: usize,
) -> Outcome<()> {
    const SLOTS_PER_STATE: usize = 4;
    let weight = states.saturating_mul(1 + slots / SLOTS_PER_STATE);
    // What remembers the ends is cleared before each search.
    let looked_at = bytes.saturating_add(1).saturating_mul(weight);
    evaluation.charge_steps(looked_at / STATES_PER_STEP + 1)
}

/// The groups of a pattern that matches a whole text; `pattern` is in the syntax of Rust's regular expressions.
///
/// # Errors
///
/// It takes too many steps. The inner error: the pattern is too large.
pub(in crate::functions) fn groups_of_whole<'t>(
    evaluation: &mut Evaluation<'_, '_>,
    pattern: &str,
    text: &'t str,
) -> Outcome<Result<Option<Vec<&'t str>>, TooLarge>> {
    let config = thompson::Config::new().nfa_size_limit(Some(SIZE_LIMIT));
    let Ok(nfa) = NFA::compiler().configure(config).build(pattern) else {
        return Ok(Err(TooLarge));
    };
    let Some((states, slots)) = states_and_slots(&nfa) else {
        return Ok(Err(TooLarge));
    };
    pay_groups(evaluation, text.len(), states, slots)?;
    let Ok(machine) = PikeVM::new_from_nfa(nfa) else {
        return Ok(Err(TooLarge));
    };
    let mut captures = machine.create_captures();
    let input = Input::new(text).anchored(Anchored::Yes);
    machine.captures(&mut machine.create_cache(), input, &mut captures);
    let is_whole = captures
        .get_group(0)
        .is_some_and(|all| all.end == text.len());
    let groups = (1..captures.group_len()).map(|group| {
        let span = captures.get_group(group);
        span.and_then(|span| text.get(span.start..span.end))
            .unwrap_or_default()
    });
    Ok(Ok(is_whole.then(|| groups.collect())))
}

/// A pattern that would take too much memory.
pub(in crate::functions) struct TooLarge;

/// Reasons why a literal is not compiled.
enum Refusal {
    Invalid(String),
    TooLarge,
    TooManyGroups,
}

impl Refusal {
    fn invalid(error: &dyn fmt::Display) -> Self {
        Self::Invalid(error.to_string())
    }

    fn into_error(self, literal: &RegexLiteral) -> ParseError {
        let reason = match self {
            Self::Invalid(reason) => reason,
            Self::TooLarge => {
                format!("it is too large: compiled it has more than {SIZE_LIMIT} bytes")
            }
            Self::TooManyGroups => "it has too many groups for its length".to_owned(),
        };
        ParseError {
            // The reference passes on the error of the JavaScript engine, which has no code.
            code: "S0303",
            message: format!("Invalid regular expression: {literal}: {reason}"),
            position: 0,
        }
    }
}

/// Nothing can follow.
fn is_last(state: LazyStateID) -> bool {
    state.is_dead() || state.is_quit()
}

/// The automaton gives up only if it is configured to, which it is not.
fn unmatchable(error: &dyn fmt::Display) -> Box<crate::EvaluationError> {
    failure(
        "D3000",
        format!("the regular expression cannot be matched: {error}"),
    )
}

/// `/pattern/flags`.
impl PartialEq for Pattern {
    fn eq(&self, other: &Self) -> bool {
        self.literal == other.literal
    }
}

impl fmt::Debug for Pattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Pattern").field(&self.literal).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn compiled(pattern: &str) -> Result<Pattern, String> {
        let literal = RegexLiteral {
            pattern: pattern.into(),
            ignore_case: false,
            multiline: false,
        };
        Pattern::compile(&literal).map_err(|refusal| refusal.into_error(&literal).to_string())
    }

    #[test]
    fn what_javascript_refuses_is_refused_in_its_words() {
        for (pattern, reason) in [
            ("(", "Unterminated group"),
            (")", "Unmatched ')'"),
            ("[a", "Unterminated character class"),
            ("a\\", "\\ at end of pattern"),
            ("*", "Nothing to repeat"),
            ("a**", "Nothing to repeat"),
            ("^*", "Nothing to repeat"),
            ("\\b+", "Nothing to repeat"),
            ("a{2,1}", "numbers out of order in {} quantifier"),
            ("[b-a]", "Range out of order in character class"),
            ("(?<1>a)", "Invalid capture group name"),
            ("(?i:a)", "Invalid group"),
        ] {
            let expected = format!("S0303: Invalid regular expression: /{pattern}/: {reason}");
            assert_eq!(compiled(pattern).err(), Some(expected));
        }
    }

    #[test]
    fn what_needs_more_than_linear_time_is_refused() {
        for (pattern, reason) in [
            ("a(?=b)", "look-ahead is not supported"),
            ("a(?!b)", "look-ahead is not supported"),
            ("(?<=a)b", "look-behind is not supported"),
            ("(?<!a)b", "look-behind is not supported"),
            ("(a)\\1", "references to groups are not supported"),
            ("(?<n>a)\\k<n>", "references to groups are not supported"),
            ("\\uD800", "half of a surrogate pair is not supported"),
        ] {
            let expected = format!("S0303: Invalid regular expression: /{pattern}/: {reason}");
            assert_eq!(compiled(pattern).err(), Some(expected));
        }
    }

    #[test]
    fn a_large_expression_is_refused() {
        let error = compiled("((a{100}){100}){100}").unwrap_err();
        assert!(error.contains("it is too large"), "{error}");
        assert!(compiled("a{1000}").is_ok());
        assert!(compiled("a{99999999999999999999}").is_err());
        let error = compiled(&"(a?)".repeat(700)).unwrap_err();
        assert!(error.contains("too many groups"), "{error}");
        assert!(compiled(&"(a?)".repeat(200)).is_ok());
    }

    proptest! {
        #[test]
        fn any_pattern_is_compiled_or_refused(
            pattern in "([a-z(){}\\[\\]|*+?^$.,:<>=!0-9-]|\\\\[a-zA-Z0-9/.]|\\\\u[dD]8[0-9a-f]{2}|é|😀)*",
            ignore_case in any::<bool>(),
            multiline in any::<bool>(),
        ) {
            let literal = RegexLiteral { pattern: pattern.into(), ignore_case, multiline };
            match translate::translated(&literal) {
                // What is translated is an expression, if it is not too large.
                Ok(text) => {
                    let built = meta::Regex::new(&text);
                    prop_assert!(built.is_ok() || text.contains('{'), "{} becomes {}", literal.pattern, text);
                }
                Err(reason) => prop_assert!(!reason.is_empty()),
            }
        }
    }
}
