//! Alone in its process: a subscriber that is set for one thread misses spans whose call sites
//! other threads registered first.

#![allow(clippy::unwrap_used)]

use std::sync::{Arc, Mutex};

use tests::bench::on_table;
use tests::models::shop::{Customer, Order, Shop, Status};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

#[derive(Debug, Clone, Default)]
struct Spans(Arc<Mutex<Vec<String>>>);

struct Fields(Vec<String>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn std::fmt::Debug) {
        self.0.push(format!("{}={value:?}", field.name()));
    }
}

impl Subscriber for Spans {
    fn enabled(&self, metadata: &Metadata<'_>) -> bool {
        metadata.target().starts_with("monotable")
    }
    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut fields = Fields(Vec::new());
        span.record(&mut fields);
        self.0.lock().unwrap().push(fields.0.join(" "));
        Id::from_u64(1)
    }
    fn record(&self, _: &Id, record: &Record<'_>) {
        let mut fields = Fields(Vec::new());
        record.record(&mut fields);
        self.0.lock().unwrap().push(fields.0.join(" "));
    }
    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[tokio::test]
async fn spans_have_the_names_of_the_database_conventions() {
    on_table::<Shop, _>("spans", |bench| async move {
        let spans = Spans::default();
        let guard = tracing::subscriber::set_default(spans.clone());
        bench.table.get(Customer::key("c1")).consistent().send().await.unwrap();
        let pattern = Order::by_status(Status::Pending).shard(3);
        bench.table.query(pattern).limit(2).send().await.unwrap();
        let missing = Shop::table(bench.table.client().clone(), "not-there");
        missing.get(Customer::key("c1")).send().await.unwrap_err();
        drop(guard);
        let spans = spans.0.lock().unwrap().clone();
        let name = bench.table.name();
        let get = format!(
            "otel.name=\"DynamoDB.GetItem\" otel.kind=\"client\" db.system.name=\"aws.dynamodb\" \
             db.operation.name=\"GetItem\" db.collection.name=\"{name}\" \
             aws.dynamodb.consistent_read=true"
        );
        assert_eq!(spans[0], get);
        for part in [
            "db.operation.name=\"Query\"",
            "aws.dynamodb.index_name=\"gsi1\"",
            "aws.dynamodb.limit=2",
            "aws.dynamodb.scan_forward=true",
        ] {
            assert!(spans[1].contains(part), "{part}: {}", spans[1]);
        }
        assert_eq!(spans[3], "error.type=\"ResourceNotFoundException\"");
        assert_eq!(spans.len(), 4);
    })
    .await;
}
