//! Runs asl-template in WebAssembly, where all files are given as texts.
use asl_model::Options;
use asl_template::{File, FileSystem, ReadOptions, Substitutions, read_file};
use std::error::Error;

const TEMPLATE: &str = r#"Resources:
  Order:
    Type: AWS::Serverless::StateMachine
    Properties:
      Definition:
        StartAt: Done
        States:
          Done: {Type: Succeed}
"#;

fn main() -> Result<(), Box<dyn Error>> {
    let given = Substitutions::default();
    let contents = read_file(
        File::new("template.yaml", TEMPLATE),
        &ReadOptions::new(&FileSystem, &given),
    );
    let order = contents.machine(Some("Order"))?;
    assert!(
        order
            .parse(Options::default())
            .is_some_and(|parsed| parsed.is_ok())
    );
    Ok(())
}
