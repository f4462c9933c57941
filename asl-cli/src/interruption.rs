//! The signals by which a user ends a run.
use crate::exit::{Exit, Failure};
use asl_performers::RunningCommands;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, oneshot};

/// Time for an execution to end after a second interruption.
const GRACE: Duration = Duration::from_millis(200);

/// Names the signals that come. A thread of their own awaits them: the execution's may be evaluating something.
pub(crate) struct Interruption {
    signals: mpsc::UnboundedReceiver<&'static str>,
}

impl Interruption {
    /// From here on, the first signal does not end the process; the second does, and what still runs of the commands.
    pub(crate) async fn new(commands: Arc<RunningCommands>) -> Result<Self, Failure> {
        let (sender, signals) = mpsc::unbounded_channel();
        let (begun, begins) = oneshot::channel();
        std::thread::Builder::new()
            .name("signals".to_owned())
            .spawn(move || listen(begun, &sender, &commands))
            .map_err(failure)?;
        match begins.await {
            Ok(Ok(())) => Ok(Self { signals }),
            Ok(Err(error)) => Err(failure(error)),
            Err(gone) => Err(failure(gone)),
        }
    }

    /// Waits for the next one and names it.
    pub(crate) async fn next(&mut self) -> &'static str {
        match self.signals.recv().await {
            Some(name) => name,
            None => std::future::pending().await,
        }
    }
}

fn failure(error: impl std::fmt::Display) -> Failure {
    Failure::new(format!("cannot wait for signals: {error}"))
}

fn listen(
    begun: oneshot::Sender<std::io::Result<()>>,
    sender: &mpsc::UnboundedSender<&'static str>,
    commands: &RunningCommands,
) {
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let tokio = match tokio {
        Ok(tokio) => tokio,
        Err(error) => return drop(begun.send(Err(error))),
    };
    tokio.block_on(async {
        let mut signals = match Signals::new() {
            Ok(signals) => signals,
            Err(error) => return drop(begun.send(Err(error))),
        };
        // Whoever waited is told by the signals where it is gone.
        let _ = begun.send(Ok(()));
        for is_first in [true, false] {
            let name = signals.next().await;
            let _ = sender.send(name);
            if !is_first {
                tokio::time::sleep(GRACE).await;
                commands.kill_all();
                Exit::Interrupted.leave();
            }
        }
    });
}

#[cfg(unix)]
struct Signals {
    interrupted: tokio::signal::unix::Signal,
    terminated: tokio::signal::unix::Signal,
    quit: tokio::signal::unix::Signal,
    /// None if the process was started so that it outlives its terminal.
    hung_up: Option<tokio::signal::unix::Signal>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> std::io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        let outlives = ignores(SignalKind::hangup().as_raw_value());
        let hung_up = (!outlives).then(|| signal(SignalKind::hangup()));
        Ok(Self {
            interrupted: signal(SignalKind::interrupt())?,
            terminated: signal(SignalKind::terminate())?,
            quit: signal(SignalKind::quit())?,
            hung_up: hung_up.transpose()?,
        })
    }

    async fn next(&mut self) -> &'static str {
        let Self {
            interrupted,
            terminated,
            quit,
            hung_up,
        } = self;
        let hung_up = async {
            match hung_up {
                Some(signal) => signal.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = interrupted.recv() => "Ctrl-C",
            _ = terminated.recv() => "SIGTERM",
            _ = quit.recv() => "SIGQUIT",
            _ = hung_up => "SIGHUP",
        }
    }
}

/// Returns true if the process was started so that a signal does nothing to it, as `nohup` does; where that can be known.
#[cfg(unix)]
fn ignores(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    let bit = u32::try_from(signal - 1).unwrap_or_default();
    mask.is_some_and(|mask| mask.checked_shr(bit).unwrap_or_default() & 1 == 1)
}

#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> std::io::Result<Self> {
        Ok(Self)
    }

    async fn next(&mut self) -> &'static str {
        let _ = tokio::signal::ctrl_c().await;
        "Ctrl-C"
    }
}
