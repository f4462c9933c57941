//! Templates that replace data which nothing else shares: the values are set in the data, whose memory is reused, and
//! selected values are moved.
use super::evaluation::Evaluation;
use super::fault::EvaluationFault;
use super::roots::Sources;
use crate::data::{Data, Measure, measure};
use crate::program::{CompiledNode, CompiledTemplate, ObjectTemplate, TemplateField};
use serde_json::{Map, Value};
use smallvec::SmallVec;

/// Values of a template: a few are stored inline.
type Values = SmallVec<[Value; 4]>;

/// Fields of an object whose memory another one takes over: more would keep much memory for little data.
const MOST_FIELDS_TAKEN_OVER: usize = 16;

impl Evaluation<'_> {
    /// Replaces the data with the payload of a template in `field`; returns the payload if it may exceed a limit.
    ///
    /// The payload is built in the data itself if that is an object with few fields, or with the template's fields, and
    /// nothing else shares it. On an error, and if the payload is returned, the data is unchanged.
    #[inline]
    pub(crate) fn replace(
        &mut self,
        template: &CompiledTemplate,
        field: &'static str,
        raw: &mut Data,
    ) -> Result<Option<Box<Data>>, EvaluationFault> {
        if let CompiledNode::Object(object) = &template.root
            && let Some(reuse) = reuse(object, raw)
        {
            let made = self.fill_in(object, raw, reuse);
            return made.map_err(|fault| fault.at(field));
        }
        let made = self.payload(template, field, raw)?;
        if made.measure.excess(self.limits).is_some() {
            return Ok(Some(Box::new(made)));
        }
        *raw = made;
        Ok(None)
    }

    #[inline]
    fn fill_in(
        &mut self,
        template: &ObjectTemplate,
        raw: &mut Data,
        reuse: Reuse,
    ) -> Result<Option<Box<Data>>, EvaluationFault> {
        self.charge(template.weight)?;
        let (mut whole, mut values) = (template.measure, Values::new());
        for field in &template.fields {
            let (value, measure) = self.value_or_place(field, raw)?;
            if field.place.is_some() {
                whole = whole.with_value(measure);
                values.push(value);
            }
        }
        let moved = template.fields.iter().filter(|field| field.place.is_some());
        let moved = moved
            .zip(&mut values)
            .filter_map(|(field, value)| Some((field.moved.as_ref()?, value)));
        let is_within_limits = whole.excess(self.limits).is_none();
        if let Some(data) = raw.get_mut().filter(|_| is_within_limits) {
            for (path, value) in moved {
                if let Some(node) = path.node_mut(data) {
                    *value = node.take();
                }
            }
            if let Value::Object(object) = data {
                if reuse == Reuse::Memory {
                    object.clone_from(&template.shape);
                }
                fill(object, template, &mut values);
            }
            raw.measure = whole;
            return Ok(None);
        }
        for (path, value) in moved {
            if let Some(node) = path.node(raw) {
                value.clone_from(node);
            }
        }
        let mut object = template.shape.clone();
        fill(&mut object, template, &mut values);
        Ok(Some(Box::new(Data::new(Value::Object(object), whole))))
    }

    /// Returns the value of a field and its measure. A value that will be moved stays in place, with null in the result. It
    /// is charged as a copy, so that the charge does not depend on sharing.
    #[inline]
    fn value_or_place(
        &mut self,
        field: &TemplateField,
        raw: &Data,
    ) -> Result<(Value, Measure), EvaluationFault> {
        let counts_bytes = self.counts_bytes();
        if let Some(node) = field.moved.as_ref().and_then(|path| path.node(raw)) {
            let measure = self
                .charge_copy(node)
                .map_err(|fault| fault.at(format_args!("/{}", field.name)))?;
            return Ok((Value::Null, measure));
        }
        let value = self.field(field, &Sources::from_input(raw))?;
        let measure = measure(&value, counts_bytes);
        Ok((value, measure))
    }
}

/// The reusable part of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reuse {
    /// Its fields: they are those of the template.
    Fields,
    /// Its memory: there is not too much of it.
    Memory,
}

/// Returns the reusable part of the data, if there is one.
fn reuse(template: &ObjectTemplate, data: &mut Data) -> Option<Reuse> {
    let Some(Value::Object(object)) = data.get_mut() else {
        return None;
    };
    if template.has_the_fields_of(object) {
        return Some(Reuse::Fields);
    }
    let is_small = object.len().max(template.shape.len()) <= MOST_FIELDS_TAKEN_OVER;
    is_small.then_some(Reuse::Memory)
}

/// Sets all fields of an object that has those of the template.
fn fill(object: &mut Map<String, Value>, template: &ObjectTemplate, values: &mut Values) {
    let places = template.fields.iter().filter_map(|field| field.place);
    let mut made = places.zip(values);
    let mut next = made.next();
    let fields = object.values_mut().zip(template.shape.values());
    for (place, (value, literal)) in fields.enumerate() {
        match &mut next {
            Some((filled, made_value)) if *filled == place => {
                *value = std::mem::take(made_value);
                next = made.next();
            }
            _ => value.clone_from(literal),
        }
    }
}
