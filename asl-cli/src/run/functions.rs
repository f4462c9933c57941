//! Functions of the template of a definition, as processes of this machine.
use crate::arguments::RunArguments;
use crate::aws::function_environment;
use crate::definition::Definition;
use crate::exit::Failure;
use crate::substitutions::Substitutions;
use crate::terminal::{self, ERROR, FAINT, STRONG, WARNING};
use asl_application::{ApplicationHost, ApplicationHostOptions, AppliedPart, Outcome, Plan};
use asl_engine::ProgramTask;
use asl_lambda::{FunctionName, Functions, LogLine, Options};
use asl_performers::{ExternalHandlers, Lambda};
use asl_template::Kind;
use std::path::PathBuf;
use std::sync::Arc;

/// Returns the functions of the template that these tasks invoke; None for a definition of no template.
pub(super) fn functions(
    arguments: &RunArguments,
    definition: &Definition,
    tasks: &[ProgramTask<'_>],
    external: &ExternalHandlers,
) -> Result<Option<Lambda>, Failure> {
    let source = definition.source();
    let invoking = tasks.iter().filter(|task| Lambda::does(task.resource()));
    let names: Vec<Option<&str>> = invoking
        .map(|task| task.resource().function_name().or(task.function_name()))
        .collect();
    if source.kind() == Kind::Definition || names.is_empty() {
        return Ok(None);
    }
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let mut plan = Plan::read(&[source.file().to_owned()], &substitutions.reading());
    // A name that only the execution knows can be that of any function.
    if names.iter().all(Option::is_some) {
        let names = names.iter().flatten();
        let names: Vec<&str> = names.map(|name| FunctionName::parse(name).name).collect();
        plan.functions
            .retain(|function| names.contains(&function.name.as_str()));
    }
    if plan.functions.is_empty() {
        return Ok(None);
    }
    let functions = started(arguments, &plan, external)?;
    Ok(Some(Lambda::new(Arc::new(functions), external)))
}

fn started(
    arguments: &RunArguments,
    plan: &Plan,
    external: &ExternalHandlers,
) -> Result<Functions, Failure> {
    let folder = cache_folder();
    let cannot = |error: std::io::Error| {
        Failure::new(format!("cannot write to {}: {error}", folder.display()))
    };
    let environment = function_environment(arguments.tasks.aws.as_deref());
    let options = Options::new(folder.join("runtime"))
        .with_account("000000000000".to_owned())
        .with_processes(Arc::clone(external.commands()))
        .with_environment(environment)
        .on_log(print_line);
    let functions = Functions::new(options).map_err(cannot)?;
    let mut host = ApplicationHost::new(
        functions.clone(),
        None,
        ApplicationHostOptions::new(folder.clone()),
    );
    let tokio = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    let tokio = tokio.map_err(cannot)?;
    for part in tokio.block_on(host.apply_functions(plan)) {
        report(&part);
    }
    Ok(functions)
}

/// Reports a function that does not work as in the template.
fn report(part: &AppliedPart) {
    let name = &part.name;
    match &part.outcome {
        Outcome::Failed(reason) => terminal::error_line(&format!(
            "function {STRONG}{name}{STRONG:#} {ERROR}does not work{ERROR:#}: {reason}"
        )),
        Outcome::Warned(reason) => terminal::error_line(&format!(
            "function {STRONG}{name}{STRONG:#} {WARNING}{reason}{WARNING:#}"
        )),
        _ => {}
    }
}

fn print_line(line: &LogLine) {
    terminal::error_line(&format!("{FAINT}{}:{FAINT:#} {}", line.function, line.text));
}

/// Returns the folder for installed modules and unpacked code, which later runs use again (XDG Base Directory Specification).
fn cache_folder() -> PathBuf {
    let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
    let of_home = || Some(PathBuf::from(set("HOME")?).join(".cache"));
    let cache = set("XDG_CACHE_HOME").map(PathBuf::from).or_else(of_home);
    cache.unwrap_or_else(std::env::temp_dir).join("asl")
}
