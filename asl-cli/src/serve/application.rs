//! `asl dev`: an application out of its templates.
use super::log::function_line;
use super::tasks::Performers;
use crate::arguments::DevArguments;
use crate::exit::Failure;
use crate::stamp::{PERIOD, Stamp, stamp};
use crate::substitutions::Substitutions;
use crate::terminal::{self, ERROR, FAINT, STRONG, SUCCESS, WARNING};
use asl_application::{
    ApiRequest, Apis, ApplicationHost, ApplicationHostOptions, AppliedPart, Outcome, PartKind,
    Plan, PlannedMachine, RouteTarget, sources_of_folder,
};
use asl_engine::{Program, ProgramTask};
use asl_lambda::{Functions, InvokeApi, Options};
use asl_model::Placeholders;
use asl_performers::{AwsTasks, HttpTasks, RunningCommands};
use asl_server::Deployments;
use asl_template::FunctionSource;
use axum::Router;
use axum::body::Body;
use axum::extract::{Path as UrlPath, Request};
use axum::http::StatusCode;
use axum::http::header::ORIGIN;
use axum::response::Response;
use axum::routing::{any, post};
use http_body_util::{BodyExt as _, Limited};
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;

/// Bytes of an event that is read: a little more than Lambda takes, so that it is refused with Lambda's error.
const MOST_EVENT: usize = 7 << 20;

/// Bytes of a request of an API at most (Amazon API Gateway Developer Guide, quotas: payload size).
const MOST_API_BODY: usize = 10 << 20;
/// The start of the paths of the application's APIs, before their ids.
const APIS: &str = "/_aws/execute-api";

