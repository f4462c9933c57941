//! Applies plans: functions as processes, state machines on a server, resources at an endpoint.
use crate::code::{code_folder, layer_folder};
use crate::resources::{create, creation, may_create};
use crate::{Plan, dependencies};
use asl_aws::Caller;
use asl_lambda::{Function, Functions, Runtime};
use asl_server::{DeploymentOutcome, Deployments};
use asl_template::FunctionSource;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// Options of a [`Host`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HostOptions {
    /// A folder for code of templates and archives, and for installed modules.
    pub folder: PathBuf,
    /// Installs modules that functions need.
    pub installs: bool,
    /// Creates resources that the endpoint lacks.
    pub creates: bool,
    /// Ports on which functions wait for a debugger, by their name or their name in the template.
    pub debug_ports: BTreeMap<String, u16>,
}

impl HostOptions {
    /// Creates options that install modules and create resources.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self {
            folder: folder.into(),
            installs: true,
            creates: true,
            debug_ports: BTreeMap::new(),
        }
    }
}

asl_path::with_methods! {
    impl HostOptions {
        with_installs(installs: bool),
        with_creates(creates: bool),
        with_debug_ports(debug_ports: BTreeMap<String, u16>),
    }
}

/// Runs an application: it applies one plan after another.
#[derive(Debug)]
pub struct Host {
    functions: Functions,
    deployments: Deployments,
    caller: Option<Arc<Caller>>,
    options: HostOptions,
    plan: Plan,
}

/// A part of an application that a plan changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Applied {
    /// Which kind of part.
    pub part: Part,
    /// Its name.
    pub name: String,
    /// What happened to it.
    pub outcome: Outcome,
}

/// Kinds of parts of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Part {
    /// A state machine.
    StateMachine,
    /// A function.
    Function,
    /// A table, a queue and the like.
    Resource,
}

/// What happened to a part.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Outcome {
    /// It is new.
    Created,
    /// It was changed.
    Updated,
    /// It was there as it is.
    Unchanged,
    /// It is gone from the plan.
    Removed,
    /// It works, but for this.
    Warned(String),
    /// It does not work, for this reason.
    Failed(String),
}

impl Host {
    /// Creates a host without an application; with a caller, resources are created where it calls.
    pub fn new(
        functions: Functions,
        deployments: Deployments,
        caller: Option<Arc<Caller>>,
        options: HostOptions,
    ) -> Self {
        Self {
            functions,
            deployments,
            caller,
            options,
            plan: Plan::default(),
        }
    }

    /// Returns the plan that was applied last.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Applies what a plan has different from the one before. A part that fails changes nothing of the others, and is tried
    /// again when it is changed.
    pub async fn apply(&mut self, plan: Plan) -> Vec<Applied> {
        let difference = plan.difference(&self.plan);
        let mut all = Vec::new();
        for name in &difference.removed_functions {
            self.functions.remove(name);
            all.push(Applied::new(Part::Function, name, Outcome::Removed));
        }
        for name in &difference.changed_functions {
            if let Some(function) = plan.function(name) {
                let outcome = self.put_function(function).await;
                all.push(Applied::new(Part::Function, name, outcome));
            }
        }
        self.create_resources(&plan, &difference.changed_resources, &mut all)
            .await;
        for name in &difference.changed_machines {
            let outcome = self.put_machine(&plan, name).await;
            all.push(Applied::new(Part::StateMachine, name, outcome));
        }
        for name in &difference.removed_machines {
            all.push(Applied::new(Part::StateMachine, name, Outcome::Removed));
        }
        self.plan = plan;
        all
    }

    async fn put_function(&self, source: &FunctionSource) -> Outcome {
        let is_known = self.functions.has(&source.name);
        let (source, options) = (source.clone(), self.options.clone());
        // It may unpack archives, and wait for pip.
        let made = tokio::task::spawn_blocking(move || function(&source, &options)).await;
        let made = made.unwrap_or_else(|error| Err(error.to_string()));
        let (function, warning) = match made {
            Ok(made) => made,
            Err(reason) => return Outcome::Failed(reason),
        };
        let (name, differs) = (function.name.clone(), function.clone());
        self.functions.put(function);
        match self.functions.interpreter(&name).await {
            Err(reason) => Outcome::Failed(reason),
            Ok(found) => {
                let version = found.and_then(|found| found.differs_from(&differs));
                match (warning.or(version), is_known) {
                    (Some(warning), _) => Outcome::Warned(warning),
                    (None, true) => Outcome::Updated,
                    (None, false) => Outcome::Created,
                }
            }
        }
    }

    async fn put_machine(&self, plan: &Plan, name: &str) -> Outcome {
        let machine = plan.machines.iter().find(|it| it.name == name);
        let definition = machine.and_then(|machine| Some((machine, machine.definition()?)));
        let Some((machine, definition)) = definition else {
            return Outcome::Failed("its definition cannot be read".to_owned());
        };
        let put = self
            .deployments
            .put(name, &definition, machine.machine_type);
        match put.await {
            Ok(DeploymentOutcome::Created) => Outcome::Created,
            Ok(DeploymentOutcome::Unchanged) => Outcome::Unchanged,
            Ok(_) => Outcome::Updated,
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }

    async fn create_resources(&self, plan: &Plan, changed: &[String], all: &mut Vec<Applied>) {
        let caller = self.caller.as_ref().filter(|it| may_create(it));
        let Some(caller) = caller.filter(|_| self.options.creates) else {
            return;
        };
        let resources = plan.resources.iter();
        for resource in resources.filter(|it| changed.contains(&it.name)) {
            let Some(creation) = creation(resource, caller.settings().region()) else {
                continue;
            };
            let service = caller.service(creation.service, "");
            if service.is_none_or(|service| !caller.reaches(&service)) {
                continue;
            }
            let outcome = match create(caller, &creation).await {
                Ok(true) => Outcome::Created,
                Ok(false) => Outcome::Unchanged,
                Err(reason) => Outcome::Failed(reason),
            };
            all.push(Applied::new(Part::Resource, &resource.name, outcome));
        }
    }
}

impl Applied {
    fn new(part: Part, name: &str, outcome: Outcome) -> Self {
        Self {
            part,
            name: name.to_owned(),
            outcome,
        }
    }
}

/// Returns a function as it is run, and what it lacks.
fn function(
    source: &FunctionSource,
    options: &HostOptions,
) -> Result<(Function, Option<String>), String> {
    let runtime = source.runtime.as_deref().unwrap_or("provided");
    let code = code_folder(source, &options.folder)?;
    let mut function = Function::new(&source.name, Runtime::from_identifier(runtime), code)
        .with_handler(source.handler.clone().unwrap_or_default())
        .with_environment(source.environment.clone());
    if let Some(seconds) = source.timeout {
        function.timeout = Duration::from_secs(seconds);
    }
    if let Some(memory) = source.memory {
        function.memory = u32::try_from(memory).unwrap_or(u32::MAX);
    }
    let mut warning = None;
    // A later layer covers what an earlier one has.
    for layer in source.layers.iter().rev() {
        match layer_folder(layer, &options.folder) {
            Ok(folder) => function.layers.push(folder),
            Err(reason) => warning = Some(reason),
        }
    }
    let ports = &options.debug_ports;
    let port = ports.get(&source.name).or_else(|| ports.get(&source.id));
    function.debug_port = port.copied();
    dependencies::add_present(&mut function, source);
    if let Err(reason) = dependencies::complete(&mut function, &options.folder, options.installs) {
        warning = Some(reason);
    }
    Ok((function, warning))
}
