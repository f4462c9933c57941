//! The files of a folder that describe its application.
use std::io;
use std::path::{Path, PathBuf};

/// Names of templates, in the order in which one describes the application: the first one that is there.
const TEMPLATES: [&str; 8] = [
    "template.yaml",
    "template.yml",
    "template.json",
    "serverless.yml",
    "serverless.yaml",
    "serverless.json",
    "plan.json",
    "tfplan.json",
];

/// Returns the files that describe the application of a folder: its SAM, CloudFormation or Serverless template, else what CDK
/// synthesised into `cdk.out`, else the plan of Terraform, else its definitions (`*.asl.json`, `*.asl.yaml`), also those of the
/// folders in it.
///
/// # Errors
/// A folder that cannot be read.
pub fn sources_of_folder(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let is_template = |name: &&&str| folder.join(name).is_file();
    let synthesised = stacks_of_cdk(folder)?;
    let mut templates = TEMPLATES.iter().filter(is_template);
    match (templates.next(), synthesised.as_slice()) {
        (Some(name), []) => Ok(vec![folder.join(name)]),
        (_, [_, ..]) => Ok(synthesised),
        (None, []) => {
            let all = asl_template::files_below(folder)?;
            let definitions = all.into_iter();
            let mut definitions: Vec<PathBuf> = definitions
                .filter(|file| asl_template::is_called_definition(file))
                .collect();
            // Of two with one name, the one that is nearer counts.
            definitions.sort_by_key(|file| file.components().count());
            Ok(definitions)
        }
    }
}

/// Returns the templates in `cdk.out`, where the folder is a CDK application or its `cdk.out`.
fn stacks_of_cdk(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let assembly = match folder.join("cdk.json").is_file() {
        true => folder.join("cdk.out"),
        false => folder.to_owned(),
    };
    if !assembly.join("manifest.json").is_file() {
        return Ok(Vec::new());
    }
    let mut stacks = Vec::new();
    for entry in std::fs::read_dir(&assembly)? {
        let path = entry?.path();
        let name = path.file_name().and_then(|name| name.to_str());
        let is_stack = name.is_some_and(|name| {
            // Nested stacks are assets of theirs.
            name.ends_with(".template.json") && !name.ends_with(".nested.template.json")
        });
        if is_stack {
            stacks.push(path);
        }
    }
    stacks.sort();
    Ok(stacks)
}
