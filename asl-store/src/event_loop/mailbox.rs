//! Messages to the event loop: results before starts.
use crate::event_loop::message::Message;
use std::collections::VecDeque;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Messages to the event loop.
#[derive(Default)]
pub(crate) struct Mailbox {
    waiting: Mutex<WaitingMessages>,
    arrived: Condvar,
}

#[derive(Default)]
struct WaitingMessages {
    messages: VecDeque<Message>,
    /// Starts that no task makes: behind everything else.
    starts: VecDeque<Message>,
    /// True if the loop sleeps until a message arrives: only then is a wake-up worth a system call.
    is_awaited: bool,
    is_closed: bool,
}

impl Mailbox {
    /// Adds a message; returns false if the loop is gone.
    pub(crate) fn send(&self, message: Message) -> bool {
        let mut waiting = self.waiting();
        if waiting.is_closed {
            return false;
        }
        match message {
            // One that a task makes never waits for room: its execution is in memory, and continues only then.
            Message::Start(ref start) if !start.start.by_task => {
                waiting.starts.push_back(message);
            }
            _ => waiting.messages.push_back(message),
        }
        let is_awaited = std::mem::take(&mut waiting.is_awaited);
        drop(waiting);
        if is_awaited {
            self.arrived.notify_one();
        }
        true
    }

    /// Takes messages, waiting for the first of them for at most so long: all but starts that no task makes, and of
    /// these at most `starts`.
    pub(crate) fn take(&self, patience: Option<Duration>, starts: usize) -> Vec<Message> {
        let mut waiting = self.waiting();
        let is_empty = |waiting: &mut WaitingMessages| {
            let is_empty =
                waiting.messages.is_empty() && (waiting.starts.is_empty() || starts == 0);
            waiting.is_awaited = is_empty;
            is_empty
        };
        match patience {
            Some(Duration::ZERO) => {}
            Some(patience) => {
                let waited = self.arrived.wait_timeout_while(waiting, patience, is_empty);
                waiting = waited.unwrap_or_else(PoisonError::into_inner).0;
            }
            None => {
                let waited = self.arrived.wait_while(waiting, is_empty);
                waiting = waited.unwrap_or_else(PoisonError::into_inner);
            }
        }
        // It may have slept for as long as it wanted to.
        waiting.is_awaited = false;
        let mut taken: Vec<Message> = waiting.messages.drain(..).collect();
        let count = starts.min(waiting.starts.len());
        taken.extend(waiting.starts.drain(..count));
        taken
    }

    /// Closes the mailbox, and drops its messages.
    pub(crate) fn close(&self) {
        let mut waiting = self.waiting();
        waiting.is_closed = true;
        waiting.messages.clear();
        waiting.starts.clear();
    }

    fn waiting(&self) -> MutexGuard<'_, WaitingMessages> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
