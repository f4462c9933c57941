//! Processes that run functions.
use crate::environment::{absolute, environment};
use crate::log_lines::ProcessLog;
use crate::{Function, Interpreter, Options, Runtime};
use asl_performers::RunningCommands;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::watch;

/// The programs that run functions of Python and of Node.js.
const BOOTSTRAPS: [(&str, &str); 2] = [
    ("bootstrap.py", include_str!("bootstraps/bootstrap.py")),
    ("bootstrap.mjs", include_str!("bootstraps/bootstrap.mjs")),
];

/// Writes the programs into a folder that does not have them.
pub(crate) fn write_bootstraps(folder: &Path) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    for (name, text) in BOOTSTRAPS {
        let path = folder.join(name);
        if std::fs::read_to_string(&path).is_ok_and(|written| written == text) {
            continue;
        }
        // Another process may read it at this moment.
        let new = folder.join(format!("{name}.{}", std::process::id()));
        std::fs::write(&new, text)?;
        std::fs::rename(&new, &path)?;
    }
    Ok(())
}

/// A running process. Dropping it kills it, with all that it started.
#[derive(Debug)]
pub(crate) struct Process {
    group: Option<u32>,
    processes: Arc<RunningCommands>,
    ended: watch::Receiver<Option<String>>,
    /// Closed when the host ends, which ends the process too.
    _stdin: Option<ChildStdin>,
}

impl Process {
    /// Starts the process of a function.
    ///
    /// # Errors
    /// A message for the reader.
    pub(crate) fn start(
        function: &Function,
        interpreter: Option<&Interpreter>,
        options: &Options,
        runtime_api: &str,
        log: &ProcessLog,
    ) -> Result<Self, String> {
        let log_stream = format!("local/[$LATEST]{}", runtime_api.replace([':', '.'], ""));
        let (program, arguments) = command_line(function, interpreter, options)?;
        let mut command = Command::new(&program);
        command
            .args(arguments)
            .current_dir(&function.code)
            .env_clear()
            .envs(environment(function, options, runtime_api, &log_stream))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        // A group of its own: it is killed with all that it starts, and Ctrl-C is for the host to pass on.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| {
            let folder = function.code.display();
            match function.code.is_dir() {
                true => format!("cannot start {}: {error}", program.display()),
                false => format!(
                    "the code of function '{}' is not there: {folder}",
                    function.name
                ),
            }
        })?;
        let group = child.id();
        group
            .into_iter()
            .for_each(|group| options.processes.began(group));
        tokio::spawn(log.clone().read(child.stdout.take()));
        tokio::spawn(log.clone().read(child.stderr.take()));
        let (tell, ended) = watch::channel(None);
        let stdin = child.stdin.take();
        tokio::spawn(wait(child, group, Arc::clone(&options.processes), tell));
        Ok(Self {
            group,
            processes: Arc::clone(&options.processes),
            ended,
            _stdin: stdin,
        })
    }

    /// Returns true until the process has ended.
    pub(crate) fn is_running(&self) -> bool {
        self.ended.borrow().is_none()
    }

    /// Ready with the reason when the process has ended.
    pub(crate) async fn ended(&self) -> String {
        let mut ended = self.ended.clone();
        let told = ended.wait_for(Option::is_some).await;
        let told = told.ok().and_then(|told| told.clone());
        told.unwrap_or_else(|| "the process ended".to_owned())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(group) = self.group.filter(|_| self.is_running()) {
            self.processes.kill(group);
        }
    }
}

/// Waits for the end of a process, and kills the processes that it started.
async fn wait(
    mut child: Child,
    group: Option<u32>,
    processes: Arc<RunningCommands>,
    tell: watch::Sender<Option<String>>,
) {
    let status = child.wait().await;
    if let Some(group) = group {
        processes.kill(group);
    }
    tell.send_replace(Some(match status {
        Ok(status) => described(status),
        Err(error) => error.to_string(),
    }));
}

/// Says how a process ended, in Lambda's words.
fn described(status: ExitStatus) -> String {
    #[cfg(unix)]
    {
        use std::os::unix::process::ExitStatusExt as _;
        if let Some(signal) = status.signal() {
            return match signal {
                9 => "signal: killed".to_owned(),
                11 => "signal: segmentation fault".to_owned(),
                6 => "signal: aborted".to_owned(),
                15 => "signal: terminated".to_owned(),
                other => format!("signal: {other}"),
            };
        }
    }
    match status.code() {
        Some(code) => format!("exit status {code}"),
        None => status.to_string(),
    }
}

/// Returns the program of a function and its arguments.
fn command_line(
    function: &Function,
    interpreter: Option<&Interpreter>,
    options: &Options,
) -> Result<(PathBuf, Vec<OsString>), String> {
    let bootstrap = |name: &str| OsString::from(absolute(&options.folder).join(name));
    let program = |found: &Interpreter| found.program.clone();
    match (&function.runtime, interpreter) {
        (Runtime::Python { .. }, Some(found)) => {
            let debugger = function.debug_port.into_iter().flat_map(|port| {
                let listen = format!("127.0.0.1:{port}");
                let words = ["-m", "debugpy", "--listen", &listen, "--wait-for-client"];
                words.map(OsString::from)
            });
            let arguments = debugger.chain([bootstrap("bootstrap.py")]).collect();
            Ok((program(found), arguments))
        }
        (Runtime::Node { .. }, Some(found)) => {
            let debugger = function
                .debug_port
                .map(|port| OsString::from(format!("--inspect-brk=127.0.0.1:{port}")));
            let arguments = debugger
                .into_iter()
                .chain(type_script_loader(function))
                .chain([bootstrap("bootstrap.mjs")])
                .collect();
            Ok((program(found), arguments))
        }
        _ => {
            let own = absolute(&function.code).join("bootstrap");
            match own.is_file() {
                true => Ok((own, vec![function.handler.clone().into()])),
                false => Err(format!(
                    "Couldn't find valid bootstrap(s): [{}]",
                    own.display()
                )),
            }
        }
    }
}

/// Returns the arguments that make Node.js read TypeScript by tsx, where the code has it.
fn type_script_loader(function: &Function) -> Vec<OsString> {
    let code = absolute(&function.code);
    let mut folders = code.ancestors().take(6);
    let loader = folders.find_map(|folder| {
        let loader = folder.join("node_modules/tsx/dist/loader.mjs");
        loader.is_file().then_some(loader)
    });
    match loader {
        Some(loader) => vec!["--import".into(), loader.into()],
        None => Vec::new(),
    }
}
