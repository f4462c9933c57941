//! `asl serve`.
mod application;
mod execution_log;
mod limits;
mod log;
mod open_backend;
mod open_files;
mod plan_files;
#[cfg(feature = "restate")]
mod restate;
mod suspended;
mod task_log;
mod tasks;
mod waiting_tasks;
mod watch;

#[cfg(feature = "restate")]
use crate::arguments::ServeEngine;
use crate::arguments::{DevArguments, ServeArguments, ServeDurability, ServeLog};
use crate::aws;
use crate::exit::{Exit, Failure, print};
use crate::interruption::Interruption;
use crate::run::tasks::routes;
use crate::server_client::remember_url;
use crate::source::Source;
use crate::terminal;
use application::Application;
use asl_aws::Caller;
use asl_engine::runtime::Performer;
use asl_performers::{ExternalHandlers, MockConfiguration, MockConfigurationError};
use asl_server::{SelfCalls, Server, ServerOptions};
use asl_store::{Durability, Options, Store, StoreObserver};
use execution_log::ExecutionLog;
use open_backend::OpenBackend;
use std::net::{Ipv4Addr, SocketAddr};
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};
use tasks::Performers;
use tokio::net::TcpListener;
use watch::WatchedFiles;

/// Serves until the process is stopped.
pub(crate) fn serve(arguments: &ServeArguments) -> Result<Exit, Failure> {
    start(arguments, None, aws::caller(&arguments.tasks)?)
}

/// Serves an application until the process is stopped.
pub(crate) fn dev(mut arguments: DevArguments) -> Result<Exit, Failure> {
    let functions = std::mem::take(&mut arguments.functions);
    // An error names the option that was given.
    routes(&functions, &ExternalHandlers::new(1))
        .map_err(|failure| Failure::new(failure.0.replace("--task", "--function")))?;
    arguments.serve.tasks.handlers.extend(functions);
    let caller = aws::caller(&arguments.serve.tasks)?;
    // What the template creates there has its account in its ARNs.
    if let (None, Some(caller)) = (&arguments.serve.account, &caller) {
        arguments.serve.account = aws::account(caller);
    }
    start(&arguments.serve, Some(&arguments), caller)
}

fn start(
    arguments: &ServeArguments,
    dev: Option<&DevArguments>,
    caller: Option<Arc<Caller>>,
) -> Result<Exit, Failure> {
    let address = address(arguments)?;
    let refused = |error: asl_server::OptionError| Failure::new(error.to_string());
    let options = ServerOptions::default()
        .with_account(arguments.account())
        .and_then(|options| options.with_region(&arguments.region))
        .map_err(refused)?;
    let mut options = limits::server_options(arguments, options)?;
    options.grace = Duration::from_secs(arguments.grace.into());
    let tokio = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|error| Failure::new(format!("cannot start the runtime: {error}")))?;
    tokio.block_on(run(arguments, dev, caller, address, options))?;
    Ok(Exit::Success)
}

/// Returns the listen address; a non-loopback address needs two options.
fn address(arguments: &ServeArguments) -> Result<SocketAddr, Failure> {
    let own = SocketAddr::from((Ipv4Addr::LOCALHOST, arguments.port));
    let address = arguments.listen.unwrap_or(own);
    match address.ip().is_loopback() || arguments.insecure_bind {
        true => Ok(address),
        false => Err(Failure::new(format!(
            "{address} can be reached from other machines, and request signatures are not verified: add --insecure-bind \
             to allow that"
        ))),
    }
}

