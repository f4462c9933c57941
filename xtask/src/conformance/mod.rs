//! Holds the libraries against cases: data in, verdicts out.

mod against;
mod case;
mod coverage;
mod documents;
mod eval;
mod exec;
mod history;
mod matching;
mod report;
mod statement;
mod subject;
mod test_state;
mod validate;
mod verdict;
mod visits;

use against::Against;
use case::{Case, Kind};
use coverage::Coverage;
use report::JudgedCase;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use subject::{Subject, Workspace};
use verdict::Verdict;

/// Arguments of `cargo xtask conformance`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// A folder of cases (exec/, validate/, eval/, test-state/); repeatable [default: fixtures/ of the workspace]
    #[arg(long, value_name = "DIR")]
    cases: Vec<PathBuf>,

    /// Only cases whose id or area holds this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    filter: String,

    /// Hold another interpreter to the cases: a command of the shell that answers requests (fixtures/README.md)
    #[arg(long, value_name = "COMMAND")]
    against: Option<String>,

    /// text: for people; json: figures and every failure
    #[arg(long, value_enum, default_value_t)]
    report: Format,

    /// Show which normative statements have no case, and fail if there are any
    #[arg(long)]
    coverage: bool,

    /// With --coverage: the folder of the documents; each MUST, MAY and SHOULD of them must lie within a statement
    #[arg(long, value_name = "DIR", requires = "coverage")]
    documents: Option<PathBuf>,

    /// Number of failures to show for each kind of case
    #[arg(long, value_name = "N", default_value_t = 10)]
    show: usize,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum Format {
    #[default]
    Text,
    Json,
}

/// Runs all cases; true if every case of `fixtures/` holds. Other folders' figures are the answer.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let fixtures = crate::workspace::root().join("fixtures");
    let folders = match arguments.cases.as_slice() {
        [] => vec![fixtures.clone()],
        folders => folders.to_vec(),
    };
    let mut subject: Box<dyn Subject> = match &arguments.against {
        Some(command) => Box::new(Against::start(command)?),
        None => Box::new(Workspace),
    };
    let mut judged = Vec::new();
    for folder in &folders {
        if !folder.is_dir() {
            return Err(format!("{} is not a folder of cases", folder.display()));
        }
        let own = same_folder(folder, &fixtures);
        for kind in Kind::ALL {
            for case in case::load(folder, kind)? {
                if case.id.contains(&arguments.filter) || case.area.contains(&arguments.filter) {
                    judged.extend(judge(kind, case, own, &mut *subject));
                }
            }
        }
    }
    if judged.is_empty() {
        let folders: Vec<String> = folders.iter().map(|it| it.display().to_string()).collect();
        return Err(format!(
            "no case of {} has \"{}\" in its name or area",
            folders.join(", "),
            arguments.filter
        ));
    }
    let coverage = arguments
        .coverage
        .then(|| coverage::read(&fixtures, arguments.documents.as_deref()))
        .transpose()?;
    match arguments.report {
        Format::Text => {
            print!("{}", report::text(&judged, arguments.show));
            print!(
                "{}",
                coverage.as_ref().map_or_else(String::new, Coverage::text)
            );
        }
        Format::Json => {
            let mut report = report::json(&judged);
            if let Some(coverage) = &coverage {
                report["coverage"] = coverage.json();
            }
            println!("{report:#}");
        }
    }
    let holding = !judged.iter().any(|case| case.own && !case.verdict.holds());
    Ok(holding && coverage.is_none_or(|coverage| coverage.is_complete()))
}

fn same_folder(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok() == other.canonicalize().ok()
}

fn judge(kind: Kind, case: Case, own: bool, subject: &mut dyn Subject) -> Option<JudgedCase> {
    let verdict = catch_unwind(AssertUnwindSafe(|| match kind {
        Kind::Exec => Some(exec::judge(&case, subject)),
        Kind::Validate => Some(validate::judge(&case, subject)),
        Kind::Eval => eval::judge(&case, subject),
        Kind::TestState if subject.tests_states() => test_state::judge(&case),
        Kind::TestState => None,
    }));
    Some(JudgedCase {
        kind,
        own,
        verdict: verdict.unwrap_or_else(|_| Some(Verdict::failed(0, "panicked")))?,
        area: case.area,
        id: case.id,
    })
}

#[cfg(test)]
mod tests {
    use super::{Arguments, Format, run};

    #[test]
    fn a_filter_that_matches_no_case_is_an_error() {
        let arguments = Arguments {
            cases: Vec::new(),
            filter: "no case has this name".to_owned(),
            against: None,
            report: Format::Text,
            coverage: false,
            documents: None,
            show: 0,
        };
        let error = run(&arguments).unwrap_err();
        assert!(error.contains("no case has this name"), "{error}");
    }
}
