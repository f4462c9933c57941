//! SharedFunctions code of the tests.
#![allow(
    dead_code,
    unreachable_pub,
    reason = "each test file uses a part of it"
)]

use asl_lambda::{Function, Functions, Invocation, InvocationOutcome, Options, Runtime};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A folder that is removed in the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new() -> Self {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("asl-lambda-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn write(&self, name: &str, text: &str) {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// One function `f`, and the folder of its code.
pub struct Host {
    pub folder: Folder,
    pub functions: Functions,
}

impl Drop for Host {
    fn drop(&mut self) {
        self.functions.stop();
    }
}

impl Host {
    /// Creates a function of one file.
    pub fn new(runtime: &str, handler: &str, file: &str, text: &str) -> Self {
        Self::with(runtime, handler, &[(file, text)], |it| it, |it| it)
    }

    pub fn python(text: &str) -> Self {
        Self::new("python3", "app.handler", "app.py", text)
    }

    pub fn node(text: &str) -> Self {
        Self::new("nodejs", "index.handler", "index.mjs", text)
    }

    pub fn with(
        runtime: &str,
        handler: &str,
        files: &[(&str, &str)],
        function: impl FnOnce(Function) -> Function,
        options: impl FnOnce(Options) -> Options,
    ) -> Self {
        let folder = Folder::new();
        for (name, text) in files {
            folder.write(&format!("code/{name}"), text);
        }
        let made = options(Options::new(folder.0.join("runtime")));
        let functions = Functions::new(made).unwrap();
        let runtime = Runtime::from_identifier(runtime);
        let code = folder.0.join("code");
        let made = Function::new("f", runtime, code)
            .with_handler(handler)
            .with_timeout(Duration::from_secs(10));
        functions.put(function(made));
        Self { folder, functions }
    }

    pub fn code(&self) -> PathBuf {
        self.folder.0.join("code")
    }

    pub async fn invoke(&self, event: Value) -> InvocationOutcome {
        let invocation = Invocation::new(event.to_string());
        self.functions.invoke("f", invocation).await.unwrap()
    }

    /// Returns what the function returns.
    pub async fn result(&self, event: Value) -> Value {
        match self.invoke(event).await {
            InvocationOutcome::Result(body) => serde_json::from_slice(&body).unwrap(),
            other => panic!("expected a result, found {}", shown(&other)),
        }
    }

    /// Returns the error of the function.
    pub async fn error(&self, event: Value) -> Value {
        match self.invoke(event).await {
            InvocationOutcome::Failed(body) => serde_json::from_slice(&body).unwrap(),
            other => panic!("expected an error, found {}", shown(&other)),
        }
    }

    /// Returns the type and the message of the error of the function.
    pub async fn fault(&self, event: Value) -> (String, String) {
        let error = self.error(event).await;
        let text = |name: &str| error[name].as_str().unwrap_or_default().to_owned();
        (text("errorType"), text("errorMessage"))
    }
}

fn shown(invoked: &InvocationOutcome) -> String {
    match invoked {
        InvocationOutcome::Result(body) | InvocationOutcome::Failed(body) => {
            String::from_utf8_lossy(body).into_owned()
        }
        _ => "something else".to_owned(),
    }
}

/// Waits until a condition holds.
pub async fn until(what: &str, mut holds: impl FnMut() -> bool) {
    for _ in 0..500 {
        if holds() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never: {what}");
}

pub fn is_running(process: u64) -> bool {
    let status = std::fs::read_to_string(format!("/proc/{process}/stat"));
    // An ended process is a zombie until its parent has waited for it.
    status.is_ok_and(|status| !status.contains(") Z "))
}

pub fn lines_of(path: &Path) -> usize {
    std::fs::read_to_string(path).map_or(0, |text| text.lines().count())
}
