//! Nested stacks: templates of CloudFormation and SAM that a template names.
use super::{ApplicationSource, read_one};
use crate::{File, Finding, FindingCode, ReadOptions};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Stacks in stacks.
const DEEPEST: usize = 8;
/// Templates that are read for one application: a template is read again when the outputs of its stacks are known.
pub(super) const MOST_READS: usize = 500;
/// Readings of one template: a stack may need the outputs of another one.
const MOST_ROUNDS: usize = 8;

/// A nested stack of a template.
#[derive(Debug, Clone)]
pub(crate) struct NestedStack {
    /// The name in the template.
    pub(crate) id: String,
    /// The template of the stack.
    pub(crate) template: PathBuf,
    /// The parameters whose values are known.
    pub(crate) parameters: BTreeMap<String, String>,
    /// The file that names the stack, and the place in it.
    pub(crate) place: (Arc<File>, usize),
}

/// Reads a file and its nested stacks. `reads_left` is the number of templates that can still be read.
pub(super) fn read_with_stacks(
    file: &File,
    reading: &ReadOptions<'_>,
    depth: usize,
    reads_left: &mut usize,
) -> ApplicationSource {
    let mut known = BTreeMap::new();
    let mut rounds_left = MOST_ROUNDS;
    loop {
        rounds_left -= 1;
        let given = reading.given.with(&known);
        let mut own = read_one(file.clone(), &reading.with_given(&given));
        reading.given.note_used(&given);
        own.templates
            .extend(own.stacks.iter().map(|stack| stack.template.clone()));
        let stacks = std::mem::take(&mut own.stacks);
        if stacks.is_empty() {
            return own;
        }
        let mut outputs = BTreeMap::new();
        let mut inner = Vec::new();
        for stack in &stacks {
            match read_stack(stack, reading, depth, reads_left) {
                Ok(application) => {
                    let named = application.outputs.iter();
                    outputs.extend(named.map(|(name, value)| {
                        (format!("{}.Outputs.{name}", stack.id), value.clone())
                    }));
                    inner.push(application);
                }
                Err(finding) => own.findings.push(finding),
            }
        }
        if outputs == known || rounds_left == 0 || *reads_left == 0 {
            for application in inner {
                own.add(application);
            }
            return own;
        }
        known = outputs;
    }
}

fn read_stack(
    stack: &NestedStack,
    reading: &ReadOptions<'_>,
    depth: usize,
    reads_left: &mut usize,
) -> Result<ApplicationSource, Finding> {
    let refuse = |message: String| {
        let (file, offset) = &stack.place;
        let code = FindingCode::DefinitionElsewhere;
        Finding::warning(code, (file, *offset), message)
    };
    let left = reads_left.checked_sub(1).filter(|_| depth < DEEPEST);
    *reads_left = left.ok_or_else(|| {
        refuse(
            "the nested stacks are too deep, or there are too many: the rest is left out"
                .to_owned(),
        )
    })?;
    let path = stack.template.display();
    let text = reading.read(&stack.template);
    let text = text.map_err(|error| refuse(format!("cannot read {path}: {error}")))?;
    let given = reading.given.with(&stack.parameters);
    let reading_stack = reading.with_given(&given);
    let file = File::new(&stack.template, text);
    let application = read_with_stacks(&file, &reading_stack, depth + 1, reads_left);
    reading.given.note_used(&given);
    Ok(application)
}
