//! Explanations of rules for readers.
use crate::{Lint, ignores};
use asl_model::DiagnosticRule;
use asl_template::FindingCode;

/// An explanation of a rule: Markdown, with a definition that breaks the rule, and the fixed definition.
///
/// ```
/// let explanation = asl_lint::explanation("unknown-target").unwrap();
/// assert!(explanation.text().starts_with("# unknown-target\n"));
/// assert_eq!(explanation.rule().code().unwrap().as_str(), "MISSING_TRANSITION_TARGET");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Explanation {
    rule: DiagnosticRule,
    text: &'static str,
}

impl Explanation {
    /// Returns the rule.
    pub fn rule(self) -> DiagnosticRule {
        self.rule
    }

    /// Returns the text.
    pub fn text(self) -> &'static str {
        self.text
    }

    /// Returns its first sentence.
    pub fn summary(self) -> &'static str {
        let paragraphs = self.text.split("\n\n");
        paragraphs.map(str::trim).nth(1).unwrap_or_default()
    }
}

/// The texts by the names of their rules.
macro_rules! texts {
    ($($name:literal)*) => {
        const TEXTS: &[(&str, &str)] =
            &[$(($name, include_str!(concat!("../explanations/", $name, ".md")))),*];
    };
}

texts! {
    "catch-never-matches"
    "choice-without-default"
    "conflicting-fields"
    "definition-elsewhere"
    "definition-too-long"
    "duplicate-field"
    "duplicate-label"
    "duplicate-state-name"
    "duplicate-variable"
    "empty-definition"
    "empty-value"
    "endless-loop"
    "field-of-other-language"
    "half-open-jsonata"
    "heartbeat-too-long"
    "impossible-path"
    "intrinsic-always-fails"
    "invalid-choice-rule"
    "invalid-items-pointer"
    "invalid-jsonata"
    "invalid-label"
    "invalid-path"
    "invalid-reference"
    "invalid-reference-path"
    "invalid-resource"
    "invalid-state-name"
    "invalid-timestamp"
    "invalid-variable-name"
    "label-of-inline-map"
    "left-placeholder"
    "literal-root"
    "map-over-no-array"
    "missing-argument"
    "missing-arguments"
    "missing-definition"
    "missing-dollar"
    "missing-field"
    "missing-path"
    "missing-task-token"
    "no-terminal-state"
    "not-an-object"
    "not-in-express"
    "out-of-range"
    "path-always-fails"
    "pattern-always-fails"
    "payload-risk"
    "query-language-turned-back"
    "reserved-variable-name"
    "resource-not-of-service"
    "shadowed-choice-rule"
    "shadowed-retrier"
    "static-result"
    "sync-of-sdk-action"
    "template-expression"
    "template-names-collide"
    "timeout-beyond-machine"
    "too-deeply-nested"
    "too-many-faults"
    "undefined-variable"
    "unknown-argument"
    "unknown-argument-value"
    "unknown-error-name"
    "unknown-field"
    "unknown-ignore"
    "unknown-integration"
    "unknown-sdk-action"
    "unknown-sdk-service"
    "unknown-target"
    "unknown-word"
    "unlimited-batches"
    "unreachable-state"
    "unreadable-template"
    "unreadable-text"
    "unreplaced-placeholder"
    "unsupported-jsonata"
    "unused-variable"
    "wildcard-not-last"
    "wrong-argument-type"
    "wrong-type"
    "yaml-1-1-scalar"
}

/// Returns the rules that have an explanation, by their names: those of definitions, of lints, and of templates.
pub fn explanations() -> impl Iterator<Item = Explanation> {
    TEXTS.iter().map(|(name, text)| Explanation {
        rule: rule(name),
        text,
    })
}

/// Returns the explanation of the rule with this name.
pub fn explanation(name: &str) -> Option<Explanation> {
    explanations().find(|one| one.rule.name() == name)
}

/// Returns the rules by whose faults the service reports this code.
///
/// ```
/// let names: Vec<&str> = asl_lint::rules_of_code("MISSING_TRANSITION_TARGET").map(|rule| rule.name()).collect();
/// assert_eq!(names, ["unknown-target", "unreachable-state"]);
/// ```
pub fn rules_of_code(code: &str) -> impl Iterator<Item = DiagnosticRule> {
    let is_meant = move |rule: &DiagnosticRule| rule.code().is_some_and(|it| it.as_str() == code);
    DiagnosticRule::ALL.iter().copied().filter(is_meant)
}

/// Returns all rules that there are: those of definitions, of lints, of comments, and of templates.
///
/// ```
/// assert!(asl_lint::rules().any(|rule| rule.name() == "definition-elsewhere"));
/// ```
pub fn rules() -> impl Iterator<Item = DiagnosticRule> {
    let lints = Lint::ALL.iter().map(|lint| lint.rule);
    let templates = FindingCode::ALL.iter().map(|code| code.rule());
    let templates = templates.filter(|rule| !DiagnosticRule::ALL.contains(rule));
    let all = DiagnosticRule::ALL.iter().copied().chain(lints);
    all.chain([ignores::RULE]).chain(templates)
}

/// Returns the rule with this name, and the service's code if it has one.
fn rule(name: &'static str) -> DiagnosticRule {
    let known = rules().find(|rule| rule.name() == name);
    known.unwrap_or(DiagnosticRule::lint(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use asl_model::{Options, Placeholders, Profile, StateMachineType};

    /// Returns the blocks of a kind in a text: the text next to the kind, and the content.
    fn blocks(text: &str) -> Vec<(&str, &str)> {
        let parts = text.split("```").skip(1).step_by(2);
        let blocks = parts.filter_map(|part| part.split_once('\n'));
        let json =
            blocks.filter_map(|(head, body)| Some((head.strip_prefix("json")?.trim(), body)));
        json.collect()
    }

    fn options(words: &str) -> Options {
        let mut options = Options::default();
        for word in words.split_whitespace() {
            match word {
                "express" => options.state_machine_type = StateMachineType::Express,
                "run" => options.placeholders = Placeholders::Left,
                "spec" => options.profile = Profile::Spec,
                word => panic!("unknown word {word}"),
            }
        }
        options
    }

    #[test]
    fn every_rule_has_an_explanation() {
        let has_none = |rule: &DiagnosticRule| explanation(rule.name()).is_none();
        let without: Vec<&str> = rules().filter(has_none).map(DiagnosticRule::name).collect();
        assert_eq!(without, [""; 0]);
    }

    #[test]
    fn every_example_breaks_its_rule_and_is_mended() {
        let mut wrong = Vec::new();
        for explanation in explanations() {
            let name = explanation.rule().name();
            let text = explanation.text();
            assert!(text.starts_with(&format!("# {name}\n\n")), "{name}");
            assert!(!explanation.summary().is_empty(), "{name}");
            let rules = |(words, definition): (&str, &str)| -> Vec<&str> {
                let found = check(definition, options(words));
                found.iter().map(|one| one.rule.name()).collect()
            };
            match blocks(text).as_slice() {
                // Of templates, and of what is too long to show.
                [] => {}
                [broken, mended] => {
                    let found = (rules(*broken), rules(*mended));
                    if found != (vec![name], Vec::new()) {
                        wrong.push((name, found));
                    }
                }
                _ => panic!("{name} has no two examples"),
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
