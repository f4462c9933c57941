//! The sections of the file.
use flate2::read::DeflateDecoder;
use std::borrow::Cow;
use std::io::Read;

/// The section that reports which services there are.
pub(crate) const DIRECTORY: usize = 0;
/// The section of the names that several services have.
pub(crate) const SHARED_NAMES: usize = 1;
/// The first section of the first block.
const FIRST_BLOCK: usize = 2;
/// Sections of a block.
pub(crate) const COLUMNS: usize = 5;
/// Bytes that are reserved before a section is decompressed.
const MOST_RESERVED: usize = 8 << 20;
/// Of the lengths of a section.
const LENGTH_BYTES: usize = 4;

/// The file.
#[derive(Debug, Clone)]
pub(crate) struct Container {
    data: Cow<'static, [u8]>,
}

/// The part of each section that belongs to a block, or to a service in it.
#[derive(Debug, Clone)]
pub(crate) struct Columns {
    pub(crate) columns: [Vec<u8>; COLUMNS],
}

impl Container {
    pub(crate) fn new(data: Cow<'static, [u8]>) -> Self {
        Self { data }
    }

    /// Returns a section as a text.
    pub(crate) fn text(&self, section: usize) -> Option<String> {
        String::from_utf8(self.section(section)?).ok()
    }

    /// Returns the sections of a block; the one that describes protocols is empty unless it is wanted.
    pub(crate) fn block(&self, block: usize, with_protocols: bool) -> Option<Columns> {
        let first = FIRST_BLOCK.checked_add(block.checked_mul(COLUMNS)?)?;
        let [a, b, c, d] = [0, 1, 2, 3].map(|column| self.section(first + column));
        let protocols = match with_protocols {
            true => self.section(first + COLUMNS - 1)?,
            false => Vec::new(),
        };
        Some(Columns {
            columns: [a?, b?, c?, d?, protocols],
        })
    }

    /// Decompresses a section. The headers contain its start; there are few, so they are read in sequence.
    fn section(&self, section: usize) -> Option<Vec<u8>> {
        let mut rest = &*self.data;
        for _ in 0..section {
            let (length, _, after) = header(rest)?;
            rest = after.get(length..)?;
        }
        let (length, inflated, after) = header(rest)?;
        let deflated = after.get(..length)?;
        // The data may come from elsewhere: its word is not taken for the memory.
        let mut bytes = Vec::with_capacity(inflated.min(MOST_RESERVED));
        let mut decoder = DeflateDecoder::new(deflated).take(inflated as u64);
        decoder.read_to_end(&mut bytes).ok()?;
        (bytes.len() == inflated).then_some(bytes)
    }
}

/// Returns the lengths of a section, and what comes after them.
fn header(data: &[u8]) -> Option<(usize, usize, &[u8])> {
    let (deflated, rest) = data.split_first_chunk::<LENGTH_BYTES>()?;
    let (inflated, rest) = rest.split_first_chunk::<LENGTH_BYTES>()?;
    let length = |bytes: &[u8; LENGTH_BYTES]| usize::try_from(u32::from_le_bytes(*bytes)).ok();
    Some((length(deflated)?, length(inflated)?, rest))
}

impl Columns {
    /// Returns a part of each column, by its start and length.
    pub(crate) fn part(&self, parts: &[(usize, usize); COLUMNS]) -> Option<Self> {
        let part = |column: usize| {
            let (start, length) = *parts.get(column)?;
            let bytes = self.columns.get(column)?;
            if bytes.is_empty() {
                return Some(Vec::new());
            }
            Some(bytes.get(start..start.checked_add(length)?)?.to_vec())
        };
        Some(Self {
            columns: [part(0)?, part(1)?, part(2)?, part(3)?, part(4)?],
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_damaged_has_no_sections() {
        for data in [
            &b""[..],
            b"\x01\0\0\0",
            b"\xff\0\0\0\x01\0\0\0x",
            b"\x01\0\0\0\x09\0\0\0\xff",
        ] {
            let container = Container::new(data.into());
            assert!(container.section(DIRECTORY).is_none(), "{data:?}");
            assert!(container.block(usize::MAX, true).is_none(), "{data:?}");
        }
    }
}
