//! `asl:ignore RULE, RULE` in a Comment silences rules for its object and everything inside it.
use crate::settings::unknown_rule;
use asl_model::{
    Diagnostic, DiagnosticRule, Diagnostics, FieldOwner, FieldRole, Location, Severity, StateType,
};
use serde_json::Value;
use std::collections::HashMap;

pub(crate) const SIGN: &str = "asl:ignore";
/// A comment that names no rule.
pub(crate) const RULE: DiagnosticRule = DiagnosticRule::lint("unknown-ignore");

/// Removes ignored diagnostics, and adds a warning for each comment that names no rule.
pub(crate) fn without_ignored(diagnostics: &Diagnostics, definition: &Value) -> Diagnostics {
    let ignores = Ignores::of(definition);
    let mut kept = diagnostics.filter_map(|one| {
        let is_refused = one.severity == Severity::Error && one.code().is_some();
        (is_refused || !ignores.ignore(one)).then(|| one.clone())
    });
    ignores
        .faults
        .into_iter()
        .for_each(|fault| kept.push(fault));
    kept
}

/// Bytes of the locations of comments: a thousand times what any real definition needs.
const LOCATIONS: usize = 16 << 20;

/// The comments of a definition.
#[derive(Debug, Default)]
struct Ignores {
    /// By the pointers of objects, the rules that count for nothing there.
    rules: HashMap<String, Vec<String>>,
    faults: Vec<Diagnostic>,
    bytes: usize,
}

/// A step from the whole inward.
#[derive(Clone, Copy)]
enum Step<'v> {
    Field(&'v str),
    Element(usize),
}

/// A part of a definition, with the number of the enclosing part and the step from there.
struct Part<'v> {
    value: &'v Value,
    role: FieldRole,
    around: Option<(usize, Step<'v>)>,
}

impl Ignores {
    /// Looks at all comments of objects that are parts of the machine, and at none of data.
    fn of(definition: &Value) -> Self {
        let mut ignores = Self::default();
        // Locations are written only if they are needed.
        let mut parts = vec![Part {
            value: definition,
            role: FieldRole::Object(FieldOwner::Machine),
            around: None,
        }];
        let mut next = 0;
        while let Some(&Part { value, role, .. }) = parts.get(next) {
            let part = |value, role, step| Part {
                value,
                role,
                around: Some((next, step)),
            };
            match value {
                Value::Object(fields) => {
                    if let Some(Value::String(comment)) = fields.get("Comment") {
                        ignores.add(comment, || location(&parts, next));
                    }
                    let inner = fields.iter().filter(|(_, value)| is_collection(value));
                    parts.extend(inner.filter_map(|(name, value)| {
                        let role = role_of_field(role, name)?;
                        Some(part(value, role, Step::Field(name)))
                    }));
                }
                Value::Array(elements) => {
                    let role = role_of_element(role);
                    let inner = elements.iter().enumerate();
                    let inner = inner.filter(|(_, value)| is_collection(value));
                    parts.extend(inner.map(|(at, value)| part(value, role, Step::Element(at))));
                }
                _ => {}
            }
            next += 1;
        }
        ignores
    }

    fn add(&mut self, comment: &str, location: impl Fn() -> Location) {
        let Some((_, rest)) = comment.split_once(SIGN) else {
            return;
        };
        if self.bytes > LOCATIONS {
            return;
        }
        let location = location();
        self.bytes += location.pointer().len();
        let line = rest.lines().next().unwrap_or_default();
        let names = line.trim_start_matches(':').split([',', ' ', '\t']);
        // What comes after the last name of a rule is why it is ignored.
        let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
        let known = names.iter().take_while(|name| unknown_rule(name).is_none());
        let known: Vec<String> = known.map(|name| (*name).to_owned()).collect();
        if known.is_empty() {
            self.faults.push(fault(names.first().copied(), &location));
        }
        self.rules.insert(location.pointer().to_owned(), known);
    }

    /// Returns true if a comment around a fault names its rule.
    fn ignore(&self, diagnostic: &Diagnostic) -> bool {
        if self.rules.is_empty() {
            return false;
        }
        let pointer = diagnostic.pointer();
        let mut around = pointer.as_ref();
        loop {
            let named = |rules: &Vec<String>| rules.iter().any(|it| it == diagnostic.rule.name());
            if self.rules.get(around).is_some_and(named) {
                return true;
            }
            around = match around.rsplit_once('/') {
                Some(("", _)) if around != "/" => "/",
                Some((outer, _)) if !outer.is_empty() => outer,
                _ => return false,
            };
        }
    }
}

