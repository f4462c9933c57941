//! `asl fmt`.

mod convert;
mod text;

pub(crate) use convert::convert;

use crate::arguments::FmtArguments;
use crate::exit::{Exit, Failure, print, write_as_it_is};
use crate::terminal::{self, ERROR, SUCCESS, WARNING, count_noun};
use asl_format::format_and_report;
use asl_template::{files_below, files_of_pattern, is_called_definition, is_pattern};
use similar::TextDiff;
use std::path::Path;
use std::time::Duration;
use text::Text;

/// Formats files, or reports which are not.
pub(crate) fn fmt(arguments: &FmtArguments) -> Result<Exit, Failure> {
    if arguments.files.iter().filter(|file| *file == "-").count() > 1 {
        return Err(Failure::new(
            "stdin is given twice, but can be read only once",
        ));
    }
    let mut done = Summary::default();
    for argument in &arguments.files {
        match files(argument) {
            Ok(files) => {
                for file in files {
                    let outcome = format_file(&file, arguments);
                    done.add(outcome.unwrap_or_else(|failure| {
                        failure.report();
                        Outcome::Unread
                    }));
                }
            }
            Err(failure) => {
                failure.report();
                done.unread += 1;
            }
        }
    }
    done.report_summary(arguments);
    Ok(match (done.unread, done.changed) {
        (1.., _) => Exit::Refused,
        (0, 1..) if arguments.check || arguments.diff => Exit::Failed,
        _ => Exit::Success,
    })
}

/// Returns the files that an argument names: of a folder those that are called definitions.
fn files(argument: &str) -> Result<Vec<String>, Failure> {
    let path = Path::new(argument);
    let found = match (path.is_dir(), is_pattern(argument) && !path.is_file()) {
        (true, _) => files_below(path).map(|mut files| {
            files.retain(|file| is_called_definition(file));
            files
        }),
        (false, true) => files_of_pattern(argument),
        (false, false) => return Ok(vec![argument.to_owned()]),
    };
    let found =
        found.map_err(|error| Failure::new(format!("cannot search for definitions: {error}")))?;
    match found.is_empty() {
        true => Err(Failure::new(format!("no definition in {argument}"))),
        false => Ok(found
            .iter()
            .map(|file| file.display().to_string())
            .collect()),
    }
}

/// The outcome for a file.
enum Outcome {
    Changed,
    Unchanged,
    /// The file is not formatted, as reported.
    Left,
    Unread,
}

fn format_file(name: &str, arguments: &FmtArguments) -> Result<Outcome, Failure> {
    let text = Text::read(name)?;
    let stays = |outcome| match name == "-" && !arguments.check && !arguments.diff {
        true => write_as_it_is(text.as_written()).map(|()| outcome),
        false => Ok(outcome),
    };
    if let Some(what) = text.template() {
        text.report_unchanged(&format!("it is {what}"));
        return stays(Outcome::Left);
    }
    let style = arguments.look.style();
    let (formatted, kept) = match format_and_report(text.as_written(), &style) {
        Ok(formatted) => formatted,
        Err(error) => {
            return match text.report_error(&error) {
                text::FormatOutcome::Unreadable => Ok(Outcome::Unread),
                text::FormatOutcome::Left => stays(Outcome::Left),
            };
        }
    };
    for kept in kept {
        terminal::error_line(&format!(
            "{}: the order of these fields is unchanged: {kept}",
            text.name()
        ));
    }
    if formatted == text.as_written() {
        return stays(Outcome::Unchanged);
    }
    match (arguments.diff, arguments.check, name) {
        (true, ..) => print(difference(&text, &formatted).trim_end())?,
        (false, true, _) => print(text.name())?,
        (false, false, "-") => write_as_it_is(&formatted)?,
        (false, false, _) => crate::replace::replace(Path::new(name), &formatted)?,
    }
    Ok(Outcome::Changed)
}

/// Returns the lines that change, with some around them.
fn difference(text: &Text, formatted: &str) -> String {
    let mut configuration = TextDiff::configure();
    configuration.timeout(Duration::from_secs(2));
    let diff = configuration.diff_lines(text.as_written(), formatted);
    let name = text.name();
    diff.unified_diff()
        .header(name, &format!("{name} (formatted)"))
        .to_string()
}

/// Numbers of files by outcome.
#[derive(Default)]
struct Summary {
    changed: usize,
    unchanged: usize,
    left: usize,
    unread: usize,
}

impl Summary {
    fn add(&mut self, outcome: Outcome) {
        match outcome {
            Outcome::Changed => self.changed += 1,
            Outcome::Unchanged => self.unchanged += 1,
            Outcome::Left => self.left += 1,
            Outcome::Unread => self.unread += 1,
        }
    }

    fn report_summary(&self, arguments: &FmtArguments) {
        if arguments.files.iter().all(|file| file == "-") {
            return;
        }
        let files = count_noun(self.changed, "file");
        let changes_nothing = arguments.check || arguments.diff;
        let mut parts = vec![match (self.changed, changes_nothing) {
            (0, true) => format!("{files} to format"),
            (_, true) => format!("{WARNING}{files} to format{WARNING:#}"),
            (_, false) => format!("{SUCCESS}{files} formatted{SUCCESS:#}"),
        }];
        if self.unchanged > 0 {
            parts.push(format!("{} in order", count_noun(self.unchanged, "file")));
        }
        if self.left > 0 {
            parts.push(format!("{} skipped", count_noun(self.left, "file")));
        }
        if self.unread > 0 {
            parts.push(format!(
                "{ERROR}{} not read{ERROR:#}",
                count_noun(self.unread, "file")
            ));
        }
        terminal::error_line(&parts.join(", "));
    }
}
