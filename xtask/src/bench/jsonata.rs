//! JSONata expressions against hand-written loops, and against the reference implementation on Node.js.
use super::cases::{CASES, Case, large, same};
use super::node;
use crate::measure::{Budget, Measurable, format_seconds, interleaved};
use crate::workspace::{self, Purpose};
use asl_jsonata::{Environment, Expression};
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Measures in a release build, which it builds if necessary. Returns true if all results are equal.
pub(super) fn run(module: Option<&Path>) -> Result<bool, String> {
    if let Some(succeeded) = workspace::rerun_unless_built_for(Purpose::Measuring)? {
        return Ok(succeeded);
    }
    let budget = Budget::from_environment()?;
    let document = large();
    let module: Option<PathBuf> = module.map(node::module).transpose()?;
    println!(
        "{:<14}{:>12}{:>13}{:>9}{:>12}{:>9}{:>14}{:>9}",
        "expression", "loop", "asl-jsonata", "÷ loop", "node", "÷ asl", "node + parse", "÷ asl"
    );
    let mut all_right = true;
    for case in &CASES {
        let input = case.input(&document);
        let row = measured(case, &input, module.as_deref(), budget)?;
        println!("{row}");
        all_right &= row.right;
    }
    println!("\n{}", legend(document.to_string().len()));
    Ok(all_right)
}

fn legend(bytes: usize) -> String {
    format!(
        "A document of {:.2} MB (greeting: 15 bytes) is parsed once for the first three; node + parse parses its text each time.",
        bytes as f64 / 1e6
    )
}

/// The result of one case.
struct Row {
    name: &'static str,
    by_hand: f64,
    asl: f64,
    node: Option<node::Seconds>,
    right: bool,
}

fn measured(
    case: &Case,
    input: &Value,
    module: Option<&Path>,
    budget: Budget,
) -> Result<Row, String> {
    let expression = Expression::parse(case.expression)
        .map_err(|error| format!("{}: {error}", case.expression))?;
    let mut by_hand = Subject(Box::new(|| Some((case.by_hand)(input))));
    let mut asl = Subject(Box::new(|| {
        expression
            .evaluate(&mut Environment::from_input(input))
            .ok()
            .flatten()
    }));
    let expected = by_hand.run();
    let mut right = same(&asl.run(), &expected);
    let measured = interleaved(&mut [&mut by_hand, &mut asl], budget);
    let node = match module {
        Some(module) => {
            let answer = node::measure(module, case.expression, input, budget)?;
            right &= same(&answer.result, &expected);
            Some(answer.seconds)
        }
        None => None,
    };
    Ok(Row {
        name: case.name,
        by_hand: measured[0].seconds,
        asl: measured[1].seconds,
        node,
        right,
    })
}

/// One way to come from the input to the result.
struct Subject<'i>(Box<dyn FnMut() -> Option<Value> + 'i>);

impl Measurable for Subject<'_> {
    type Product = Option<Value>;

    fn run(&mut self) -> Option<Value> {
        (self.0)()
    }
}

impl std::fmt::Display for Row {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let ratio = |of: f64, to: f64| format!("{:.2}×", of / to);
        write!(
            f,
            "{:<14}{:>12}{:>13}{:>9}",
            self.name,
            format_seconds(self.by_hand),
            format_seconds(self.asl),
            ratio(self.asl, self.by_hand)
        )?;
        if let Some(node) = &self.node {
            write!(
                f,
                "{:>12}{:>9}{:>14}{:>9}",
                format_seconds(node.evaluate),
                ratio(node.evaluate, self.asl),
                format_seconds(node.parse_and_evaluate),
                ratio(node.parse_and_evaluate, self.asl)
            )?;
        }
        f.write_str(if self.right { "" } else { "  wrong result" })
    }
}
