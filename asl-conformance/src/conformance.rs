//! Selects cases, and judges them.
use crate::case::read_cases;
use crate::{Case, CasesError, JudgedCase, Kind, Report, Subject, Verdict, judge};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The cases of some folders.
#[derive(Debug, Clone)]
pub struct Conformance {
    folders: Vec<PathBuf>,
    filter: String,
}

impl Conformance {
    /// Selects the cases of this crate.
    pub fn own() -> Self {
        Self::of_folders([Self::own_folder()])
    }

    /// Selects the cases of folders with `exec/`, `validate/`, `eval/` or `test-state/`.
    pub fn of_folders(folders: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            folders: folders.into_iter().collect(),
            filter: String::new(),
        }
    }

    /// Returns the folder of this crate's cases.
    pub fn own_folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures")
    }

    /// Selects only cases whose id or area contains this text.
    #[must_use]
    pub fn with_filter(self, filter: impl Into<String>) -> Self {
        Self {
            filter: filter.into(),
            ..self
        }
    }

    /// Holds an interpreter to the cases. A panic of the interpreter fails its case.
    ///
    /// # Errors
    /// A folder or a file cannot be read, or no case is selected.
    pub fn judge(&self, subject: &mut dyn Subject) -> Result<Report, CasesError> {
        let mut judged = Vec::new();
        for folder in &self.folders {
            if !folder.is_dir() {
                return Err(CasesError::NoFolder(folder.display().to_string()));
            }
            for kind in Kind::ALL {
                for case in read_cases(folder, kind)? {
                    if self.selects(&case) {
                        judged.extend(judge_case(kind, case, folder, subject));
                    }
                }
            }
        }
        if judged.is_empty() {
            let folders: Vec<String> = self
                .folders
                .iter()
                .map(|it| it.display().to_string())
                .collect();
            return Err(CasesError::NoCase {
                folders: folders.join(", "),
                filter: self.filter.clone(),
            });
        }
        Ok(Report::new(judged))
    }

    fn selects(&self, case: &Case) -> bool {
        case.id.contains(&self.filter) || case.area.contains(&self.filter)
    }
}

fn judge_case(
    kind: Kind,
    case: Case,
    folder: &Path,
    subject: &mut dyn Subject,
) -> Option<JudgedCase> {
    let verdict = catch_unwind(AssertUnwindSafe(|| judge::judge(kind, &case, subject)));
    Some(JudgedCase {
        kind,
        folder: folder.to_owned(),
        verdict: verdict.unwrap_or_else(|_| Some(Verdict::failed(0, "panicked")))?,
        area: case.area,
        id: case.id,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, Validation};
    use serde_json::Value;

    struct Silent;

    impl Subject for Silent {
        fn execute(&mut self, case: &Case) -> Result<Run, String> {
            assert!(case.id.is_empty(), "it panics");
            Err("no run".to_owned())
        }

        fn validate(&mut self, _: &Case) -> Result<Validation, String> {
            Err("no verdict".to_owned())
        }

        fn evaluate(&mut self, _: &Case) -> Result<Result<Value, String>, String> {
            Err("no value".to_owned())
        }
    }

    #[test]
    fn a_filter_that_matches_no_case_is_an_error() {
        let nothing = Conformance::own().with_filter("no case has this name");
        let error = nothing.judge(&mut Silent).unwrap_err().to_string();
        assert!(error.contains("no case has this name"), "{error}");
        let nowhere = Conformance::of_folders([PathBuf::from("nowhere")]);
        let error = nowhere.judge(&mut Silent).unwrap_err().to_string();
        assert_eq!(error, "nowhere is not a folder of cases");
    }

    #[test]
    fn an_interpreter_that_panics_fails_its_case_and_no_other() {
        let report = Conformance::own().with_filter("pass").judge(&mut Silent);
        let report = report.unwrap();
        let reasons = |kind| {
            let cases = report.cases().iter();
            let mut reasons: Vec<_> = cases
                .filter(|case| case.kind == kind)
                .filter_map(|case| case.verdict.reason())
                .collect();
            reasons.dedup();
            reasons
        };
        assert_eq!(reasons(Kind::Exec), ["panicked"]);
        assert_eq!(reasons(Kind::Validate), ["no verdict"]);
        assert!(!report.holds());
    }
}
