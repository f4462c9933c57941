//! `asl store check`.
use super::{failure, open};
use crate::arguments::StoreFolder;
use crate::exit::{Exit, Failure, print};
use crate::terminal::{self, ERROR, SUCCESS, count_noun};
use asl_store::{CheckReport, Finding};

/// Prints the findings to stdout, one per line, and a summary to stderr.
pub(super) fn check(arguments: &StoreFolder) -> Result<Exit, Failure> {
    let mut printed = Ok(());
    let checked = open(arguments)?.check(|finding| {
        if printed.is_ok() {
            printed = print(line(finding));
        }
    });
    let checked = checked.map_err(failure)?;
    printed?;
    terminal::error_line(&summary(checked));
    Ok(match checked.faults {
        0 => Exit::Success,
        _ => Exit::Failed,
    })
}

fn line(finding: Finding) -> String {
    match finding {
        Finding::Fault { about, what } => format!("fault: {about}: {what}"),
        Finding::Suspended { arn, why } => format!("suspended: {arn}: {why}"),
        other => format!("{other:?}"),
    }
}

fn summary(checked: CheckReport) -> String {
    let count = |number: u64, noun| count_noun(usize::try_from(number).unwrap_or(usize::MAX), noun);
    let looked_at = format!(
        "{}, {} and {} checked",
        count(checked.executions, "execution"),
        count(checked.records, "record"),
        count(checked.definitions, "definition")
    );
    let held = match checked.held {
        0 => String::new(),
        held => format!("; {held} suspended"),
    };
    match checked.faults {
        0 => format!("{SUCCESS}{looked_at}, no problems found{SUCCESS:#}{held}"),
        faults => format!(
            "{ERROR}{}{ERROR:#} in {looked_at}{held}",
            count(faults, "fault")
        ),
    }
}
