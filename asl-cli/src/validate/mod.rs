//! `asl validate`.

mod checked;
mod explain;
mod fix;

use crate::arguments::{ValidateArguments, ValidateFormat};
use crate::definition::Lookup;
use crate::exit::{Exit, Failure, print, print_json};
use crate::substitutions::Substitutions;
use asl_lint::format;
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
        ValidateFormat::Json => print_json(format::json(&checked.entries()))?,
        ValidateFormat::Sarif => {
            print_json(format::sarif(&checked.located(), env!("CARGO_PKG_VERSION")))?;
        }
        ValidateFormat::Github => {
            let lines = format::github(&checked.located());
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
