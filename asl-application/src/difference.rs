//! Differences of two plans.
use crate::{Plan, PlannedMachine};

/// The names of new, changed and removed parts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Difference {
    /// State machines that are new or changed.
    pub changed_machines: Vec<String>,
    /// State machines that are gone.
    pub removed_machines: Vec<String>,
    /// Functions that are new or configured otherwise.
    pub changed_functions: Vec<String>,
    /// Functions that are gone.
    pub removed_functions: Vec<String>,
    /// Names of resources that are new or changed.
    pub changed_resources: Vec<String>,
}

impl Difference {
    pub(crate) fn between(earlier: &Plan, later: &Plan) -> Self {
        let machine = |plan: &Plan, name: &str| {
            let machine = plan.machines.iter().find(|it| it.name == name);
            machine.map(content_of)
        };
        let machines = later.machines.iter().map(|it| &it.name);
        let changed_machines = machines
            .filter(|name| machine(earlier, name) != machine(later, name))
            .cloned()
            .collect();
        let gone = earlier.machines.iter().map(|it| &it.name);
        let removed_machines = gone
            .filter(|name| machine(later, name).is_none())
            .cloned()
            .collect();
        let functions = later.functions.iter();
        let changed_functions = functions
            .filter(|function| earlier.function(&function.name) != Some(function))
            .map(|function| function.name.clone())
            .collect();
        let gone = earlier.functions.iter().map(|it| &it.name);
        let removed_functions = gone
            .filter(|name| later.function(name).is_none())
            .cloned()
            .collect();
        let resources = later.resources.iter();
        let changed_resources = resources
            .filter(|resource| !earlier.resources.contains(resource))
            .map(|resource| resource.name.clone())
            .collect();
        Self {
            changed_machines,
            removed_machines,
            changed_functions,
            removed_functions,
            changed_resources,
        }
    }

    /// Returns true if nothing became different.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}

/// Returns what a deployment has of a state machine.
fn content_of(machine: &PlannedMachine) -> (asl_model::StateMachineType, String) {
    let definition = machine.source.definition();
    let definition = definition.map_or("", |text| text.as_str());
    (machine.machine_type, definition.to_owned())
}
