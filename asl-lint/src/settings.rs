//! Settings of a team's rules, in `asl.toml`.
use crate::rules;
use asl_model::{Diagnostic, DiagnosticRule, Diagnostics, ResourceNames, Severity};
use asl_template::pattern_names;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::path::Path;
use toml::Spanned;

/// Severity of a rule's findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Level {
    /// The rule is ignored.
    Ignore,
    /// A warning.
    Warning,
    /// An error.
    Error,
}

/// A team's settings: the nearest `asl.toml`, in the folder of a definition or in a parent folder.
///
/// What the service refuses stays an error, whatever is said of it. Patterns are from the folder of the file; where several name a
/// definition, the last that speaks of a rule counts.
///
/// ```
/// use asl_lint::{Level, Settings};
/// let settings = Settings::parse(r#"
///     deny-warnings = true
///     resources = "any"
///
///     [rules]
///     choice-without-default = "ignore"
///     unused-variable = "error"
///
///     [[overrides]]
///     files = ["legacy/**"]
///     rules = { unused-variable = "warning" }
/// "#)?;
/// let unused = asl_model::DiagnosticRule::UNUSED_VARIABLE;
/// assert!(settings.denies_warnings());
/// assert_eq!(settings.resources(), Some(asl_model::ResourceNames::Any));
/// assert_eq!(settings.level_of(unused, "order.asl.json".as_ref()), Some(Level::Error));
/// assert_eq!(settings.level_of(unused, "legacy/order.asl.json".as_ref()), Some(Level::Warning));
/// # Ok::<(), asl_lint::SettingsError>(())
/// ```
#[derive(Debug, Clone, Default)]
pub struct Settings {
    denies_warnings: bool,
    resources: Option<ResourceNames>,
    rules: BTreeMap<String, Level>,
    overrides: Vec<(Vec<String>, BTreeMap<String, Level>)>,
    performers: TaskPerformers,
}

/// Performers of tasks: the table "performers". Their texts are of the program that runs the tasks.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskPerformers {
    /// By name of a state.
    #[serde(default)]
    pub states: BTreeMap<String, String>,
    /// By resource, pattern of resources, or name of a function.
    #[serde(default)]
    pub resources: BTreeMap<String, String>,
}

/// An error in a settings file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct SettingsError {
    /// The expected and the actual content.
    pub message: String,
    /// Offset in bytes, if known.
    pub offset: Option<usize>,
}

/// The file, as it is written.
#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct SettingsFile {
    #[serde(default)]
    deny_warnings: bool,
    resources: Option<ResourcesSetting>,
    #[serde(default)]
    rules: Rules,
    #[serde(default)]
    overrides: Vec<Override>,
    #[serde(default)]
    performers: TaskPerformers,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum ResourcesSetting {
    Known,
    Any,
}

impl From<ResourcesSetting> for ResourceNames {
    fn from(setting: ResourcesSetting) -> Self {
        match setting {
            ResourcesSetting::Known => Self::Known,
            ResourcesSetting::Any => Self::Any,
        }
    }
}

type Rules = BTreeMap<Spanned<String>, Level>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Override {
    files: Vec<String>,
    rules: Rules,
}

impl Settings {
    /// Parses the text of an `asl.toml`.
    ///
    /// # Errors
    ///
    /// Invalid TOML, or unknown tables or names.
    pub fn parse(text: &str) -> Result<Self, SettingsError> {
        let written: SettingsFile = toml::from_str(text).map_err(|error| SettingsError {
            message: error.message().to_owned(),
            offset: error.span().map(|span| span.start),
        })?;
        let overrides = written.overrides.into_iter();
        let overrides = overrides.map(|one| Ok((one.files, check_rules(one.rules)?)));
        Ok(Self {
            denies_warnings: written.deny_warnings,
            resources: written.resources.map(ResourceNames::from),
            rules: check_rules(written.rules)?,
            overrides: overrides.collect::<Result<_, _>>()?,
            performers: written.performers,
        })
    }

    /// Returns true if a warning is as bad as an error to who merges a change.
    pub fn denies_warnings(&self) -> bool {
        self.denies_warnings
    }

    /// Returns the performers that are chosen for tasks.
    ///
    /// ```
    /// use asl_lint::Settings;
    /// let settings = Settings::parse("[performers.states]\n'Charge Card' = 'exec:./charge.py'\n")?;
    /// assert_eq!(settings.performers().states["Charge Card"], "exec:./charge.py");
    /// # Ok::<(), asl_lint::SettingsError>(())
    /// ```
    pub fn performers(&self) -> &TaskPerformers {
        &self.performers
    }

    /// Returns the resources that tasks of the definitions may have, if these settings have them: any plain name where a
    /// program has handlers of its own.
    pub fn resources(&self) -> Option<ResourceNames> {
        self.resources
    }

