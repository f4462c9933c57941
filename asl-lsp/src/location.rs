//! Files and how the protocol names them.
use std::path::{Path, PathBuf};

/// Returns the path of a `file:` URI; None of another.
pub(crate) fn path_of(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    // An authority is a machine's name, which is passed over.
    let path = rest.get(rest.find('/')?..)?;
    let path = decoded(path)?;
    // `/C:/` of Windows has no slash before it there.
    let mut characters = path.chars().skip(1);
    let has_drive = matches!(
        (characters.next(), characters.next()),
        (Some(letter), Some(':')) if letter.is_ascii_alphabetic()
    );
    Some(PathBuf::from(match (cfg!(windows), has_drive) {
        (true, true) => path.get(1..)?,
        _ => path.as_str(),
    }))
}

/// Returns the `file:` URI of a path.
pub(crate) fn uri_of(path: &Path) -> String {
    let mut uri = "file://".to_owned();
    let text = path.to_string_lossy();
    if !text.starts_with('/') {
        uri.push('/');
    }
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                uri.push(char::from(byte));
            }
            b'\\' if cfg!(windows) => uri.push('/'),
            other => uri.push_str(&format!("%{other:02X}")),
        }
    }
    uri
}

/// Returns a text without `%41`; None if that is no UTF-8.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        let escaped = match after {
            [high, low, ..] if *first == b'%' => hexadecimal(*high).zip(hexadecimal(*low)),
            _ => None,
        };
        match escaped {
            Some((high, low)) => {
                bytes.push(high * 16 + low);
                rest = after.get(2..).unwrap_or_default();
            }
            None => {
                bytes.push(*first);
                rest = after;
            }
        }
    }
    String::from_utf8(bytes).ok()
}

fn hexadecimal(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_and_uris_are_the_same_files() {
        let path = Path::new("/tmp/a b/größe%.asl.json");
        let uri = uri_of(path);
        assert_eq!(uri, "file:///tmp/a%20b/gr%C3%B6%C3%9Fe%25.asl.json");
        assert_eq!(path_of(&uri).as_deref(), Some(path));
        assert_eq!(path_of("file:///a%zz"), Some(PathBuf::from("/a%zz")));
        assert_eq!(path_of("untitled:Untitled-1"), None);
        assert_eq!(path_of("file:///%ff"), None);
    }
}
