//! The full evaluator, of the library.
use crate::{
    Environment, EvaluationError, ParseError, References, StatesField, StatesReference,
    VariableReference,
};
use jsonata_core::ast::AstNode;
use jsonata_core::evaluator::{Context, Evaluator, EvaluatorOptions};
use jsonata_core::value::JValue;
use serde_json::{Map, Value};

pub(crate) struct FullExpression {
    source: String,
    ast: AstNode,
}

impl FullExpression {
    pub(crate) fn parse(source: &str) -> Result<Self, ParseError> {
        let ast = jsonata_core::parser::parse(source).map_err(|error| ParseError {
            code: "S0201",
            message: error.to_string(),
            position: 0,
        })?;
        Ok(Self {
            source: source.to_owned(),
            ast,
        })
    }

    pub(crate) fn references(&self) -> References {
        let mut references = References::default();
        let bytes = self.source.as_bytes();
        for (position, _) in self.source.match_indices('$') {
            let rest = &self.source[position + 1..];
            let end = rest
                .find(|c: char| !c.is_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            let (name, rest) = rest.split_at(end);
            if name == "states" {
                let field = rest.strip_prefix('.').map(|rest| {
                    let end = rest
                        .find(|c: char| !c.is_alphanumeric())
                        .unwrap_or(rest.len());
                    rest[..end].to_owned()
                });
                references.states.push(StatesReference {
                    field: match field.as_deref() {
                        Some("input") => Some(StatesField::Input),
                        Some("result") => Some(StatesField::Result),
                        Some("errorOutput") => Some(StatesField::ErrorOutput),
                        Some("context") => Some(StatesField::Context),
                        _ => None,
                    },
                    name: field,
                    position,
                });
            } else if !name.is_empty() && bytes.get(position + 1 + end) != Some(&b'(') {
                references.variables.push(VariableReference {
                    name: name.to_owned(),
                    position,
                });
            }
        }
        references
    }

    pub(crate) fn evaluate(
        &self,
        environment: &Environment<'_>,
        references: &References,
    ) -> Result<Option<Value>, EvaluationError> {
        let mut context = Context::new();
        if let Some(states) = environment.states {
            let fields = [
                ("input", states.input),
                ("result", states.result),
                ("errorOutput", states.error_output),
                ("context", states.context),
            ];
            let object: Map<String, Value> = fields
                .into_iter()
                .filter_map(|(name, value)| Some((name.to_owned(), value?.clone())))
                .collect();
            context.bind("states".to_owned(), JValue::from(Value::Object(object)));
        }
        for used in &references.variables {
            if let Some(value) = environment.variables.variable(&used.name) {
                context.bind(used.name.clone(), JValue::from(value.clone()));
            }
        }
        let options = EvaluatorOptions {
            timeout_ms: Some(5_000),
            max_stack_depth: Some(environment.limits.depth),
            max_sequence_length: Some(1_000_000),
            ..EvaluatorOptions::default()
        };
        let input = environment
            .input
            .map_or(JValue::Undefined, |value| JValue::from(value.clone()));
        let result = Evaluator::with_options(context, options)
            .evaluate(&self.ast, &input)
            .map_err(|error| EvaluationError {
                code: "D3000",
                message: error.message().to_owned(),
                position: None,
            })?;
        match result {
            JValue::Undefined => Ok(None),
            other => Ok(Some(Value::from(&other))),
        }
    }
}
