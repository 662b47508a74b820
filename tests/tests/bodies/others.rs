//! Answers that others make: mocks instead of a body, interceptors behind it.

use std::collections::HashMap;
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex};

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::{
    FinalizerInterceptorContextMut, FinalizerInterceptorContextRef,
};
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::{
    batch_get_item::BatchGetItemOutput, put_item::PutItemOutput, scan::ScanOutput,
    transact_get_items::TransactGetItemsOutput,
};
use aws_sdk_dynamodb::types::{AttributeValue, ItemResponse};
use aws_smithy_runtime_api::client::interceptors::context::Output;
use monotable::{Entity, Item, Table};

use super::client::Answers;
use super::note::{Note, Notes};
use super::operation::{Operation, Outcome, TABLE};

fn note(s: &str) -> Note {
    Note { id: "n1".into(), s: Some(s.into()), ..Note::default() }
}

fn item(s: &str) -> Item {
    note(s).to_item().unwrap()
}

/// Without an answer of DynamoDB's, the output is set when the attempt is over: so do mocks of the SDK,
/// as those of `aws-smithy-mocks`.
fn mocked<O: Clone + Debug + Send + Sync + 'static>(output: O) -> Client {
    let client = Answers::client([(418, Vec::new())], 1).0;
    let mock = Replace::with(At::Attempt, output);
    Client::from_conf(client.config().to_builder().interceptor(mock).build())
}

#[tokio::test]
async fn mocks() {
    let items = || vec![item("mock")];
    let found = HashMap::from([(TABLE.to_owned(), items())]);
    let answer = ItemResponse::builder().set_item(Some(item("mock"))).build();
    let clients = [
        (Operation::Get, mocked(GetItemOutput::builder().set_item(Some(item("mock"))).build())),
        (Operation::Query, mocked(QueryOutput::builder().set_items(Some(items())).build())),
        (Operation::ScanOfOne, mocked(ScanOutput::builder().set_items(Some(items())).build())),
        (
            Operation::BatchGet,
            mocked(BatchGetItemOutput::builder().set_responses(Some(found)).build()),
        ),
        (
            Operation::TransactGet,
            mocked(TransactGetItemsOutput::builder().responses(answer).build()),
        ),
        (
            Operation::PutReturningOld,
            mocked(PutItemOutput::builder().set_attributes(Some(item("mock"))).build()),
        ),
    ];
    for (operation, client) in clients {
        let ours = operation.ours(&client).await;
        assert_eq!(ours, Ok((vec![note("mock")], Vec::new())), "{operation:?}");
    }
    let empty = mocked(GetItemOutput::builder().build());
    assert_eq!(Operation::Get.ours(&empty).await, Ok((Vec::new(), Vec::new())));
}

/// Sets the output of one operation.
#[derive(Clone)]
struct Replace {
    at: At,
    output: Arc<dyn Fn() -> Output + Send + Sync>,
}

#[derive(Debug, Clone, Copy)]
enum At {
    Attempt,
    Operation,
}

impl Replace {
    fn with<O: Clone + Debug + Send + Sync + 'static>(at: At, output: O) -> Self {
        Replace { at, output: Arc::new(move || Output::erase(output.clone())) }
    }

    fn replace(&self, context: &mut FinalizerInterceptorContextMut<'_>) {
        if let Some(place) = context.output_or_error_mut() {
            *place = Ok((self.output)());
        }
    }
}

impl Debug for Replace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Replace").field(&self.at).finish()
    }
}

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Replace {
    fn name(&self) -> &'static str {
        "Replace"
    }

    fn modify_before_attempt_completion(
        &self,
        context: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let At::Attempt = self.at {
            self.replace(context);
        }
        Ok(())
    }

    fn modify_before_completion(
        &self,
        context: &mut FinalizerInterceptorContextMut<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        if let At::Operation = self.at {
            self.replace(context);
        }
        Ok(())
    }
}

const STORED: &str =
    r#"{"PK":{"S":"NOTE#n1"},"SK":{"S":"NOTE"},"id":{"S":"n1"},"s":{"S":"stored"}}"#;

fn stored(operation: Operation) -> Client {
    let (before, after) = operation.around();
    Answers::client([(200, format!("{before}{STORED}{after}").into_bytes())], 1).0
}

async fn replaced(operation: Operation, replace: Replace) -> Outcome {
    let config = stored(operation).config().to_builder().interceptor(replace).build();
    operation.ours(&Client::from_conf(config)).await
}

