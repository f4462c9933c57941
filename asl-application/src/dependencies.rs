//! Modules that the code of functions needs: those that are there, and those that pip or npm install once.
use crate::code::digest;
use asl_lambda::{Function, Interpreter, Runtime};
use asl_template::{CodeSource, FunctionSource};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Mutex, PoisonError};

/// Files that list the modules of a function.
const LISTS: [&str; 3] = ["requirements.txt", "package.json", "package-lock.json"];

/// Returns the files that may list the modules of a function, in the folder of its code.
pub(crate) fn lists_of(source: &FunctionSource) -> Vec<PathBuf> {
    match &source.code {
        CodeSource::Path(code) => LISTS.iter().map(|name| code.join(name)).collect(),
        _ => Vec::new(),
    }
}

/// Returns a digest of the lists of modules of a function.
pub(crate) fn digest_lists(source: &FunctionSource) -> String {
    let lists = lists_of(source);
    let contents = lists.iter().map(|list| std::fs::read(list).ok());
    let contents: Vec<_> = contents
        .map(|content| content.map(|bytes| digest(&bytes)))
        .collect();
    digest(format!("{contents:?}").as_bytes())
}

/// Source files that are searched for names of modules.
const MOST_FILES: usize = 2_000;
/// Bytes of such a file.
const LONGEST_FILE: u64 = 1 << 20;

/// Modules that a function needs in addition to its code.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Needs {
    /// The file that lists modules, if there is one.
    list: Option<PathBuf>,
    /// Modules that Lambda has and this machine may lack.
    of_lambda: BTreeSet<String>,
}

/// Adds modules to a function that are there already: of SAM's build, or of a virtual environment.
pub(crate) fn add_present(function: &mut Function, source: &FunctionSource) {
    let application = source.file.parent().unwrap_or(Path::new(""));
    let build = application.join(".aws-sam/build").join(&source.id);
    if build.is_dir() {
        match function.runtime {
            Runtime::Node { .. } => function.module_folders.push(build.join("node_modules")),
            Runtime::Python { .. } => function.module_folders.push(build),
            // Compiled code is only there.
            _ => function.code = build,
        }
    }
    if let Runtime::Python { .. } = function.runtime {
        let beside = [function.code.as_path(), application];
        let environments = beside
            .iter()
            .flat_map(|it| [it.join(".venv"), it.join("venv")]);
        let mut pythons = environments.map(|it| it.join("bin/python"));
        function.interpreter = pythons.find(|python| python.is_file());
    }
}

/// Makes sure that a function has its modules: installs them into `folder`, once for each list of them.
///
/// # Errors
/// Something is missing, as a message for the reader says.
pub(crate) fn complete(
    function: &mut Function,
    interpreter: &Interpreter,
    sdk: &SdkModules,
    folder: &Path,
    installs: bool,
) -> Result<(), String> {
    let needs = needs(function, interpreter, sdk);
    if needs == Needs::default() {
        return Ok(());
    }
    let list = needs.list.as_ref();
    let list = list.and_then(|list| std::fs::read_to_string(list).ok());
    let key = format!("{} {:?} {list:?}", interpreter.runtime, needs.of_lambda);
    let target = folder.join("modules").join(digest(key.as_bytes()));
    if !target.join(".complete").is_file() {
        let command = install(interpreter, function, &needs, &target);
        if !installs {
            return Err(format!(
                "its modules are not installed: {}",
                shown(&command)
            ));
        }
        copy_lists(function, &needs, &target)?;
        run(command)?;
        let marked = std::fs::write(target.join(".complete"), "");
        marked.map_err(|error| format!("cannot write to {}: {error}", target.display()))?;
    }
    function.module_folders.push(match function.runtime {
        Runtime::Node { .. } => target.join("node_modules"),
        _ => target,
    });
    Ok(())
}

/// Returns what a function needs and does not have.
fn needs(function: &Function, interpreter: &Interpreter, sdk: &SdkModules) -> Needs {
    let is_node = matches!(function.runtime, Runtime::Node { .. });
    let name = if is_node {
        "package.json"
    } else {
        "requirements.txt"
    };
    let list = function.code.join(name);
    let has_list = std::fs::read_to_string(&list).is_ok_and(|text| match is_node {
        true => lists_packages(&text),
        false => text
            .lines()
            .any(|line| !line.trim().is_empty() && !line.starts_with('#')),
    });
    // A build or an environment has all modules.
    let is_built = function.interpreter.is_some()
        || !function.module_folders.is_empty()
        || function
            .code
            .ancestors()
            .take(4)
            .any(|it| it.join("node_modules").is_dir() && is_node);
    if is_built || !function.runtime.is_built_in() {
        return Needs::default();
    }
    Needs {
        list: has_list.then_some(list),
        of_lambda: modules_of_lambda(function, interpreter, sdk),
    }
}

fn lists_packages(package: &str) -> bool {
    let package: serde_json::Value = serde_json::from_str(package).unwrap_or_default();
    let listed = package.get("dependencies").and_then(|it| it.as_object());
    listed.is_some_and(|listed| !listed.is_empty())
}

