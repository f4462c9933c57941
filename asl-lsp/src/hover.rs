//! Hover texts at the cursor.
use crate::analysis::Analysis;
use crate::called::{CalledApi, described};
use crate::context_object;
use crate::expressions;
use crate::navigation::NamedSymbol;
use crate::outline::{Occurrence, OccurrenceKind, Role, StateId, query_kind};
use crate::syntax::NodeId;
use crate::texts::{self, FunctionText, Text};
use asl_model::{FieldOwner, IntegrationPattern};
use asl_services::{Services, Shape};
use std::collections::BTreeSet;
use std::ops::Range;

/// Names that are listed at most.
const MOST_NAMES: usize = 8;

/// A hover text in Markdown, with its range.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Hover {
    pub(crate) range: Range<usize>,
    pub(crate) markdown: String,
}

impl Analysis {
    /// Returns the hover text at an offset.
    pub(crate) fn hover(&self, services: &Services, offset: usize) -> Option<Hover> {
        let node = self.syntax.node_at(offset)?;
        let is_in = |range: &Range<usize>| range.start <= offset && offset <= range.end;
        let name = self.syntax.name_range(node).filter(is_in);
        if let Some(range) = name {
            let markdown = match self.outline().state_at(node) {
                Some(state) => self.describe_state(state),
                None => match self.named_at(offset) {
                    Some(NamedSymbol::Variable(one)) => self.describe_variable(one),
                    _ => self
                        .describe_field(node)
                        .or_else(|| self.describe_argument(services, node))?,
                },
            };
            return Some(Hover { range, markdown });
        }
        let range = self.syntax.value_range(node).filter(is_in)?;
        self.describe_query(node, offset).or_else(|| {
            Some(Hover {
                markdown: self.describe_value(services, node)?,
                range,
            })
        })
    }

    fn describe_field(&self, node: NodeId) -> Option<String> {
        let owner = self.owner_of(node)?;
        let name = self.syntax.name(node);
        let field = texts::field(owner, &name)?;
        let words = asl_model::vocabulary::words(owner, &name).join(", ");
        let words = match words.is_empty() {
            true => String::new(),
            false => format!("\n\nOne of {words}."),
        };
        Some(format_hover(&format!("**{name}**"), &field.text, field.section) + &words)
    }

    /// Returns the owner of a field's node.
    pub(crate) fn owner_of(&self, node: NodeId) -> Option<FieldOwner> {
        self.field_owner(self.syntax.node(node)?.parent?)
    }

    /// Returns the kind of an object, which determines its fields: for a state by its type, and for a state without one
    /// Task.
    pub(crate) fn field_owner(&self, object: NodeId) -> Option<FieldOwner> {
        let Role::Owner(owner) = self.outline().role(object) else {
            return None;
        };
        owner.in_model().or_else(|| {
            let state = self
                .outline()
                .states
                .get(self.outline().state_at(object)?)?;
            let state_type = state.state_type.unwrap_or(asl_model::StateType::Task);
            Some(FieldOwner::State(state_type))
        })
    }

    /// Returns an argument of the API that a task calls.
    fn describe_argument(&self, services: &Services, node: NodeId) -> Option<String> {
        let object = self.syntax.node(node)?.parent?;
        let mut names = self.place_in_arguments(object)?;
        let api = self.find_called(services, node)?;
        let name = self.syntax.name(node);
        let name = name.trim_end_matches(".$");
        let member = api.argument(&names)?.member(name)?;
        let need = if member.is_required() {
            "required"
        } else {
            "optional"
        };
        names.push(name.to_owned());
        let text = format!(
            "Argument of {}: {}, {need}.",
            api.operation()?.name(),
            described(member.shape())
        );
        let values = member.shape().values();
        let values = match values.is_empty() {
            true => String::new(),
            false => format!("\n\nOne of {}.", values.join(", ")),
        };
        Some(format!("**{}**\n\n{text}{values}", names.join(".")))
    }

