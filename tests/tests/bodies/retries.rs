//! The last attempt's answer is the one that counts.

use super::client::Answers;
use super::note::Note;
use super::operation::Operation;

fn body(operation: Operation, s: &str) -> Vec<u8> {
    let (before, after) = operation.around();
    let item = format!(
        r#"{{"PK":{{"S":"NOTE#n1"}},"SK":{{"S":"NOTE"}},"id":{{"S":"n1"}},"s":{{"S":"{s}"}}}}"#
    );
    format!("{before}{item}{after}").into_bytes()
}

fn refused(code: &str) -> Vec<u8> {
    format!(r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}","message":"x"}}"#).into_bytes()
}

const READS: [Operation; 5] = [
    Operation::Get,
    Operation::Query,
    Operation::ScanOfOne,
    Operation::BatchGet,
    Operation::TransactGet,
];

#[tokio::test]
async fn behind_an_error() {
    let second = Note { id: "n1".into(), s: Some("second".into()), ..Note::default() };
    for operation in READS {
        for first in [
            (500, refused("InternalServerError")),
            (503, b"<html>".to_vec()),
            (400, refused("ThrottlingException")),
            // What an error brings is no answer, even if it looks like one.
            (500, body(operation, "first")),
        ] {
            let answers = [first.clone(), (200, body(operation, "second"))];
            let (client, answers) = Answers::client(answers, 2);
            let ours = operation.ours(&client).await;
            assert_eq!(ours, Ok((vec![second.clone()], Vec::new())), "{operation:?}, {first:?}");
            assert_eq!(answers.left(), 0);
        }
    }
}

/// The SDK does not repeat a request whose answer it cannot read, and neither do we.
#[tokio::test]
async fn behind_a_body_that_is_cut() {
    for operation in READS {
        let mut cut = body(operation, "first");
        cut.truncate(cut.len() / 2);
        let answers = || [(200, cut.clone()), (200, body(operation, "second"))];
        let ((ours, our_answers), (theirs, their_answers)) =
            (Answers::client(answers(), 2), Answers::client(answers(), 2));
        let (ours, theirs) = (operation.ours(&ours).await, operation.theirs(&theirs).await);
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{operation:?}: {ours:?}, {theirs:?}");
        if let (Ok(ours), Ok(theirs)) = (ours, theirs) {
            assert_eq!(ours, theirs, "{operation:?}");
        }
        assert_eq!(our_answers.left(), their_answers.left(), "{operation:?}");
    }
}
