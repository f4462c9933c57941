//! Programs and configurations whose definitions are known only when their tool has run.
use std::io;
use std::path::{Path, PathBuf};

/// A tool whose sources hold definitions in a language of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum SourceTool {
    /// The AWS Cloud Development Kit: `cdk.json`.
    Cdk,
    /// Terraform: `*.tf`.
    Terraform,
    /// Pulumi: `Pulumi.yaml`.
    Pulumi,
}

impl SourceTool {
    /// The tool that a file is of, by its name.
    ///
    /// ```
    /// use asl_template::SourceTool;
    /// use std::path::Path;
    /// assert_eq!(SourceTool::of_file(Path::new("infra/main.tf")), Some(SourceTool::Terraform));
    /// assert_eq!(SourceTool::of_file(Path::new("template.yaml")), None);
    /// ```
    pub fn of_file(path: &Path) -> Option<Self> {
        match path.file_name()?.to_str()? {
            "cdk.json" => Some(Self::Cdk),
            "Pulumi.yaml" | "Pulumi.yml" => Some(Self::Pulumi),
            name if name.ends_with(".tf") => Some(Self::Terraform),
            _ => None,
        }
    }

    /// Returns the step that makes its definitions readable.
    pub const fn next_step(self) -> &'static str {
        match self {
            Self::Cdk => "run `cdk synth`, then pass the folder cdk.out",
            Self::Terraform => {
                "run `terraform plan -out plan` and `terraform show -json plan > plan.json`, then pass plan.json"
            }
            Self::Pulumi => {
                "write the definition to a file *.asl.json that the program reads, then pass this file"
            }
        }
    }
}

/// Returns the first source of each tool below a folder, in the order of the tools.
///
/// # Errors
/// As [`files_below`](crate::files_below).
pub fn sources_below(folder: &Path) -> io::Result<Vec<(SourceTool, PathBuf)>> {
    let mut found = Vec::new();
    super::walk(folder, usize::MAX, false, &mut |path| {
        if let Some(tool) = SourceTool::of_file(path) {
            found.push((tool, path.to_owned()));
        }
    })?;
    found.sort();
    found.dedup_by_key(|(tool, _)| *tool);
    Ok(found)
}
