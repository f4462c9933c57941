//! Messages have an end: Restate takes none of more than 32 MiB, and would try for ever with one that is larger.
use serde::Serialize;
use std::io;

/// Bytes of a message, at most; a little is left for what goes around it.
pub(crate) const MOST_BYTES: usize = 30 << 20;

/// Bytes of an object that goes in a message, at most: in JSON it takes a third more.
pub(crate) const MOST_OBJECT_BYTES: usize = MOST_BYTES / 4 * 3;

/// Returns the size of a part of a message in bytes.
pub(crate) fn message_bytes(part: &impl Serialize) -> usize {
    let mut counted = ByteCounter(0);
    // Counting does not fail, and what cannot be said fails where it is.
    let _ = serde_json::to_writer(&mut counted, part);
    counted.0
}

struct ByteCounter(usize);

impl io::Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use asl_engine::StorageResult;

    #[test]
    fn a_part_takes_as_many_bytes_as_are_written_of_it() {
        let part = serde_json::json!({"a": ["é", 1.5]});
        assert_eq!(message_bytes(&part), part.to_string().len());
    }

    #[test]
    fn the_largest_object_goes_in_a_message() {
        let object = StorageResult::Object(vec![0; MOST_OBJECT_BYTES]);
        let bytes = message_bytes(&object);
        assert!((MOST_BYTES..MOST_BYTES + 100).contains(&bytes), "{bytes}");
    }
}
