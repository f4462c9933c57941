//! The settings of a definition: those of the nearest `asl.toml`.
use crate::settings::{Settings, SettingsError, TaskPerformers};
use asl_model::{DiagnosticRule, Diagnostics, ResourceNames, Severity};
use asl_template::plain_path;
use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const NAME: &str = "asl.toml";

/// Settings, and the folder that their patterns are from.
#[derive(Debug, Clone, Default)]
pub struct NearestSettings {
    settings: Arc<Settings>,
    folder: PathBuf,
}

/// An `asl.toml` that cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub struct UnreadableSettings {
    /// The file.
    pub path: PathBuf,
    /// The text, if it has an error.
    pub text: String,
    /// The error.
    pub error: SettingsError,
}

impl fmt::Display for UnreadableSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { path, error, .. } = self;
        write!(f, "{} cannot be read as settings: {error}", path.display())
    }
}

impl NearestSettings {
    /// Returns the diagnostics of a definition's file, as [`Settings::apply`].
    pub fn apply(&self, diagnostics: &Diagnostics, file: &Path) -> Diagnostics {
        self.settings.apply(diagnostics, &self.path_of(file))
    }

    /// Returns the severity of a rule, as [`Settings::severity_of`].
    pub fn severity_of(
        &self,
        severity: Severity,
        rule: DiagnosticRule,
        file: &Path,
    ) -> Option<Severity> {
        let path = self.path_of(file);
        self.settings.severity_of(severity, rule, &path)
    }

    /// Returns true if warnings are denied, as [`Settings::denies_warnings`].
    pub fn denies_warnings(&self) -> bool {
        self.settings.denies_warnings()
    }

    /// Returns the resources that tasks may have, as [`Settings::resources`].
    pub fn resources(&self) -> Option<ResourceNames> {
        self.settings.resources()
    }

    /// Returns the performers of tasks, as [`Settings::performers`].
    pub fn performers(&self) -> &TaskPerformers {
        self.settings.performers()
    }

    /// Returns a file as patterns name it.
    fn path_of(&self, file: &Path) -> PathBuf {
        let whole = whole(file);
        match whole.strip_prefix(&self.folder) {
            Ok(below) => below.to_owned(),
            Err(_) => whole,
        }
    }
}

/// The settings of folders: each `asl.toml` is read once.
///
/// ```
/// use asl_lint::SettingsOfFolders;
/// let mut settings = SettingsOfFolders::default();
/// let nearest = settings.nearest("flows/order.asl.json".as_ref(), &|path| std::fs::read_to_string(path))?;
/// assert!(!nearest.denies_warnings());
/// # Ok::<(), asl_lint::UnreadableSettings>(())
/// ```
#[derive(Debug, Default)]
pub struct SettingsOfFolders {
    known: BTreeMap<PathBuf, NearestSettings>,
}

impl SettingsOfFolders {
    /// Returns the settings of a definition's file: of the nearest `asl.toml` in its folder or around it, if there is one,
    /// which `text_of` reads.
    ///
    /// # Errors
    /// Returns an error if that file cannot be read, or has a fault.
    pub fn nearest(
        &mut self,
        file: &Path,
        text_of: &dyn Fn(&Path) -> io::Result<String>,
    ) -> Result<NearestSettings, UnreadableSettings> {
        let whole = whole(file);
        let mut looked_at = Vec::new();
        let mut found = NearestSettings::default();
        for folder in whole.ancestors().skip(1) {
            if let Some(known) = self.known.get(folder) {
                found = known.clone();
                break;
            }
            looked_at.push(folder.to_owned());
            if let Some(settings) = read(&folder.join(NAME), text_of)? {
                found = NearestSettings {
                    settings: Arc::new(settings),
                    folder: folder.to_owned(),
                };
                break;
            }
        }
        let known = looked_at.into_iter().map(|folder| (folder, found.clone()));
        self.known.extend(known);
        Ok(found)
    }
}

fn whole(file: &Path) -> PathBuf {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    plain_path(&whole)
}

fn read(
    path: &Path,
    text_of: &dyn Fn(&Path) -> io::Result<String>,
) -> Result<Option<Settings>, UnreadableSettings> {
    let unreadable = |text: &str, error| UnreadableSettings {
        path: path.to_owned(),
        text: text.to_owned(),
        error,
    };
    match text_of(path) {
        Ok(text) => Settings::parse(&text)
            .map(Some)
            .map_err(|error| unreadable(&text, error)),
        Err(error) if is_absent(&error) => Ok(None),
        Err(error) => Err(unreadable(
            "",
            SettingsError {
                message: error.to_string(),
                offset: None,
            },
        )),
    }
}

/// Returns true if there is no such file; one in a folder that may not be looked into counts as none.
fn is_absent(error: &io::Error) -> bool {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound, PermissionDenied};
    matches!(
        error.kind(),
        NotFound | NotADirectory | IsADirectory | PermissionDenied
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the settings of a file, among files in memory.
    fn nearest(files: &[(&str, &str)], file: &str) -> Result<NearestSettings, UnreadableSettings> {
        let text_of = |path: &Path| {
            let found = files.iter().find(|(name, _)| Path::new(name) == path);
            let text = found.map(|(_, text)| (*text).to_owned());
            text.ok_or_else(|| io::ErrorKind::NotFound.into())
        };
        SettingsOfFolders::default().nearest(file.as_ref(), &text_of)
    }

    fn severity(files: &[(&str, &str)], file: &str) -> Option<Severity> {
        let nearest = nearest(files, file);
        let rule = DiagnosticRule::UNUSED_VARIABLE;
        nearest
            .unwrap()
            .severity_of(Severity::Warning, rule, file.as_ref())
    }

    #[test]
    fn the_nearest_counts_and_patterns_are_from_its_folder() {
        let outer = "[[overrides]]\nfiles = ['b/*']\nrules = { unused-variable = 'error' }";
        let files = [
            ("/a/asl.toml", outer),
            ("/a/b/c/asl.toml", "rules.unused-variable = 'ignore'"),
        ];
        assert_eq!(severity(&files, "/a/b/x.asl.json"), Some(Severity::Error));
        assert_eq!(severity(&files, "/a/x.asl.json"), Some(Severity::Warning));
        assert_eq!(severity(&files, "/a/b/c/d/x.asl.json"), None);
        assert_eq!(severity(&files, "/x.asl.json"), Some(Severity::Warning));
    }

    #[test]
    fn a_fault_is_told_with_its_file() {
        let fault = nearest(&[("/a/asl.toml", "rules = 1")], "/a/x");
        let fault = fault.unwrap_err();
        assert_eq!(fault.path, Path::new("/a/asl.toml"));
        assert_eq!(fault.error.offset, Some(8));
    }
}
