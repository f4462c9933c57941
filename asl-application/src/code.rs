//! The code of functions as folders.
use asl_lambda::Runtime;
use asl_template::{CodeSource, FunctionSource};
use sha2::{Digest as _, Sha256};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use zip::ZipArchive;

/// Bytes of an unpacked archive at most (AWS Lambda Developer Guide, Lambda quotas: deployment package, unzipped).
const MAX_UNPACKED: u64 = 250 << 20;
/// Files of an archive at most.
const MAX_FILES: usize = 50_000;

/// Returns the folder of a function's code. Code in a template and in archives is written below `folder`.
///
/// # Errors
/// A message for the reader: the code is not on this machine.
pub(crate) fn code_folder(function: &FunctionSource, folder: &Path) -> Result<PathBuf, String> {
    let place = match &function.code {
        CodeSource::Inline(text) => return inline(function, text, folder),
        CodeSource::Elsewhere(place) => {
            return Err(format!(
                "its code is in {place}, which is not on this machine"
            ));
        }
        CodeSource::Outside(path) => return Err(outside("its code", path)),
        CodeSource::Path(path) => path,
        _ => return Err("the template does not say where its code is".to_owned()),
    };
    if place.is_dir() {
        return Ok(place.clone());
    }
    if !place.is_file() {
        return Err(format!("its code is not there: {}", place.display()));
    }
    match is_archive(place) {
        true => unpacked(place, folder),
        // One file of code.
        false => Ok(place.parent().unwrap_or(Path::new(".")).to_owned()),
    }
}

/// Returns the folder of a layer.
///
/// # Errors
/// As [`code_folder`].
pub(crate) fn layer_folder(layer: &CodeSource, folder: &Path) -> Result<PathBuf, String> {
    match layer {
        CodeSource::Path(path) if path.is_dir() => Ok(path.clone()),
        CodeSource::Path(path) if path.is_file() => unpacked(path, folder),
        CodeSource::Path(path) => Err(format!("its layer is not there: {}", path.display())),
        CodeSource::Outside(path) => Err(outside("its layer", path)),
        CodeSource::Elsewhere(arn) => Err(format!("its layer {arn} is not on this machine")),
        _ => Err("the template does not say where its layer is".to_owned()),
    }
}

fn outside(what: &str, path: &Path) -> String {
    let path = path.display();
    format!("{what} is outside of the repository: {path}; allow it with --files-anywhere")
}

fn is_archive(path: &Path) -> bool {
    let ending = path.extension().and_then(|it| it.to_str());
    matches!(ending, Some("zip" | "jar"))
}

/// Writes code of a template into a file with the name that CloudFormation gives it.
fn inline(function: &FunctionSource, text: &str, folder: &Path) -> Result<PathBuf, String> {
    let runtime = function.runtime.as_deref().unwrap_or_default();
    let name = match Runtime::from_identifier(runtime) {
        Runtime::Python { .. } => "index.py",
        _ => "index.js",
    };
    let target = folder.join("code").join(digest(function.name.as_bytes()));
    let written = write(&target, name, text);
    written.map_err(|error| format!("cannot write to {}: {error}", target.display()))?;
    Ok(target)
}

fn write(folder: &Path, name: &str, text: &str) -> io::Result<()> {
    std::fs::create_dir_all(folder)?;
    let path = folder.join(name);
    match std::fs::read_to_string(&path).is_ok_and(|known| known == text) {
        true => Ok(()),
        false => std::fs::write(path, text),
    }
}

/// Unpacks an archive, once for each content.
fn unpacked(archive: &Path, folder: &Path) -> Result<PathBuf, String> {
    let cannot = |why: String| format!("{} cannot be unpacked: {why}", archive.display());
    let mut file = File::open(archive).map_err(|error| cannot(error.to_string()))?;
    let mut hash = Sha256::new();
    io::copy(&mut file, &mut HashWriter(&mut hash)).map_err(|error| cannot(error.to_string()))?;
    let target = folder.join("code").join(hex(&hash.finalize()));
    if target.is_dir() {
        return Ok(target);
    }
    // An unpacking that is interrupted leaves nothing that is taken for the whole.
    let begun = target.with_extension(format!("{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&begun);
    let done = unpack(file, &begun)
        .and_then(|()| std::fs::rename(&begun, &target).map_err(|error| error.to_string()));
    if done.is_err() {
        let _ = std::fs::remove_dir_all(&begun);
    }
    done.map_err(cannot)?;
    Ok(target)
}

fn unpack(file: File, target: &Path) -> Result<(), String> {
    let text = |error: io::Error| error.to_string();
    let mut archive = ZipArchive::new(file).map_err(|error| error.to_string())?;
    if archive.len() > MAX_FILES {
        return Err(format!("it has more than {MAX_FILES} files"));
    }
    let mut left = MAX_UNPACKED;
    for index in 0..archive.len() {
        let entry = archive.by_index(index).map_err(|error| error.to_string())?;
        let Some(name) = entry.enclosed_name() else {
            return Err(format!("'{}' leads out of it", entry.name()));
        };
        let path = target.join(name);
        if entry.is_symlink() {
            return Err(format!("'{}' is a link", entry.name()));
        }
        if entry.is_dir() {
            std::fs::create_dir_all(&path).map_err(text)?;
            continue;
        }
        std::fs::create_dir_all(path.parent().unwrap_or(target)).map_err(text)?;
        let mode = entry.unix_mode();
        let mut written = File::create(&path).map_err(text)?;
        // The length that an entry names need not be true.
        let bytes = io::copy(&mut io::Read::take(entry, left + 1), &mut written).map_err(text)?;
        left = left.checked_sub(bytes).ok_or_else(|| {
            let most = MAX_UNPACKED >> 20;
            format!("it is larger than {most} MiB when it is unpacked")
        })?;
        set_mode(&path, mode).map_err(text)?;
    }
    Ok(())
}

#[cfg(unix)]
fn set_mode(path: &Path, mode: Option<u32>) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    match mode.filter(|mode| mode & 0o111 != 0) {
        Some(_) => std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)),
        None => Ok(()),
    }
}

