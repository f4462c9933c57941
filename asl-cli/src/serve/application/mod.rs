//! `asl dev`: an application out of its templates.
mod http;
mod report;

use super::log::function_line;
use super::plan_files::PlanFiles;
use super::tasks::Performers;
use crate::arguments::DevArguments;
use crate::aws::function_environment;
use crate::exit::Failure;
use crate::stamp::PERIOD;
use crate::substitutions::Substitutions;
use crate::terminal::warn;
use asl_application::{
    Apis, ApplicationHost, ApplicationHostOptions, AppliedPart, Outcome, PartKind, Plan,
};
use asl_lambda::{Functions, Options};
use asl_performers::RunningCommands;
use asl_server::Deployments;
use axum::Router;
use http::APIS;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// An application, and what runs it.
pub(super) struct Application {
    files: PlanFiles,
    functions: Functions,
    apis: Apis,
    /// The URL of this server.
    url: String,
    options: ApplicationHostOptions,
    aws_endpoint: Option<String>,
    plan: Plan,
    host: Option<ApplicationHost>,
    /// The functions that were put in place before the server was started.
    applied_functions: Vec<AppliedPart>,
    /// A folder that is removed in the end.
    temporary: Option<PathBuf>,
}

impl Drop for Application {
    fn drop(&mut self) {
        if let Some(folder) = &self.temporary {
            self.functions.stop();
            // A folder that stays takes some kilobytes.
            let _ = std::fs::remove_dir_all(folder);
        }
    }
}

impl Application {
    /// Reads the plan that the arguments name.
    pub(super) fn new(
        dev: &DevArguments,
        processes: Arc<RunningCommands>,
    ) -> Result<Self, Failure> {
        let arguments = &dev.serve;
        let substitutions = substitutions(dev)?;
        let folder = match arguments.in_memory {
            true => std::env::temp_dir().join(format!("asl-dev-{}", std::process::id())),
            false => arguments.data.clone(),
        };
        let mut options = Options::new(folder.join("runtime"))
            .with_account(arguments.account().to_owned())
            .with_region(arguments.region.clone())
            .with_processes(processes)
            .on_log(function_line);
        if let Some(most) = dev.function_concurrency {
            options.max_concurrency = most.into();
        }
        let functions = Functions::new(options).map_err(|error| {
            Failure::new(format!("cannot write to {}: {error}", folder.display()))
        })?;
        let ports = dev.debug_function.iter().map(|text| debug_port(text));
        let paths = match dev.paths.as_slice() {
            [] => vec![PathBuf::from(".")],
            paths => paths.to_vec(),
        };
        let mut application = Self {
            files: PlanFiles::new(paths, substitutions),
            apis: Apis::new(functions.clone()),
            url: String::new(),
            functions,
            options: ApplicationHostOptions::new(folder)
                .with_installs(!dev.no_install)
                .with_creates(!dev.no_create)
                .with_debug_ports(ports.collect::<Result<_, _>>()?),
            aws_endpoint: arguments.tasks.aws.clone(),
            plan: Plan::default(),
            host: None,
            applied_functions: Vec::new(),
            temporary: None,
        };
        application.temporary = arguments
            .in_memory
            .then(|| application.options.folder.clone());
        application.plan = application.files.read()?;
        application.check()?;
        Ok(application)
    }

    /// Refuses to start without anything to serve.
    fn check(&self) -> Result<(), Failure> {
        if let [(path, reason), ..] = self.plan.unreadable.as_slice() {
            return Err(Failure::new(format!(
                "cannot read {}: {reason}",
                path.display()
            )));
        }
        if !self.plan.machines.is_empty() || !self.plan.functions.is_empty() {
            return Ok(());
        }
        self.report_findings();
        let paths: Vec<String> = self
            .files
            .paths()
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        Err(Failure::new(format!(
            "{} has no state machine and no function: expected a template of SAM, CloudFormation, CDK, Serverless or \
             Terraform, or *.asl.json",
            paths.join(", ")
        )))
    }

