//! A state machine that was found.
use crate::document::{as_cloudformation, is_called_yaml, read_document};
use crate::node::Node;
use crate::{DefinitionText, File, Finding, FindingCode, Kind, Places};
use asl_model::{
    Diagnostics, DifferentScalar, Document, Options, SourceMap, StateMachine, StateMachineType,
    Syntax,
};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// A state machine in a file: its definition as one text with the origin of each byte ([`DefinitionText`]), and the findings
/// about its surroundings.
///
/// Placeholders in the text are replaced with the values of the file and with given values; `findings` report the remaining
/// ones.
#[derive(Debug, Clone)]
pub struct StateMachineSource {
    pub(crate) file: Arc<File>,
    pub(crate) name: Option<String>,
    /// The name that its resource has.
    pub(crate) resource_name: Option<String>,
    pub(crate) kind: Kind,
    pub(crate) machine_type: Option<StateMachineType>,
    pub(crate) syntax: Syntax,
    pub(crate) definition: Option<Arc<DefinitionText>>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) referenced: Vec<PathBuf>,
}

/// Bytes of a placeholder at most.
const LONGEST_NAME: usize = 1_024;

/// Returns false for a boolean in a field that holds one.
fn surprises(different: &DifferentScalar) -> bool {
    const BOOLEANS: [&str; 8] = [
        "End",
        "BooleanEquals",
        "IsNull",
        "IsPresent",
        "IsNumeric",
        "IsString",
        "IsBoolean",
        "IsTimestamp",
    ];
    let field = different.pointer.rsplit('/').next().unwrap_or_default();
    different.is_name || !BOOLEANS.contains(&field)
}

fn offset_of(map: &SourceMap<'_>, different: &DifferentScalar) -> usize {
    let offset = match different.is_name {
        true => map.name_offset_of(&different.pointer),
        false => map.offset_of(&different.pointer),
    };
    offset.unwrap_or_default()
}

fn yaml_scalar(place: (&Arc<File>, usize), text: &str, different: &DifferentScalar) -> Finding {
    let is_part = |c: char| !c.is_whitespace() && !matches!(c, ',' | '}' | ']');
    let rest = text.get(place.1..).unwrap_or_default();
    let end = rest.find(|c| !is_part(c)).unwrap_or(rest.len());
    let written = rest[..end].trim_end_matches(':');
    let newer = match different.newer.starts_with('"') {
        true => "a text",
        false => &different.newer,
    };
    let message = format!(
        "CloudFormation reads YAML 1.1, in which {written} is {}, not {newer}",
        different.meaning
    );
    let finding = Finding::warning(FindingCode::YamlScalar, place, message);
    finding.with_hint(format!("write \"{written}\" if it is a string"))
}

fn at(finding: &Finding) -> (PathBuf, usize) {
    let place = finding.place();
    (place.file.path().to_owned(), place.offset)
}

impl StateMachineSource {
    pub(crate) fn new(file: &Arc<File>, name: impl Into<String>, kind: Kind) -> Self {
        Self {
            file: Arc::clone(file),
            name: Some(name.into()),
            resource_name: None,
            kind,
            machine_type: None,
            syntax: Syntax::default(),
            definition: None,
            findings: Vec::new(),
            referenced: Vec::new(),
        }
    }

    /// The file that was looked at: a template, or the definition itself.
    pub fn file(&self) -> &Path {
        self.file.path()
    }

    /// Returns the name in the file: a logical ID or a Terraform address; None for a plain definition.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// Returns the name of the deployed state machine, if the file gives it one.
    pub fn resource_name(&self) -> Option<&str> {
        self.resource_name.as_deref()
    }

    /// `FILE#NAME`, or the file alone.
    pub fn reference(&self) -> String {
        let file = self.file().display();
        match &self.name {
            Some(name) => format!("{file}#{name}"),
            None => file.to_string(),
        }
    }

    /// Returns the kind of the file.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Standard or Express, where the file says so.
    pub fn machine_type(&self) -> Option<StateMachineType> {
        self.machine_type
    }

    /// Returns the syntax of a definition that starts with a brace, for [`Options::syntax`].
    pub fn syntax(&self) -> Syntax {
        self.syntax
    }

    /// Returns the definition; None if it is not on this machine or unknown, as a finding says.
    pub fn definition(&self) -> Option<&DefinitionText> {
        self.definition.as_deref()
    }

    /// Returns the findings, in addition to problems of the definition.
    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    /// Returns the files that the template names and that parts of the definition are in.
    pub fn referenced(&self) -> &[PathBuf] {
        &self.referenced
    }

    /// The options by which it is to be read: `options`, but for what the file says of itself.
    pub fn options(&self, options: Options) -> Options {
        options
            .with_syntax(self.syntax)
            .with_state_machine_type(self.machine_type.unwrap_or(options.state_machine_type))
    }