    /// Returns the action that a Resource names.
    fn describe_action(&self, services: &Services, resource: &str) -> Option<String> {
        let api = CalledApi::from_resource(services, resource)?;
        let operation = api.operation()?;
        let how = match api.pattern() {
            IntegrationPattern::RequestResponse => "continues with its response",
            IntegrationPattern::Sync => "continues when the job is done",
            IntegrationPattern::WaitForTaskToken => "continues when the task token is returned",
        };
        let members = operation.input().into_iter().flat_map(Shape::members);
        let required = members.filter(|member| member.is_required());
        let required: Vec<String> = required.map(|member| api.name_of(member)).collect();
        let needs = match required.is_empty() {
            true => "No argument is required.".to_owned(),
            false => format!("Requires {}.", required.join(", ")),
        };
        Some(format!(
            "**{}** of {}\n\nCalls the API and {how}. {needs}",
            operation.name(),
            api.service()
        ))
    }

    fn describe_value(&self, services: &Services, node: NodeId) -> Option<String> {
        let text = self.syntax.value(node)?;
        if let Some(name) = text
            .strip_prefix("${")
            .and_then(|rest| rest.strip_suffix('}'))
        {
            return Some(format_hover(
                &format!("**${{{name}}}**"),
                "A placeholder. Its value comes from the template that deploys the definition, or from --substitute.",
                "DefinitionSubstitutions",
            ));
        }
        match self.outline().role(node) {
            Role::Target => {
                let scope = self.outline().scope_around(&self.syntax, node)?;
                Some(self.describe_state(self.outline().state_named(scope, &text)?))
            }
            Role::ErrorName => Some(describe(&text, texts::error(&text)?)),
            Role::Field if self.syntax.name(node) == "Type" => {
                Some(describe(&text, texts::state_type(&text)?))
            }
            Role::Field if self.syntax.name(node) == "Resource" => self
                .describe_action(services, &text)
                .or_else(|| self.describe_field(node)),
            Role::Field if self.syntax.name(node) == "Error" && texts::error(&text).is_some() => {
                Some(describe(&text, texts::error(&text)?))
            }
            Role::Field => self.describe_field(node),
            _ => None,
        }
    }

    /// Returns a function or a variable in a path or an expression.
    fn describe_query(&self, node: NodeId, offset: usize) -> Option<Hover> {
        if let Some(NamedSymbol::Variable(one)) = self.named_at(offset) {
            return Some(Hover {
                range: one.range.clone(),
                markdown: self.describe_variable(one),
            });
        }
        let kind = query_kind(&self.syntax, self.outline(), node)?;
        let decoded = self.syntax.decoded(node)?;
        let path = expressions::path_at(&decoded.text, decoded.at(offset));
        let root = match kind {
            expressions::Kind::Path => "$$",
            expressions::Kind::Jsonata => "$states.context",
        };
        let context = decoded.text.get(path.clone());
        if let Some(markdown) = context.and_then(|text| describe_context(text, root)) {
            return Some(Hover {
                range: decoded.source_range(path),
                markdown,
            });
        }
        let word = expressions::word_at(&decoded.text, decoded.at(offset));
        let text = decoded.text.get(word.clone())?;
        let markdown = match kind {
            expressions::Kind::Path => describe_function(text, texts::function(text)?),
            expressions::Kind::Jsonata => match text.strip_prefix('$')? {
                "states" => format_hover(
                    "**$states**",
                    "Data available to the state: input, result (after its work), errorOutput (in Catch) and context.",
                    "Reserved \"states\" Variable with JSONata",
                ),
                name => describe_function(text, texts::function(name)?),
            },
        };
        Some(Hover {
            range: decoded.source_range(word),
            markdown,
        })
    }