/// An application, and what runs it.
pub(super) struct Application {
    paths: Vec<PathBuf>,
    substitutions: Substitutions,
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
    /// The files, as they were when they were last read.
    stamps: BTreeMap<PathBuf, Stamp>,
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
            paths,
            substitutions,
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
            stamps: BTreeMap::new(),
        };
        application.plan = application.read()?;
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
            .paths
            .iter()
            .map(|it| it.display().to_string())
            .collect();
        Err(Failure::new(format!(
            "{} has no state machine and no function: expected a template of SAM, CloudFormation, CDK, Serverless or \
             Terraform, or *.asl.json",
            paths.join(", ")
        )))
    }

    fn read(&self) -> Result<Plan, Failure> {
        let mut sources = Vec::new();
        for path in &self.paths {
            match path.is_dir() {
                true => sources.extend(sources_of_folder(path).map_err(|error| {
                    Failure::new(format!("cannot read {}: {error}", path.display()))
                })?),
                false => sources.push(path.clone()),
            }
        }
        let sources: Vec<PathBuf> = sources
            .iter()
            .map(|path| path.strip_prefix(".").unwrap_or(path).to_owned())
            .collect();
        Ok(Plan::read(&sources, &self.substitutions.reading()))
    }

    pub(super) fn functions(&self) -> &Functions {
        &self.functions
    }

    /// Returns the routes of Lambda's Invoke API, and of the APIs of the application.
    pub(super) fn routes(&self) -> Router {
        let apis = self.apis.clone();
        let call = move |UrlPath((api, path)): UrlPath<(String, String)>, request: Request| {
            let apis = apis.clone();
            async move { answer_api(&apis, &api, &path, request).await }
        };
        let api = InvokeApi::new(self.functions.clone());
        let invoke = move |UrlPath(_): UrlPath<String>, request: Request| {
            let api = api.clone();
            async move { answer(&api, request).await }
        };
        Router::new()
            .route("/2015-03-31/functions/{name}/invocations", post(invoke))
            .route(&format!("{APIS}/{{api}}/{{*path}}"), any(call))
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
        self.stamps = self.stamps_now();
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
        let own = format!("http://{address}");
        let given = std::env::vars().filter(|(name, _)| name.starts_with("AWS_ENDPOINT_URL"));
        let mut all: BTreeMap<String, String> = given.collect();
        match self.aws_endpoint.as_deref() {
            // Functions call as this process does.
            Some("real") => {
                let keys = std::env::vars().filter(|(name, _)| name.starts_with("AWS_"));
                all.extend(keys);
            }
            Some(url) => {
                all.insert("AWS_ENDPOINT_URL".to_owned(), url.to_owned());
            }
            None => {}
        }
        for service in ["SFN", "LAMBDA"] {
            all.insert(format!("AWS_ENDPOINT_URL_{service}"), own.clone());
        }
        all
    }

    /// Reads changed files again, and applies the differences.
    async fn look(&mut self, performers: &Performers) {
        let now = tokio::task::block_in_place(|| self.stamps_now());
        if now == self.stamps {
            return;
        }
        self.stamps = now;
        let plan = match tokio::task::block_in_place(|| self.read()) {
            Ok(plan) => plan,
            Err(failure) => {
                failure.report();
                return;
            }
        };
        self.plan = plan;
        self.report_findings();
        // Files that the template names now are watched too.
        self.stamps = tokio::task::block_in_place(|| self.stamps_now());
        let is_broken = !self.plan.unreadable.is_empty() || self.plan.machines.is_empty();
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

    fn stamps_now(&self) -> BTreeMap<PathBuf, Stamp> {
        let files = self.plan.files.iter();
        files.map(|path| (path.clone(), stamp(path))).collect()
    }

    fn report_findings(&self) {
        for finding in &self.plan.findings {
            warn(&finding.to_string());
        }
        for (path, reason) in &self.plan.unreadable {
            warn(&format!("cannot read {}: {reason}", path.display()));
        }
    }

    /// Prints all parts of the application, and who performs each task.
    fn report_table(&self, applied: &[AppliedPart], performers: &Performers) {
        let outcome = |part: PartKind, name: &str| {
            let mut all = applied.iter();
            all.find(|it| it.part == part && it.name == name)
                .map(|it| &it.outcome)
        };
        for machine in &self.plan.machines {
            let reference = machine.source.reference();
            line(&format!(
                "{STRONG}{}{STRONG:#} {FAINT}{reference}{FAINT:#}{}",
                machine.name,
                problem(outcome(PartKind::StateMachine, &machine.name))
            ));
            for task in tasks_of(machine).iter().flat_map(|program| program.tasks()) {
                line(&task_line(&task, performers));
            }
        }
        for function in &self.plan.functions {
            line(&format!(
                "function {STRONG}{}{STRONG:#} {FAINT}{}{FAINT:#}{}",
                function.name,
                described(function),
                problem(outcome(PartKind::Function, &function.name))
            ));
        }
        for part in applied.iter().filter(|it| it.part == PartKind::Resource) {
            self.report(part);
        }
        self.report_routes();
        self.report_events();
    }

    fn report_routes(&self) {
        for route in self.plan.routes() {
            let target = match &route.target {
                RouteTarget::Function(name) => format!("function {name}"),
                RouteTarget::StateMachine(name) => format!("an execution of {name}"),
                _ => continue,
            };
            let stage = match route.stage.as_str() {
                "$default" => String::new(),
                stage => format!("/{stage}"),
            };
            line(&format!(
                "{} {}{APIS}/{}{stage}{} {FAINT}by {target}{FAINT:#}",
                route.method, self.url, route.api, route.path
            ));
        }
    }

    /// Reports the events that are not delivered, with the command to start an execution.
    fn report_events(&self) {
        for event in &self.plan.events {
            let machine = self.plan.machines.iter().find(|it| it.id == event.target);
            let is_route = matches!(event.event_type.as_str(), "Api" | "HttpApi");
            let Some(machine) = machine.filter(|_| !is_route) else {
                continue;
            };
            line(&format!(
                "{} {STRONG}{}{STRONG:#} of {} is not delivered by itself: start an execution of {}",
                event.event_type, event.id, machine.name, machine.name
            ));
        }
    }

    fn report_missing(&self, name: &str, performers: &Performers) {
        let machine = self.plan.machines.iter().find(|it| it.name == name);
        let Some(program) = machine.and_then(tasks_of) else {
            return;
        };
        let missing = program
            .tasks()
            .filter(|task| performer_of(task, performers).is_none());
        for task in missing {
            line(&task_line(&task, performers));
        }
    }

    fn report(&self, applied: &AppliedPart) {
        let what = match applied.part {
            PartKind::StateMachine => "state machine",
            PartKind::Function => "function",
            _ => "resource",
        };
        let outcome = match &applied.outcome {
            Outcome::Created => format!("{SUCCESS}created{SUCCESS:#}"),
            Outcome::Updated => format!("{SUCCESS}updated{SUCCESS:#}"),
            Outcome::Unchanged => "is there".to_owned(),
            Outcome::Removed if applied.part == PartKind::StateMachine => {
                "is gone from the template, and remains".to_owned()
            }
            Outcome::Removed => "removed".to_owned(),
            Outcome::Warned(reason) => format!("updated; {WARNING}{reason}{WARNING:#}"),
            Outcome::Failed(reason) => format!("{ERROR}failed{ERROR:#}: {reason}"),
            _ => "changed".to_owned(),
        };
        line(&format!(
            "{what} {STRONG}{}{STRONG:#} {outcome}",
            applied.name
        ));
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

async fn answer(api: &InvokeApi, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    // A page of any site could send it through a browser on this machine.
    if parts.headers.contains_key(ORIGIN) {
        return status(403);
    }
    let event = Limited::new(body, MOST_EVENT).collect().await;
    // A longer one is refused by its length.
    let event = event.map_or_else(|_| vec![b' '; MOST_EVENT], |it| it.to_bytes().into());
    match api.respond(&parts, event).await {
        Some(response) => response.map(Body::from),
        None => Response::default(),
    }
}

/// Answers a request to an API of the application.
async fn answer_api(apis: &Apis, api: &str, path: &str, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let Ok(body) = Limited::new(body, MOST_API_BODY).collect().await else {
        return status(413);
    };
    let headers = parts.headers.iter().map(|(name, value)| {
        let value = String::from_utf8_lossy(value.as_bytes());
        (name.to_string(), value.into_owned())
    });
    let asked = ApiRequest::new(parts.method.as_str(), format!("/{path}"))
        .with_query(parts.uri.query().unwrap_or_default().to_owned())
        .with_headers(headers.collect())
        .with_body(body.to_bytes().into());
    let answered = apis.answer(api, &asked).await;
    let mut response = Response::builder().status(answered.status);
    for (name, value) in &answered.headers {
        response = response.header(name, value);
    }
    // Headers of a function that cannot be sent are its error.
    let response = response.body(Body::from(answered.body));
    response.unwrap_or_else(|_| status(502))
}

fn status(status: u16) -> Response {
    let mut response = Response::default();
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or_default();
    response
}

/// Returns the program of a state machine; None if its definition is invalid, which the deployment reports.
fn tasks_of(machine: &PlannedMachine) -> Option<Program> {
    let options = asl_model::Options::default().with_placeholders(Placeholders::Left);
    let (machine, _) = machine.source.parse(options)?.ok()?;
    Program::compile(&machine).ok()
}

/// Describes the performer of a task.
fn performer_of(task: &ProgramTask<'_>, performers: &Performers) -> Option<String> {
    if let Some(performer) = performers.describe(task) {
        return Some(performer);
    }
    let resource = task.resource();
    let service = resource.integration().map(|it| it.service.as_str());
    match service {
        Some("states" | "aws-sdk:sfn") => Some("this server".to_owned()),
        _ if resource.uri.contains(":activity:") => Some("workers of the activity".to_owned()),
        _ => None,
    }
}

fn task_line(task: &ProgramTask<'_>, performers: &Performers) -> String {
    let state = task.state_name();
    match performer_of(task, performers) {
        Some(performer) => format!("  {state} {FAINT}by {performer}{FAINT:#}"),
        None => {
            let resource = task.resource();
            let function = resource.function_name().or(task.function_name());
            let name = function.unwrap_or(&resource.uri);
            let endpoint = match () {
                () if HttpTasks::is_call(resource) => ", or --allow-http HOST",
                () if AwsTasks::is_call(resource) => ", or --aws URL",
                () => "",
            };
            format!(
                "  {state} {WARNING}by nobody{WARNING:#}: add --task '{name}=exec:COMMAND'{endpoint}"
            )
        }
    }
}

fn described(function: &FunctionSource) -> String {
    let runtime = function.runtime.as_deref().unwrap_or("no runtime");
    let handler = function.handler.as_deref().unwrap_or_default();
    let file = function.file.display();
    format!("{runtime} {handler} {file}:{}", function.line)
}

fn problem(outcome: Option<&Outcome>) -> String {
    match outcome {
        Some(Outcome::Failed(reason)) => format!(" {ERROR}does not work{ERROR:#}: {reason}"),
        Some(Outcome::Warned(reason)) => format!(" {WARNING}{reason}{WARNING:#}"),
        _ => String::new(),
    }
}

fn line(text: &str) {
    terminal::error_line(text);
}

fn warn(what: &str) {
    terminal::error_line(&format!("{WARNING}warning:{WARNING:#} {what}"));
}
