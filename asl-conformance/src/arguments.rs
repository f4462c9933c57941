//! Arguments of the program.
use crate::{CasesError, CommandSubject, Conformance, Coverage, Interpreter, Report, Subject};
use std::path::{Path, PathBuf};

/// Arguments of the program `asl-conformance`.
#[derive(Debug, Clone, clap::Args)]
#[non_exhaustive]
pub struct Arguments {
    /// A folder of cases (exec/, validate/, eval/, test-state/); repeatable [default: the cases of this crate]
    #[arg(long, value_name = "DIR")]
    pub cases: Vec<PathBuf>,

    /// Only cases whose id or area contains this text
    #[arg(long, value_name = "TEXT", default_value = "")]
    pub filter: String,

    /// Hold another interpreter to the cases: a command of the shell that answers requests (fixtures/README.md)
    #[arg(long, value_name = "COMMAND")]
    pub against: Option<String>,

    /// text: for people; json: figures and every failure
    #[arg(long, value_enum, default_value_t)]
    pub report: ReportFormat,

    /// Show which normative statements have no case, and fail if there are any
    #[arg(long)]
    pub coverage: bool,

    /// With --coverage: the folder of the documents; each MUST, MAY and SHOULD of them must be part of a statement
    #[arg(long, value_name = "DIR", requires = "coverage")]
    pub documents: Option<PathBuf>,

    /// Number of failures to show for each kind of case
    #[arg(long, value_name = "N", default_value_t = 10)]
    pub show: usize,
}

/// Formats of the report.
#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
#[non_exhaustive]
pub enum ReportFormat {
    /// For people.
    #[default]
    Text,
    /// For programs.
    Json,
}

impl Arguments {
    /// Judges all cases. Returns the report, and true if every case holds and the statements are covered. For the interpreter
    /// of this workspace, only the cases of this crate have to hold: the figures of other cases are the result.
    ///
    /// # Errors
    /// A folder or a file cannot be read, no case is selected, or the command does not start.
    pub fn run(&self) -> Result<(String, bool), CasesError> {
        let own = Conformance::own_folder();
        let folders = match self.cases.as_slice() {
            [] => vec![own.clone()],
            folders => folders.to_vec(),
        };
        let mut subject: Box<dyn Subject> = match &self.against {
            Some(command) => Box::new(CommandSubject::start(command)?),
            None => Box::new(Interpreter),
        };
        let conformance = Conformance::of_folders(folders).with_filter(&*self.filter);
        let report = conformance.judge(&mut *subject)?;
        let coverage = self
            .coverage
            .then(|| Coverage::read(&own, self.documents.as_deref()))
            .transpose()?;
        let holds = report
            .cases()
            .iter()
            .all(|case| case.verdict.holds() || !is_same_folder(&case.folder, &own));
        let holds = holds && coverage.as_ref().is_none_or(Coverage::is_complete);
        Ok((self.format(&report, coverage.as_ref()), holds))
    }

    fn format(&self, report: &Report, coverage: Option<&Coverage>) -> String {
        match self.report {
            ReportFormat::Text => {
                let coverage = coverage.map_or_else(String::new, Coverage::to_text);
                report.to_text(self.show) + &coverage
            }
            ReportFormat::Json => {
                let mut report = report.to_value();
                if let Some(coverage) = coverage {
                    report["coverage"] = coverage.to_value();
                }
                format!("{report:#}\n")
            }
        }
    }
}

fn is_same_folder(one: &Path, other: &Path) -> bool {
    one.canonicalize().ok() == other.canonicalize().ok()
}
