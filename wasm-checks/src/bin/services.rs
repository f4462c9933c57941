//! Runs asl-services in WebAssembly.
use asl_services::Services;

fn main() {
    let services = Services::new();
    let service = services.service("dynamodb").expect("it is known");
    let operation = service.operation("getItem").expect("it is known");
    let input = operation.input().expect("it has one");
    assert!(input.member("Key").expect("it is known").is_required());
}
