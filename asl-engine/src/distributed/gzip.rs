//! Compressed files: data files of manifests are compressed as a rule.
use std::borrow::Cow;

/// The first bytes of every gzip file (RFC 1952); no UTF-8 text starts with them.
const MAGIC: [u8; 2] = [0x1f, 0x8b];

/// Returns the text of a file, decompressed if it is a gzip file, with at most `max_bytes`.
pub(super) fn text(bytes: Vec<u8>, max_bytes: u64) -> Result<String, String> {
    let bytes = if bytes.starts_with(&MAGIC) {
        decompress(&bytes, max_bytes)?
    } else {
        bytes
    };
    if bytes.len() as u64 > max_bytes {
        return Err(format!("larger than the {max_bytes} bytes allowed"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let found: Cow<'_, str> = match error.as_bytes().get(at) {
            Some(byte) => format!("byte 0x{byte:02x}").into(),
            None => "the end".into(),
        };
        format!("not UTF-8 text: found {found} at offset {at}")
    })
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
    fn what_is_no_text_is_refused() {
        assert_eq!(
            text(b"ab\xff".to_vec(), 10),
            Err("not UTF-8 text: found byte 0xff at offset 2".to_owned())
        );
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
            if let Ok(text) = text(file, 64) {
                prop_assert!(text.len() <= 64);
            }
        }
    }
}
