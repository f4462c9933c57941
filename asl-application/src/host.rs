//! Applies plans: functions as processes, state machines on a server, resources at an endpoint.
use crate::code::{code_folder, layer_folder};
use crate::dependencies::SdkModules;
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

/// Options of a [`ApplicationHost`].
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ApplicationHostOptions {
    /// A folder for code of templates and archives, and for installed modules.
    pub folder: PathBuf,
    /// Installs modules that functions need.
    pub installs: bool,
    /// Creates resources that the endpoint lacks.
    pub creates: bool,
    /// Ports on which functions wait for a debugger, by their name or their name in the template.
    pub debug_ports: BTreeMap<String, u16>,
}

impl ApplicationHostOptions {
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
    impl ApplicationHostOptions {
        with_installs(installs: bool),
        with_creates(creates: bool),
        with_debug_ports(debug_ports: BTreeMap<String, u16>),
    }
}

/// Runs an application: it applies one plan after another.
#[derive(Debug)]
pub struct ApplicationHost {
    functions: Functions,
    deployments: Option<Deployments>,
    caller: Option<Arc<Caller>>,
    options: ApplicationHostOptions,
    /// The interpreters that have the AWS SDK.
    sdk: Arc<SdkModules>,
    plan: Plan,
    /// Digests of the lists of modules of functions, by their names.
    lists: BTreeMap<String, String>,
}

/// A part of an application that a plan changed.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct AppliedPart {
    /// The kind of part.
    pub part: PartKind,
    /// Its name.
    pub name: String,
    /// The change.
    pub outcome: Outcome,
}

/// Kinds of parts of an application.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PartKind {
    /// A state machine.
    StateMachine,
    /// A function.
    Function,
    /// A table, a queue and the like.
    Resource,
}

/// Changes of a part.
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

impl ApplicationHost {
    /// Creates a host without an application. With a caller, resources are created at its endpoints.
    pub fn new(
        functions: Functions,
        caller: Option<Arc<Caller>>,
        options: ApplicationHostOptions,
    ) -> Self {
        Self {
            functions,
            deployments: None,
            caller,
            options,
            sdk: Arc::default(),
            plan: Plan::default(),
            lists: BTreeMap::new(),
        }
    }

    /// Returns the plan that was applied last.
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Sets the server that has the state machines.
    pub fn set_deployments(&mut self, deployments: Deployments) {
        self.deployments = Some(deployments);
    }

    /// Applies the functions of a plan alone: before a server is started, whose executions may continue with them.
    pub async fn apply_functions(&mut self, plan: &Plan) -> Vec<AppliedPart> {
        let difference = plan.difference(&self.plan);
        let mut all = Vec::new();
        for name in &difference.removed_functions {
            self.functions.remove(name);
            all.push(AppliedPart::new(PartKind::Function, name, Outcome::Removed));
        }
        let mut changed = difference.changed_functions;
        for function in &plan.functions {
            let lists = dependencies::digest_lists(function);
            let earlier = self.lists.insert(function.name.clone(), lists.clone());
            if earlier.is_some_and(|earlier| earlier != lists) && !changed.contains(&function.name)
            {
                changed.push(function.name.clone());
            }
        }
        self.put_functions(plan, &changed, &mut all).await;
        self.plan.functions.clone_from(&plan.functions);
        all
    }

    /// Applies what a plan has different from the one before. A part that fails changes nothing of the others, and is tried
    /// again when it is changed.
    pub async fn apply(&mut self, plan: Plan) -> Vec<AppliedPart> {
        let difference = plan.difference(&self.plan);
        let mut all = self.apply_functions(&plan).await;
        self.create_resources(&plan, &difference.changed_resources, &mut all)
            .await;
        for name in &difference.changed_machines {
            let outcome = self.put_machine(&plan, name).await;
            all.push(AppliedPart::new(PartKind::StateMachine, name, outcome));
        }
        for name in &difference.removed_machines {
            all.push(AppliedPart::new(
                PartKind::StateMachine,
                name,
                Outcome::Removed,
            ));
        }
        self.plan = plan;
        all
    }

