//! Templates of other tools, valid or not.
use super::{feature, kind_of_message, nested};
use asl_model::Options;
use asl_template::{
    File, Files, Places, ReadOptions, StateMachineSource, Substitutions, read_application,
};
use std::path::Path;

pub(super) const WORDS: &[&str] = &[
    "AWS::StepFunctions::StateMachine",
    "AWS::Serverless::StateMachine",
    "Resources:",
    "Properties:",
    "DefinitionString:",
    "DefinitionSubstitutions:",
    "DefinitionUri:",
    "Definition:",
    "!Sub ",
    "!GetAtt ",
    "!Ref ",
    "!Join ['', [",
    "!If [",
    "!Split [",
    "!Select [0, ",
    "Fn::Join:",
    "Fn::Sub:",
    "${AWS::Region}",
    "${!Name}",
    "${Name}",
    "${self:custom.a, 'b'}",
    "${file(",
    "${upper(a)}",
    "%{ if a }",
    "stepFunctions:",
    "stateMachines:",
    "|\n",
    ">2-\n",
    "\\\"",
    "\\u00e9",
    "''",
    "&a ",
    "*a",
    "<<: ",
];

/// Every file that is named has this text: a template may name itself.
struct Itself(String);

impl Files for Itself {
    fn read(&self, _: &Path) -> Result<String, String> {
        Ok(self.0.clone())
    }
}

pub(super) fn run(bytes: &[u8]) -> u64 {
    let files = Itself(String::from_utf8_lossy(bytes).into_owned());
    let given = Substitutions::from_iter([("Name", "value")]);
    let application = read_application(
        File::new("template.yaml", files.0.as_str()),
        &ReadOptions::new(&files, &given),
    );
    let shown: Vec<_> = application.machines.iter().map(look).collect();
    let functions = application.functions.iter();
    let functions: Vec<_> = functions
        .map(|function| (function.runtime.clone(), function.environment.len()))
        .collect();
    let others = application.resources.len() + application.events.len();
    feature((application.kind, shown, functions, others.min(3)))
}

/// Returns all findings about a state machine, with their locations.
fn look(found: &StateMachineSource) -> Vec<String> {
    let findings = found.findings().iter();
    let mut shown: Vec<String> = findings
        .map(|finding| {
            assert!(finding.place().offset <= finding.place().file.text().len());
            finding.code.as_str().to_owned()
        })
        .collect();
    let Some(text) = found.definition() else {
        return shown;
    };
    let faults = asl_model::validate(text.as_str(), found.options(Options::default()));
    let places = Places::new(text);
    for fault in faults.iter() {
        let place = match faults.unreadable_at() {
            Some(position) => places.in_file(position),
            None => places.place_of(fault),
        };
        if let Some(place) = place {
            assert!(place.offset <= place.file.text().len());
        }
        if let Some((file, lines)) = places.lines_of(fault.location.pointer()) {
            assert!(lines.start() <= lines.end());
            assert!(*lines.end() <= file.text().lines().count() + 1);
        }
        shown.push(kind_of_message(&fault.message));
    }
    shown
}

pub(super) fn deep() -> Vec<Vec<u8>> {
    let head = "Resources: {M: {Type: AWS::StepFunctions::StateMachine, Properties: {Definition: ";
    [
        ("[", "]"),
        ("{a: ", "}"),
        ("!Sub [", "]"),
        ("{Fn::Join: ['', [", "]]}"),
    ]
    .into_iter()
    .map(|(open, close)| [head.as_bytes(), &nested(open, "x", close), b"}}}"].concat())
    .collect()
}
