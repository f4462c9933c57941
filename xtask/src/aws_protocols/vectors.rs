//! Signatures.
use super::{Tally, files, read, text};
use asl_aws::signature::{Credentials, SignableRequest, Signature, Signer, payload_hash};
use std::path::Path;
use std::time::Duration;

/// Checks the cases of a folder: each has `context.json`, `request.txt`, and what a signature of both kinds is.
pub(super) fn run(folder: &Path, tally: &mut Tally) -> Result<(), String> {
    for case in files(folder)?.iter().filter(|path| path.is_dir()) {
        let id = case.file_name().unwrap_or_default().to_string_lossy();
        for kind in ["header", "query"] {
            let found = check(case, kind);
            tally.add(&format!("signatures/{kind}"), &id, found, false);
        }
    }
    Ok(())
}

struct Request {
    method: String,
    path: String,
    query: String,
    headers: Vec<(String, String)>,
    body: String,
}

fn check(case: &Path, kind: &str) -> Result<(), String> {
    let context = read(&case.join("context.json"))?;
    let mut request = parse(&content(case, "request.txt")?);
    let keys = &context["credentials"];
    let mut credentials = Credentials::new(
        text(&keys["access_key_id"]),
        text(&keys["secret_access_key"]),
    );
    if let Some(token) = keys["token"].as_str() {
        credentials = credentials.with_session_token(token);
    }
    let time = text(&context["timestamp"]).parse();
    let time = time.map_err(|error| format!("timestamp: {error}"))?;
    let (region, service) = (text(&context["region"]), text(&context["service"]));
    let mut signer = Signer::new(&credentials, &region, &service, time);
    signer.normalizes_path = context["normalize"] == true;
    signer.leaves_token_out = context["omit_session_token"] == true;
    let hash = payload_hash(request.body.as_bytes());
    if context["sign_body"] == true && kind == "header" {
        let header = ("x-amz-content-sha256".to_owned(), hash.clone());
        request.headers.push(header);
    }
    let signable = SignableRequest {
        method: &request.method,
        path: &request.path,
        query: &request.query,
        headers: &request.headers,
        payload_hash: &hash,
    };
    let seconds = context["expiration_in_seconds"]
        .as_u64()
        .unwrap_or_default();
    let found = match kind {
        "header" => signer.sign_headers(&signable),
        _ => signer.sign_query(&signable, Duration::from_secs(seconds)),
    };
    compare(case, kind, &found)?;
    check_signed(case, kind, &found)
}

fn compare(case: &Path, kind: &str, found: &Signature) -> Result<(), String> {
    for (file, found) in [
        ("canonical-request", &found.canonical_request),
        ("string-to-sign", &found.string_to_sign),
        ("signature", &found.signature),
    ] {
        let expected = content(case, &format!("{kind}-{file}.txt"))?;
        if expected.trim_end() != found.trim_end() {
            return Err(format!("{file}: expected {expected}, found {found}"));
        }
    }
    Ok(())
}

/// The signed request has all that was added.
fn check_signed(case: &Path, kind: &str, found: &Signature) -> Result<(), String> {
    let signed = parse(&content(case, &format!("{kind}-signed-request.txt"))?);
    let pairs: Vec<(String, String)> = match kind {
        "header" => signed.headers,
        _ => form_urlencoded::parse(signed.query.as_bytes())
            .into_owned()
            .collect(),
    };
    let missing = found.added.iter().find(|added| !pairs.contains(added));
    match missing {
        None => Ok(()),
        Some((name, value)) => Err(format!("the signed request has no {name} with {value}")),
    }
}

fn content(case: &Path, name: &str) -> Result<String, String> {
    let path = case.join(name);
    std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))
}

fn parse(text: &str) -> Request {
    let text = text.replace("\r\n", "\n");
    let (head, body) = text.split_once("\n\n").unwrap_or((&text, ""));
    let mut lines = head.lines();
    let first = lines.next().unwrap_or_default();
    let (method, rest) = first.split_once(' ').unwrap_or((first, ""));
    let target = rest.rsplit_once(' ').map_or(rest, |(target, _)| target);
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let mut headers: Vec<(String, String)> = Vec::new();
    for line in lines {
        match (
            line.starts_with(' '),
            line.split_once(':'),
            headers.last_mut(),
        ) {
            (true, _, Some((_, value))) => value.push_str(line),
            (false, Some((name, value)), _) => headers.push((name.to_owned(), value.to_owned())),
            _ => {}
        }
    }
    Request {
        method: method.to_owned(),
        path: path.to_owned(),
        query: query.to_owned(),
        headers,
        body: body.to_owned(),
    }
}
