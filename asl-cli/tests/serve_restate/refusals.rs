//! Rejected arguments, with their messages.
use super::common::Folder;
use super::free_port;
use std::net::TcpListener;

#[test]
fn what_does_not_go_with_a_cluster_is_refused() {
    let folder = Folder::new();
    let refused = |more: &[&str], texts: &[&str]| {
        let arguments = [&["serve", "--port", "0", "--engine", "restate"], more].concat();
        folder.asl(&arguments).exits_with(2, texts);
    };
    let open = ["--restate-listen", "0.0.0.0:0"];
    refused(
        &open,
        &["can be reached from other machines", "--insecure-bind"],
    );
    for option in [
        &["--in-memory"][..],
        &["--retention-bytes", "1"],
        &["--max-database-bytes", "1"],
        &["--max-running-executions", "7"],
        &["--max-executions-in-memory", "7"],
    ] {
        let told = format!("{} applies only to --engine sqlite", option[0]);
        refused(option, &[&told]);
    }
    refused(
        &["--restate-ingress", "restate:8080"],
        &["expected http://HOST:PORT, found 'restate:8080'"],
    );
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = taken.local_addr().unwrap().to_string();
    let shared = ["--restate-listen", &place, "--restate-share-listen"];
    refused(&shared, &["cannot listen on", &place, "in use"]);
    let port = free_port();
    let nobody = format!("http://127.0.0.1:{port}");
    refused(
        &[
            "--restate-admin",
            &nobody,
            "--restate-listen",
            "127.0.0.1:0",
        ],
        &[
            "cannot be registered: Restate cannot be reached at",
            &nobody,
        ],
    );
}
