//! The public API of each library crate, as a text file next to the crate, so that each change of it is a reviewed line.
//!
//! rustdoc prints the JSON description of a crate only on nightly toolchains, so that RUSTC_BOOTSTRAP is set for it. It
//! checks the documentation in the same run, as it does for HTML.
use crate::workspace::{self, succeeds, target_directory};
use similar::TextDiff;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file in a crate's folder that lists its public items.
const SNAPSHOT: &str = "public-api.txt";

/// Runs rustdoc as that of a nightly toolchain. Set for this one program: build scripts would otherwise see it, and with it
/// every dependency would be built again.
const RUSTDOC: &str = "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec \"${REAL_RUSTDOC:-rustdoc}\" \"$@\"\n";

/// Compares the public API of all library crates with their snapshots, or writes them; returns true if they are equal.
pub(crate) fn run() -> Result<bool, String> {
    let documentation = describe_crates()?;
    let update = workspace::updates_expectations();
    let mut equal = true;
    for library in workspace::libraries()? {
        let json = documentation.join(format!("{}.json", library.replace('-', "_")));
        let snapshot = workspace::root().join(&library).join(SNAPSHOT);
        let items = list_items(&json)?;
        if update {
            write(&snapshot, &items)?;
        } else {
            equal &= compare(&snapshot, &library, &items)?;
        }
    }
    if !equal {
        eprintln!("\nif these changes are intended: UPDATE_EXPECT=1 cargo xtask public-api");
    }
    Ok(equal)
}

/// Has rustdoc describe all crates of the workspace; returns the folder of the descriptions.
fn describe_crates() -> Result<PathBuf, String> {
    let target = std::path::absolute(target_directory()).map_err(|error| error.to_string())?;
    let rustdoc = install_rustdoc(&target)?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(&cargo);
    command.args(["doc", "--workspace", "--no-deps", "--target-dir"]);
    command.arg(&target).current_dir(workspace::root());
    if let Some(real) = env::var_os("RUSTDOC") {
        command.env("REAL_RUSTDOC", real);
    }
    command.env("RUSTDOC", rustdoc);
    command.env(
        "RUSTDOCFLAGS",
        "-D warnings -Z unstable-options --output-format json",
    );
    match succeeds(&mut command, Path::new(&cargo))? {
        true => Ok(target.join("doc")),
        false => Err("rustdoc failed: its messages are above".to_owned()),
    }
}

/// Writes the program that stands before rustdoc.
fn install_rustdoc(target: &Path) -> Result<OsString, String> {
    let program = target.join("rustdoc-for-json");
    write(&program, RUSTDOC)?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755))
            .map_err(|error| format!("{}: {error}", program.display()))?;
    }
    Ok(program.into())
}

/// Lists the public items of a crate that rustdoc has described, one a line. Implementations that the compiler or a derive
/// supplies are left out, except that a type's own line names it.
fn list_items(json: &Path) -> Result<String, String> {
    let api = public_api::Builder::from_rustdoc_json(json)
        .omit_blanket_impls(true)
        .omit_auto_trait_impls(true)
        .omit_auto_derived_impls(true)
        .build()
        .map_err(|error| format!("{}: {error}", json.display()))?;
    Ok(api.items().map(|item| format!("{item}\n")).collect())
}

/// Prints how the items differ from the snapshot; returns true if they are equal.
fn compare(snapshot: &Path, library: &str, items: &str) -> Result<bool, String> {
    let expected = match fs::read_to_string(snapshot) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        read => read.map_err(|error| format!("{}: {error}", snapshot.display()))?,
    };
    if expected == items {
        return Ok(true);
    }
    let name = format!("{library}/{SNAPSHOT}");
    let difference = TextDiff::from_lines(expected.as_str(), items);
    let mut printed = difference.unified_diff();
    printed
        .context_radius(0)
        .header(&name, "the public API now");
    println!("{printed}");
    Ok(false)
}

fn write(path: &Path, text: &str) -> Result<(), String> {
    fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}