#[cfg(not(unix))]
fn set_mode(_: &Path, _: Option<u32>) -> io::Result<()> {
    Ok(())
}

struct HashWriter<'h>(&'h mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns a name for a folder of some content.
pub(crate) fn digest(bytes: &[u8]) -> String {
    hex(&Sha256::digest(bytes))
}

fn hex(bytes: &[u8]) -> String {
    let bytes = bytes.iter().take(16);
    bytes.map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write as _;
    use zip::write::{SimpleFileOptions, ZipWriter};

    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let name = format!("asl-application-{name}-{}", std::process::id());
            let path = std::env::temp_dir().join(name);
            std::fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        /// Writes an archive.
        fn archive(&self, write: impl FnOnce(&mut ZipWriter<File>)) -> PathBuf {
            let path = self.0.join("code.zip");
            let mut archive = ZipWriter::new(File::create(&path).unwrap());
            write(&mut archive);
            archive.finish().unwrap();
            path
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn an_archive_is_unpacked_once() {
        let folder = Folder::new("archive");
        let archive = folder.archive(|archive| {
            let executable = SimpleFileOptions::default().unix_permissions(0o755);
            archive.start_file("bin/bootstrap", executable).unwrap();
            archive.write_all(b"#!/bin/sh").unwrap();
            archive
                .add_directory("empty", SimpleFileOptions::default())
                .unwrap();
        });
        let unpacked_to = unpacked(&archive, &folder.0).unwrap();
        let text = std::fs::read_to_string(unpacked_to.join("bin/bootstrap"));
        assert_eq!(text.unwrap(), "#!/bin/sh");
        assert!(unpacked_to.join("empty").is_dir());
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = std::fs::metadata(unpacked_to.join("bin/bootstrap")).unwrap();
            assert_eq!(mode.permissions().mode() & 0o777, 0o755);
        }
        std::fs::write(unpacked_to.join("marker"), "").unwrap();
        assert_eq!(unpacked(&archive, &folder.0), Ok(unpacked_to.clone()));
        assert!(unpacked_to.join("marker").is_file());
    }

    #[test]
    fn hostile_archives_leave_nothing() {
        let folder = Folder::new("hostile");
        let plain = SimpleFileOptions::default();
        let out = folder.archive(|archive| {
            archive.start_file("../outside", plain).unwrap();
        });
        let error = unpacked(&out, &folder.0).unwrap_err();
        assert!(error.ends_with("'../outside' leads out of it"), "{error}");
        let link = folder.archive(|archive| {
            archive.add_symlink("link", "/etc/passwd", plain).unwrap();
        });
        let error = unpacked(&link, &folder.0).unwrap_err();
        assert!(error.ends_with("'link' is a link"), "{error}");
        let bomb = folder.archive(|archive| {
            archive.start_file("zeros", plain).unwrap();
            let zeros = vec![0; 1 << 20];
            for _ in 0..251 {
                archive.write_all(&zeros).unwrap();
            }
        });
        let error = unpacked(&bomb, &folder.0).unwrap_err();
        assert!(
            error.ends_with("it is larger than 250 MiB when it is unpacked"),
            "{error}"
        );
        std::fs::write(folder.0.join("code.zip"), "no archive").unwrap();
        assert!(unpacked(&folder.0.join("code.zip"), &folder.0).is_err());
        let left = std::fs::read_dir(folder.0.join("code"));
        assert_eq!(left.map_or(0, Iterator::count), 0);
        assert!(!folder.0.join("outside").exists());
    }
}
