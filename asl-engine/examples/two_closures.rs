//! Runs a definition from a file, with two async closures as its tasks: `cargo run --example two_closures`, in this
//! crate's folder.
#![expect(clippy::print_stdout, reason = "an example shows its result")]
use asl_engine::runtime::{Runtime, TaskHandlers};
use asl_engine::{Program, Start};
use serde_json::json;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = std::fs::read_to_string("examples/greeting.asl.json")?;
    let (machine, _warnings) = asl_model::parse(&text, asl_model::Options::default())?;
    let program = Program::compile(&machine)?;
    let handlers = TaskHandlers::new()
        .on("Double", |input| async move {
            Ok(json!(input["n"].as_i64().unwrap_or(0) * 2))
        })
        .on("Greet", |input| async move {
            Ok(json!(format!("hello {}", input["name"])))
        });
    let runtime = Runtime::builder().handlers(handlers).build();
    let start = Start::new("first", json!({"n": 21, "name": "you"}), runtime.now());
    println!("{:?}", runtime.run(program, start).await);
    Ok(())
}
