//! `cargo xtask services`: makes the data of `asl-services` from an installed botocore.
pub(crate) mod botocore;
mod encode;
mod protocols;

use crate::workspace;
use botocore::ServiceModel;
use encode::{Columns, Names};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::PathBuf;

/// Bytes of a block before it is deflated: more make the file smaller, and a look-up longer.
const BLOCK_BYTES: usize = 100_000;

/// Arguments of `cargo xtask services`.
#[derive(Debug, clap::Args)]
pub(crate) struct Arguments {
    /// The folder `botocore` of an installed package
    package: PathBuf,
}

/// Writes `asl-services/data/services.bin`.
pub(crate) fn run(arguments: &Arguments) -> Result<bool, String> {
    let models = botocore::read_all(&arguments.package)?;
    let version = botocore::version(&arguments.package)?;
    let file = file(&format!("botocore {version}"), &models)?;
    let path = workspace::root().join("asl-services/data/services.bin");
    std::fs::write(&path, &file).map_err(|error| format!("{}: {error}", path.display()))?;
    let operations: usize = models.values().map(|model| model.operations.len()).sum();
    println!(
        "{} services, {operations} operations of botocore {version}: {} bytes",
        models.len(),
        file.len()
    );
    Ok(true)
}

/// Returns the file of some services.
pub(crate) fn file(
    source: &str,
    models: &BTreeMap<String, ServiceModel>,
) -> Result<Vec<u8>, String> {
    let names = Names::shared_by(models);
    let (directory, blocks) = blocks(source, models, &names)?;
    let mut sections = vec![directory.into_bytes(), names.text().into_bytes()];
    sections.extend(blocks.into_iter().flatten());
    let mut file = Vec::new();
    for section in &sections {
        let deflated = deflate(section)?;
        for length in [deflated.len(), section.len()] {
            let length = u32::try_from(length).map_err(|error| error.to_string())?;
            file.extend(length.to_le_bytes());
        }
        file.extend(deflated);
    }
    Ok(file)
}

fn deflate(bytes: &[u8]) -> Result<Vec<u8>, String> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder
        .write_all(bytes)
        .and_then(|()| encoder.finish())
        .map_err(|error| error.to_string())
}

/// Returns the directory, and the columns of all blocks.
fn blocks(
    source: &str,
    models: &BTreeMap<String, ServiceModel>,
    names: &Names,
) -> Result<(String, Vec<Columns>), String> {
    let mut directory = format!("{source}\n");
    let mut blocks: Vec<Columns> = vec![Columns::default()];
    for (name, model) in models {
        let columns = encode::service(model, names)?;
        let length = |columns: &Columns| columns.iter().map(Vec::len).sum::<usize>();
        let filled = blocks.last().map_or(0, length);
        if filled > 0 && filled + length(&columns) > BLOCK_BYTES {
            blocks.push(Columns::default());
        }
        let lengths = columns.each_ref().map(|column| column.len().to_string());
        directory.push_str(&format!(
            "{},{} {} {}\n",
            name,
            model.aliases.join(","),
            blocks.len() - 1,
            lengths.join(" ")
        ));
        if let Some(block) = blocks.last_mut() {
            for (all, own) in block.iter_mut().zip(columns) {
                all.extend(own);
            }
        }
    }
    Ok((directory, blocks))
}