    /// Returns the level of a rule, for a file whose path is relative to the settings.
    pub fn level_of(&self, rule: DiagnosticRule, file: &Path) -> Option<Level> {
        let overrides = self.overrides.iter().rev();
        let names = |files: &[String]| files.iter().any(|pattern| pattern_names(pattern, file));
        let mut spoken = overrides.filter(|(_, rules)| rules.contains_key(rule.name()));
        let overridden = spoken.find(|(files, _)| names(files));
        let rules = overridden.map_or(&self.rules, |(_, rules)| rules);
        rules.get(rule.name()).copied()
    }

    /// Returns the severity of a rule in a file, which is `severity` by default; None if it is ignored.
    pub fn severity_of(
        &self,
        severity: Severity,
        rule: DiagnosticRule,
        file: &Path,
    ) -> Option<Severity> {
        leveled(severity, rule, self.level_of(rule, file))
    }

    /// Returns the diagnostics of a file as bad as these settings have them, without those that are ignored.
    pub fn apply(&self, diagnostics: &Diagnostics, file: &Path) -> Diagnostics {
        let mut levels: BTreeMap<DiagnosticRule, Option<Level>> = BTreeMap::new();
        diagnostics.filter_map(|one| {
            let level = levels.entry(one.rule);
            let level = *level.or_insert_with(|| self.level_of(one.rule, file));
            let severity = leveled(one.severity, one.rule, level)?;
            Some(Diagnostic {
                severity,
                ..one.clone()
            })
        })
    }
}

/// Applies a level to a severity; None if the finding is ignored. Errors of the service remain errors.
fn leveled(severity: Severity, rule: DiagnosticRule, level: Option<Level>) -> Option<Severity> {
    let is_refused = severity == Severity::Error && rule.code().is_some();
    match level {
        Some(Level::Ignore) if !is_refused => None,
        Some(Level::Warning) if !is_refused => Some(Severity::Warning),
        Some(Level::Error) => Some(Severity::Error),
        _ => Some(severity),
    }
}

fn check_rules(rules: Rules) -> Result<BTreeMap<String, Level>, SettingsError> {
    for name in rules.keys() {
        unknown_rule(name.get_ref()).map_or(Ok(()), |message| {
            Err(SettingsError {
                message,
                offset: Some(name.span().start),
            })
        })?;
    }
    let plain = |(name, level): (Spanned<String>, Level)| (name.into_inner(), level);
    Ok(rules.into_iter().map(plain).collect())
}

/// Returns the message for an unknown rule name.
pub(crate) fn unknown_rule(name: &str) -> Option<String> {
    if rules().any(|rule| rule.name() == name) {
        return None;
    }
    let names = rules().map(|rule| rule.name());
    Some(match asl_model::nearest(name, names) {
        Some(near) => format!("unknown rule '{name}'; did you mean `{near}`?"),
        None => format!("unknown rule '{name}'; asl validate --explain lists all rules"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check;
    use asl_model::Options;

    const CHOICE: &str = r#"{"StartAt": "A", "States": {
        "A": {"Type": "Choice", "Choices": [{"Variable": "$.n", "NumericEquals": 1, "Next": "B"}]},
        "B": {"Type": "Succeed", "Foo": 1}
    }}"#;

    fn messages(settings: &str) -> Vec<String> {
        let settings = Settings::parse(settings).unwrap();
        let found = check(&CHOICE.replace(", \"Foo\": 1", ""), Options::default());
        let found = settings.apply(&found, "a.asl.json".as_ref());
        let told = found
            .iter()
            .map(|one| format!("{} {}", one.severity, one.rule));
        told.collect()
    }

    #[test]
    fn a_rule_is_as_bad_as_it_is_said_to_be() {
        assert_eq!(messages(""), ["warning choice-without-default"]);
        assert_eq!(messages("rules.choice-without-default = 'ignore'"), [""; 0]);
        assert_eq!(
            messages("rules.choice-without-default = 'error'"),
            ["error choice-without-default"]
        );
    }

    #[test]
    fn what_the_service_refuses_stays_refused() {
        let settings = Settings::parse("rules.unknown-field = 'ignore'").unwrap();
        let found = check(CHOICE, Options::default());
        let found = settings.apply(&found, "a.asl.json".as_ref());
        assert!(found.has_errors());
    }

    #[test]
    fn what_is_not_understood_is_refused_at_its_place() {
        for (text, message, offset) in [
            (
                "[rules]\nunused-varable = 'error'\n",
                "unknown rule 'unused-varable'; did you mean `unused-variable`?",
                8,
            ),
            (
                "[rules]\nunused-variable = 'off'\n",
                "unknown variant `off`, expected one of `ignore`, `warning`, `error`",
                26,
            ),
            (
                "resources = 'all'\n",
                "unknown variant `all`, expected `known` or `any`",
                12,
            ),
            (
                "denywarnings = true\n",
                "unknown field `denywarnings`, expected one of `deny-warnings`, `resources`, `rules`, `overrides`, `performers`",
                0,
            ),
        ] {
            let error = Settings::parse(text).unwrap_err();
            assert_eq!(
                (error.message.as_str(), error.offset),
                (message, Some(offset))
            );
        }
    }
}
