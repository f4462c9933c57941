//! What calls cost.
fn main() {}