    fn describe_state(&self, id: StateId) -> String {
        let Some(state) = self.outline().states.get(id) else {
            return String::new();
        };
        let what = match state.state_type {
            Some(it) => format!("{} State", it.as_str()),
            None => "a state without a type".to_owned(),
        };
        let mut text = format!("**{}**: {what}", state.name);
        if let Some(comment) = self.syntax.text_of(state.node, "Comment") {
            text.push_str(&format!("\n\n{comment}"));
        }
        let targets = self
            .outline()
            .targets
            .iter()
            .filter(|it| it.scope == state.scope);
        let mut before = BTreeSet::new();
        let mut after = BTreeSet::new();
        for target in targets {
            let from = target.from.and_then(|from| self.outline().states.get(from));
            if target.name == state.name {
                before.insert(from.map_or("the start".to_owned(), |from| from.name.clone()));
            }
            if target.from == Some(id) {
                after.insert(target.name.clone());
            }
        }
        let lines = [("Comes after", before), ("Goes on to", after)];
        for (words, names) in lines {
            if !names.is_empty() {
                text.push_str(&format!("\n\n{words} {}.", listed(&names)));
            }
        }
        text
    }

    fn describe_variable(&self, one: &Occurrence) -> String {
        let all = self.variables().same(one);
        let assigned = all.filter(|it| it.kind == OccurrenceKind::Assigned);
        let states = assigned.filter_map(|it| self.outline().states.get(it.state?));
        let names: BTreeSet<String> = states.map(|state| state.name.clone()).collect();
        let text = match names.is_empty() {
            true => "No earlier state assigns it.".to_owned(),
            false => format!("Assigned in {}.", listed(&names)),
        };
        format_hover(
            &format!("**${}**", one.name),
            &text,
            "State Machine Variables",
        )
    }
}

/// Describes a field of the Context Object.
fn describe_context(text: &str, root: &str) -> Option<String> {
    let path = text.strip_prefix(root)?.trim_start_matches('.');
    let description = context_object::described(path)?;
    Some(format_hover(
        &format!("**{text}**"),
        description,
        "The Context Object",
    ))
}

fn listed(names: &BTreeSet<String>) -> String {
    let shown: Vec<&str> = names.iter().take(MOST_NAMES).map(String::as_str).collect();
    match names.len().saturating_sub(MOST_NAMES) {
        0 => shown.join(", "),
        more => format!("{} and {more} more", shown.join(", ")),
    }
}

fn describe(name: &str, said: Text) -> String {
    format_hover(&format!("**{name}**"), said.text, said.section)
}

fn describe_function(name: &str, function: FunctionText) -> String {
    let FunctionText { parameters, said } = function;
    format_hover(&format!("`{name}{parameters}`"), said.text, said.section)
}

fn format_hover(title: &str, text: &str, section: &str) -> String {
    format!("{title}\n\n{text}\n\n*{section}*")
}

#[cfg(test)]
mod tests {
    use crate::testing::Session;

    #[track_caller]
    fn hover_text(file: &str, text: &str) -> String {
        let hover = Session::default().request_at_caret(file, text, "textDocument/hover");
        let text = hover["contents"]["value"].as_str().unwrap_or("nothing");
        text.replace("\n\n", " / ")
    }

