//! Assignments and references of variables (2024 specification, State Machine Variables).
use super::{DELIMITER, Moment, Object, Place, Read, Reader};
use crate::rules::placeholders::is_placeholder;
use crate::template::SUFFIX;
use crate::{Assign, Assignment, Location, TemplateNode};
use asl_intrinsics::Intrinsic;
use asl_jsonata::References;
use asl_path::{Path, Root};
use serde_json::{Map, Value};

/// The exits of a state: each has its own "Assign".
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Way {
    /// With its output, to "Next" or "Default".
    Regular,
    /// By a rule of "Choices".
    Rule(usize),
    /// By a catcher.
    Catcher(usize),
}

/// A use of a variable.
#[derive(Debug)]
pub(crate) struct Reference {
    pub(crate) name: String,
    /// The number of the state in its scope.
    pub(crate) state: usize,
    /// The name of a built-in function too: without a variable of that name, the function is meant.
    pub(crate) is_built_in: bool,
    pub(crate) site: Site,
}

/// A variable that gets a value.
#[derive(Debug)]
pub(crate) struct VariableAssignment<'v> {
    pub(crate) name: &'v str,
    /// The number of the state in its scope.
    pub(crate) state: usize,
    pub(crate) way: Way,
    pub(crate) site: Site,
}

/// A location in the definition.
#[derive(Debug)]
pub(crate) struct Site {
    /// None if all locations together have grown beyond all use.
    pub(crate) location: Option<Location>,
    /// In bytes of the string there.
    pub(crate) offset: Option<usize>,
}

/// Use of variables by the states of a scope.
#[derive(Debug, Default)]
pub(crate) struct VariableUse<'v> {
    /// Those that scopes within refer to around them are of the state that holds the scope.
    pub(crate) references: Vec<Reference>,
    pub(crate) assigned: Vec<VariableAssignment<'v>>,
    /// Assignments in nested scopes.
    pub(crate) inner: Vec<VariableAssignment<'v>>,
}

/// A position in a [`VariableUse`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mark {
    references: usize,
    assigned: usize,
    inner: usize,
}

impl<'v> VariableUse<'v> {
    pub(crate) fn mark(&self) -> Mark {
        Mark {
            references: self.references.len(),
            assigned: self.assigned.len(),
            inner: self.inner.len(),
        }
    }

    /// Says that all since the mark is of one state.
    pub(crate) fn number(&mut self, since: Mark, state: usize) {
        for reference in self.references.iter_mut().skip(since.references) {
            reference.state = state;
        }
        for assigned in self.assigned.iter_mut().skip(since.assigned) {
            assigned.state = state;
        }
    }

    /// Takes all since the mark away: what a scope does, once it is read.
    pub(crate) fn take(&mut self, since: Mark) -> Self {
        let within = |length: usize, mark: usize| mark.min(length);
        let Self {
            references,
            assigned,
            inner,
        } = self;
        Self {
            references: references.split_off(within(references.len(), since.references)),
            assigned: assigned.split_off(within(assigned.len(), since.assigned)),
            inner: inner.split_off(within(inner.len(), since.inner)),
        }
    }
}

impl<'v> Reader<'v> {
    /// "Assign" of a state, a Choice Rule or a catcher.
    pub(crate) fn assign(
        &mut self,
        object: Object<'v, '_>,
        moment: Moment,
        way: Way,
    ) -> Read<Option<Assign>> {
        let Some(value) = object.get("Assign") else {
            return Ok(None);
        };
        let place = object.place.field("Assign");
        let fields = self.object(value, &place)?.fields;
        let names = self.assigned_names(fields, &place, way);
        let node = self.template_node(value, &place, moment);
        names?;
        let variables = match node? {
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

    fn assigned_names(
        &mut self,
        fields: &'v Map<String, Value>,
        place: &Place<'_>,
        way: Way,
    ) -> Read<()> {
        let mut sound = Ok(());
        for key in fields.keys() {
            let name = match key.strip_suffix(SUFFIX) {
                Some(stripped) if !self.is_jsonata() => stripped,
                _ => key,
            };
            let place = place.field(key);
            if is_placeholder(name) {
                self.warn_of_placeholder(&place, name);
                continue;
            }
            sound = sound.and(self.variable_name(name, &place));
            let site = self.site(&place, None);
            self.variables.assigned.push(VariableAssignment {
                name,
                state: 0,
                way,
                site,
            });
        }
        sound
    }

    /// Notes the variable that a path begins with.
    pub(crate) fn note_path(&mut self, path: &Path, place: &Place<'_>) {
        if let Root::Variable(name) = path.root() {
            self.note(name, place, None, false);
        }
    }

    /// Notes the variables that an intrinsic function reads.
    pub(crate) fn note_intrinsic(&mut self, intrinsic: &Intrinsic, place: &Place<'_>) {
        for path in intrinsic.paths() {
            self.note_path(path, place);
        }
    }

    /// Notes the variables that a JSONata string reads.
    pub(crate) fn note_references(&mut self, references: &References, place: &Place<'_>) {
        let variables = references.variables.iter().map(|used| (used, false));
        let built_in = references.built_in.iter().map(|used| (used, true));
        for (used, is_built_in) in variables.chain(built_in) {
            let offset = DELIMITER + used.position;
            self.note(&used.name, place, Some(offset), is_built_in);
        }
    }

    fn note(&mut self, name: &str, place: &Place<'_>, offset: Option<usize>, is_built_in: bool) {
        let site = self.site(place, offset);
        self.variables.references.push(Reference {
            name: name.to_owned(),
            state: 0,
            is_built_in,
            site,
        });
    }

    fn site(&mut self, place: &Place<'_>, offset: Option<usize>) -> Site {
        let location = (self.sites_left > 0).then(|| place.location());
        let length = location.as_ref().map_or(0, Location::len);
        self.sites_left = self.sites_left.saturating_sub(length);
        Site { location, offset }
    }
}