    /// Puts functions in place, all at the same time: one may wait for pip.
    async fn put_functions(&self, plan: &Plan, changed: &[String], all: &mut Vec<AppliedPart>) {
        let functions = changed.iter().filter_map(|name| plan.function(name));
        let making: Vec<_> = functions
            .map(|source| {
                let (host, source) = (self.functions.clone(), source.clone());
                let (options, sdk) = (self.options.clone(), Arc::clone(&self.sdk));
                let name = source.name.clone();
                let made =
                    tokio::task::spawn_blocking(move || function(&source, &options, &host, &sdk));
                (name, made)
            })
            .collect();
        for (name, made) in making {
            let made = made.await;
            let made = made.unwrap_or_else(|error| Err(error.to_string()));
            let is_known = self.functions.has(&name);
            let outcome = match made {
                Err(reason) => Outcome::Failed(reason),
                Ok((function, warning)) => {
                    self.functions.put(function);
                    match (warning, is_known) {
                        (Some(warning), _) => Outcome::Warned(warning),
                        (None, true) => Outcome::Updated,
                        (None, false) => Outcome::Created,
                    }
                }
            };
            all.push(AppliedPart::new(PartKind::Function, &name, outcome));
        }
    }

    async fn put_machine(&self, plan: &Plan, name: &str) -> Outcome {
        let machine = plan.machines.iter().find(|it| it.name == name);
        let definition = machine.and_then(|machine| Some((machine, machine.definition()?)));
        let Some((machine, definition)) = definition else {
            return Outcome::Failed("its definition cannot be read".to_owned());
        };
        let Some(deployments) = &self.deployments else {
            return Outcome::Failed("there is no server for it".to_owned());
        };
        let put = deployments.put(name, &definition, machine.machine_type);
        match put.await {
            Ok(DeploymentOutcome::Created) => Outcome::Created,
            Ok(DeploymentOutcome::Unchanged) => Outcome::Unchanged,
            Ok(_) => Outcome::Updated,
            Err(error) => Outcome::Failed(error.to_string()),
        }
    }

    async fn create_resources(&self, plan: &Plan, changed: &[String], all: &mut Vec<AppliedPart>) {
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
            all.push(AppliedPart::new(
                PartKind::Resource,
                &resource.name,
                outcome,
            ));
        }
    }
}

impl AppliedPart {
    fn new(part: PartKind, name: &str, outcome: Outcome) -> Self {
        Self {
            part,
            name: name.to_owned(),
            outcome,
        }
    }
}

/// Returns a function as it is run, and a warning about its modules or its version.
fn function(
    source: &FunctionSource,
    options: &ApplicationHostOptions,
    host: &Functions,
    sdk: &SdkModules,
) -> Result<(Function, Option<String>), String> {
    let mut function = configured(source, options)?;
    let mut warning = None;
    // A later layer covers what an earlier one has.
    for layer in source.layers.iter().rev() {
        match layer_folder(layer, &options.folder) {
            Ok(folder) => function.layers.push(folder),
            Err(reason) => warning = Some(reason),
        }
    }
    dependencies::add_present(&mut function, source);
    let interpreter = host.find_interpreter(&function)?;
    if let Some(interpreter) = interpreter {
        let differs = interpreter.differs_from(&function);
        let (folder, installs) = (&options.folder, options.installs);
        let lacks = dependencies::complete(&mut function, &interpreter, sdk, folder, installs);
        warning = lacks.err().or(warning).or(differs);
    }
    Ok((function, warning))
}

/// Returns a function as its template configures it.
fn configured(
    source: &FunctionSource,
    options: &ApplicationHostOptions,
) -> Result<Function, String> {
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
    let ports = &options.debug_ports;
    let port = ports.get(&source.name).or_else(|| ports.get(&source.id));
    function.debug_port = port.copied();
    Ok(function)
}
