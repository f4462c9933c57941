//! Measures warm invocations of functions: `cargo run --release --package asl-lambda --example latency [COUNT]`.
#![allow(clippy::print_stdout, reason = "an example prints")]

use asl_lambda::{Function, Functions, Invocation, Options, Runtime};
use std::error::Error;
use std::time::{Duration, Instant};

/// The runtimes, with the file and the code of a function.
const FUNCTIONS: [(&str, &str, &str); 2] = [
    (
        "python3",
        "app.py",
        "def handler(event, context):\n    return event\n",
    ),
    (
        "nodejs",
        "app.mjs",
        "export const handler = async (event) => event;\n",
    ),
];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let count = std::env::args().nth(1).map_or(Ok(2_000), |it| it.parse())?;
    let folder = std::env::temp_dir().join(format!("asl-lambda-latency-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let functions = Functions::new(Options::new(folder.join("runtime")))?;
    for (runtime, file, code) in FUNCTIONS {
        std::fs::write(folder.join(file), code)?;
        let function = Function::new(runtime, Runtime::from_identifier(runtime), &folder);
        functions.put(function.with_handler("app.handler"));
        let begun = Instant::now();
        functions.warm_up(runtime).await;
        let ready = begun.elapsed();
        let mut times: Vec<Duration> = Vec::with_capacity(count);
        let begun = Instant::now();
        for _ in 0..count {
            let begun = Instant::now();
            let invocation = Invocation::new(r#"{"n": 1}"#);
            functions.invoke(runtime, invocation).await?;
            times.push(begun.elapsed());
        }
        let each_second = count as f64 / begun.elapsed().as_secs_f64();
        times.sort_unstable();
        let at = |share: f64| times.get((count as f64 * share) as usize).copied();
        println!(
            "{runtime}: ready after {ready:.0?}, p50 {:.0?}, p99 {:.0?}, {each_second:.0} invocations a second",
            at(0.5).unwrap_or_default(),
            at(0.99).unwrap_or_default(),
        );
    }
    functions.stop();
    std::fs::remove_dir_all(folder)?;
    Ok(())
}
