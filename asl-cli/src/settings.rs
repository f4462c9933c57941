//! The nearest `asl.toml`, from the folder of a definition upward.
use crate::exit::Failure;
use crate::snippet::Snippet;
use asl_lint::Settings;
use asl_model::LineIndex;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::rc::Rc;

const NAME: &str = "asl.toml";
/// Bytes of settings that are read.
const MOST_BYTES: u64 = 1 << 20;

/// Settings, and the folder that their patterns are from.
#[derive(Debug, Default)]
pub(crate) struct NearestSettings {
    pub(crate) settings: Settings,
    folder: PathBuf,
}

impl NearestSettings {
    /// A file as patterns name it.
    pub(crate) fn path_of<'f>(&self, file: &'f Path, whole: &'f Path) -> &'f Path {
        whole.strip_prefix(&self.folder).unwrap_or(file)
    }
}

/// The settings of folders: each file is read once.
#[derive(Debug, Default)]
pub(crate) struct SettingsOfFolders {
    known: BTreeMap<PathBuf, Rc<NearestSettings>>,
}

impl SettingsOfFolders {
    /// Those of a definition's file, whose whole path is `whole`.
    pub(crate) fn nearest(&mut self, whole: &Path) -> Result<Rc<NearestSettings>, Failure> {
        let folders: Vec<&Path> = whole.ancestors().skip(1).collect();
        let mut found = None;
        let mut looked_at = Vec::new();
        for folder in folders {
            if let Some(known) = self.known.get(folder) {
                found = Some(Rc::clone(known));
                break;
            }
            looked_at.push(folder);
            let file = folder.join(NAME);
            if file.is_file() {
                found = Some(Rc::new(read(&file, folder)?));
                break;
            }
        }
        let found = found.unwrap_or_default();
        for folder in looked_at {
            self.known.insert(folder.to_owned(), Rc::clone(&found));
        }
        Ok(found)
    }
}

/// The whole path of a file; of stdin, one in the folder that the command runs in.
pub(crate) fn whole_path(file: &Path) -> PathBuf {
    let whole = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    asl_template::plain_path(&whole)
}

fn read(file: &Path, folder: &Path) -> Result<NearestSettings, Failure> {
    let name = shown(file);
    let cannot = |why: String| Failure::new(format!("cannot read {name}: {why}"));
    let size = std::fs::metadata(file).map_err(|error| cannot(error.to_string()))?;
    if size.len() > MOST_BYTES {
        return Err(cannot(format!("it has more than {MOST_BYTES} bytes")));
    }
    let text = std::fs::read_to_string(file).map_err(|error| cannot(error.to_string()))?;
    let settings = Settings::parse(&text).map_err(|error| {
        let place = error.offset.map(|offset| {
            let at = LineIndex::new(&text).position(&text, offset);
            format!("\n{}", Snippet::new(&name, &text, at.line, at.column))
        });
        let place = place.unwrap_or_default();
        Failure::new(format!("{name} is not what settings are: {error}{place}"))
    })?;
    Ok(NearestSettings {
        settings,
        folder: folder.to_owned(),
    })
}

/// A path from where the command runs, if it is below that.
fn shown(file: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    file.strip_prefix(here)
        .unwrap_or(file)
        .display()
        .to_string()
}
