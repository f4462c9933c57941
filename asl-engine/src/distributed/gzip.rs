//! Compressed files: data files of manifests are compressed as a rule.
/// The first bytes of every gzip file (RFC 1952); no UTF-8 text starts with them.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Returns true if a file that begins with these bytes is compressed.
pub(super) fn is_compressed(bytes: &[u8]) -> bool {
    bytes.starts_with(&MAGIC)
}

/// Returns the bytes of a file, decompressed if it is a gzip file, of which at most `max_bytes` are allowed.
pub(super) fn decompressed(bytes: Vec<u8>, max_bytes: u64) -> Result<Vec<u8>, String> {
    let bytes = match is_compressed(&bytes) {
        true => decompress(&bytes, max_bytes)?,
        false => bytes,
    };
    check_size(bytes.len(), max_bytes)?;
    Ok(bytes)
}

/// Checks the size of a file that is read whole.
pub(super) fn check_size(bytes: usize, max_bytes: u64) -> Result<(), String> {
    match bytes as u64 > max_bytes {
        true => Err(format!("larger than the {max_bytes} bytes allowed")),
        false => Ok(()),
    }
}

#[cfg(feature = "gzip")]
fn decompress(bytes: &[u8], max_bytes: u64) -> Result<Vec<u8>, String> {
    use std::io::Read as _;

    let mut decompressed = Vec::new();
    // One byte more than allowed shows that there is more, without making all of it.
    let mut decoder = flate2::read::MultiGzDecoder::new(bytes).take(max_bytes.saturating_add(1));
    decoder
        .read_to_end(&mut decompressed)
        .map_err(|error| format!("a damaged gzip file: {error}"))?;
    Ok(decompressed)
}

#[cfg(not(feature = "gzip"))]
fn decompress(_: &[u8], _: u64) -> Result<Vec<u8>, String> {
    Err(
        "a gzip file, which this program cannot read: build asl-engine with the feature gzip"
            .to_owned(),
    )
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use proptest::prelude::*;
    use std::io::Write;

    pub(in crate::distributed) fn compressed(text: &str) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(text.as_bytes()).expect("memory takes it");
        encoder.finish().expect("memory takes it")
    }

    fn text(bytes: Vec<u8>, max_bytes: u64) -> Result<String, String> {
        decompressed(bytes, max_bytes).map(|bytes| String::from_utf8(bytes).expect("UTF-8"))
    }

    #[test]
    fn plain_and_compressed_files_have_the_same_text() {
        assert_eq!(text(b"a\xc3\xa9".to_vec(), 10), Ok("aé".to_owned()));
        assert_eq!(text(compressed("aé"), 10), Ok("aé".to_owned()));
    }

    #[test]
    fn files_joined_after_compression_are_one_text() {
        let joined = [compressed("a\n"), compressed("b\n")].concat();
        assert_eq!(text(joined, 10), Ok("a\nb\n".to_owned()));
    }

    #[test]
    fn a_small_file_cannot_become_a_large_text() {
        let bomb = compressed(&"0".repeat(100_000));
        assert!(bomb.len() < 1_000);
        let refused = Err("larger than the 1000 bytes allowed".to_owned());
        assert_eq!(text(bomb, 1_000), refused);
        assert_eq!(text(vec![b'0'; 1_001], 1_000), refused);
    }

    #[test]
    fn a_damaged_file_is_refused() {
        let mut damaged = compressed("some text");
        damaged.truncate(12);
        let error = text(damaged, 100).expect_err("it is damaged");
        assert!(error.starts_with("a damaged gzip file: "), "{error}");
    }

    proptest! {
        #[test]
        fn no_bytes_panic(bytes in any::<Vec<u8>>(), compress in any::<bool>()) {
            let mut file = if compress { MAGIC.to_vec() } else { Vec::new() };
            file.extend(&bytes);
            if let Ok(bytes) = decompressed(file, 64) {
                prop_assert!(bytes.len() <= 64);
            }
        }
    }
}
