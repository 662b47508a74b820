//! The stream of a table feeds a projection: totals of each customer, kept in another entity of the
//! same table, and changed once by each change of an order, however often its record comes.
//!
//! `cargo run --example changes`

use aws_sdk_dynamodb::types::StreamViewType;
use aws_sdk_dynamodbstreams::types::{Record, ShardIteratorType};
use monotable::change::{Change, Event};
use monotable::{Entity, Error, Table, testing::Embedded};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order, Total, Applied))]
struct Shop;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "ORDER#<order>")]
struct Order {
    customer: String,
    order: String,
    cents: i64,
}

/// The projection.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "TOTAL")]
struct Total {
    customer: String,
    orders: i64,
    cents: i64,
}

/// The last change of an order that is in the total.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "APPLIED#<order>")]
struct Applied {
    customer: String,
    order: String,
    /// Padded, so that conditions compare it as the number that it is.
    sequence_number: String,
}

/// How a change of an order changes the total of its customer: orders, cents. `None` for changes of
/// other items, those of the projection among them.
fn difference(event: &Event<Order>) -> Option<(&Order, i64, i64)> {
    match event {
        Event::Insert { new: Some(new) } => Some((new, 1, new.cents)),
        Event::Modify { old: Some(old), new: Some(new) } => Some((new, 0, new.cents - old.cents)),
        Event::Remove { old: Some(old) } | Event::Expire { old: Some(old) } => {
            Some((old, -1, -old.cents))
        }
        _ => None,
    }
}

/// Whether the change was new: the total and the mark of the order change together or not at all.
async fn apply(shop: &Table<Shop>, change: &Change<Order>) -> Result<bool, Error> {
    let Some((order, orders, cents)) = difference(&change.event) else { return Ok(false) };
    let (customer, order) = (order.customer.clone(), order.order.clone());
    let zero = Total { customer: customer.clone(), orders: 0, cents: 0 };
    shop.create(&zero).or_existing().send().await?;

    let sequence_number = change.sequence_number.padded();
    let applied = Applied { customer: customer.clone(), order, sequence_number };
    let mut transaction = shop.transact();
    let mark = transaction.push(shop.put(&applied).condition(|mark| {
        mark.sequence_number.missing() | mark.sequence_number.lt(&applied.sequence_number)
    }));
    transaction.push(
        shop.update(Total::key(&customer))
            .change(|total| (total.orders.add(orders), total.cents.add(cents))),
    );
    match transaction.send().await {
        Ok(_) => Ok(true),
        Err(error) if error.reason(mark).is_some_and(|reason| reason.is_condition_failed()) => {
            Ok(false)
        }
        Err(error) => Err(error),
    }
}

/// Reads the stream from its beginning. A program that runs on would keep the iterator of each shard,
/// or leave that to AWS Lambda, whose records become changes the same way.
async fn records(
    streams: &aws_sdk_dynamodbstreams::Client,
    table: &str,
) -> Result<Vec<Record>, Box<dyn std::error::Error>> {
    let listed = streams.list_streams().table_name(table).send().await?;
    let stream = listed.streams().first().and_then(|stream| stream.stream_arn());
    let stream = stream.ok_or("the table has no stream")?;
    let described = streams.describe_stream().stream_arn(stream).send().await?;
    let mut records = Vec::new();
    for shard in described.stream_description().map(|stream| stream.shards()).unwrap_or_default() {
        let start = streams.get_shard_iterator().stream_arn(stream);
        let start = start.set_shard_id(shard.shard_id.clone());
        let start = start.shard_iterator_type(ShardIteratorType::TrimHorizon).send().await?;
        let mut at = start.shard_iterator;
        while let Some(iterator) = at {
            let got = streams.get_records().shard_iterator(iterator).send().await?;
            let found = got.records.unwrap_or_default();
            at = got.next_shard_iterator.filter(|_| !found.is_empty());
            records.extend(found);
        }
    }
    Ok(records)
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let engine = Embedded::start().await?;
    let shop = Shop::table(engine.client(), "shop");
    shop.create_table().stream(StreamViewType::NewAndOldImages).send().await?;

    let order = |customer: &str, order: &str, cents| Order {
        customer: customer.into(),
        order: order.into(),
        cents,
    };
    for order in [order("ana", "o1", 1_800), order("ana", "o2", 700), order("bo", "o3", 250)] {
        shop.create(&order).send().await?;
    }
    shop.update(Order::key("ana", "o1")).change(|o| o.cents.subtract(300)).send().await?;
    shop.delete(Order::key("ana", "o2")).send().await?;

    // Records come at least once. The second time each of them is old, and those of the totals
    // themselves have come, which are no orders.
    let mut applied = Vec::new();
    for _ in 0..2 {
        let (mut new, mut seen) = (0, 0);
        for record in records(&engine.streams_client(), shop.name()).await? {
            let change: Change<Order> = record.try_into()?;
            seen += 1;
            if apply(&shop, &change).await? {
                new += 1;
                println!("{:?} of {:?}", change.event.name(), change.key::<Order>());
            }
        }
        applied.push((seen, new));
    }
    let totals = shop.full_scan().of::<Total>().all().await?;
    println!("{totals:#?}");

    assert_eq!(applied[0], (5, 5));
    assert!(applied[1].0 > 5 && applied[1].1 == 0);
    let total = |customer: &str, orders, cents| Total { customer: customer.into(), orders, cents };
    assert_eq!(shop.get(Total::key("ana")).send().await?, Some(total("ana", 1, 1_500)));
    assert_eq!(shop.get(Total::key("bo")).send().await?, Some(total("bo", 1, 250)));
    assert_eq!(totals.len(), 2);
    Ok(())
}
