//! Tasks done by commands: payload on stdin, answer on stdout.
use super::places::{Places, out_of_time};
use super::running::RunningCommands;
use super::{CommandError, ExternalHandlers, answer, command_line};
use asl_engine::runtime::{BoxFuture, Task, TaskHandler};
use asl_engine::{OrError as _, TaskAnswer, TaskError};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::process::{ExitStatus, Stdio};
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWriteExt};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::Notify;

/// Lines of stderr that become the cause of a failure.
const CAUSE_LINES: usize = 10;
/// Bytes of one such line.
const LINE_BYTES: usize = 4_096;
/// Time for the children of an ended command to write further output.
const AFTERMATH: Duration = Duration::from_millis(200);

/// Runs a command for each task. The command reads the payload from stdin, and its stdout is the result.
///
/// A command that fails fails its task. If the last line of its stderr is `{"Error": …, "Cause": …}`, it is the error.
/// Otherwise the last lines are the cause. Output on stderr counts as a heartbeat. A command is killed with all processes
/// that it started if its result is no longer needed, or if it writes more than 16 MiB. Its environment describes the task:
/// `ASL_TASK_TOKEN`, `ASL_STATE_NAME`, `ASL_RESOURCE`, `ASL_RETRY_COUNT`, `ASL_IDEMPOTENCY_KEY`, `ASL_EXECUTION_ARN`,
/// `ASL_EXECUTION_NAME`.
#[derive(Debug)]
pub struct Exec(Arc<CommandToRun>);

#[derive(Debug)]
struct CommandToRun {
    program: String,
    arguments: Vec<String>,
    /// Quotes within words were removed, as a shell does.
    loses_quotes: bool,
    folder: Option<PathBuf>,
    environment: Vec<(String, OsString)>,
    places: Arc<Places>,
    commands: Arc<RunningCommands>,
}

impl Exec {
    /// Reads `CMD ARG…`: words as a shell splits them, with quotes and backslashes, and nothing else that a shell does.
    ///
    /// # Errors
    /// There is no word, or a quote is not closed.
    pub fn parse(command: &str, external: &ExternalHandlers) -> Result<Self, CommandError> {
        let mut words = command_line::split(command)?.into_iter();
        let program = words.next().filter(|program| !program.is_empty());
        Ok(Self(Arc::new(CommandToRun {
            program: program.ok_or(CommandError::Empty)?,
            arguments: words.collect(),
            loses_quotes: command.contains("{\""),
            folder: external.folder.clone(),
            environment: external.environment.clone(),
            places: Arc::clone(&external.places),
            commands: Arc::clone(&external.commands),
        })))
    }
}

impl CommandToRun {
    /// Adds the reason if the command may have answered without quotes because its own words have none.
    fn with_hint(&self, mut error: TaskError) -> TaskError {
        let cause = error.error_output.cause.take();
        error.error_output.cause = cause.map(|cause| match self.loses_quotes && answer::is_not_json(&cause) {
            true => format!("{cause}; quotes around words of a command are removed, as in a shell: put JSON in single quotes, '{{\"a\": 1}}'"),
            false => cause,
        });
        error
    }
}

impl TaskHandler for Exec {
    fn invoke(&self, task: Task) -> BoxFuture<'static, Result<TaskAnswer, TaskError>> {
        let command = Arc::clone(&self.0);
        Box::pin(async move {
            let program = &command.program;
            let working = async {
                let _place = command.places.acquire().await;
                let process = Process::start(&command, &task)?;
                let answered = process.answer(program, &task).await;
                answered.map_err(|error| command.with_hint(error))
            };
            tokio::select! {
                answer = working => answer.map(TaskAnswer::Completed),
                error = out_of_time(&task) => Err(error),
                () = task.cancelled() => Err(TaskError::failed(format!("{program} was killed: its result is no longer needed"))),
            }
        })
    }
}

/// A running command. Dropping it kills the command and all processes that it started.
struct Process {
    child: Child,
    /// The id of its process group.
    group: Option<u32>,
    commands: Arc<RunningCommands>,
    stdin: Option<ChildStdin>,
    payload: Vec<u8>,
    /// True if it ended, and nothing it started writes any more.
    is_over: bool,
}

