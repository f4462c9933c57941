//! Faults that stop the store from writing, the requests that wait for them to pass, and their notices.
use crate::database::stored_files::StoredFiles;
use crate::notice::{Notices, StoreNotice};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::sync::watch;

/// The time that a request waits while nothing can be written.
const PATIENCE: Duration = Duration::from_secs(3);

/// A fault that stops the writer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Trouble {
    pub(crate) what: String,
    /// True for a fault that may pass, such as a full disk.
    pub(crate) may_pass: bool,
}

/// The state of the writer, shared by all users of a store.
#[derive(Clone)]
pub(crate) struct Health {
    trouble: watch::Sender<Option<Trouble>>,
    is_closing: Arc<AtomicBool>,
    files: Arc<StoredFiles>,
    notices: Notices,
}

impl Health {
    pub(crate) fn new(files: StoredFiles, notices: Notices) -> Self {
        Self {
            trouble: watch::Sender::new(None),
            is_closing: Arc::default(),
            files: Arc::new(files),
            notices,
        }
    }

    pub(crate) fn trouble(&self) -> Option<Trouble> {
        self.trouble.borrow().clone()
    }

    /// Checks that the database is the file that was opened. A missing one hinders the writer for good.
    pub(crate) fn check_files(&self) -> bool {
        let missing = self.files.missing();
        let is_there = missing.is_none();
        if let Some(what) = missing {
            let may_pass = false;
            self.set(Some(Trouble { what, may_pass }));
        }
        is_there
    }

    /// Gives up what there is no room for now.
    pub(crate) fn close(&self) {
        self.is_closing.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_closing(&self) -> bool {
        self.is_closing.load(Ordering::Relaxed)
    }

    /// Notes what hinders the writer, and reports a change. What does not pass stays.
    pub(crate) fn set(&self, trouble: Option<Trouble>) {
        let mut reported = None;
        self.trouble.send_if_modified(|known| {
            if *known == trouble || known.as_ref().is_some_and(|known| !known.may_pass) {
                return false;
            }
            reported = match (&trouble, &known) {
                (Some(trouble), None) => Some(StoreNotice::WritingFails {
                    why: trouble.what.clone(),
                }),
                (Some(trouble), Some(_)) if !trouble.may_pass => Some(StoreNotice::WritingFails {
                    why: trouble.what.clone(),
                }),
                (None, Some(_)) => Some(StoreNotice::WritingGoesOn),
                _ => None,
            };
            *known = trouble;
            true
        });
        if let Some(notice) = reported {
            self.notices.send(&notice);
        }
    }

    /// Ends once the writer has been hindered for some seconds.
    pub(crate) async fn wait_until_hindered(&self) {
        let mut trouble = self.trouble.subscribe();
        // The sender lives as long as `self`.
        while trouble.wait_for(Option::is_some).await.is_ok() {
            tokio::time::sleep(PATIENCE).await;
            if trouble.borrow().is_some() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    fn trouble(may_pass: bool) -> Option<Trouble> {
        let what = "the disk is full".to_owned();
        Some(Trouble { what, may_pass })
    }

    #[test]
    fn a_change_is_reported_once() {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let sink = Arc::clone(&seen);
        let notices = Notices::new(move |notice| sink.lock().unwrap().push(notice.clone()));
        let health = Health::new(StoredFiles::default(), notices);
        health.set(None);
        health.set(trouble(true));
        health.set(trouble(true));
        health.set(None);
        health.set(trouble(false));
        // What does not pass stays.
        health.set(None);
        let why = || "the disk is full".to_owned();
        let expected = [
            StoreNotice::WritingFails { why: why() },
            StoreNotice::WritingGoesOn,
            StoreNotice::WritingFails { why: why() },
        ];
        assert_eq!(*seen.lock().unwrap(), expected);
        assert!(health.trouble().is_some());
    }
}
