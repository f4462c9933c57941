//! Messages over a pair of streams (LSP 3.17, Base Protocol). Invalid messages are answered or skipped, and never end the
//! connection.
use crossbeam_channel::{Sender, unbounded};
use lsp_server::{Connection, ErrorCode, Message, RequestId, Response};
use serde_json::Value;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::thread::{self, JoinHandle};

/// Bytes of a message at most: four times the longest text that is read.
const LONGEST: usize = 64 << 20;

/// Connects streams: a thread reads, another writes, which ends when the connection is dropped.
///
/// # Errors
/// The system has no thread.
pub(crate) fn connect(
    input: impl Read + Send + 'static,
    output: impl Write + Send + 'static,
) -> io::Result<(Connection, JoinHandle<()>)> {
    let (to_server, receiver) = unbounded();
    let (sender, to_client) = unbounded::<Message>();
    let answers = sender.clone();
    let _reads_until_the_process_ends = thread::Builder::new()
        .name("asl-lsp reader".to_owned())
        .spawn(move || read_all(BufReader::new(input), &to_server, answers))?;
    let writer = thread::Builder::new()
        .name("asl-lsp writer".to_owned())
        .spawn(move || {
            let mut output = output;
            for message in to_client {
                if message.write(&mut output).is_err() {
                    break;
                }
            }
        })?;
    Ok((Connection { sender, receiver }, writer))
}

/// Passes on all messages up to `exit` or the end of the stream.
fn read_all(mut input: impl BufRead, messages: &Sender<Message>, answers: Sender<Message>) {
    while let Ok(Some(frame)) = read_frame(&mut input) {
        match message(&frame) {
            Ok(message) => {
                let is_exit = matches!(&message, Message::Notification(it) if it.method == "exit");
                if messages.send(message).is_err() || is_exit {
                    return;
                }
            }
            Err(Some(refusal)) => {
                let _ = answers.send((*refusal).into());
            }
            Err(None) => {}
        }
    }
}

/// Returns the message in a frame, or the response to an invalid one.
fn message(frame: &[u8]) -> Result<Message, Option<Box<Response>>> {
    let value: Value = serde_json::from_slice(frame).map_err(|_| None)?;
    let id = match value.get("id") {
        Some(Value::String(id)) => Some(RequestId::from(id.clone())),
        Some(Value::Number(id)) => {
            let id = id.as_i64().and_then(|id| i32::try_from(id).ok());
            id.map(RequestId::from)
        }
        _ => None,
    };
    serde_json::from_value(value).map_err(|error| {
        let code = ErrorCode::InvalidRequest as i32;
        let message = format!("expected a message of the protocol: {error}");
        id.map(|id| Box::new(Response::new_err(id, code, message)))
    })
}

/// Returns the content of the next frame; None at the end of the stream. One that is too long is left out, and is empty.
fn read_frame(input: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut length = None;
    let mut line = Vec::new();
    loop {
        line.clear();
        let read = input.by_ref().take(4_096).read_until(b'\n', &mut line)?;
        if read == 0 {
            return Ok(None);
        }
        let header = String::from_utf8_lossy(&line);
        let header = header.trim_end();
        match (header.split_once(':'), length) {
            (Some((name, value)), _) if name.eq_ignore_ascii_case("Content-Length") => {
                length = value.trim().parse::<usize>().ok();
            }
            // An empty line without a length before it separates nothing.
            (None, Some(length)) if header.is_empty() => return content(input, length).map(Some),
            _ => {}
        }
    }
}

fn content(input: &mut impl BufRead, length: usize) -> io::Result<Vec<u8>> {
    let whole = u64::try_from(length).unwrap_or(u64::MAX);
    let mut part = input.take(whole);
    if length > LONGEST {
        io::copy(&mut part, &mut io::sink())?;
        return Ok(Vec::new());
    }
    let mut content = Vec::new();
    part.read_to_end(&mut content)?;
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(input: &str) -> (Vec<String>, Vec<i32>) {
        let (messages, received) = unbounded();
        let (answers, answered) = unbounded();
        read_all(input.as_bytes(), &messages, answers);
        drop(messages);
        let methods = received.iter().map(|message| match message {
            Message::Request(it) => it.method,
            Message::Notification(it) => it.method,
            Message::Response(it) => it.id.to_string(),
        });
        let codes = answered.iter().filter_map(|message| match message {
            Message::Response(it) => it.response_result.err().map(|error| error.code),
            _ => None,
        });
        (methods.collect(), codes.collect())
    }

    fn frame(content: &str) -> String {
        format!("Content-Length: {}\r\n\r\n{content}", content.len())
    }

    #[test]
    fn strange_frames_are_passed_over() {
        let input = [
            frame("{\"jsonrpc\": \"2.0\", \"method\": \"a\"}"),
            frame("no JSON"),
            frame("{\"id\": 1}"),
            "Content-Length: x\r\n\r\n".to_owned(),
            "\r\n".to_owned(),
            frame("{\"method\": \"b\", \"id\": \"é\", \"params\": []}"),
            format!("content-length:9\r\nX: y\r\n\r\n{}", "         "),
            frame("{\"method\": \"exit\"}"),
            frame("{\"method\": \"never\"}"),
        ]
        .concat();
        assert_eq!(
            read(&input),
            (
                ["a", "b", "exit"].map(str::to_owned).to_vec(),
                vec![ErrorCode::InvalidRequest as i32]
            )
        );
    }

    #[test]
    fn a_stream_may_end_anywhere() {
        let whole = frame("{\"method\": \"a\"}");
        for end in 0..whole.len() {
            assert_eq!(read(&whole[..end]).0.len(), 0);
        }
    }
}
