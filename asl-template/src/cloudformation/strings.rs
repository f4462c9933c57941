//! `Fn::Sub`, `Fn::Join`, `Fn::Split` and `Fn::Select`.
use super::evaluate::{Evaluator, TemplateValue, joined};
use crate::node::Node;
use crate::{DefinitionText, Finding, FindingCode};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;

/// The overhead of a part that is cut out of a text, in bytes.
const BYTES_OF_PART: usize = 256;

impl<'t> Evaluator<'t> {
    pub(super) fn sub(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let (string, variables) = match argument.value {
            Value::Array(_) => {
                let mut parts = argument.elements();
                (parts.next()?, parts.next())
            }
            _ => (argument.clone(), None),
        };
        let fields = variables.iter().flat_map(Node::fields);
        let variables: BTreeMap<&str, DefinitionText> = fields
            .map(|(name, value)| (name, self.text(&value)))
            .collect();
        let text = self.string(&string)?;
        let values = self.values_in(&text, &variables);
        Some(TemplateValue::Text(text.replaced(&values)))
    }

    /// Returns the value of each `${Name}` in a text.
    fn values_in<'v>(
        &mut self,
        text: &DefinitionText,
        variables: &'v BTreeMap<&str, DefinitionText>,
    ) -> Vec<(Range<usize>, Cow<'v, str>)>
    where
        't: 'v,
    {
        let mut values = Vec::new();
        let string = text.as_str();
        let mut at = 0;
        while let Some(start) = string.get(at..).and_then(|rest| rest.find("${")) {
            let start = at + start;
            let inner = start + "${".len();
            let Some(end) = string.get(inner..).and_then(|rest| rest.find('}')) else {
                break;
            };
            at = inner + end + 1;
            let name = string.get(inner..at - 1).unwrap_or_default();
            let value = match name.strip_prefix('!') {
                Some(literal) => Some(Cow::Owned(format!("${{{literal}}}"))),
                None => self.variable(name.trim(), variables),
            };
            match value {
                Some(value) => values.push((start..at, value)),
                None => self.refuse_variable(text, start, name),
            }
        }
        values
    }

    fn variable<'v>(
        &mut self,
        name: &str,
        variables: &'v BTreeMap<&str, DefinitionText>,
    ) -> Option<Cow<'v, str>>
    where
        't: 'v,
    {
        let given = self.given.value_of(name);
        let known = given.or_else(|| Some(variables.get(name)?.as_str()));
        known
            .map(Cow::Borrowed)
            .or_else(|| self.find(name).map(Cow::Owned))
    }

    fn refuse_variable(&mut self, text: &DefinitionText, at: usize, name: &str) {
        if self.names.is_lenient() {
            return;
        }
        let Some((file, offset)) = text.source_of(at) else {
            return;
        };
        let is_name = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | ':');
        let message = match name.chars().all(is_name) {
            true => format!(
                "the template has no parameter, resource or variable of this Fn::Sub '{name}'"
            ),
            false => format!("'{name}' is not a name that Fn::Sub can replace"),
        };
        let finding = Finding::error(FindingCode::InvalidReference, (&file, offset), message);
        let hint = format!("write ${{!{name}}} to keep ${{{name}}} unchanged");
        self.report(finding.with_hint(hint));
    }

    pub(super) fn join(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let [between, list] = argument.elements().collect::<Vec<_>>().try_into().ok()?;
        let (between, parts) = (self.text(&between), self.list(&list));
        Some(TemplateValue::Text(joined(&list, &parts, between.as_str())))
    }

    pub(super) fn split(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let [between, text] = argument.elements().collect::<Vec<_>>().try_into().ok()?;
        let (between, text) = (self.text(&between), self.text(&text));
        if between.is_empty() {
            return None;
        }
        let count = text.as_str().matches(between.as_str()).count() + 1;
        if !self.charge(argument, count.saturating_mul(BYTES_OF_PART)) {
            return Some(TemplateValue::List(Vec::new()));
        }
        let mut parts = Vec::with_capacity(count);
        let mut start = 0;
        for part in text.as_str().split(between.as_str()) {
            let mut cut = DefinitionText::default();
            cut.append_range(&text, start..start + part.len());
            parts.push(cut);
            start += part.len() + between.as_str().len();
        }
        Some(TemplateValue::List(parts))
    }

    pub(super) fn select(&mut self, argument: &Node<'t>) -> Option<TemplateValue<'t>> {
        let [index, list] = argument.elements().collect::<Vec<_>>().try_into().ok()?;
        let index: usize = self.text(&index).as_str().trim().parse().ok()?;
        let mut list = self.list(&list);
        (index < list.len()).then(|| TemplateValue::Text(list.swap_remove(index)))
    }
}
