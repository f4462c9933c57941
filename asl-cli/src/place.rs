//! Locations of states and their fields in the text of a definition.
use crate::definition::Definition;
use crate::snippet::Snippet;
use crate::terminal::{ERROR, FRAME};
use asl_engine::ErrorPlace;
use asl_model::{Options, Position, escaped_segment, nested_scopes, value_from_text};
use asl_template::Places;
use serde_json::{Value, json};

/// The place of an error in a definition.
pub(crate) struct Place<'p> {
    definition: &'p Definition,
    place: &'p ErrorPlace,
    found: Option<asl_template::Place<'p>>,
}

impl<'p> Place<'p> {
    /// Finds it.
    pub(crate) fn new(source: &'p Definition, place: &'p ErrorPlace) -> Self {
        let text = source.text();
        let options = source.source().options(Options::default());
        let definition = value_from_text(text.as_str(), options).unwrap_or_default();
        let state = pointer_of_state(&definition, &place.state);
        let found = state.and_then(|state| {
            let map = Places::new(text);
            match &place.field {
                Some(field) => map.locate(&pointer_of_field(&definition, state, field)),
                None => map.locate_name(&state),
            }
        });
        Self {
            definition: source,
            place,
            found,
        }
    }

    /// For programs.
    pub(crate) fn to_json(&self) -> Value {
        let mut object = json!({ "state": &*self.place.state });
        if let Some(field) = &self.place.field {
            object["field"] = field.as_str().into();
        }
        if let Some(found) = self.found {
            let position = found.position();
            object["line"] = position.line.into();
            object["column"] = position.column.into();
        }
        object
    }
}

/// The line of the text, with a marker.
impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.found {
            Some(found) => {
                let Position { line, column } = found.position();
                let name = found.file.path().display().to_string();
                Snippet::new(&name, found.file.text(), line, column)
                    .with_style(ERROR)
                    .fmt(f)
            }
            None => {
                let ErrorPlace { state, field, .. } = self.place;
                let field = field.as_deref().unwrap_or_default();
                let name = self.definition.name();
                write!(f, " {FRAME}-->{FRAME:#} {name}: {state}{field}")
            }
        }
    }
}

/// Returns the JSON pointer of the state of that name.
fn pointer_of_state(definition: &Value, name: &str) -> Option<String> {
    let mut open = vec![(definition, String::new())];
    while let Some((scope, pointer)) = open.pop() {
        let Some(states) = scope.get("States").and_then(Value::as_object) else {
            continue;
        };
        for (known, state) in states {
            let pointer = format!("{pointer}/States/{}", escaped_segment(known));
            if known == name {
                return Some(pointer);
            }
            let nested = nested_scopes(state);
            open.extend(nested.map(|one| (one.scope, pointer.clone() + &one.pointer())));
        }
    }
    None
}

/// Returns the JSON pointer of a field of a state, as far as the definition has it: fields of a template may be written with
/// `.$`.
fn pointer_of_field(definition: &Value, state: String, field: &str) -> String {
    let mut pointer = state;
    for step in field.split('/').skip(1) {
        let candidates = [format!("{pointer}/{step}"), format!("{pointer}/{step}.$")];
        let found = candidates
            .into_iter()
            .find(|it| definition.pointer(it).is_some());
        match found {
            Some(found) => pointer = found,
            None => break,
        }
    }
    pointer
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_and_fields_are_found_wherever_they_are() {
        let state = json!({"Type": "Pass", "Parameters": {"a.$": "$.b", "c": [{"d/e.$": "$"}]}});
        let map = json!({"Iterator": {"States": {"In/ner": state}}});
        let definition = json!({"States": {"P": {"Branches": [{}, {"States": {"M": map}}]}}});
        let inner = pointer_of_state(&definition, "In/ner").unwrap();
        assert_eq!(
            inner,
            "/States/P/Branches/1/States/M/Iterator/States/In~1ner"
        );
        assert_eq!(pointer_of_state(&definition, "X"), None);
        for (field, expected) in [
            ("/Parameters/a", "/Parameters/a.$"),
            ("/Parameters/c/0/d~1e", "/Parameters/c/0/d~1e.$"),
            ("/Parameters/x/y", "/Parameters"),
            ("/OutputPath", ""),
        ] {
            let pointer = pointer_of_field(&definition, inner.clone(), field);
            assert_eq!(pointer, format!("{inner}{expected}"));
        }
    }
}
