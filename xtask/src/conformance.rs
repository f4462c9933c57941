//! Holds the libraries against cases: data in, verdicts out.
use asl_conformance::Arguments;

/// Prints the report; true if every case of `fixtures/` holds.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let (report, holds) = arguments.run().map_err(|error| error.to_string())?;
    print!("{report}");
    Ok(holds)
}
