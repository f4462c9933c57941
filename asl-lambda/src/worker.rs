//! A process with its Runtime API.
use crate::exchange::{Exchange, QueuedEvent};
use crate::invocation::{Invocation, InvocationOutcome};
use crate::log_lines::ProcessLog;
use crate::process::Process;
use crate::runtime_api::RuntimeApi;
use crate::{Function, Interpreter, Options};
use std::net::Ipv4Addr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// The time for what a process sent before it ended to arrive.
const AFTERMATH: Duration = Duration::from_millis(100);

/// A process that waits for events, or works on one. Dropping it kills it.
#[derive(Debug)]
pub(crate) struct Worker {
    process: Process,
    exchange: Arc<Exchange>,
    serving: JoinHandle<()>,
    log: ProcessLog,
}

impl std::fmt::Debug for ProcessLog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ProcessLog").finish_non_exhaustive()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

impl Worker {
    /// Starts a process.
    ///
    /// # Errors
    /// A message for the reader.
    pub(crate) async fn start(
        function: &Function,
        interpreter: Option<&Interpreter>,
        options: &Options,
    ) -> Result<Self, String> {
        let cannot = |error: std::io::Error| format!("cannot listen for the function: {error}");
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await;
        let listener = listener.map_err(cannot)?;
        let address = listener.local_addr().map_err(cannot)?;
        let log = ProcessLog {
            function: function.name.as_str().into(),
            receiver: options.log.clone(),
            current: Arc::default(),
        };
        let address_text = address.to_string();
        let process = Process::start(function, interpreter, options, &address_text, &log)?;
        let exchange = Arc::new(Exchange::default());
        let api = Arc::new(RuntimeApi {
            exchange: Arc::clone(&exchange),
            function_arn: format!(
                "arn:aws:lambda:{}:{}:function:{}",
                options.region, options.account, function.name
            ),
            address,
        });
        Ok(Self {
            process,
            exchange,
            serving: tokio::spawn(api.serve(listener)),
            log,
        })
    }

    /// Returns true if it can take an event.
    pub(crate) fn is_running(&self) -> bool {
        self.process.is_running()
    }

    /// Gives the process an event, and waits for the end. The second value is false if the process must not be used again.
    pub(crate) async fn invoke(
        &self,
        invocation: Invocation,
        time_limit: Option<Duration>,
        init_time: Duration,
    ) -> (InvocationOutcome, bool) {
        let request_id = invocation.request_id.clone();
        self.log.begin(&invocation);
        let (delivered, is_delivered) = oneshot::channel();
        let (answer, answered) = oneshot::channel();
        self.exchange.put(QueuedEvent {
            invocation,
            time_limit,
            delivered,
            answer,
        });
        let start_limit = time_limit.map(|limit| match self.exchange.is_ready() {
            true => limit,
            false => limit.saturating_add(init_time),
        });
        tokio::select! {
            biased;
            _ = is_delivered => {}
            reason = self.process.ended() => return (self.ended(answered, &request_id, &reason).await, false),
            () = elapsed(start_limit) => return (timed_out(time_limit, &request_id), false),
        }
        let mut answered = answered;
        tokio::select! {
            biased;
            answer = &mut answered => match answer {
                Ok(answer) => (answer, true),
                Err(_) => (exited(&request_id, "the process ended"), false),
            },
            reason = self.process.ended() => (self.ended(answered, &request_id, &reason).await, false),
            () = elapsed(time_limit) => (timed_out(time_limit, &request_id), false),
        }
    }

    /// Returns the outcome of an event whose process ended: its answer, or the reason of the end.
    async fn ended(
        &self,
        answered: oneshot::Receiver<InvocationOutcome>,
        request_id: &str,
        reason: &str,
    ) -> InvocationOutcome {
        if let Ok(Ok(answer)) = tokio::time::timeout(AFTERMATH, answered).await {
            return answer;
        }
        match self.exchange.init_error() {
            Some(error) => InvocationOutcome::Failed(error),
            None => exited(request_id, reason),
        }
    }

    /// Ready when the process waits for its first event.
    pub(crate) async fn ready(&self) {
        tokio::select! {
            () = self.exchange.ready() => {}
            _ = self.process.ended() => {}
        }
    }
}

async fn elapsed(limit: Option<Duration>) {
    match limit {
        Some(limit) => tokio::time::sleep(limit).await,
        None => std::future::pending().await,
    }
}

fn timed_out(limit: Option<Duration>, request_id: &str) -> InvocationOutcome {
    let seconds = limit.unwrap_or_default().as_secs_f64();
    let message = format!("Error: Task timed out after {seconds:.2} seconds");
    InvocationOutcome::of_platform("Sandbox.Timedout", request_id, &message)
}

fn exited(request_id: &str, reason: &str) -> InvocationOutcome {
    let message = match reason {
        // As Lambda writes it of a process that ended without an error.
        "exit status 0" => "Error: Runtime exited without providing a reason".to_owned(),
        reason => format!("Error: Runtime exited with error: {reason}"),
    };
    InvocationOutcome::of_platform("Runtime.ExitError", request_id, &message)
}
