//! A template that replaces data which nobody else has: its values are set in the data, whose memory is used again.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::roots::Sources;
use crate::data::{Data, measure};
use crate::program::{CompiledNode, CompiledTemplate, ObjectTemplate};
use serde_json::{Map, Value};
use smallvec::SmallVec;

/// What a template fills in: few values lie side by side with their count.
type Values = SmallVec<[Value; 4]>;

/// Fields of an object whose memory another one takes over: more would keep much memory for little data.
const MOST_FIELDS_TAKEN_OVER: usize = 16;

impl Evaluation<'_> {
    /// The payload of a template in `field` that takes the place of the data: none where it was set in the data itself,
    /// because that is an object of few fields, or of the template's, belongs to nobody else, and stays within the limits.
    ///
    /// On a fault the data stays as it is.
    #[inline]
    pub(crate) fn replacement(
        &mut self,
        template: &CompiledTemplate,
        field: &'static str,
        raw: &mut Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        match &template.root {
            CompiledNode::Object(object) if can_be_set_in(object, raw) => {
                self.filled(object, raw).map_err(|fault| fault.at(field))
            }
            _ => self.payload(template, field, raw).map(Some),
        }
    }

    fn filled(
        &mut self,
        template: &ObjectTemplate,
        raw: &mut Data,
    ) -> Result<Option<Data>, EvaluationFault> {
        self.charge(template.weight)?;
        let counts_bytes = self.counts_bytes();
        let mut whole = template.measure;
        let mut values = Values::new();
        for field in &template.fields {
            let value = self.field(field, &Sources::from_input(raw))?;
            if field.place.is_some() {
                whole = whole.with_value(measure(&value, counts_bytes));
                values.push(value);
            }
        }
        let is_within_limits = whole.excess(self.limits).is_none();
        if let Some(Value::Object(object)) = raw.get_mut().filter(|_| is_within_limits) {
            if !template.has_the_fields_of(object) {
                object.clone_from(&template.shape);
            }
            fill(object, template, &mut values);
            raw.measure = whole;
            return Ok(None);
        }
        let mut object = template.shape.clone();
        fill(&mut object, template, &mut values);
        Ok(Some(Data::new(Value::Object(object), whole)))
    }
}

/// Whether the template can be filled in where the data is.
fn can_be_set_in(template: &ObjectTemplate, data: &mut Data) -> bool {
    let Some(Value::Object(object)) = data.get_mut() else {
        return false;
    };
    template.has_the_fields_of(object)
        || object.len().max(template.shape.len()) <= MOST_FIELDS_TAKEN_OVER
}

/// Sets all fields of an object that has those of the template.
fn fill(object: &mut Map<String, Value>, template: &ObjectTemplate, values: &mut Values) {
    let places = template.fields.iter().filter_map(|field| field.place);
    let mut filled = places.zip(values).peekable();
    for (place, (value, literal)) in object.values_mut().zip(template.shape.values()).enumerate() {
        match filled.next_if(|(wanted, _)| *wanted == place) {
            Some((_, made)) => *value = std::mem::take(made),
            None => value.clone_from(literal),
        }
    }
}