    const MACHINE: &str = r#"{"QueryLanguage": "JSONPath", "StartAt": "A", "States": {
  "A": {"Type": "Task", "Comment": "Asks", "Resource": "arn:aws:lambda:us-east-1:1:function:f", "Assign": {"x": 1},
    "Catch": [{"ErrorEquals": ["States.Timeout"], "Next": "B"}], "Next": "B"},
  "B": {"Type": "Pass", "Parameters": {"y.$": "States.Format('{}', $x)"}, "Next": "C"},
  "C": {"Type": "Pass", "QueryLanguage": "JSONata", "Output": "{% $sum($states.input) %}", "End": true}}}"#;

    #[test]
    fn fields_states_functions_errors_and_variables_are_explained() {
        for (from, to, expected) in [
            (
                "\"StartAt\"",
                "\"Sta‸rtAt\"",
                "**StartAt** / The name of the first state. / *Top-level fields*",
            ),
            (
                "\"Next\": \"B\"}]",
                "\"Next\": \"‸B\"}]",
                "**B**: Pass State / Comes after A. / Goes on to C.",
            ),
            (
                "\"A\": {",
                "\"‸A\": {",
                "**A**: Task State / Asks / Comes after the start. / Goes on to B.",
            ),
            (
                "States.Timeout",
                "States.‸Timeout",
                "**States.Timeout** / A task ran longer than TimeoutSeconds, or sent no heartbeat within HeartbeatSeconds. / *Appendix A: Predefined Error Codes*",
            ),
            (
                "States.Format",
                "States.For‸mat",
                "`States.Format(template, value…)` / Replaces each {} in the template with the next value. / *States.Format*",
            ),
            (
                "$x)",
                "$‸x)",
                "**$x** / Assigned in A. / *State Machine Variables*",
            ),
            (
                "$sum",
                "$s‸um",
                "`$sum(numbers)` / Returns the sum of an array of numbers. / *Aggregation functions*",
            ),
            (
                "\"Type\": \"Task\"",
                "\"Type\": \"‸Task\"",
                "**Task** / Runs one unit of work: a Lambda function, an activity, or an action of an AWS service. / *Task State*",
            ),
            (
                "\"JSONPath\"",
                "\"‸JSONPath\"",
                "**QueryLanguage** / The query language of the states: JSONPath (the default) or JSONata. In a JSONPath machine, a state can select JSONata for itself. / *Query Languages* / One of JSONPath, JSONata.",
            ),
            ("{\"y", "‸{\"y", "nothing"),
        ] {
            let text = MACHINE.replacen(from, to, 1);
            assert_eq!(hover_text("m.asl.json", &text), expected);
        }
    }

    #[test]
    fn actions_arguments_placeholders_and_the_context_object_are_explained() {
        let machine = r#"{"StartAt": "A", "States": {"A": {"Type": "Task", "Resource": "arn:aws:states:::aws-sdk:sqs:sendMessage", "End": true,
            "Parameters": {"QueueUrl": "${Queue}", "MessageBody.$": "$$.Task.Token", "DelaySeconds": 1}},
            "B": {"Type": "Fail", "Error": "States.Timeout"}}}"#;
        for (from, to, expected) in [
            (
                "sqs:sendMessage",
                "sqs:send‸Message",
                "**SendMessage** of sqs / Calls the API and continues with its response. Requires QueueUrl, MessageBody.",
            ),
            (
                "DelaySeconds",
                "Delay‸Seconds",
                "**DelaySeconds** / Argument of SendMessage: whole number, optional.",
            ),
            (
                "MessageBody.$",
                "Message‸Body.$",
                "**MessageBody** / Argument of SendMessage: text, required.",
            ),
            (
                "${Queue}",
                "${Qu‸eue}",
                "**${Queue}** / A placeholder. Its value comes from the template that deploys the definition, or from --substitute. / *DefinitionSubstitutions*",
            ),
            (
                "Task.Token",
                "Task.To‸ken",
                "**$$.Task.Token** / The token that returns the result of a task with .waitForTaskToken, by SendTaskSuccess or SendTaskFailure. / *The Context Object*",
            ),
            (
                "\"States.Timeout\"",
                "\"States.Time‸out\"",
                "**States.Timeout** / A task ran longer than TimeoutSeconds, or sent no heartbeat within HeartbeatSeconds. / *Appendix A: Predefined Error Codes*",
            ),
        ] {
            let text = machine.replacen(from, to, 1);
            assert_eq!(hover_text("m.asl.json", &text), expected);
        }
    }

    #[test]
    fn fields_mean_what_they_mean_in_their_object() {
        let yaml = "StartAt: M\nStates:\n  M:\n    Type: Map\n    ItemProcessor:\n      ProcessorConfig:\n        Mo‸de: INLINE\n";
        assert!(
            hover_text("m.asl.yaml", yaml)
                .starts_with("**Mode** / INLINE runs iterations within this execution")
        );
        let rule = r#"{"States": {"A": {"Type": "Choice", "Choices": [{"Not": {"Variable": "$.a", "NumericLessThan‸Path": "$.b"}}]}}}"#;
        assert_eq!(
            hover_text("m.asl.json", rule),
            "**NumericLessThanPath** / Tests whether the value is a number and less than the one at this path. / *Data-test expression for JSONPath Choice Rules*"
        );
    }
}
