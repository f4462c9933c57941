//! The environment of a function's process (AWS Lambda Developer Guide, Defined runtime environment variables).
//!
//! Of the host's own environment only what programs need to run is passed on: no credentials, for example.
use crate::{Function, Options, Runtime};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Variables of the host that are passed on.
const PASSED_ON: [&str; 17] = [
    "HOME",
    "LOGNAME",
    "NODE_EXTRA_CA_CERTS",
    "NVM_DIR",
    "PATH",
    "PYENV_ROOT",
    "PYENV_VERSION",
    "REQUESTS_CA_BUNDLE",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "USER",
    "USERPROFILE",
];

/// Returns all variables. Those of the function win, as far as Lambda lets them.
pub(crate) fn environment(
    function: &Function,
    options: &Options,
    runtime_api: &str,
    log_stream: &str,
) -> BTreeMap<String, OsString> {
    let mut all: BTreeMap<String, OsString> = BTreeMap::new();
    for name in PASSED_ON {
        if let Some(value) = std::env::var_os(name) {
            all.insert(name.to_owned(), value);
        }
    }
    let mut set = |name: &str, value: &str| {
        all.insert(name.to_owned(), value.into());
    };
    set("LANG", "en_US.UTF-8");
    set("TZ", ":UTC");
    set("AWS_ACCESS_KEY_ID", "test");
    set("AWS_SECRET_ACCESS_KEY", "test");
    set("AWS_SESSION_TOKEN", "test");
    // Many handlers look at it to know that they run locally.
    set("AWS_SAM_LOCAL", "true");
    for (name, value) in options.environment.iter().chain(&function.environment) {
        set(name, value);
    }
    set("_HANDLER", &function.handler);
    set("AWS_LAMBDA_RUNTIME_API", runtime_api);
    set("AWS_LAMBDA_FUNCTION_NAME", &function.name);
    set("AWS_LAMBDA_FUNCTION_VERSION", "$LATEST");
    set(
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
        &function.memory.to_string(),
    );
    set(
        "AWS_LAMBDA_LOG_GROUP_NAME",
        &format!("/aws/lambda/{}", function.name),
    );
    set("AWS_LAMBDA_LOG_STREAM_NAME", log_stream);
    set("AWS_LAMBDA_INITIALIZATION_TYPE", "on-demand");
    set("AWS_REGION", &options.region);
    set("AWS_DEFAULT_REGION", &options.region);
    set(
        "AWS_EXECUTION_ENV",
        &format!("AWS_Lambda_{}", function.runtime),
    );
    all.insert(
        "LAMBDA_TASK_ROOT".to_owned(),
        absolute(&function.code).into(),
    );
    all.insert(
        "LAMBDA_RUNTIME_DIR".to_owned(),
        absolute(&options.folder).into(),
    );
    add_folders(function, &mut all);
    all
}

/// Adds the folders of modules, programs and libraries before those that are given.
fn add_folders(function: &Function, all: &mut BTreeMap<String, OsString>) {
    let layers = || function.layers.iter().map(|layer| absolute(layer));
    let extra = || function.module_folders.iter().map(|it| absolute(it));
    let modules: Vec<PathBuf> = match function.runtime {
        Runtime::Python { .. } => layers()
            .map(|it| it.join("python"))
            .chain(extra())
            .collect(),
        Runtime::Node { .. } => {
            let layers = layers().map(|it| it.join("nodejs").join("node_modules"));
            layers.chain(extra()).collect()
        }
        _ => Vec::new(),
    };
    match function.runtime {
        Runtime::Python { .. } => prepend("PYTHONPATH", &modules, all),
        _ => prepend("NODE_PATH", &modules, all),
    }
    let of_layers = |name: &str| layers().map(|it| it.join(name)).collect::<Vec<_>>();
    prepend("PATH", &of_layers("bin"), all);
    prepend("LD_LIBRARY_PATH", &of_layers("lib"), all);
}

fn prepend(name: &str, folders: &[PathBuf], all: &mut BTreeMap<String, OsString>) {
    if folders.is_empty() {
        return;
    }
    let given = all.get(name).cloned().unwrap_or_default();
    let given = std::env::split_paths(&given).filter(|it| !it.as_os_str().is_empty());
    // A folder with the separator in its name cannot be in a list.
    if let Ok(joined) = std::env::join_paths(folders.iter().cloned().chain(given)) {
        all.insert(name.to_owned(), joined);
    }
}

pub(crate) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(function: &Function) -> BTreeMap<String, OsString> {
        environment(function, &Options::new("/r"), "127.0.0.1:1", "s")
    }

    #[test]
    fn the_hosts_own_variables_are_not_passed_on() {
        let function = Function::new("f", Runtime::Provided, "/code");
        let all = of(&function);
        // Cargo sets it for this process.
        assert!(std::env::var_os("CARGO_MANIFEST_DIR").is_some());
        assert!(!all.contains_key("CARGO_MANIFEST_DIR"));
        assert_eq!(all["AWS_ACCESS_KEY_ID"], "test");
    }

    #[test]
    fn a_function_sets_all_but_what_lambda_reserves() {
        let given = [
            ("AWS_ACCESS_KEY_ID", "own"),
            ("AWS_LAMBDA_RUNTIME_API", "x"),
        ];
        let given = given.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let function =
            Function::new("f", Runtime::Provided, "/code").with_environment(given.into());
        let all = of(&function);
        assert_eq!(all["AWS_ACCESS_KEY_ID"], "own");
        assert_eq!(all["AWS_LAMBDA_RUNTIME_API"], "127.0.0.1:1");
    }

    #[test]
    fn modules_of_layers_come_before_others() {
        let python = Runtime::Python { minor: None };
        let function = Function::new("f", python, "/code")
            .with_layers(vec!["/b".into(), "/a".into()])
            .with_module_folders(vec!["/m".into()]);
        let all = of(&function);
        assert_eq!(all["PYTHONPATH"], "/b/python:/a/python:/m");
        let path = all["PATH"].to_string_lossy().into_owned();
        assert!(path.starts_with("/b/bin:/a/bin:"), "{path}");
    }
}
