//! `asl convert`.
use super::text::Text;
use crate::arguments::ConvertArguments;
use crate::exit::{Exit, Failure, write_as_it_is};
use crate::replace::replace;
use crate::terminal::{self, WARNING, count_noun};
use asl_format::{Conversion, Format};
use std::fs::File;
use std::io::{self, Write as _};
use std::path::Path;

/// Writes a definition in the other format.
pub(crate) fn convert(arguments: &ConvertArguments) -> Result<Exit, Failure> {
    let text = Text::read(&arguments.file)?;
    let name = text.name();
    if let Some(what) = text.template() {
        return Err(Failure::new(format!(
            "{name} is {what}: expected a plain definition"
        )));
    }
    let is = Format::of_text(text.as_written());
    let to = arguments.to.map_or(is.other(), Format::from);
    if to == is {
        let language = language(is);
        return Err(Failure::new(format!(
            "{name} is already {language}: use asl fmt to format it"
        )));
    }
    let converted = asl_format::convert(text.as_written(), to, &arguments.look.style())
        .map_err(|error| text.failure(&error))?;
    match arguments
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"))
    {
        Some(path) => write(path, &converted.text, arguments.force)?,
        None => write_as_it_is(&converted.text)?,
    }
    report_losses(&converted);
    Ok(Exit::Success)
}

fn language(format: Format) -> &'static str {
    match format {
        Format::Json => "JSON",
        Format::Yaml => "YAML",
    }
}

fn write(path: &Path, text: &str, force: bool) -> Result<(), Failure> {
    if force && path.exists() {
        return replace(path, text);
    }
    let written = File::create_new(path).and_then(|mut file| file.write_all(text.as_bytes()));
    written.map_err(|error| {
        let path = path.display();
        Failure::new(match error.kind() {
            io::ErrorKind::AlreadyExists => {
                format!("{path} already exists: use --force to overwrite it")
            }
            _ => format!("cannot write {path}: {error}"),
        })
    })
}

fn report_losses(converted: &Conversion) {
    let is = |count| if count == 1 { "is" } else { "are" };
    let losses = [
        (converted.lost_comments, "comment", "JSON has none"),
        (
            converted.lost_tags,
            "tag",
            "in JSON they become text with placeholders",
        ),
    ];
    for (count, what, why) in losses.into_iter().filter(|(count, ..)| *count > 0) {
        terminal::error_line(&format!(
            "{WARNING}warning:{WARNING:#} {} {} lost: {why}",
            count_noun(count, what),
            is(count)
        ));
    }
}
