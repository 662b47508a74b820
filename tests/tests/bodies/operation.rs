use std::collections::HashMap;
use std::fmt::Debug;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::types::{Get, KeysAndAttributes, ReturnValue, TransactGetItem};
use monotable::{Entity, Error, Item, Table};

use super::client::Answers;
use super::note::{Note, Notes, key};

pub(crate) const TABLE: &str = "notes";

/// An operation whose answer holds items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Operation {
    Get,
    Query,
    Scan,
    ScanOfOne,
    BatchGet,
    TransactGet,
    PutReturningOld,
    UpdateReturningNew,
    DeleteReturningOld,
}

/// What came of an answer: items of an entity and as they are stored, or an error.
pub(crate) type Outcome = Result<(Vec<Note>, Vec<Item>), String>;

impl Operation {
    pub(crate) const ALL: &[Operation] = &[
        Operation::Get,
        Operation::Query,
        Operation::Scan,
        Operation::ScanOfOne,
        Operation::BatchGet,
        Operation::TransactGet,
        Operation::PutReturningOld,
        Operation::UpdateReturningNew,
        Operation::DeleteReturningOld,
    ];

    /// What stands around the text of items, of which most operations have one.
    pub(crate) fn around(self) -> (&'static str, &'static str) {
        match self {
            Operation::Get => (r#"{"Item":"#, "}"),
            Operation::Query | Operation::Scan | Operation::ScanOfOne => {
                (r#"{"Count":1,"Items":["#, r#"],"ScannedCount":1}"#)
            }
            Operation::BatchGet => (r#"{"Responses":{"notes":["#, r#"]},"UnprocessedKeys":{}}"#),
            Operation::TransactGet => (r#"{"Responses":[{"Item":"#, "}]}"),
            Operation::PutReturningOld
            | Operation::UpdateReturningNew
            | Operation::DeleteReturningOld => (r#"{"Attributes":"#, "}"),
        }
    }

    pub(crate) fn holds_lists(self) -> bool {
        self.around().0.ends_with('[')
    }

    /// What the library makes of an answer.
    pub(crate) async fn ours(self, client: &Client) -> Outcome {
        let table = Table::<Notes>::new(client.clone(), TABLE);
        let notes = match self {
            Operation::Get => table.get(key()).send().await.map(Vec::from_iter),
            Operation::Query => table.query(Note::by_id("n1")).send().await.map(|page| page.items),
            Operation::Scan => {
                let found = table.full_scan().all().await.map_err(text)?;
                let items = found.into_iter().map(|item| item.into_item());
                return Ok((Vec::new(), items.collect()));
            }
            Operation::ScanOfOne => table.full_scan().of::<Note>().all().await,
            Operation::BatchGet => table.batch_get([key()]).max_attempts(1).send().await.map(some),
            Operation::TransactGet => table.transact_get(vec![key()]).send().await.map(some),
            Operation::PutReturningOld => {
                let put = table.put(&Note { id: "n1".into(), ..Note::default() });
                put.returning_old().send().await.map(Vec::from_iter)
            }
            Operation::UpdateReturningNew => {
                let update = table.update(key()).change(|note| note.s.set("x".to_owned()));
                update.returning_new().send().await.map(|note| vec![note])
            }
            Operation::DeleteReturningOld => {
                table.delete(key()).returning_old().send().await.map(Vec::from_iter)
            }
        };
        Ok((notes.map_err(text)?, Vec::new()))
    }

    /// What the SDK and `from_item` make of it.
    pub(crate) async fn theirs(self, client: &Client) -> Outcome {
        let pk = || key().to_item().unwrap();
        // One item that is empty is none; of a page it is an item without its attributes.
        let entity = |items: Vec<Item>| {
            let is_page = matches!(self, Operation::Query);
            let items = items.into_iter().filter(|item| is_page || !item.is_empty());
            let notes: Result<Vec<Note>, Error> = items.map(Note::from_item).collect();
            Ok((notes.map_err(text)?, Vec::new()))
        };
        match self {
            Operation::Get => {
                let get = client.get_item().table_name(TABLE).set_key(Some(pk()));
                entity(Vec::from_iter(get.send().await.map_err(text)?.item))
            }
            Operation::Query => {
                let query = client.query().table_name(TABLE).key_condition_expression("x");
                entity(query.send().await.map_err(text)?.items.unwrap_or_default())
            }
            Operation::Scan | Operation::ScanOfOne => {
                let output = client.scan().table_name(TABLE).send().await.map_err(text)?;
                let items = output.items.unwrap_or_default();
                if self == Operation::Scan {
                    return Ok((Vec::new(), items));
                }
                // Items of no entity are passed.
                entity(items.into_iter().filter(has_key).collect())
            }
            Operation::BatchGet => {
                let keys = KeysAndAttributes::builder().keys(pk()).build().unwrap();
                let asked = HashMap::from([(TABLE.to_owned(), keys)]);
                let batch = client.batch_get_item().set_request_items(Some(asked));
                let tables = batch.send().await.map_err(text)?.responses.unwrap_or_default();
                let items = tables.into_values().flatten().filter(has_key);
                entity(items.collect())
            }
            Operation::TransactGet => {
                let get = Get::builder().table_name(TABLE).set_key(Some(pk())).build().unwrap();
                let get = TransactGetItem::builder().get(get).build();
                let get = client.transact_get_items().transact_items(get);
                let answers = get.send().await.map_err(text)?.responses.unwrap_or_default();
                if answers.len() != 1 {
                    return Err("another number of answers".to_owned());
                }
                entity(answers.into_iter().filter_map(|answer| answer.item).collect())
            }
            Operation::PutReturningOld => {
                let put = client.put_item().table_name(TABLE).set_item(Some(pk()));
                let put = put.return_values(ReturnValue::AllOld);
                entity(Vec::from_iter(put.send().await.map_err(text)?.attributes))
            }
            Operation::UpdateReturningNew => {
                let update = client.update_item().table_name(TABLE).set_key(Some(pk()));
                let output = update.send().await.map_err(text)?;
                match output.attributes.filter(|item| !item.is_empty()) {
                    Some(item) => entity(vec![item]),
                    None => Err("no item".to_owned()),
                }
            }
            Operation::DeleteReturningOld => {
                let delete = client.delete_item().table_name(TABLE).set_key(Some(pk()));
                entity(Vec::from_iter(delete.send().await.map_err(text)?.attributes))
            }
        }
    }

    /// Both, of the same body.
    pub(crate) async fn both(self, body: &[u8]) -> (Outcome, Outcome) {
        let ours = Answers::client([(200, body.to_vec())], 1).0;
        let theirs = Answers::client([(200, body.to_vec())], 1).0;
        (self.ours(&ours).await, self.theirs(&theirs).await)
    }

    /// That both agree on a body, and whether they read it.
    pub(crate) async fn agrees(self, body: &[u8]) -> bool {
        let (ours, theirs) = self.both(body).await;
        let body = String::from_utf8_lossy(body);
        match (ours, theirs) {
            (Ok(ours), Ok(theirs)) => {
                assert_eq!(ours, theirs, "{self:?} of {body}");
                assert_eq!(
                    format!("{:?}", ours.0),
                    format!("{:?}", theirs.0),
                    "{self:?} of {body}"
                );
                true
            }
            (Err(_), Err(_)) => false,
            (ours, theirs) => panic!("{self:?} of {body}:\n  {ours:?}\n  {theirs:?}"),
        }
    }
}

fn some(notes: Vec<Option<Note>>) -> Vec<Note> {
    notes.into_iter().flatten().collect()
}

fn has_key(item: &Item) -> bool {
    key().to_item().unwrap().iter().all(|(name, value)| item.get(name) == Some(value))
}

fn text(error: impl Debug) -> String {
    format!("{error:?}")
}