    pub(super) fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Returns the routes of Lambda's Invoke API, and of the APIs of the application.
    pub(super) fn routes(&self) -> Router {
        http::routes(&self.functions, &self.apis)
    }

    /// Puts the functions in place, before executions continue with them.
    pub(super) async fn prepare(&mut self, address: SocketAddr, performers: &Performers) {
        self.functions.set_environment(self.environment(address));
        tokio::spawn(self.functions.clone().sweep());
        let caller = performers.caller();
        let mut host = ApplicationHost::new(self.functions.clone(), caller, self.options.clone());
        self.applied_functions = host.apply_functions(&self.plan).await;
        self.host = Some(host);
    }

    /// Applies the plan, and reports the result.
    pub(super) async fn start(
        &mut self,
        address: SocketAddr,
        deployments: Deployments,
        performers: &Performers,
    ) {
        self.url = format!("http://{address}");
        self.apis.set_deployments(deployments.clone());
        self.set_routes(performers);
        self.report_findings();
        let mut applied = std::mem::take(&mut self.applied_functions);
        if let Some(host) = &mut self.host {
            host.set_deployments(deployments);
            applied.extend(host.apply(self.plan.clone()).await);
        }
        self.report_table(&applied, performers);
    }

    /// Sets the routes of APIs, and how tasks reach these.
    fn set_routes(&self, performers: &Performers) {
        let routes = self.plan.routes();
        let ids = routes.iter().map(|route| route.api.clone());
        let urls = ids.map(|id| {
            let url = format!("{}{APIS}/{id}", self.url);
            (id, url)
        });
        performers.http().set_apis(urls.collect());
        self.apis.set_routes(routes);
    }

    /// Returns the variables by which functions find this server and the services.
    fn environment(&self, address: SocketAddr) -> BTreeMap<String, String> {
        let mut all = function_environment(self.aws_endpoint.as_deref());
        for service in ["SFN", "LAMBDA"] {
            all.insert(
                format!("AWS_ENDPOINT_URL_{service}"),
                format!("http://{address}"),
            );
        }
        all
    }

    /// Reads changed files again, and applies the differences.
    async fn look(&mut self, performers: &Performers) {
        if !tokio::task::block_in_place(|| self.files.have_changed()) {
            return;
        }
        let plan = match tokio::task::block_in_place(|| self.files.read()) {
            Ok(plan) => plan,
            Err(failure) => {
                failure.report();
                return;
            }
        };
        self.plan = plan;
        self.report_findings();
        let is_empty = self.plan.machines.is_empty() && self.plan.functions.is_empty();
        let is_broken = is_empty || !self.plan.unreadable.is_empty();
        let Some(host) = self.host.as_mut().filter(|_| !is_broken) else {
            return warn("the application is unchanged");
        };
        let applied = host.apply(self.plan.clone()).await;
        self.set_routes(performers);
        for part in &applied {
            self.report(part);
            if part.part == PartKind::StateMachine && part.outcome != Outcome::Removed {
                self.report_missing(&part.name, performers);
            }
        }
    }
}

/// Looks at the files from time to time, for ever.
pub(super) async fn poll_forever(
    application: Option<Application>,
    performers: &Performers,
) -> Infallible {
    let Some(mut application) = application else {
        return std::future::pending().await;
    };
    loop {
        tokio::time::sleep(PERIOD).await;
        application.look(performers).await;
    }
}

/// Names in templates resolve to this account and region, unless others are given.
fn substitutions(dev: &DevArguments) -> Result<Substitutions, Failure> {
    let defaults = [
        ("AWS::AccountId", dev.serve.account()),
        ("AWS::Region", dev.serve.region.as_str()),
    ];
    Substitutions::read_with_defaults(&dev.serve.substitutions, &defaults)
}

/// `NAME=PORT`
fn debug_port(text: &str) -> Result<(String, u16), Failure> {
    let parts = text.rsplit_once('=');
    let parsed = parts.and_then(|(name, port)| Some((name.to_owned(), port.parse().ok()?)));
    parsed
        .filter(|(name, _)| !name.is_empty())
        .ok_or_else(|| Failure::new(format!("--debug-function '{text}' is not NAME=PORT")))
}
