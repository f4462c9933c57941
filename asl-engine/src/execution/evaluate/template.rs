//! Templates evaluated (2024 specification, Payload Template and JSONata Evaluation).
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::roots::Sources;
use crate::data::VALUE;
use crate::error_names;
use crate::execution::departure::Departure;
use crate::program::{CompiledExpression, CompiledNode, ObjectTemplate, TemplateField};
use asl_intrinsics::{EvaluationLimits, Intrinsic};
use asl_jsonata::Plan;
use asl_path::Path;
use serde_json::{Map, Value};

impl Evaluation<'_> {
    /// Returns the value of a template, or of a part of one. `field` names the part to causes of JSONPath; the location of
    /// an expression that fails is put together on the way out.
    ///
    /// Recursion is bounded by the nesting of definitions.
    pub(super) fn node(
        &mut self,
        node: &CompiledNode,
        field: &str,
        sources: &Sources<'_>,
    ) -> Result<Value, EvaluationFault> {
        match node {
            CompiledNode::Literal(literal) => {
                self.charge(literal.weight)?;
                Ok(literal.value.clone())
            }
            CompiledNode::Path(path) => self.selected_value(path, field, sources.input),
            CompiledNode::Intrinsic(intrinsic) => self.call(intrinsic, sources.input),
            CompiledNode::Expression(expression) => self.expression(expression, sources),
            CompiledNode::Object(object) => self.object(object, sources).map(Value::Object),
            CompiledNode::Array(nodes) => {
                self.charge(VALUE * (1 + nodes.len() as u64))?;
                let elements = nodes.iter().enumerate().map(|(index, item)| {
                    self.node(item, field, sources)
                        .map_err(|fault| fault.at(format_args!("[{index}]")))
                });
                elements.collect()
            }
        }
    }

    /// Returns the value of an intrinsic function.
    pub(super) fn call(
        &mut self,
        intrinsic: &Intrinsic,
        input: &Value,
    ) -> Result<Value, EvaluationFault> {
        let roots = self.roots(input);
        if let Some(value) = intrinsic.plain_value(&roots) {
            self.charge(VALUE)?;
            return Ok(value);
        }
        let (paths, room) = (self.path_limits(), self.room());
        let limits = EvaluationLimits::default().with_paths(paths);
        let limits = limits.with_max_memory(room.min(paths.max_memory));
        let value = intrinsic.evaluate_counting(&roots, self.random, &limits, &self.steps);
        let (value, made) = value.map_err(|error| match error.is_limit() {
            true if !error.is_path_failure() && room < paths.max_memory => self.out_of_room(),
            true => EvaluationFault::runtime(error.to_string()),
            _ if self.profile.reports_intrinsic_failures() => {
                EvaluationFault::new(error_names::INTRINSIC_FAILURE, error.to_string())
            }
            _ => EvaluationFault::runtime(error.service_text()),
        })?;
        self.charge(made as u64)?;
        Ok(value)
    }

    fn object(
        &mut self,
        template: &ObjectTemplate,
        sources: &Sources<'_>,
    ) -> Result<Map<String, Value>, EvaluationFault> {
        self.charge(template.weight)?;
        let mut object = template.shape.clone();
        let mut places = object.values_mut().enumerate();
        for field in &template.fields {
            let value = self.field(field, sources)?;
            if let Some(wanted) = field.place
                && let Some((_, place)) = places.find(|(place, _)| *place == wanted)
            {
                *place = value;
            }
        }
        Ok(object)
    }

    /// The value of a field that is filled in.
    pub(super) fn field(
        &mut self,
        field: &TemplateField,
        sources: &Sources<'_>,
    ) -> Result<Value, EvaluationFault> {
        self.node(&field.node, &field.name, sources)
            .map_err(|fault| fault.at(format_args!("/{}", field.name)))
    }

    fn expression(
        &mut self,
        expression: &CompiledExpression,
        sources: &Sources<'_>,
    ) -> Result<Value, EvaluationFault> {
        let known = match expression.plan() {
            Plan::Constant(value) => Some(value),
            plan => self.find_named(plan, sources),
        };
        match known {
            Some(value) => self.copied(value),
            None => self.jsonata(&expression.string, sources),
        }
    }

    fn selected_value(
        &mut self,
        path: &Path,
        field: &str,
        input: &Value,
    ) -> Result<Value, EvaluationFault> {
        let Some(document) = self.roots(input).document(path) else {
            return Err(self.not_found(path, field, input));
        };
        if let Some(node) = path.json_path().node(document) {
            return self.copied(node);
        }
        let (limits, steps) = (self.path_limits(), &self.steps);
        match path.json_path().evaluate_counting(document, limits, steps) {
            Ok(found) => self.owned(found),
            Err(error) if error.is_limit() => Err(EvaluationFault::from_path(path, &error)),
            // Recorded: a path that could select many, and finds none, selects an empty array.
            Err(_) if !path.json_path().is_definite() => Ok(Value::Array(Vec::new())),
            // Recorded: past the end of an array there is null.
            Err(error)
                if error.is_past_the_end() && !self.profile.reports_parameter_path_failures() =>
            {
                self.departures.note(Departure::NullPastTheEnd);
                Ok(Value::Null)
            }
            Err(_) => Err(self.not_found(path, field, document)),
        }
    }

    fn not_found(&self, path: &Path, field: &str, document: &Value) -> EvaluationFault {
        let error = if self.profile.reports_parameter_path_failures() {
            error_names::PARAMETER_PATH_FAILURE
        } else {
            error_names::RUNTIME
        };
        let field = format!("{field}.$");
        EvaluationFault::new(error, self.not_found_text(path, &field, document))
    }

    /// That a path of `field` finds nothing.
    pub(super) fn not_found_text(&self, path: &Path, field: &str, document: &Value) -> String {
        let (path, document) = (path.source(), self.show(document));
        format!(
            "The JSONPath '{path}' specified for the field '{field}' could not be found in the input '{document}'"
        )
    }
}