async fn run(
    arguments: &ServeArguments,
    dev: Option<&DevArguments>,
    caller: Option<Arc<Caller>>,
    address: SocketAddr,
    options: ServerOptions,
) -> Result<(), Failure> {
    let cannot =
        |error: std::io::Error| Failure::new(format!("cannot listen on {address}: {error}"));
    let mut watched = WatchedFiles::new(arguments)?;
    let external = ExternalHandlers::new(arguments.tasks.max_concurrent_tasks.into());
    let commands = Arc::clone(external.commands());
    let interruption = Interruption::new(Arc::clone(&commands)).await?;
    let self_calls = SelfCalls::new();
    // Wrong options are refused before a port is taken.
    let mut application = dev
        .map(|dev| Application::new(dev, Arc::clone(&commands)))
        .transpose()?;
    let functions = application.as_ref().map(Application::functions);
    let folder = settings_folder(arguments, dev);
    let performers = Performers::new(arguments, folder, &external, functions, caller)?;
    let performer = self_calls.performer(performers.performer());
    let listener = TcpListener::bind(address).await.map_err(cannot)?;
    let address = listener.local_addr().map_err(cannot)?;
    if let Some(application) = &mut application {
        application.prepare(address, &performers).await;
    }
    let opened = open(arguments, dev, performer).await?;
    let mut server = Server::new(opened.backend(), options).map_err(cannot)?;
    if arguments.log != ServeLog::Off {
        server = server.log_requests(log::to_stderr(arguments.log));
    }
    if let Some(application) = &application {
        server = server.with_routes(application.routes());
    }
    server.answer_self_calls(&self_calls);
    let deployments = server.deployments();
    if let Some(watched) = &mut watched {
        watched.look(&deployments).await;
        watched.warn_of_unused();
    }
    opened.report_status().await;
    if let Some(application) = &mut application {
        application
            .start(address, deployments.clone(), &performers)
            .await;
    }
    if !arguments.in_memory {
        remember_url(&arguments.data, &format!("http://{address}"));
    }
    print_startup(arguments, &opened, address)?;
    let grace = Duration::from_secs(arguments.grace.into());
    let until = Arc::new(OnceLock::new());
    let ended = {
        let (until, opened) = (Arc::clone(&until), opened.clone());
        async move {
            ended(interruption, grace).await;
            opened.start_draining();
            // It is set here alone.
            let _ = until.set(Instant::now() + grace);
        }
    };
    let served = tokio::select! {
        served = server.serve(listener, ended) => served,
        never = watch::poll_forever(watched, &deployments) => match never {},
        never = application::poll_forever(application, &performers) => match never {},
    };
    let left = until
        .get()
        .map(|until| until.saturating_duration_since(Instant::now()));
    opened.drain(left.unwrap_or_default()).await;
    opened.close();
    // Their tasks are done again when it is opened again.
    commands.kill_all();
    served.map_err(cannot)
}

/// Returns the folder whose `asl.toml`, or the one of a parent folder, applies.
fn settings_folder<'a>(arguments: &'a ServeArguments, dev: Option<&'a DevArguments>) -> &'a Path {
    let path = dev
        .and_then(|dev| dev.paths.first())
        .or(arguments.watch.as_ref());
    match path {
        Some(path) if path.is_dir() => path,
        Some(path) => path.parent().unwrap_or(path),
        None => Path::new(""),
    }
}

async fn open(
    arguments: &ServeArguments,
    dev: Option<&DevArguments>,
    performer: impl Performer,
) -> Result<OpenBackend, Failure> {
    #[cfg(feature = "restate")]
    if arguments.engine.engine == ServeEngine::Restate {
        return restate::connect(arguments, Arc::new(performer)).await;
    }
    open_store(arguments, dev, performer)
}

fn open_store(
    arguments: &ServeArguments,
    dev: Option<&DevArguments>,
    performer: impl Performer,
) -> Result<OpenBackend, Failure> {
    let options = Options::new(Arc::new(performer))
        .with_durability(match arguments.durability {
            ServeDurability::Full => Durability::Full,
            ServeDurability::Fast => Durability::Fast,
        })
        .with_retention(arguments.retention.duration())
        .with_retention_bytes(arguments.retention_bytes)
        .with_mocks(arguments.mocks.as_deref().map(mocks).transpose()?)
        .with_notices(log::notices(arguments.log));
    let options = limits::store_options(arguments, options);
    let options = match dev {
        Some(_) => options.with_observer(Arc::new(ExecutionLog) as Arc<dyn StoreObserver>),
        None => options,
    };
    let store = match arguments.in_memory {
        true => Store::in_memory(options),
        false => Store::open(&arguments.data, options),
    };
    let store = store.map_err(|error| Failure::new(error.to_string()))?;
    Ok(OpenBackend::Store(Arc::new(store)))
}

/// Returns the mocks of a file.
fn mocks(path: &str) -> Result<MockConfiguration, Failure> {
    let source = Source::read(path)?;
    let refused =
        |error: MockConfigurationError| Failure::new(format!("{}: {}", source.name, error.message));
    MockConfiguration::from_value(&source.json_or_yaml()?).map_err(refused)
}

/// Ready when the terminal or another process stops the server; a second signal ends the process immediately.
async fn ended(mut interruption: Interruption, grace: Duration) {
    let signal = interruption.next().await;
    terminal::error_line(&format!(
        "{signal}: waiting at most {} s for requests and running tasks; a second signal ends the process immediately",
        grace.as_secs()
    ));
}

/// Prints the lines for clients to stdout, and the rest to stderr.
fn print_startup(
    arguments: &ServeArguments,
    opened: &OpenBackend,
    address: SocketAddr,
) -> Result<(), Failure> {
    let place = opened.place().unwrap_or_else(|| match arguments.in_memory {
        true => "memory, until the process ends".to_owned(),
        false => arguments.data.display().to_string(),
    });
    terminal::error_line(&format!(
        "AWS Step Functions on http://{address}, data in {place}. For clients:"
    ));
    print(format_args!(
        "export AWS_ENDPOINT_URL_SFN=http://{address}\nexport AWS_DISABLE_HOST_PREFIX_INJECTION=true"
    ))
}
