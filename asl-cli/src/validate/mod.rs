//! `asl validate`.

mod checked;
mod explain;
mod fix;
mod github;
mod sarif;

use crate::arguments::{ValidateArguments, ValidateFormat};
use crate::definition::Lookup;
use crate::exit::{Exit, Failure, print, print_json};
use crate::substitutions::Substitutions;
use checked::{CheckReport, CheckSession};

/// Checks every definition and reports all that is wrong.
pub(crate) fn validate(arguments: &ValidateArguments) -> Result<Exit, Failure> {
    if let Some(name) = &arguments.explain {
        return explain::explain(name);
    }
    let substitutions = arguments.substitutions.file.iter();
    let files = arguments.files.iter().chain(substitutions);
    if files.filter(|file| *file == "-").count() > 1 {
        return Err(Failure::new(
            "stdin is given twice, but can be read only once",
        ));
    }
    let substitutions = Substitutions::read(&arguments.substitutions)?;
    let mut checking = CheckSession::default();
    if arguments.fix {
        fix::fix_definitions(arguments, &substitutions, &mut checking)?;
    }
    let mut checked = CheckReport::default();
    for argument in &arguments.files {
        match Lookup::look(&substitutions, argument) {
            Ok(looked) => checked.check(looked, argument, arguments, &mut checking)?,
            Err(failure) => checked.could_not(failure),
        }
    }
    substitutions.warn_of_unused();
    match arguments.format {
        ValidateFormat::Text => checked.summarize(arguments.deny_warnings)?,
        ValidateFormat::Json => print_json(checked.report())?,
        ValidateFormat::Sarif => print_json(sarif::report(&checked))?,
        ValidateFormat::Github => {
            let lines = github::lines(&checked);
            if !lines.is_empty() {
                print(lines.join("\n"))?;
            }
        }
    }
    Ok(match checked.is_refused(arguments.deny_warnings) {
        true => Exit::Refused,
        false => Exit::Success,
    })
}
