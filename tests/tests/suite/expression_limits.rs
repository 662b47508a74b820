use std::collections::BTreeMap;

use aws_sdk_dynamodb::types::AttributeValue;
use monotable::expr::{Condition, raw_condition};
use monotable::op::Explanation;
use monotable::{Entity, Error, Table};
use serde::{Deserialize, Serialize};
use tests::bench::on_table;

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Box))]
struct Boxes;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Boxes, pk = "BOX#<id>")]
struct Box {
    id: u32,
    weight: u32,
    parts: BTreeMap<String, u32>,
    steps: Vec<u32>,
}

fn parcel() -> Box {
    Box { id: 1, weight: 7, parts: BTreeMap::new(), steps: vec![0] }
}

/// The text of an expression as it would be sent.
fn text(explained: &Explanation, expression: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(&explained.requests()[0].body()).unwrap();
    body[expression].as_str().unwrap().to_owned()
}

fn assert_refused(error: &Error, problem: &str) {
    assert!(error.is_invalid_expression(), "{error}");
    assert!(error.to_string().contains(problem), "{error}");
}

/// A condition of that many bytes.
fn of_length(bytes: usize) -> Condition {
    let (head, tail) = ("#raw", "> :raw");
    let blanks = " ".repeat(bytes - head.len() - tail.len() - "()".len());
    raw_condition(format!("{head}{blanks}{tail}"))
        .name("#raw", "weight")
        .value(":raw", AttributeValue::N("1".into()))
        .into()
}

#[tokio::test]
async fn a_filter_of_4_kb_is_sent_and_a_longer_one_is_not() {
    on_table::<Boxes, _>("limits-filter", |bench| async move {
        let table = &bench.table;
        table.put(&parcel()).send().await.unwrap();
        let scan = |bytes| table.full_scan().filter::<Box, _>(|_| of_length(bytes));
        assert_eq!(text(&scan(4096).explain().unwrap(), "FilterExpression").len(), 4096);
        assert_eq!(scan(4096).all().await.unwrap().len(), 1);
        let query = |bytes| table.query(Box::by_id(1)).filter(|_| of_length(bytes));
        assert_eq!(query(4096).all().await.unwrap().len(), 1);
        bench.recorder.take();

        assert_refused(&scan(4097).all().await.unwrap_err(), "the filter has 4097 bytes");
        assert_refused(&scan(4097).into_sdk().unwrap_err(), "DynamoDB allows 4096");
        assert_refused(&query(4097).count().await.unwrap_err(), "the filter has 4097 bytes");
        assert_refused(&query(4097).explain().unwrap_err(), "the filter has 4097 bytes");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn what_the_library_asks_counts_in_a_condition() {
    on_table::<Boxes, _>("limits-condition", |bench| async move {
        let table = &bench.table;
        table.put(&parcel()).send().await.unwrap();
        let put = |bytes| {
            let condition = of_length(bytes);
            async move { table.put(&parcel()).condition(|_| condition).send().await }
        };
        put(4096).await.unwrap();
        let own = "attribute_exists(#a) AND ".len();
        let update = |bytes| {
            table.update(Box::key(1)).change(|b| b.weight.set(9)).condition(|_| of_length(bytes))
        };
        update(4096 - own).send().await.unwrap();
        bench.recorder.take();

        assert_refused(&put(4097).await.unwrap_err(), "the condition has 4097 bytes");
        let error = update(4097 - own).send().await.unwrap_err();
        assert_refused(&error, "the condition has 4097 bytes");
        let check = table.check(Box::key(1)).condition(|_| of_length(4097 - own));
        let transaction = table.transact().add(check).send().await.unwrap_err();
        assert_refused(&transaction, "the condition has 4097 bytes");
        let delete = table.delete(Box::key(1)).condition(|_| of_length(4097)).send().await;
        assert_refused(&delete.unwrap_err(), "the condition has 4097 bytes");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn an_update_of_4_kb_is_sent_and_a_longer_one_is_not() {
    if !tests::engine::takes_long_updates() {
        return;
    }
    on_table::<Boxes, _>("limits-update", |bench| async move {
        let table = &bench.table;
        table.put(&parcel()).send().await.unwrap();
        // The digits of a position in a list fill the text up.
        let update = |entries: usize, digits: u32| {
            table.update(Box::key(1)).change(|b| {
                let entries = (0..entries).map(|n| b.parts.entry(format!("part.{n}")).set(1));
                let step = b.steps.at(10_usize.pow(digits - 1)).set(1);
                (entries.collect::<Vec<_>>(), step)
            })
        };
        let length = |entries, digits| {
            let explained = update(entries, digits).explain();
            explained.map(|explained| text(&explained, "UpdateExpression").len())
        };
        let entries = (250..).find(|n| length(*n + 1, 1).is_err()).unwrap();
        let digits = u32::try_from(4096 + 1 - length(entries, 1).unwrap()).unwrap();
        assert_eq!(length(entries, digits).unwrap(), 4096);
        bench.recorder.take();
        assert_refused(&length(entries, digits + 1).unwrap_err(), "the update has 4097 bytes");
        let error = update(entries, digits + 1).send().await.unwrap_err();
        assert_refused(&error, "split it over several requests");
        assert!(bench.recorder.take().is_empty());

        update(entries, digits).send().await.unwrap();
        let stored = table.get(Box::key(1)).send().await.unwrap().unwrap();
        assert_eq!((stored.parts.len(), &stored.steps[..]), (entries, &[0, 1][..]));
        let sent = bench.recorder.take();
        assert_eq!(sent[0].body["UpdateExpression"].as_str().unwrap().len(), 4096);
    })
    .await;
}

#[tokio::test]
async fn conditions_of_300_operators_are_sent_and_one_more_is_not() {
    on_table::<Boxes, _>("limits-operators", |bench| async move {
        let table = &bench.table;
        table.put(&parcel()).send().await.unwrap();
        // Comparisons and what joins them, and `NOT`.
        let scan = |comparisons: u32, not: bool| {
            table.full_scan().filter::<Box, _>(|b| {
                let all = (0..comparisons).map(|n| b.weight.ne(n + 100));
                let all = monotable::expr::all(all);
                if not { !all } else { all }
            })
        };
        assert_eq!(scan(150, false).all().await.unwrap().len(), 1);
        let explained = scan(150, false).explain().unwrap();
        assert_eq!(text(&explained, "FilterExpression").matches(['>', 'A']).count(), 299);
        let with_call = |calls: usize| {
            table.full_scan().filter::<Box, _>(|b| {
                let all = (0..149).map(|n| b.weight.ne(n + 100));
                let calls = (0..calls).map(|n| b.parts.entry(format!("p{n}")).missing());
                let not = !b.weight.eq(0);
                monotable::expr::all(all.chain(calls).chain([not]))
            })
        };
        // 149 comparisons, `NOT`, one comparison more, and 149 times `AND`.
        assert_eq!(with_call(0).all().await.unwrap().len(), 1);
        bench.recorder.take();
        assert!(scan(150, true).all().await.unwrap().is_empty());
        bench.recorder.take();
        let refused = [with_call(1), scan(151, false), scan(151, true)];
        let operators = [302, 301, 302];
        for (scan, operators) in refused.into_iter().zip(operators) {
            let error = scan.all().await.unwrap_err();
            assert_refused(&error, &format!("{operators} operators"));
        }
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}