#[tokio::test]
async fn outputs_that_are_replaced() {
    for at in [At::Attempt, At::Operation] {
        for notes in [vec![], vec![note("new")], vec![note("1"), note("2")]] {
            let items: Vec<_> = notes.iter().map(|note| note.to_item().unwrap()).collect();
            let output = QueryOutput::builder().set_items(Some(items.clone())).build();
            let ours = replaced(Operation::Query, Replace::with(at, output)).await;
            assert_eq!(ours, Ok((notes.clone(), Vec::new())));

            let output = GetItemOutput::builder().set_item(items.into_iter().next()).build();
            let ours = replaced(Operation::Get, Replace::with(at, output)).await;
            assert_eq!(ours, Ok((notes.into_iter().take(1).collect(), Vec::new())));
        }
        // One without any items is not the answer that was read.
        let replace = Replace::with(at, QueryOutput::builder().build());
        assert_eq!(replaced(Operation::Query, replace).await, Ok((Vec::new(), Vec::new())));
    }
    let ours = Operation::Query.ours(&stored(Operation::Query)).await;
    assert_eq!(ours, Ok((vec![note("stored")], Vec::new())));
}

/// Takes note of the output of an operation.
#[derive(Debug, Clone, Default)]
struct Sees(Arc<Mutex<String>>);

#[aws_smithy_runtime_api::client::interceptors::dyn_dispatch_hint]
impl Intercept for Sees {
    fn name(&self) -> &'static str {
        "Sees"
    }

    fn read_after_execution(
        &self,
        context: &FinalizerInterceptorContextRef<'_>,
        _: &RuntimeComponents,
        _: &mut ConfigBag,
    ) -> Result<(), BoxError> {
        *self.0.lock().unwrap() = format!("{:?}", context.output_or_error());
        Ok(())
    }
}

/// Items are read from the body, by every operation: the SDK's output has none.
#[tokio::test]
async fn what_is_read_here_is_not_in_the_output() {
    for operation in Operation::ALL {
        let sees = Sees::default();
        let config = stored(*operation).config().to_builder().interceptor(sees.clone()).build();
        let (notes, items) = operation.ours(&Client::from_conf(config)).await.unwrap();
        assert_eq!(notes.len() + items.len(), 1, "{operation:?}");
        let output = sees.0.lock().unwrap().clone();
        assert!(output.starts_with("Some(Ok("), "{operation:?}: {output}");
        assert!(!output.contains("stored") && output.contains("{}"), "{operation:?}: {output}");
    }
    let seen = Sees::default();
    let config = stored(Operation::Get).config().to_builder().interceptor(seen.clone()).build();
    let get = Client::from_conf(config).get_item().table_name(TABLE);
    get.key("PK", AttributeValue::S("NOTE#n1".into())).send().await.unwrap();
    assert!(seen.0.lock().unwrap().contains("stored"));
}

/// The fast way says nothing itself.
#[tokio::test]
async fn errors_name_the_entity_the_key_and_the_attribute() {
    let item = |list: &str| {
        format!(
            r#"{{"PK":{{"S":"NOTE#n1"}},"SK":{{"S":"NOTE"}},"id":{{"S":"n1"}},"list":{{"L":[{list}]}}}}"#
        )
    };
    let (good, bad) = (item(r#"{"N":"1"}"#), item(r#"{"N":"1"},{"S":"x"}"#));
    let body = format!(r#"{{"Items":[{good},{good},{bad}],"Count":3}}"#).into_bytes();
    let client = Answers::client(vec![(200, body); 3], 1).0;
    let table = Table::<Notes>::new(client, TABLE);
    let two = table.query(Note::by_id("n1")).limit(2).send().await.unwrap();
    assert_eq!(two.items.len(), 2);
    let text = "the item `NOTE#n1 + NOTE` is no `Note`: attribute `list[1]`: expected u8, found S";
    let error = table.query(Note::by_id("n1")).send().await.unwrap_err();
    assert!(error.is_decode());
    assert_eq!(error.to_string(), text);
    let error = table.query(Note::by_id("n1")).all().await.unwrap_err();
    assert_eq!(error.to_string(), text);

    for operation in Operation::ALL {
        let (before, after) = operation.around();
        let body = format!("{before}{bad}{after}").into_bytes();
        let client = Answers::client([(200, body)], 1).0;
        if *operation != Operation::Scan {
            let error = operation.ours(&client).await.unwrap_err();
            assert!(error.contains("attribute `list[1]`: expected u8, found S"), "{error}");
            assert!(error.contains("NOTE#n1") && error.contains("`Note`"), "{error}");
        }
    }
}
