//! Lines that functions write.
use crate::Invocation;
use crate::options::LogReceiver;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncReadExt};

/// Bytes of a line that are kept.
const LONGEST_LINE: usize = 64 << 10;

/// A line that a function wrote to its standard output or error.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine {
    /// The name of the function.
    pub function: String,
    /// The invocation; None while the function starts.
    pub invocation: Option<InvocationLabel>,
    /// The line, without its end.
    pub text: String,
}

/// The invocation that a line belongs to.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub struct InvocationLabel {
    /// The id of the request.
    pub request_id: String,
    /// The name of the execution that invoked the function.
    pub execution: Option<String>,
    /// The state that did.
    pub state: Option<String>,
}

/// Bytes of a log that the Invoke API returns (AWS Lambda API Reference, Invoke, LogType).
const TAIL_BYTES: usize = 4 << 10;

/// The end of the log of an invocation.
#[derive(Debug, Clone, Default)]
pub struct LogTail(Arc<Mutex<VecDeque<u8>>>);

/// Two are equal if they are of one log.
impl PartialEq for LogTail {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LogTail {}

impl LogTail {
    /// Adds a line.
    pub(crate) fn add(&self, line: &[u8]) {
        let mut bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.extend(line);
        bytes.push_back(b'\n');
        let extra = bytes.len().saturating_sub(TAIL_BYTES);
        bytes.drain(..extra);
    }

    /// Returns the last 4 KiB.
    pub fn bytes(&self) -> Vec<u8> {
        let bytes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        bytes.iter().copied().collect()
    }
}

/// The invocation of a process, and the end of its log if it is wanted.
#[derive(Default)]
pub(crate) struct CurrentInvocation {
    label: Option<InvocationLabel>,
    tail: Option<LogTail>,
}

/// The receiver of the lines of a process.
#[derive(Clone)]
pub(crate) struct ProcessLog {
    pub(crate) function: Arc<str>,
    pub(crate) receiver: Option<LogReceiver>,
    /// The current invocation, or the last one.
    pub(crate) current: Arc<Mutex<CurrentInvocation>>,
}

impl ProcessLog {
    pub(crate) fn begin(&self, invocation: &Invocation) {
        let current = CurrentInvocation {
            label: Some(invocation.label()),
            tail: invocation.log_tail.clone(),
        };
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = current;
    }

    /// Reads a stream to its end.
    pub(crate) async fn read(self, stream: Option<impl AsyncRead + Unpin>) {
        let Some(mut stream) = stream else { return };
        let mut buffer = vec![0; 8 << 10];
        let mut line = Vec::new();
        while let Ok(count @ 1..) = stream.read(&mut buffer).await {
            for byte in buffer.get(..count).unwrap_or_default() {
                match byte {
                    b'\n' => self.end_line(&mut line),
                    _ if line.len() < LONGEST_LINE => line.push(*byte),
                    _ => {}
                }
            }
        }
        if !line.is_empty() {
            self.end_line(&mut line);
        }
    }

    fn end_line(&self, line: &mut Vec<u8>) {
        let line = std::mem::take(line);
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(tail) = &current.tail {
            tail.add(&line);
        }
        let Some(receiver) = &self.receiver else {
            return;
        };
        let invocation = current.label.clone();
        drop(current);
        receiver(&LogLine {
            function: self.function.to_string(),
            invocation,
            text: String::from_utf8_lossy(&line).trim_end().to_owned(),
        });
    }
}
