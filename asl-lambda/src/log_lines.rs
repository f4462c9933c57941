//! Lines that functions write.
use crate::options::LogReceiver;
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

/// The receiver of the lines of a process.
#[derive(Clone)]
pub(crate) struct ProcessLog {
    pub(crate) function: Arc<str>,
    pub(crate) receiver: Option<LogReceiver>,
    /// The current invocation, or the last one.
    pub(crate) current: Arc<Mutex<Option<InvocationLabel>>>,
}

impl ProcessLog {
    pub(crate) fn begin(&self, label: InvocationLabel) {
        *self.current.lock().unwrap_or_else(PoisonError::into_inner) = Some(label);
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
        let Some(receiver) = &self.receiver else {
            return;
        };
        let current = self.current.lock().unwrap_or_else(PoisonError::into_inner);
        let invocation = current.clone();
        drop(current);
        receiver(&LogLine {
            function: self.function.to_string(),
            invocation,
            text: String::from_utf8_lossy(&line).trim_end().to_owned(),
        });
    }
}
