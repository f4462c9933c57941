//! Messages that have come and are not answered yet.
use crossbeam_channel::Receiver;
use lsp_server::{ErrorCode, Message, Request, RequestId, Response};
use lsp_types::{CancelParams, NumberOrString};
use std::collections::VecDeque;

/// Messages in their order, without those that were cancelled before they were looked at.
#[derive(Debug, Default)]
pub(super) struct Inbox {
    waiting: VecDeque<Message>,
    refusals: Vec<Message>,
}

/// Requests that cannot be cancelled: without them the session could not continue, or end.
const LIFECYCLE: [&str; 2] = ["initialize", "shutdown"];

impl Inbox {
    /// Takes all that has come.
    pub(super) fn take_all(&mut self, receiver: &Receiver<Message>) {
        while let Ok(message) = receiver.try_recv() {
            self.push(message);
        }
    }

    /// Waits for a message; false if none will come.
    pub(super) fn wait(&mut self, receiver: &Receiver<Message>) -> bool {
        let message = receiver.recv();
        message.map(|message| self.push(message)).is_ok()
    }

    fn push(&mut self, message: Message) {
        match cancelled(&message) {
            Some(id) => self.cancel(&id),
            None => self.waiting.push_back(message),
        }
    }

    fn cancel(&mut self, id: &RequestId) {
        let is_meant = |message: &Message| {
            matches!(message, Message::Request(Request { id: it, method, .. })
                if it == id && !LIFECYCLE.contains(&method.as_str()))
        };
        let Some(index) = self.waiting.iter().position(is_meant) else {
            return;
        };
        self.waiting.remove(index);
        let code = ErrorCode::RequestCanceled as i32;
        let refusal = Response::new_err(id.clone(), code, "cancelled by the client".to_owned());
        self.refusals.push(refusal.into());
    }

    pub(super) fn next(&mut self) -> Option<Message> {
        self.waiting.pop_front()
    }

    pub(super) fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Returns the responses to cancelled requests.
    pub(super) fn refusals(&mut self) -> Vec<Message> {
        std::mem::take(&mut self.refusals)
    }
}

/// Returns the request that a message cancels.
fn cancelled(message: &Message) -> Option<RequestId> {
    let Message::Notification(notification) = message else {
        return None;
    };
    if notification.method != "$/cancelRequest" {
        return None;
    }
    let params: CancelParams = serde_json::from_value(notification.params.clone()).ok()?;
    Some(match params.id {
        NumberOrString::Number(id) => RequestId::from(id),
        NumberOrString::String(id) => RequestId::from(id),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crossbeam_channel::unbounded;
    use lsp_server::Notification;
    use serde_json::json;

    #[test]
    fn a_request_that_waits_can_be_cancelled() {
        let (sender, receiver) = unbounded();
        for id in [1, 2] {
            let request = Request::new(id.into(), "x".to_owned(), json!({}));
            sender.send(request.into()).unwrap();
        }
        for id in [json!(1), json!("1"), json!(7)] {
            let cancel = Notification::new("$/cancelRequest".to_owned(), json!({"id": id}));
            sender.send(cancel.into()).unwrap();
        }
        let mut inbox = Inbox::default();
        inbox.take_all(&receiver);
        let refusals = inbox.refusals();
        assert!(matches!(refusals.as_slice(), [Message::Response(it)] if it.id == 1.into()));
        assert!(matches!(inbox.next(), Some(Message::Request(it)) if it.id == 2.into()));
        assert!(inbox.is_empty());
    }

    #[test]
    fn the_session_itself_cannot_be_cancelled() {
        let (sender, receiver) = unbounded();
        let initialize = Request::new(1.into(), "initialize".to_owned(), json!({}));
        sender.send(initialize.into()).unwrap();
        let cancel = Notification::new("$/cancelRequest".to_owned(), json!({"id": 1}));
        sender.send(cancel.into()).unwrap();
        let mut inbox = Inbox::default();
        inbox.take_all(&receiver);
        assert!(inbox.refusals().is_empty());
        assert!(matches!(inbox.next(), Some(Message::Request(it)) if it.method == "initialize"));
    }
}