impl Process {
    fn start(to_run: &CommandToRun, task: &Task) -> Result<Self, TaskError> {
        let (program, commands) = (&to_run.program, &to_run.commands);
        let identity = &task.execution().identity;
        let mut command = Command::new(program);
        command
            .args(&to_run.arguments)
            .envs(to_run.environment.iter().map(|(name, value)| (name, value)))
            .env("ASL_TASK_TOKEN", task.token())
            .env("ASL_STATE_NAME", task.state_name())
            .env("ASL_RESOURCE", &task.resource().uri)
            .env("ASL_EXECUTION_ARN", identity.execution_arn())
            .env("ASL_EXECUTION_NAME", identity.execution_name())
            .env("ASL_RETRY_COUNT", task.retry_count().to_string())
            .env("ASL_IDEMPOTENCY_KEY", task.idempotency_key())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
        if let Some(folder) = &to_run.folder {
            command.current_dir(folder);
        }
        // A group of its own: it is killed with all that it starts, and Ctrl-C is ours to pass on.
        #[cfg(unix)]
        command.process_group(0);
        let mut child = command.spawn().map_err(|error| {
            let why = match error.kind() {
                io::ErrorKind::NotFound => "no such command".to_owned(),
                _ => error.to_string(),
            };
            TaskError::failed(format!("cannot start {program}: {why}"))
        })?;
        let group = child.id();
        group.into_iter().for_each(|group| commands.began(group));
        let mut process = Self {
            group,
            commands: Arc::clone(commands),
            stdin: child.stdin.take(),
            child,
            payload: Vec::new(),
            is_over: false,
        };
        process.payload = serde_json::to_vec(task.payload()).or_failed()?;
        Ok(process)
    }

    async fn answer(mut self, program: &str, task: &Task) -> Result<serde_json::Value, TaskError> {
        let (stdin, payload) = (self.stdin.take(), std::mem::take(&mut self.payload));
        let (stdout, stderr) = (self.child.stdout.take(), self.child.stderr.take());
        let mut output = Output::default();
        let mut lines = Lines::default();
        let overflow = Notify::new();
        let status = {
            let answering = async {
                if !output.read(stdout).await {
                    overflow.notify_one();
                }
            };
            let reading = async { tokio::join!(answering, lines.read(stderr, task)) };
            let mut working = std::pin::pin!(async { tokio::join!(feed(stdin, payload), reading) });
            tokio::select! {
                status = self.child.wait() => {
                    // What it wrote is there to be read; what its own children still write is not waited for.
                    self.is_over = tokio::time::timeout(AFTERMATH, &mut working).await.is_ok();
                    status
                }
                // It may never end: it is killed where it is dropped.
                () = overflow.notified() => return Err(answer::too_long(program)),
                _ = &mut working => {
                    let status = self.child.wait().await;
                    self.is_over = true;
                    status
                }
            }
        };
        let status = status
            .map_err(|error| TaskError::failed(format!("cannot wait for {program}: {error}")))?;
        drop(self);
        match status.success() {
            true => answer::parse(program, output.bytes),
            false => Err(lines.into_error(program, status)),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let Some(group) = self.group else { return };
        match self.is_over {
            true => self.commands.ended(group),
            false => self.commands.kill(group),
        }
    }
}

/// Writes the payload; a command need not read it.
async fn feed(stdin: Option<ChildStdin>, payload: Vec<u8>) {
    if let Some(mut stdin) = stdin {
        let _ = stdin.write_all(&payload).await;
    }
}

/// Output of a command on stdout.
#[derive(Default)]
struct Output {
    bytes: Vec<u8>,
}

impl Output {
    /// Reads to the end; false if it is longer than any answer may be.
    async fn read(&mut self, stdout: Option<impl AsyncRead + Unpin>) -> bool {
        let Some(mut stdout) = stdout else {
            return true;
        };
        let mut buffer = vec![0; 64 * 1024];
        while let Ok(count @ 1..) = stdout.read(&mut buffer).await {
            if self.bytes.len() + count > answer::MAX_BYTES {
                return false;
            }
            self.bytes.extend_from_slice(&buffer[..count]);
        }
        true
    }
}

/// The last lines that a command writes on stderr.
#[derive(Default)]
struct Lines {
    last: VecDeque<Vec<u8>>,
    current: Vec<u8>,
}

impl Lines {
    /// Reads stderr. Any output counts as a heartbeat.
    async fn read(&mut self, stderr: Option<impl AsyncRead + Unpin>, task: &Task) {
        let Some(mut stderr) = stderr else { return };
        let mut buffer = vec![0; 8 * 1024];
        while let Ok(count @ 1..) = stderr.read(&mut buffer).await {
            task.heartbeat();
            for byte in &buffer[..count] {
                match byte {
                    b'\n' => self.end_line(),
                    _ if self.current.len() < LINE_BYTES => self.current.push(*byte),
                    _ => {}
                }
            }
        }
        self.end_line();
    }

    fn end_line(&mut self) {
        let line = std::mem::take(&mut self.current);
        if line.iter().all(u8::is_ascii_whitespace) {
            return;
        }
        if self.last.len() == CAUSE_LINES {
            self.last.pop_front();
        }
        self.last.push_back(line);
    }

    /// Returns the error in the last line, else all of them as the cause.
    fn into_error(mut self, program: &str, status: ExitStatus) -> TaskError {
        self.end_line();
        let lines: Vec<String> = self
            .last
            .iter()
            .map(|line| String::from_utf8_lossy(line).trim_end().to_owned())
            .collect();
        let told = lines.last().and_then(|line| answer::parse_error(line));
        told.unwrap_or_else(|| match lines.is_empty() {
            true => TaskError::failed(format!(
                "{program} failed with {status}, without output on stderr"
            )),
            false => TaskError::failed(lines.join("\n")),
        })
    }
}