/// Returns the location of a part.
fn location(parts: &[Part<'_>], number: usize) -> Location {
    let around = |number: usize| parts.get(number).and_then(|part| part.around);
    let way = std::iter::successors(around(number), |(outer, _)| around(*outer));
    let way: Vec<Step<'_>> = way.map(|(_, step)| step).collect();
    way.into_iter()
        .rev()
        .fold(Location::default(), |location, step| match step {
            Step::Field(name) => location.field(name),
            Step::Element(index) => location.element(index),
        })
}

/// Returns the role of a field; None for data, in which "Comment" has no meaning.
fn role_of_field(role: FieldRole, name: &str) -> Option<FieldRole> {
    let role = match role {
        FieldRole::Object(owner) => owner.role(name).unwrap_or(FieldRole::Value),
        // The type of a state does not matter.
        FieldRole::States => FieldRole::Object(FieldOwner::State(StateType::Pass)),
        _ => FieldRole::Value,
    };
    match role {
        FieldRole::Variables | FieldRole::Template | FieldRole::Data => None,
        role => Some(role),
    }
}

fn role_of_element(role: FieldRole) -> FieldRole {
    match role {
        FieldRole::List(owner) => FieldRole::Object(owner),
        _ => FieldRole::Value,
    }
}

fn is_collection(value: &Value) -> bool {
    value.is_object() || value.is_array()
}

fn fault(name: Option<&str>, location: &Location) -> Diagnostic {
    let message = match name {
        Some(name) => unknown_rule(name).unwrap_or_default(),
        None => format!("'{SIGN}' has no rule"),
    };
    Diagnostic {
        severity: Severity::Warning,
        rule: RULE,
        message,
        location: location.clone().field("Comment"),
        field: None,
        offset: None,
        hint: Some(format!(
            "write '{SIGN} RULE', with the names in brackets of the problems to ignore"
        )),
        fix: None,
    }
}

#[cfg(test)]
mod tests {
    use crate::check;
    use asl_model::Options;

    fn messages(machine: &str, state: &str) -> Vec<String> {
        let text = format!(
            r#"{{"Comment": "{machine}", "StartAt": "A", "States": {{
                "A": {{"Comment": "{state}", "Type": "Choice",
                    "Choices": [{{"Variable": "$.n", "NumericEquals": 1, "Next": "B"}}]}},
                "B": {{"Type": "Pass", "Parameters": {{"Comment": "asl:ignore nothing", "a": "$.b"}}, "End": true}}
            }}}}"#
        );
        let found = check(&text, Options::default());
        found
            .iter()
            .map(|one| format!("{} {}", one.rule, one.location))
            .collect()
    }

    const CHOICE: &str = "choice-without-default /States/A";
    const DOLLAR: &str = "missing-dollar /States/B/Parameters/a";

    #[test]
    fn a_comment_counts_for_its_object_and_all_within() {
        assert_eq!(messages("", ""), [CHOICE, DOLLAR]);
        assert_eq!(messages("", "asl:ignore choice-without-default"), [DOLLAR]);
        assert_eq!(messages("", "asl:ignore missing-dollar"), [CHOICE, DOLLAR]);
        assert_eq!(messages("asl:ignore missing-dollar", ""), [CHOICE]);
        let both = "Ours. asl:ignore: missing-dollar, choice-without-default since it is old";
        assert_eq!(messages(both, ""), [""; 0]);
    }

    #[test]
    fn a_comment_that_names_no_rule_is_pointed_out() {
        let fault = "unknown-ignore /States/A/Comment";
        assert_eq!(
            messages("", "asl:ignore mising-dollar"),
            [CHOICE, DOLLAR, fault]
        );
        assert_eq!(messages("", "asl:ignore"), [CHOICE, DOLLAR, fault]);
    }

    #[test]
    fn what_refuses_a_definition_is_not_ignored() {
        let text = r#"{"Comment": "asl:ignore unknown-target", "StartAt": "A", "States": {}}"#;
        let found = check(text, Options::default());
        assert!(found.iter().any(|one| one.rule.name() == "unknown-target"));
    }
}
