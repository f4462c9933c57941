//! Payload Templates evaluated (2022 specification, Payload Template).
use super::error::{EvaluationFault, names};
use super::roots::StateRoots;
use crate::program::{CompiledNode, CompiledTemplate};
use asl_intrinsics::RandomSource;
use asl_model::Profile;
use asl_path::Path;
use serde_json::{Map, Value};

/// The payload of `template`.
pub(super) fn payload(
    template: &CompiledTemplate,
    roots: &StateRoots<'_>,
    random: &mut dyn RandomSource,
    profile: Profile,
) -> Result<Value, EvaluationFault> {
    TemplateEvaluation {
        roots,
        random,
        profile,
    }
    .node(&template.root, "")
}

struct TemplateEvaluation<'e> {
    roots: &'e StateRoots<'e>,
    random: &'e mut dyn RandomSource,
    profile: Profile,
}

impl TemplateEvaluation<'_> {
    /// Recursion is bounded by the nesting of definitions.
    fn node(&mut self, node: &CompiledNode, field: &str) -> Result<Value, EvaluationFault> {
        match node {
            CompiledNode::Literal(literal) => Ok(literal.value.clone()),
            CompiledNode::Path(path) => self.select(path, field),
            CompiledNode::Intrinsic(intrinsic) => intrinsic
                .evaluate(self.roots, self.random)
                .map_err(|error| EvaluationFault::new(names::INTRINSIC_FAILURE, error.to_string())),
            CompiledNode::Object(fields) => {
                let mut object = Map::with_capacity(fields.len());
                for (name, value) in fields {
                    object.insert(name.clone(), self.node(value, name)?);
                }
                Ok(Value::Object(object))
            }
            CompiledNode::Array(nodes) => nodes.iter().map(|item| self.node(item, field)).collect(),
        }
    }

    fn select(&self, path: &Path, field: &str) -> Result<Value, EvaluationFault> {
        let document = self.roots.document(path);
        if let Some(node) = path.json_path().node(document) {
            return Ok(node.clone());
        }
        match path.json_path().evaluate(document) {
            Ok(found) => Ok(found.into_owned()),
            // Recorded: a path that could select many, and finds none, selects an empty array.
            Err(_) if !path.json_path().is_definite() => Ok(Value::Array(Vec::new())),
            Err(_) => Err(self.not_found(path, field, document)),
        }
    }

    fn not_found(&self, path: &Path, field: &str, document: &Value) -> EvaluationFault {
        let error = if self.profile.reports_parameter_path_failures() {
            names::PARAMETER_PATH_FAILURE
        } else {
            names::RUNTIME
        };
        let path = path.source();
        let detail = format!(
            "The JSONPath '{path}' specified for the field '{field}.$' could not be found in the input '{document}'"
        );
        EvaluationFault::new(error, detail)
    }
}
