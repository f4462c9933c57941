//! Runs a definition from a file, with two async closures as its tasks: `cargo run --example two_closures`, in this
//! crate's folder.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_engine::Program;
use asl_engine::runtime::{Runtime, TaskHandlers};
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let file = std::env::args().nth(1);
    let file = file.unwrap_or_else(|| "examples/greeting.asl.json".to_owned());
    let program = Program::parse(&std::fs::read_to_string(file)?)?;
    let handlers = TaskHandlers::new()
        .on_value("Double", |input| async move {
            Ok(json!(input["n"].as_i64().unwrap_or(0) * 2))
        })
        .on_value("Greet", |input| async move {
            Ok(json!(format!("hello {}", input["name"])))
        });
    let runtime = Runtime::builder().handlers(handlers).build();
    runtime.check(&program)?;
    let start = runtime.unnamed(json!({"n": 21, "name": "you"}));
    println!("{}", runtime.run(&program, start).await.into_result()?);
    Ok(())
}
