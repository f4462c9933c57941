//! A service at a port of this machine.
use super::is_whole;
use serde_json::Value;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};

/// A server that answers requests, and reports them.
pub struct Service {
    pub url: String,
    pub requests: Receiver<String>,
}

impl Service {
    /// Answers each request with the same response.
    pub fn answering(response: impl Into<Vec<u8>>) -> Self {
        let response = response.into();
        Self::answering_by(move |_| response.clone())
    }

    pub fn answering_by(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (sender, requests) = channel();
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let Some(request) = read(&stream) else {
                    continue;
                };
                let _ = (&stream).write_all(&answer(&request));
                if sender.send(request).is_err() {
                    return;
                }
            }
        });
        Self { url, requests }
    }

    pub fn with_json(status: &str, body: &Value) -> Self {
        Self::answering(http(
            status,
            "x-amzn-RequestId: 1-2\r\nContent-Type: application/json\r\n",
            &body.to_string(),
        ))
    }
}

pub fn http(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "HTTP/1.1 {status}\r\n{headers}Content-Length: {length}\r\nConnection: close\r\n\r\n{body}"
    )
}

fn read(mut stream: &TcpStream) -> Option<String> {
    let (mut request, mut buffer) = (String::new(), [0; 4096]);
    while !is_whole(&request) {
        let count = stream.read(&mut buffer).ok().filter(|count| *count > 0)?;
        request.push_str(&String::from_utf8_lossy(&buffer[..count]));
    }
    Some(request)
}
