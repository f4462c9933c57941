//! `asl graph`.

mod history;

use crate::arguments::{GraphArguments, GraphFormat};
use crate::child_histories;
use crate::definition::Definition;
use crate::exit::{Exit, Failure, print};
use crate::source::{Source, check_stdin};
use crate::substitutions::read_definition;
use crate::terminal::{self, WARNING};
use asl_graph::{Outline, Overlay};
use asl_model::{Options, definition_value};
use asl_test::coverage::overlay_from_json;

/// Draws a definition, and on it the way of an execution.
pub(crate) fn graph(arguments: &GraphArguments) -> Result<Exit, Failure> {
    check_stdin(&[
        ("the definition", Some(&arguments.definition)),
        ("the history", arguments.history.as_deref()),
        ("the coverage", arguments.coverage.as_deref()),
        ("the substitutions", arguments.substitutions.file.as_deref()),
    ])?;
    let source = read_definition(&arguments.substitutions, &arguments.definition)?;
    let options = source.source().options(Options::default());
    let machine = match source.parse(options) {
        Ok((machine, _)) => machine,
        Err(failure) => return refused(&source, options, arguments).and(Err(failure)),
    };
    let children = child_histories::read_folder(arguments.child_histories.as_deref())?;
    let overlay = match (&arguments.history, &arguments.coverage) {
        (Some(path), _) => Some(history::read(path, &machine, &children)?),
        (None, Some(path)) => Some(covered(path, &source.name_in_reports())?),
        (None, None) => None,
    };
    let drawing = Drawing {
        outline: Outline::from_machine(&machine),
        overlay,
        source: &source,
        options,
    };
    drawing.print(arguments.format)?;
    Ok(Exit::Success)
}

/// The graph to draw, and its definition.
struct Drawing<'d> {
    outline: Outline,
    overlay: Option<Overlay>,
    source: &'d Definition,
    options: Options,
}

impl Drawing<'_> {
    fn print(&self, format: GraphFormat) -> Result<(), Failure> {
        let overlay = self.overlay.as_ref();
        print(match format {
            GraphFormat::Png => return self.print_png(),
            GraphFormat::Mermaid => self.outline.mermaid(overlay),
            GraphFormat::Dot => self.outline.dot(overlay),
            GraphFormat::Svg => self.outline.svg(overlay),
            GraphFormat::Html => {
                // It was read before.
                let value = definition_value(self.source.text().as_str(), self.options);
                let value = value.unwrap_or_default();
                self.outline.html(&value, self.source.name(), overlay)
            }
        })
    }
}

#[cfg(feature = "png")]
impl Drawing<'_> {
    fn print_png(&self) -> Result<(), Failure> {
        let png = self.outline.png(self.overlay.as_ref());
        let png = png.map_err(|error| Failure::new(error.to_string()))?;
        crate::exit::write_bytes(&png)
    }
}

#[cfg(not(feature = "png"))]
impl Drawing<'_> {
    fn print_png(&self) -> Result<(), Failure> {
        Err(Failure::new(
            "this build has no PNG support: install one with 'cargo install --path asl-cli --features png', or use --format svg",
        ))
    }
}

/// Draws an invalid definition after its problems were reported.
fn refused(
    source: &Definition,
    options: Options,
    arguments: &GraphArguments,
) -> Result<(), Failure> {
    let Ok(value) = definition_value(source.text().as_str(), options) else {
        return Ok(());
    };
    let faults = asl_model::validate(source.text().as_str(), options);
    let Some(outline) = Outline::of_refused(&value, &faults) else {
        return Ok(());
    };
    let overlay = match (&arguments.history, &arguments.coverage) {
        (Some(_), _) => {
            let why = "the definition is invalid, so the path of the history is not drawn";
            terminal::error_line(&format!("{WARNING}warning:{WARNING:#} {why}"));
            None
        }
        (None, Some(path)) => Some(covered(path, &source.name_in_reports())?),
        (None, None) => None,
    };
    let drawing = Drawing {
        outline,
        overlay,
        source,
        options,
    };
    drawing.print(arguments.format)
}

/// Returns the coverage of a definition.
fn covered(path: &str, definition: &str) -> Result<Overlay, Failure> {
    let report = Source::read(path)?.json()?;
    overlay_from_json(&report, definition).map_err(|error| Failure::new(format!("{path}: {error}")))
}
