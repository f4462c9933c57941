//! Texts that definitions are part of.
use super::yaml_1_1::differences;
use super::{DifferentScalar, SourceMap};
use crate::parse::{read_document, twice};
use crate::{Diagnostic, Diagnostics, Options};
use serde_json::Value;

/// A text in JSON or YAML that contains definitions, such as a CloudFormation template: its value, and the locations of its
/// parts.
///
/// The short tags of CloudFormation are the functions that they stand for. What begins with a brace may be YAML all the same.
///
/// ```
/// use asl_model::{Document, Options};
/// let document = Document::parse("Arn: !GetAtt Charge.Arn\n", Options::default())?;
/// assert_eq!(document.value(), &serde_json::json!({"Arn": {"Fn::GetAtt": "Charge.Arn"}}));
/// assert_eq!(document.map().locate("/Arn/Fn::GetAtt").unwrap().column, 6);
/// # Ok::<(), asl_model::Diagnostics>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Document {
    value: Value,
    map: SourceMap<'static>,
    duplicates: Vec<Diagnostic>,
    is_json: bool,
}

impl Document {
    /// Reads a text. Of `options` its limits count, and [`Syntax::CloudFormation`](crate::Syntax::CloudFormation).
    ///
    /// # Errors
    /// The place where the text cannot be read on.
    pub fn parse(text: &str, options: Options) -> Result<Self, Diagnostics> {
        let tree = read_document(text, options)?;
        Ok(Self {
            is_json: tree.is_json,
            value: tree.value.unwrap_or_default(),
            map: SourceMap::from_template(text, options.syntax).into_owned(),
            duplicates: tree.duplicates.into_iter().map(twice).collect(),
        })
    }

    /// Returns the scalars whose values or names differ from those in `newer`, the same text read as YAML 1.2.
    ///
    /// ```
    /// use asl_model::{Document, Options, Syntax};
    /// let text = "Enabled: yes\n";
    /// let newer = Document::parse(text, Options::default())?;
    /// let older = Document::parse(text, Options::default().with_syntax(Syntax::CloudFormation))?;
    /// assert_eq!(newer.value(), &serde_json::json!({"Enabled": "yes"}));
    /// assert_eq!(older.value(), &serde_json::json!({"Enabled": true}));
    /// assert_eq!(older.differences_from(&newer)[0].pointer, "/Enabled");
    /// # Ok::<(), asl_model::Diagnostics>(())
    /// ```
    pub fn differences_from(&self, newer: &Self) -> Vec<DifferentScalar> {
        differences(&newer.value, &self.value)
    }

    /// Returns the parsed value.
    pub fn value(&self) -> &Value {
        &self.value
    }

    /// Returns true for JSON, which has the same meaning in every version of YAML.
    pub fn is_json(&self) -> bool {
        self.is_json
    }

    /// Returns the locations of the parts.
    pub fn map(&self) -> &SourceMap<'static> {
        &self.map
    }

    /// Returns the text, without the mark of its byte order.
    pub fn text(&self) -> &str {
        self.map.text()
    }

    /// Returns the fields that their objects have already; the last one of a name is in the value.
    pub fn duplicates(&self) -> &[Diagnostic] {
        &self.duplicates
    }
}
