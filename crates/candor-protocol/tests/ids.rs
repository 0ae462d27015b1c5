//! Ids: the peer's own bytes, found alike in messages that are read and in those that are too long
//! to be.

#![cfg(test)]

use candor_protocol::inbound::{Refusal, RequestEnvelope, Skim};
use candor_protocol::{Envelope, Reader, RequestId};
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::value::RawValue;

/// The id that an answer to this message carries, or why there is none.
fn read(message: &str) -> String {
    let mut reader = Reader::new();
    match Envelope::read(&mut reader, message.as_bytes()) {
        Ok(Envelope::Request(RequestEnvelope { id, .. })) | Err(Refusal { id: Some(id), .. }) => {
            id.as_json().to_owned()
        }
        Ok(Envelope::Notification(_) | Envelope::Response) => "silence".to_owned(),
        Ok(Envelope::Batch(_)) | Err(Refusal { id: None, .. }) => "no id".to_owned(),
    }
}

/// The same, had the message been too long.
fn skimmed(message: &str, piece: usize) -> String {
    let mut skim = Skim::default();
    message.as_bytes().chunks(piece).for_each(|piece| skim.read(piece));
    match skim.refusal(1) {
        None => "silence".to_owned(),
        Some((None, _)) => "no id".to_owned(),
        Some((Some(id), _)) => id.as_json().to_owned(),
    }
}

fn member() -> impl Strategy<Value = &'static str> {
    select(vec![
        r#""id":7"#,
        r#""id" : "a,}\"]" "#,
        r#""id":"\u0061\n""#,
        r#""id":"\ud800""#,
        r#""\u0069d":-1.0e2"#,
        r#""id":null"#,
        r#""id":{"id":7}"#,
        r#""method":"m""#,
        r#""meth\u006fd":"m""#,
        r#""result":{"id":7,"method":"x"}"#,
        r#""error":[]"#,
        r#""params":{"id":8,"x":["}",{"method":"y"}]}"#,
        r#""x":"id""#,
        r#""x":{"a":[[]]}"#,
    ])
}

proptest! {
    #[test]
    fn a_message_that_is_too_long_is_answered_to_the_same_id(
        members in prop::collection::vec(member(), 0..6), piece in 1_usize..50,
    ) {
        let message = format!("{{\"jsonrpc\":\"2.0\",{}}}", members.join(" , "));
        let message = message.replace(",}", "}");
        prop_assert_eq!(skimmed(&message, piece), read(&message), "{}", message);
    }

    #[test]
    fn an_integer_is_the_same_id_in_every_form(digits in 1_u64.., zeros in 0_usize..20) {
        let value = |json: &str| RequestId::read(json).map(RequestId::value);
        let written = format!("{digits}{}", "0".repeat(zeros));
        prop_assert_eq!(value(&written), value(&format!("{digits}e{zeros}")));
        prop_assert_eq!(value(&written), value(&format!("{digits}.000E+{zeros}")));
        prop_assert_eq!(value(&written), value(&format!("{written}.0")));
        prop_assert_ne!(value(&written), value(&format!("-{written}")));
        prop_assert_ne!(value(&written), value(&format!("\"{written}\"")));
        prop_assert_ne!(value(&written), value(&format!("{written}0")));
    }

    #[test]
    fn what_is_taken_for_an_id_is_json(text in "[-+0-9.eE\"\\\\au{}]{0,8}") {
        if RequestId::read(&text).is_some() {
            prop_assert!(serde_json::from_str::<&RawValue>(&text).is_ok(), "{}", text);
        }
    }
}
