//! Answers that others make: mocks instead of a body, interceptors behind it.

use std::collections::HashMap;

use aws_sdk_dynamodb::Client;
use aws_sdk_dynamodb::config::interceptors::FinalizerInterceptorContextMut;
use aws_sdk_dynamodb::config::{ConfigBag, Intercept, RuntimeComponents};
use aws_sdk_dynamodb::error::BoxError;
use aws_sdk_dynamodb::operation::get_item::GetItemOutput;
use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_sdk_dynamodb::operation::{
    batch_get_item::BatchGetItemOutput, put_item::PutItemOutput, scan::ScanOutput,
    transact_get_items::TransactGetItemsOutput,
};
use aws_sdk_dynamodb::types::ItemResponse;
use aws_smithy_mocks::{MockResponseInterceptor, Rule, RuleMode, create_mock_http_client, mock};
use aws_smithy_runtime_api::client::interceptors::context::Output;
use monotable::{Entity, Item, Table};

use super::client::Answers;
use super::note::{Note, Notes};
use super::operation::{Operation, TABLE};

fn mocked(rule: &Rule) -> Client {
    let client = monotable::testing::local_client("http://localhost:1").unwrap();
    let mock = MockResponseInterceptor::new().rule_mode(RuleMode::MatchAny).with_rule(rule);
    let config = client.config().to_builder().http_client(create_mock_http_client());
    Client::from_conf(config.interceptor(mock).build())
}

fn note(s: &str) -> Note {
    Note { id: "n1".into(), s: Some(s.into()), ..Note::default() }
}

fn item(s: &str) -> Item {
    note(s).to_item().unwrap()
}

#[tokio::test]
async fn mocks() {
    let rules = [
        (
            Operation::Get,
            mock!(Client::get_item)
                .then_output(|| GetItemOutput::builder().set_item(Some(item("mock"))).build()),
        ),
        (
            Operation::Query,
            mock!(Client::query).then_output(|| QueryOutput::builder().items(item("mock")).build()),
        ),
        (
            Operation::ScanOfOne,
            mock!(Client::scan).then_output(|| ScanOutput::builder().items(item("mock")).build()),
        ),
        (
            Operation::BatchGet,
            mock!(Client::batch_get_item).then_output(|| {
                let found = HashMap::from([(TABLE.to_owned(), vec![item("mock")])]);
                BatchGetItemOutput::builder().set_responses(Some(found)).build()
            }),
        ),
        (
            Operation::TransactGet,
            mock!(Client::transact_get_items).then_output(|| {
                let answer = ItemResponse::builder().set_item(Some(item("mock"))).build();
                TransactGetItemsOutput::builder().responses(answer).build()
            }),
        ),
        (
            Operation::PutReturningOld,
            mock!(Client::put_item).then_output(|| {
                PutItemOutput::builder().set_attributes(Some(item("mock"))).build()
            }),
        ),
    ];
    for (operation, rule) in rules {
        let ours = operation.ours(&mocked(&rule)).await;
        assert_eq!(ours, Ok((vec![note("mock")], Vec::new())), "{operation:?}");
        assert_eq!(rule.num_calls(), 1);
    }
    let empty = mock!(Client::get_item).then_output(|| GetItemOutput::builder().build());
    assert_eq!(Operation::Get.ours(&mocked(&empty)).await, Ok((Vec::new(), Vec::new())));
}

/// Replaces the output of one operation when its answer was read.
#[derive(Debug, Clone)]
struct Replace {
    at: At,
    get: Option<GetItemOutput>,
    query: Option<QueryOutput>,
}

#[derive(Debug, Clone, Copy)]
enum At {
    Attempt,
    Operation,
}

impl Replace {
    fn replace(&self, context: &mut FinalizerInterceptorContextMut<'_>) {
        let get = self.get.clone().map(Output::erase);
        let output = get.or_else(|| self.query.clone().map(Output::erase));
        if let (Some(output), Some(Ok(place))) = (output, context.output_or_error_mut()) {
            *place = output;
        }
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

fn answering(operation: Operation, replace: Replace) -> Client {
    let (before, after) = operation.around();
    let body = format!("{before}{STORED}{after}").into_bytes();
    let client = Answers::client([(200, body)], 1).0;
    Client::from_conf(client.config().to_builder().interceptor(replace).build())
}

#[tokio::test]
async fn outputs_that_are_replaced() {
    for at in [At::Attempt, At::Operation] {
        for items in [vec![], vec![note("new")], vec![note("1"), note("2")]] {
            let stored: Vec<_> = items.iter().map(|note| note.to_item().unwrap()).collect();
            let output = QueryOutput::builder().set_items(Some(stored.clone())).build();
            let replace = Replace { at, get: None, query: Some(output) };
            let client = answering(Operation::Query, replace);
            assert_eq!(Operation::Query.ours(&client).await, Ok((items.clone(), Vec::new())));

            let output = GetItemOutput::builder().set_item(stored.into_iter().next()).build();
            let replace = Replace { at, get: Some(output), query: None };
            let client = answering(Operation::Get, replace);
            let one = items.into_iter().take(1).collect();
            assert_eq!(Operation::Get.ours(&client).await, Ok((one, Vec::new())));
        }
        // One without any items is not the answer that was read.
        let replace = Replace { at, get: None, query: Some(QueryOutput::builder().build()) };
        let client = answering(Operation::Query, replace);
        assert_eq!(Operation::Query.ours(&client).await, Ok((Vec::new(), Vec::new())));
        let replace = Replace { at, get: None, query: None };
        let client = answering(Operation::Query, replace);
        assert_eq!(Operation::Query.ours(&client).await, Ok((vec![note("stored")], Vec::new())));
    }
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
