//! Requests that Restate signs.
use super::common::Folder;
use super::common::served::{ended, start};
use super::{FUNCTION, Restate};

/// A pair of keys of these tests, and of nothing else.
const PRIVATE: &str = "-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEII/4cSxSmFIL57F7T5HN17waK7nNPQ5Q1t7gll7ANQpx\n-----END PRIVATE KEY-----\n";
const PUBLIC: &str = "publickeyv1_yGbsXZdL9BpeuEDRRuLQTEunuJSL9fVEMgCEqcz2zVN";
/// Of another pair, from the documentation of Restate's SDK.
const OTHER: &str = "publickeyv1_ChjENKeMvCtRnqG2mrBK1HmPKufgFUc98K8B3ononQvp";

#[test]
fn requests_are_served_that_are_signed_by_the_key_and_no_others() {
    let folder = Folder::new();
    folder.write("key.pem", PRIVATE);
    let signs = "request-identity-private-key-pem-file = \"key.pem\"";
    let Some(restate) = Restate::start_with(&folder, signs) else {
        return;
    };
    let server = restate.serve(
        &folder,
        &[
            "--task",
            "double=exec:cat",
            "--restate-identity-key",
            PUBLIC,
        ],
    );
    start(&server, FUNCTION);
    let described = ended(&server);
    assert!(described.contains("SUCCEEDED"), "{described}");
    let ingress = format!("http://127.0.0.1:{}", restate.ingress);
    let admin = format!("http://127.0.0.1:{}", restate.admin);
    let arguments = [
        "serve",
        "--port",
        "0",
        "--engine",
        "restate",
        "--restate-ingress",
        &ingress,
        "--restate-admin",
        &admin,
        "--restate-listen",
        "127.0.0.1:0",
        "--restate-identity-key",
        OTHER,
    ];
    folder
        .asl(&arguments)
        .exits_with(2, &["cannot be registered"]);
}