/// Returns the modules of the AWS SDK that the code names and this machine does not have.
fn modules_of_lambda(
    function: &Function,
    interpreter: &Interpreter,
    sdk: &SdkModules,
) -> BTreeSet<String> {
    let mut named = BTreeSet::new();
    let mut files_left = MOST_FILES;
    let mut open = vec![function.code.clone()];
    while let Some(folder) = open.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = entry.file_name();
            let name = name.to_string_lossy();
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if name.starts_with('.') || name == "node_modules" || files_left == 0 {
                continue;
            }
            if kind.is_dir() {
                open.push(path);
            } else if kind.is_file() {
                files_left -= 1;
                add_named(&path, &function.runtime, &mut named);
            }
        }
    }
    match function.runtime {
        Runtime::Python { .. } if named.contains("boto3") && sdk.are_in(interpreter) => {
            BTreeSet::new()
        }
        _ => named,
    }
}

/// Adds the modules of the AWS SDK that a file names.
fn add_named(path: &Path, runtime: &Runtime, named: &mut BTreeSet<String>) {
    let ending = path
        .extension()
        .and_then(|it| it.to_str())
        .unwrap_or_default();
    let is_source = match runtime {
        Runtime::Python { .. } => ending == "py",
        _ => matches!(ending, "js" | "mjs" | "cjs" | "ts" | "mts"),
    };
    let is_short = std::fs::metadata(path).is_ok_and(|it| it.len() <= LONGEST_FILE);
    if !is_source || !is_short {
        return;
    }
    let text = std::fs::read_to_string(path).unwrap_or_default();
    if let Runtime::Python { .. } = runtime {
        let imports = text.lines().map(str::trim_start).any(|line| {
            let words = line
                .strip_prefix("import ")
                .or_else(|| line.strip_prefix("from "));
            words.is_some_and(|words| words.starts_with("boto3") || words.starts_with("botocore"))
        });
        if imports {
            named.insert("boto3".to_owned());
        }
        return;
    }
    for quote in ['\'', '"'] {
        let parts = text.split(quote);
        let packages = parts.filter(|part| {
            let rest = part.strip_prefix("@aws-sdk/");
            rest.is_some_and(|rest| {
                let is_part = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
                !rest.is_empty() && rest.bytes().all(is_part)
            })
        });
        named.extend(packages.map(str::to_owned));
    }
}

/// The interpreters of Python that have boto3, and those that do not.
#[derive(Debug, Default)]
pub(crate) struct SdkModules(Mutex<HashMap<PathBuf, bool>>);

impl SdkModules {
    /// Asks an interpreter, once.
    fn are_in(&self, interpreter: &Interpreter) -> bool {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let program = &interpreter.program;
        *known.entry(program.clone()).or_insert_with(|| {
            // Looked for without being loaded, which takes a second.
            let question =
                "import importlib.util as u, sys; sys.exit(u.find_spec('boto3') is None)";
            let asked = Command::new(program)
                .args(["-c", question])
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .status();
            asked.is_ok_and(|status| status.success())
        })
    }
}

/// Copies the lists of npm to the folder of the modules: the folder of the code stays as it is.
fn copy_lists(function: &Function, needs: &Needs, target: &Path) -> Result<(), String> {
    let cannot = |error: std::io::Error| format!("cannot write to {}: {error}", target.display());
    std::fs::create_dir_all(target).map_err(cannot)?;
    if needs.list.is_none() || !matches!(function.runtime, Runtime::Node { .. }) {
        return Ok(());
    }
    for name in ["package.json", "package-lock.json"] {
        let list = function.code.join(name);
        if list.is_file() {
            std::fs::copy(list, target.join(name)).map_err(cannot)?;
        }
    }
    Ok(())
}

/// Returns the command that installs modules into a folder.
fn install(
    interpreter: &Interpreter,
    function: &Function,
    needs: &Needs,
    target: &Path,
) -> Command {
    match function.runtime {
        Runtime::Python { .. } => {
            let mut command = Command::new(&interpreter.program);
            command.args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
                "--target",
            ]);
            command.arg(target);
            if let Some(list) = &needs.list {
                command.arg("--requirement").arg(list);
            }
            command.args(&needs.of_lambda);
            command
        }
        _ => {
            let mut command = Command::new("npm");
            command.args([
                "install",
                "--no-audit",
                "--no-fund",
                "--silent",
                "--no-save",
                "--omit=dev",
                "--prefix",
            ]);
            command.arg(target);
            command.args(&needs.of_lambda);
            command
        }
    }
}

fn run(mut command: Command) -> Result<(), String> {
    let what = shown(&command);
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("cannot run `{what}`: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let told = String::from_utf8_lossy(&output.stderr);
    let lines: Vec<&str> = told
        .lines()
        .filter(|line| !line.trim().is_empty())
        .collect();
    let last = lines.last().copied().unwrap_or("no message");
    Err(format!("`{what}` failed with {}: {last}", output.status))
}

fn shown(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let words: Vec<_> = words.map(|word| word.to_string_lossy()).collect();
    words.join(" ")
}
