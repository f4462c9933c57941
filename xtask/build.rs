//! Reports the program how it is optimised, so that it never measures what is not.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let level = std::env::var("OPT_LEVEL").unwrap_or_default();
    println!("cargo::rustc-env=OPT_LEVEL={level}");
}