    /// Reads the definition: all its faults have their places in the files that are edited. None if there is no text of it.
    ///
    /// ```
    /// use asl_model::Options;
    /// use asl_template::{File, FileSystem, ReadOptions, Substitutions, read_file};
    ///
    /// let template = "Resources:\n  Order:\n    Type: AWS::Serverless::StateMachine\n    Properties:\n      Definition:\n        \
    ///     StartAt: A\n        States:\n          A: {Type: Pass, Next: B}\n          C: {Type: Succeed}\n";
    /// let given = Substitutions::default();
    /// let contents = read_file(File::new("template.yaml", template), &ReadOptions::new(&FileSystem, &given));
    /// let order = contents.machine(Some("Order")).unwrap();
    /// let faults = order.parse(Options::default()).unwrap().unwrap_err();
    /// let (fault, position) = faults.located().next().unwrap();
    /// assert_eq!((fault.message.as_str(), position.unwrap().line), ("Missing 'Next' target: B", 8));
    /// ```
    pub fn parse(
        &self,
        options: Options,
    ) -> Option<Result<(StateMachine, Diagnostics), Diagnostics>> {
        let definition = self.definition.as_deref()?;
        let parsed = asl_model::parse(definition.as_str(), self.options(options));
        Some(parsed.map_err(|faults| {
            let places = Places::new(definition);
            faults.relocated(|position| {
                places
                    .in_file(position)
                    .map_or(position, |it| it.position())
            })
        }))
    }

    /// Sets the definition, and reports its remaining placeholders.
    pub(crate) fn define<'n>(
        &mut self,
        text: DefinitionText,
        names: impl Iterator<Item = &'n String>,
    ) {
        if text.is_cut() {
            let message = "the definition exceeds the maximum length";
            let code = FindingCode::MissingDefinition;
            self.findings
                .push(Finding::error(code, (&self.file, 0), message));
            return;
        }
        let names: Vec<&str> = names.map(String::as_str).collect();
        self.warn_of_left(&text, &names);
        self.definition = Some(Arc::new(text));
    }

    /// Warns once of each placeholder that has no value. The value of a function of the template is unknown before the
    /// deployment, and not without a value: a parameter without a default, say.
    fn warn_of_left(&mut self, text: &DefinitionText, names: &[&str]) {
        let known = match names {
            [] => String::new(),
            names => format!("; there are values for {}", names.join(", ")),
        };
        let told: BTreeSet<(PathBuf, usize)> = self.findings.iter().map(at).collect();
        for (name, range) in self.remaining_placeholders(text) {
            let Some((file, offset)) = text.source_of(range) else {
                continue;
            };
            let message = format!("the placeholder '${{{name}}}' has no value");
            let code = FindingCode::UnreplacedPlaceholder;
            let finding = Finding::warning(code, (&file, offset), message).with_hint(format!(
                "it is deployed unchanged: set a value in the template, or use --substitute {name}=VALUE{known}"
            ));
            // What is refused there is told already.
            if !told.contains(&at(&finding)) {
                self.findings.push(finding);
            }
        }
    }

    /// Returns the remaining placeholders, each with its first position.
    fn remaining_placeholders<'d>(&self, text: &'d DefinitionText) -> Vec<(&'d str, usize)> {
        let mut left = Vec::new();
        let mut told = BTreeSet::new();
        let mut close = 0;
        for (at, _) in text.as_str().match_indices("${") {
            // The last bracket that was looked for, so that none is looked for twice.
            if close < at {
                let rest = text.as_str().get(at..).unwrap_or_default();
                match rest.find('}') {
                    Some(end) => close = at + end,
                    None => break,
                }
            }
            if close - at > LONGEST_NAME {
                continue;
            }
            let placeholder = text.as_str().get(at..=close).unwrap_or_default();
            // In JSONata `${a:b}` groups by a.
            let is_other = |name: &str| name.contains(':') && !name.contains("::");
            if text.is_copied_at(at)
                && let Some(name) = asl_model::placeholder_names(placeholder).next()
                && (self.kind == Kind::Serverless || !is_other(name))
                && told.insert(name)
            {
                left.push((name, at));
            }
        }
        left
    }

    /// Warns of scalars of a definition that are no texts in YAML 1.1.
    pub(crate) fn add_differences(&mut self, definition: &Node<'_>) {
        let within = format!("{}/", definition.template.origin_of(&definition.pointer));
        let document = &definition.template.document;
        let differences = definition.template.differences.iter();
        let within = differences.filter(|it| it.pointer.starts_with(&within) && surprises(it));
        self.add_yaml_scalars(definition.file(), document, within);
    }

    /// Warns of the same in a file that a template names.
    pub(crate) fn add_differences_of_file(&mut self, file: &Arc<File>) {
        if !is_called_yaml(file.path()) {
            return;
        }
        let Ok(newer) = read_document(file.text()) else {
            return;
        };
        let (older, differences) = as_cloudformation(newer);
        let surprising = differences.iter().filter(|it| surprises(it));
        self.add_yaml_scalars(file, &older, surprising);
    }

    fn add_yaml_scalars<'d>(
        &mut self,
        file: &Arc<File>,
        document: &Document,
        differences: impl Iterator<Item = &'d DifferentScalar>,
    ) {
        let mut places: Vec<_> = differences
            .map(|different| (offset_of(document.map(), different), different))
            .collect();
        places.sort_by_key(|(offset, _)| *offset);
        let warnings = places
            .into_iter()
            .map(|(offset, different)| yaml_scalar((file, offset), document.text(), different));
        self.findings.extend(warnings);
    }

    /// Reports which fields of a definition stand twice in the template.
    pub(crate) fn add_duplicates(&mut self, definition: &Node<'_>) {
        let within = format!("{}/", definition.template.origin_of(&definition.pointer));
        let document = &definition.template.document;
        for duplicate in document.duplicates() {
            let pointer = duplicate.location.pointer();
            if pointer.starts_with(&within) {
                let map = document.map();
                let offset = map.name_offset_of(pointer).unwrap_or_default();
                let code = FindingCode::DuplicateField;
                let place = (definition.file(), offset);
                self.findings
                    .push(Finding::error(code, place, duplicate.message.clone()));
            }
        }
    }
}
