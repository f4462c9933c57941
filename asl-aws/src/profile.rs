//! The files `config` and `credentials` of AWS.
use std::collections::BTreeMap;

type Section = BTreeMap<String, String>;

/// The profiles of both files.
#[derive(Clone, Default)]
pub(crate) struct Profiles {
    profiles: BTreeMap<String, Section>,
    /// Sections of services. A setting within a service is called `SERVICE.NAME`.
    services: BTreeMap<String, Section>,
}

impl Profiles {
    /// Reads both files. What `credentials` has comes before what `config` has.
    pub(crate) fn parse(config: &str, credentials: &str) -> Self {
        let mut read = Self::default();
        for (name, section) in sections(config) {
            match name.split_once(char::is_whitespace) {
                Some(("services", name)) => read.services.entry(name.trim().to_owned()),
                Some(("profile", name)) => read.profiles.entry(name.trim().to_owned()),
                _ if name == "default" => read.profiles.entry(name),
                _ => continue,
            }
            .or_default()
            .extend(section);
        }
        for (name, section) in sections(credentials) {
            read.profiles.entry(name).or_default().extend(section);
        }
        read
    }

    pub(crate) fn setting(&self, profile: &str, name: &str) -> Option<&str> {
        let value = self.profiles.get(profile)?.get(name)?;
        Some(value.as_str()).filter(|value| !value.is_empty())
    }

    /// Returns the endpoint that a profile has for a service, or for all.
    pub(crate) fn endpoint(&self, profile: &str, service: Option<&str>) -> Option<&str> {
        let Some(service) = service else {
            return self.setting(profile, "endpoint_url");
        };
        let section = self.services.get(self.setting(profile, "services")?)?;
        let url = section.get(&format!("{service}.endpoint_url"))?;
        Some(url.as_str())
    }
}

/// Returns the sections of a file. Lines that begin with white space belong to the setting before them.
fn sections(text: &str) -> Vec<(String, Section)> {
    let mut sections: Vec<(String, Section)> = Vec::new();
    let mut outer = String::new();
    for line in text.lines() {
        let content = without_comment(line);
        if content.trim().is_empty() {
            continue;
        }
        let name = content.trim().strip_prefix('[');
        if let Some(name) = name.and_then(|name| name.split_once(']')) {
            sections.push((name.0.trim().to_owned(), Section::new()));
            continue;
        }
        let Some((_, section)) = sections.last_mut() else {
            continue;
        };
        let (name, value) = content.split_once('=').unwrap_or((content, ""));
        let (name, value) = (name.trim().to_lowercase(), value.trim().to_owned());
        if content.starts_with(char::is_whitespace) {
            section.insert(format!("{outer}.{name}"), value);
        } else {
            outer.clone_from(&name);
            section.insert(name, value);
        }
    }
    sections
}

/// A comment begins a line, or follows white space.
fn without_comment(line: &str) -> &str {
    if line.starts_with(['#', ';']) {
        return "";
    }
    let end = line.find(" #").or_else(|| line.find(" ;"));
    end.map_or(line, |end| line.get(..end).unwrap_or(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_settings() {
        let config = "# c\n[default]\nregion=a # b\n[profile  dev ]\nregion = b\ns3 =\n  max = 1\n[other]\nregion=c\n";
        let profiles = Profiles::parse(config, "[dev]\naws_access_key_id=K\n");
        assert_eq!(profiles.setting("default", "region"), Some("a"));
        assert_eq!(profiles.setting("dev", "region"), Some("b"));
        assert_eq!(profiles.setting("dev", "s3.max"), Some("1"));
        assert_eq!(profiles.setting("dev", "aws_access_key_id"), Some("K"));
        assert_eq!(profiles.setting("other", "region"), None);
    }

    #[test]
    fn what_is_no_file_has_no_settings() {
        for text in ["", "a=b", "[", "]", "[a", "\u{0}", "[default]\n=\n"] {
            assert_eq!(
                Profiles::parse(text, text).setting("default", "a"),
                None,
                "{text}"
            );
        }
    }
}
