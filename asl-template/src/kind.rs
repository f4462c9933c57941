//! Kinds of files with state machines.
use serde_json::Value;

/// The kind of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A plain definition, possibly with `${Name}`; also any file of no other kind.
    Definition,
    /// A template of CloudFormation, as CDK synthesises it too.
    CloudFormation,
    /// A template of the Serverless Application Model.
    Sam,
    /// A `serverless.yml` with the plugin serverless-step-functions.
    Serverless,
    /// A plan, printed by `terraform show -json`.
    TerraformPlan,
    /// A Terraform state from `terraform show -json`.
    TerraformState,
}

impl Kind {
    /// Returns the kind in words, with an article.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Definition => "a definition",
            Self::CloudFormation => "a CloudFormation template",
            Self::Sam => "a SAM template",
            Self::Serverless => "a Serverless Framework configuration",
            Self::TerraformPlan => "a Terraform plan",
            Self::TerraformState => "a Terraform state",
        }
    }

    /// Returns true if a text may be something else than a definition: a look at its words, before it is read.
    pub(crate) fn may_be_template(text: &str) -> bool {
        ["Resources", "stepFunctions", "format_version"]
            .iter()
            .any(|word| text.contains(word))
    }

    /// Returns the kind of a file with this content.
    pub(crate) fn from_value(value: &Value) -> Self {
        let has = |name: &str| value.get(name).is_some();
        if has("StartAt") || has("States") {
            return Self::Definition;
        }
        if has("format_version") && has("planned_values") {
            return Self::TerraformPlan;
        }
        if has("format_version") && has("values") {
            return Self::TerraformState;
        }
        if has("stepFunctions") && (has("service") || has("provider")) {
            return Self::Serverless;
        }
        let resources = value.get("Resources").and_then(Value::as_object);
        let types = resources.into_iter().flat_map(|all| all.values());
        let types: Vec<&str> = types
            .filter_map(|resource| resource.get("Type")?.as_str())
            .collect();
        let is_sam = |types: &[&str]| types.iter().any(|it| it.starts_with("AWS::Serverless::"));
        match (resources.is_some(), has("AWSTemplateFormatVersion")) {
            (true, _) if transforms(value).any(|it| it.starts_with("AWS::Serverless")) => Self::Sam,
            (true, _) if is_sam(&types) => Self::Sam,
            (true, true) => Self::CloudFormation,
            (true, false) if types.iter().any(|it| it.starts_with("AWS::")) => Self::CloudFormation,
            _ => Self::Definition,
        }
    }
}

/// Returns the transforms of a template.
fn transforms(value: &Value) -> impl Iterator<Item = &str> {
    let transform = value.get("Transform");
    let one = transform.and_then(Value::as_str);
    let several = transform.and_then(Value::as_array);
    one.into_iter()
        .chain(several.into_iter().flatten().filter_map(Value::as_str))
}

#[cfg(test)]
mod tests {
    use super::Kind;
    use serde_json::json;

    #[test]
    fn a_file_is_known_by_what_it_says() {
        let lambda = json!({"F": {"Type": "AWS::Lambda::Function"}});
        let function = json!({"F": {"Type": "AWS::Serverless::Function"}});
        for (value, kind) in [
            (
                json!({"StartAt": "A", "States": {}, "Resources": {}}),
                Kind::Definition,
            ),
            (json!({"anything": 1}), Kind::Definition),
            (json!([]), Kind::Definition),
            (json!({"Resources": {"a": 1}}), Kind::Definition),
            (json!({"Resources": lambda}), Kind::CloudFormation),
            (
                json!({"AWSTemplateFormatVersion": "2010-09-09", "Resources": {}}),
                Kind::CloudFormation,
            ),
            (
                json!({"Transform": "AWS::Serverless-2016-10-31", "Resources": {}}),
                Kind::Sam,
            ),
            (
                json!({"Transform": ["X", "AWS::Serverless-2016-10-31"], "Resources": {}}),
                Kind::Sam,
            ),
            (json!({"Resources": function}), Kind::Sam),
            (
                json!({"service": "s", "stepFunctions": {}}),
                Kind::Serverless,
            ),
            (
                json!({"format_version": "1.2", "planned_values": {}}),
                Kind::TerraformPlan,
            ),
            (
                json!({"format_version": "1.0", "values": {}}),
                Kind::TerraformState,
            ),
        ] {
            assert_eq!(Kind::from_value(&value), kind, "{value}");
            assert!(kind == Kind::Definition || Kind::may_be_template(&value.to_string()));
        }
    }
}
