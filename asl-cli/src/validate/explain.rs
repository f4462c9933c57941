//! `asl validate --explain`: what a rule is about.
use crate::exit::{Exit, Failure, print};
use asl_lint::{explanation, explanations, rules, rules_of_code};
use asl_model::DiagnosticCode;

/// Prints the explanation of a rule, of the rules with a code of the service, or a list of all rules.
pub(super) fn explain(name: &str) -> Result<Exit, Failure> {
    if name.is_empty() {
        print(list())?;
        return Ok(Exit::Success);
    }
    let named = explanation(name).into_iter();
    let of_code = rules_of_code(name).filter_map(|rule| explanation(rule.name()));
    let texts: Vec<String> = named
        .chain(of_code)
        .map(|one| {
            let text = one.text().trim_end();
            match one.rule().code() {
                Some(DiagnosticCode::UnreplacedPlaceholder) => format!(
                    "{text}\n\nThe service has no such rule. The code in reports is {}",
                    DiagnosticCode::UnreplacedPlaceholder
                ),
                Some(code) => format!("{text}\n\nThe service's code: {code}"),
                None => text.to_owned(),
            }
        })
        .collect();
    if texts.is_empty() {
        let names = rules().map(|rule| rule.name());
        let meant = asl_model::did_you_mean(name, names);
        return Err(Failure::new(format!("no rule or code '{name}'{meant}")));
    }
    print(texts.join("\n\n"))?;
    Ok(Exit::Success)
}

/// Returns each rule with its first sentence.
fn list() -> String {
    let all: Vec<_> = explanations().collect();
    let names = all.iter().map(|one| one.rule().name().len());
    let width = names.max().unwrap_or_default();
    let lines = all.iter().map(|one| {
        let name = one.rule().name();
        format!("{name:width$}  {}", one.summary().replace('\n', " "))
    });
    lines.collect::<Vec<_>>().join("\n")
}
