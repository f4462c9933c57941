//! Runs asl-format in WebAssembly.
use asl_format::{Format, Style, convert, format};
use std::error::Error;

fn main() -> Result<(), Box<dyn Error>> {
    let text = r#"{"States": {"Done": {"Type": "Succeed"}}, "StartAt": "Done"}"#;
    let formatted = format(text, &Style::default())?;
    assert!(formatted.starts_with("{\n  \"StartAt\""));
    let yaml = convert(&formatted, Format::Yaml, &Style::default())?;
    assert!(yaml.text.starts_with("StartAt: Done\n"));
    let _ = format(&"[".repeat(100_000), &Style::default());
    Ok(())
}
