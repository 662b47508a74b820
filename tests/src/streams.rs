use std::future::Future;
use std::panic::{AssertUnwindSafe, resume_unwind};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use aws_sdk_dynamodb::types::StreamViewType;
use aws_sdk_dynamodbstreams::Client;
use aws_sdk_dynamodbstreams::types::{Record, ShardIteratorType};
use futures_util::FutureExt;
use monotable::testing::Backend;
use monotable::{Schema, Table};

/// The stream of a table.
#[derive(Debug)]
pub struct Feed {
    client: Client,
    stream: String,
}

/// Runs `test` on a table of its own with a stream, and deletes it however the test ends.
pub async fn on_stream<T: Schema, Fut: Future<Output = ()>>(
    prefix: &str,
    view: StreamViewType,
    test: impl FnOnce(Table<T>, Feed) -> Fut,
) {
    let backend = Backend::start().await.unwrap();
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_nanos();
    let name = format!("monotable-{prefix}-{}-{now}", std::process::id());
    let table = Table::<T>::new(backend.client(), name);
    table.create_table().stream(view).send().await.unwrap();
    let described = table.client().describe_table().table_name(table.name()).send().await.unwrap();
    let stream = described.table().unwrap().latest_stream_arn().unwrap().to_owned();
    let feed = Feed { client: backend.streams_client(), stream };
    let outcome = AssertUnwindSafe(test(table.clone(), feed)).catch_unwind().await;
    table.delete_table().send().await.unwrap();
    if let Err(panic) = outcome {
        resume_unwind(panic);
    }
}

impl Feed {
    /// Every record so far: at least `count`, and none that follows within a moment.
    pub async fn records(&self, count: usize) -> Vec<Record> {
        let start = Instant::now();
        loop {
            let records = self.read().await;
            let patience = if crate::engine::name() == "aws" { 30 } else { 0 };
            if records.len() >= count || start.elapsed() >= Duration::from_secs(patience) {
                assert_eq!(records.len(), count, "{records:?}");
                return records;
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
    }

    /// Every shard from its beginning, until it ends or has no more for now.
    async fn read(&self) -> Vec<Record> {
        let described = self.client.describe_stream().stream_arn(&self.stream).send();
        let described = described.await.unwrap().stream_description.unwrap();
        let mut records = Vec::new();
        for shard in described.shards() {
            let start = self.client.get_shard_iterator().stream_arn(&self.stream);
            let start = start.set_shard_id(shard.shard_id.clone());
            let start = start.shard_iterator_type(ShardIteratorType::TrimHorizon);
            let mut at = start.send().await.unwrap().shard_iterator;
            while let Some(iterator) = at {
                let got = self.client.get_records().shard_iterator(iterator).send().await.unwrap();
                let found = got.records.unwrap_or_default();
                at = got.next_shard_iterator.filter(|_| !found.is_empty());
                records.extend(found);
            }
        }
        records
    }
}
