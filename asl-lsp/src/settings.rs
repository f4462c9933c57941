//! The nearest `asl.toml`, from the folder of a document upward.
use crate::documents::Documents;
use asl_lint::Settings;
use asl_template::Files as _;
use std::path::{Path, PathBuf};

const NAME: &str = "asl.toml";

/// Settings, and the folder that their patterns are from.
#[derive(Debug, Default)]
pub(crate) struct NearestSettings {
    pub(crate) settings: Settings,
    folder: PathBuf,
}

impl NearestSettings {
    /// Those of a file: as the editor has them where they are open. What is no settings says nothing.
    pub(crate) fn of(file: &Path, documents: &Documents) -> Self {
        let folders = file.ancestors().skip(1);
        let is_there = |folder: &&Path| {
            let path = folder.join(NAME);
            documents.at(&path).is_some() || path.is_file()
        };
        let Some(folder) = folders.take_while(|it| it.is_absolute()).find(is_there) else {
            return Self::default();
        };
        let text = documents.read(&folder.join(NAME));
        let settings = text.ok().and_then(|text| Settings::parse(&text).ok());
        Self {
            settings: settings.unwrap_or_default(),
            folder: folder.to_owned(),
        }
    }

    /// A file as patterns name it.
    pub(crate) fn path_of<'f>(&self, file: &'f Path) -> &'f Path {
        file.strip_prefix(&self.folder).unwrap_or(file)
    }
}
