//! Patterns of paths.
use std::path::{Path, PathBuf};

/// Ways in which the braces of a pattern may be read.
const MOST_ALTERNATIVES: usize = 64;

/// Returns true if a text is a pattern, and not the path of a file.
///
/// ```
/// assert!(asl_template::is_pattern("flows/**/*.asl.json"));
/// assert!(!asl_template::is_pattern("flows/order.asl.json"));
/// ```
pub fn is_pattern(text: &str) -> bool {
    text.contains(['*', '?', '{'])
}

/// A pattern without braces.
#[derive(Debug)]
pub(super) struct Pattern {
    /// The path before the first name with a wildcard.
    base: PathBuf,
    names: Vec<Vec<char>>,
}

impl Pattern {
    /// Returns the patterns that a text with braces means.
    pub(super) fn all(text: &str) -> Vec<Self> {
        let mut open = vec![text.to_owned()];
        let mut all = Vec::new();
        while let Some(text) = open.pop() {
            let braces = text.find('{').and_then(|start| {
                let end = start + text.get(start..)?.find('}')?;
                Some((
                    text.get(..start)?,
                    text.get(start + 1..end)?,
                    text.get(end + 1..)?,
                ))
            });
            match braces {
                Some((before, inner, after)) if open.len() + all.len() < MOST_ALTERNATIVES => {
                    open.extend(inner.split(',').map(|one| format!("{before}{one}{after}")));
                }
                _ => all.push(Self::new(&text)),
            }
        }
        all
    }

    fn new(text: &str) -> Self {
        let names: Vec<&str> = text.split('/').collect();
        let fixed = names.iter().take_while(|name| !is_pattern(name)).count();
        let fixed = fixed.min(names.len().saturating_sub(1));
        let (base, names) = names.split_at(fixed);
        let base = match base {
            [] => PathBuf::from("."),
            [""] => PathBuf::from("/"),
            base => PathBuf::from(base.join("/")),
        };
        Self {
            base,
            names: names.iter().map(|name| name.chars().collect()).collect(),
        }
    }

    pub(super) fn base(&self) -> &Path {
        &self.base
    }

    /// Levels below the base that it can reach.
    pub(super) fn depth(&self) -> usize {
        match self.names.iter().any(|name| is_any_folders(name)) {
            true => usize::MAX,
            false => self.names.len(),
        }
    }

    pub(super) fn names_hidden(&self) -> bool {
        self.names.iter().any(|name| name.first() == Some(&'.'))
    }

    /// Returns true if a path from the base is one that it means.
    pub(super) fn matches(&self, path: &Path) -> bool {
        let mut reached = vec![false; self.names.len() + 1];
        reached[0] = true;
        let follow = |reached: &mut [bool]| {
            for (at, name) in self.names.iter().enumerate() {
                if is_any_folders(name)
                    && reached.get(at) == Some(&true)
                    && let Some(next) = reached.get_mut(at + 1)
                {
                    *next = true;
                }
            }
        };
        follow(&mut reached);
        for name in path.components() {
            let name: Vec<char> = name.as_os_str().to_string_lossy().chars().collect();
            let mut next = vec![false; reached.len()];
            for (at, pattern) in self.names.iter().enumerate() {
                if reached.get(at) != Some(&true) {
                    continue;
                }
                let (stays, goes_on) = match is_any_folders(pattern) {
                    true => (true, false),
                    false => (false, is_match(pattern, &name)),
                };
                let to = if stays { at } else { at + 1 };
                if let Some(next) = next.get_mut(to).filter(|_| stays || goes_on) {
                    *next = true;
                }
            }
            follow(&mut next);
            reached = next;
        }
        reached.last() == Some(&true)
    }
}

fn is_any_folders(name: &[char]) -> bool {
    name == ['*', '*']
}

/// Returns true if a name matches its pattern. On a mismatch, the last star matches one more character, so that time is
/// bounded by the product of both lengths.
fn is_match(pattern: &[char], name: &[char]) -> bool {
    let (mut at, mut read) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while let Some(character) = name.get(read) {
        match pattern.get(at) {
            Some('*') => {
                star = Some((at, read));
                at += 1;
            }
            Some(sign) if *sign == '?' || sign == character => {
                at += 1;
                read += 1;
            }
            _ => match star {
                Some((sign, taken)) => {
                    star = Some((sign, taken + 1));
                    (at, read) = (sign + 1, taken + 1);
                }
                None => return false,
            },
        }
    }
    pattern
        .get(at..)
        .is_some_and(|rest| rest.iter().all(|sign| *sign == '*'))
}

#[cfg(test)]
mod tests {
    use super::Pattern;
    use std::path::Path;

    fn is_match(pattern: &str, path: &str) -> bool {
        Pattern::all(pattern).iter().any(|pattern| {
            let below = Path::new(path).strip_prefix(pattern.base());
            below.is_ok_and(|below| pattern.matches(below))
                || pattern.base() == Path::new(".") && pattern.matches(Path::new(path))
        })
    }

    #[test]
    fn signs_mean_what_shells_have_them_mean() {
        for (pattern, path) in [
            ("*.json", "a.json"),
            ("a?c*", "abcd"),
            ("flows/*.asl.{json,yaml}", "flows/x.asl.yaml"),
            ("**/*.json", "a.json"),
            ("**/*.json", "a/b/c.json"),
            ("a/**/b/*.json", "a/b/x.json"),
            ("a/**/b/*.json", "a/c/b/d/b/x.json"),
            ("a/**", "a/b/c"),
            ("*a*b*", "xxaxxbxx"),
        ] {
            assert!(is_match(pattern, path), "{pattern} {path}");
        }
        for (pattern, path) in [
            ("*.json", "a/b.json"),
            ("a?", "a"),
            ("a/*/c", "a/b/b/c"),
            ("{a,b}", "c"),
            ("a/**/b", "a/b/c"),
            ("a*b", "ac"),
        ] {
            assert!(!is_match(pattern, path), "{pattern} {path}");
        }
    }

    #[test]
    fn many_stars_and_braces_are_no_trouble() {
        let name = "a".repeat(200);
        assert!(!is_match(&format!("{}b", "*a".repeat(100)), &name));
        assert!(Pattern::all(&"{a,b}".repeat(30)).len() <= 128);
    }
}
