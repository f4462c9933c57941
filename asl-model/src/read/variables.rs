//! "Assign" (2024 specification, Assigning State Machine Variables).
use super::{Moment, Object, Read, Reader};
use crate::{Assign, Assignment, TemplateNode};

impl<'v> Reader<'v> {
    /// "Assign" of a state, a Choice Rule or a catcher.
    pub(crate) fn assign(
        &mut self,
        object: Object<'v, '_>,
        moment: Moment,
    ) -> Read<Option<Assign>> {
        let Some(value) = object.get("Assign") else {
            return Ok(None);
        };
        let place = object.place.field("Assign");
        let fields = self.object(value, &place)?.fields;
        let variables = match self.template_node(value, &place, moment)? {
            Some(TemplateNode::Object(fields)) => fields
                .into_iter()
                .map(|field| Assignment {
                    name: field.name,
                    value: field.value,
                })
                .collect(),
            _ => fields
                .iter()
                .map(|(name, value)| Assignment {
                    name: name.clone(),
                    value: TemplateNode::Literal(value.clone()),
                })
                .collect(),
        };
        Ok(Some(Assign { variables }))
    }
}
