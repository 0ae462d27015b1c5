//! Two servers that talk to each other: no answer provokes another.

use std::task::Poll;
use std::time::Duration;

use candor::Limits;
use candor_testkit::message::{call, initialize};
use candor_testkit::paused;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, duplex, split};

use crate::said::stage;

/// Connects two servers, lets a third party slip bytes into what one of them hears, and gives all
/// that the two then say to each other.
fn said_to_each_other(slipped_in: &[u8]) -> Vec<String> {
    paused(async {
        let (ours_one, theirs_one) = duplex(1 << 20);
        let (ours_other, theirs_other) = duplex(1 << 20);
        for theirs in [theirs_one, theirs_other] {
            let session = stage().server.session();
            tokio::spawn(async move {
                let (reader, writer) = split(theirs);
                candor_transport::serve(reader, writer, session, Limits::default(), |_| {
                    Poll::Pending
                })
                .await
            });
        }
        let (one, mut to_one) = split(ours_one);
        let (other, mut to_other) = split(ours_other);
        let (mut one, mut other) = (BufReader::new(one).lines(), BufReader::new(other).lines());
        to_one.write_all(slipped_in).await.unwrap();
        let mut said = Vec::new();
        while said.len() < 1000 {
            tokio::select! {
                Ok(Some(line)) = one.next_line() => {
                    to_other.write_all(format!("{line}\n").as_bytes()).await.unwrap();
                    said.push(line);
                }
                Ok(Some(line)) = other.next_line() => {
                    to_one.write_all(format!("{line}\n").as_bytes()).await.unwrap();
                    said.push(line);
                }
                () = tokio::time::sleep(Duration::from_secs(40)) => break,
            }
        }
        said
    })
}

/// B76: two ends that answer what they cannot read answer each other for ever.
#[test]
fn an_answer_never_provokes_another() {
    for (slipped_in, answers) in [
        (&b"garbage\n"[..], 1),
        (b"\xff\xfe\n", 1),
        (b"[]\n", 1),
        (b"{}\n", 1),
        (b"{\"id\":1\n{\"id\":2\n\n", 2),
        (b"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\"message\":\"m\"}}\n", 0),
        (b"{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,\n", 0),
        (b"[{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}]\n", 1),
        (b"{\"jsonrpc\":\"2.0\",\"id\":7}\n", 1),
    ] {
        let said = said_to_each_other(slipped_in);
        assert_eq!(said.len(), answers, "{said:?}");
    }
    for line in [
        call("1", "refuse", "{}"),
        call("1", "hang", "{}"),
        call("1", "draft", "{}"),
        initialize("1", "2025-03-26"),
        initialize("1", ""),
    ] {
        let said = said_to_each_other(format!("{line}\n").as_bytes());
        assert_eq!(said.len(), 1, "{said:?}");
    }
}
