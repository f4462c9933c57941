//! The full evaluator, of the library.
use crate::{Environment, EvaluationError, ParseError, References};
use jsonata_core::ast::AstNode;
use jsonata_core::evaluator::{Context, Evaluator, EvaluatorOptions};
use jsonata_core::value::JValue;
use serde_json::{Map, Value};

pub(crate) struct FullExpression {
    ast: AstNode,
}

impl FullExpression {
    pub(crate) fn parse(source: &str) -> Result<Self, ParseError> {
        let ast = jsonata_core::parser::parse(source).map_err(|error| ParseError {
            code: "S0201",
            message: error.to_string(),
            position: 0,
        })?;
        Ok(Self { ast })
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
