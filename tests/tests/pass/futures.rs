//! Futures that a task can take along.

use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

use super::paths::table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Order, Account))]
struct Shop;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ORDER#<id>", sk = "META")]
struct Order {
    id: String,
    total: u32,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "ACCOUNT#<id>", sk = "META", version = v, unique(email))]
struct Account {
    id: String,
    email: String,
    v: u64,
}

#[derive(Debug, ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
struct Page {
    _order: Order,
}

#[derive(Debug, ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<id>")]
enum Entry {
    Order(Order),
}

fn spawnable<F: Future + Send + 'static>(_: F) {}
fn sendable<F: Future + Send>(_: F) {}

#[test]
fn reads_and_writes_by_key_outlive_what_they_are_given() {
    let shop = table::<Shop>();
    let order = Order { id: "o1".into(), total: 1 };
    let key = || Order::key("o1");
    spawnable(shop.get(key()).send());
    spawnable(shop.exists(key()).send());
    spawnable(shop.batch_get([key()]).send());
    spawnable(shop.batch_write().put(&order).delete(key()).send());
    spawnable(shop.put(&order).send());
    spawnable(shop.put(&order).condition(|o| o.total.gt(1)).returning_old().send());
    spawnable(shop.create(&order).send());
    spawnable(shop.create(&order).or_existing().send());
    spawnable(shop.update(key()).change(|o| o.total.add(1)).send());
    spawnable(shop.update(key()).change(|o| o.total.add(1)).returning_new().send());
    spawnable(shop.modify(key(), |order| order.total += 1).send());
    spawnable(shop.delete(key()).send());
    spawnable(shop.delete(&order).returning_old().send());
    spawnable(shop.delete_all(Order::by_id("o1")).send());
    spawnable(shop.check(key()).condition(|o| o.total.gt(1)).send());
    spawnable(shop.transact().add(shop.put(&order)).add(shop.delete(key())).send());
    spawnable(shop.transact_get((key(), Account::key("a1"))).send());
    spawnable(shop.query(Order::by_id("o1")).send());
    spawnable(shop.query(Order::by_id("o1")).filter(|o| o.total.gt(1)).all());
    spawnable(shop.query(Order::by_id("o1")).first());
    spawnable(shop.query(Order::by_id("o1")).count());
    spawnable(shop.collection(Page::by_id("o1")).send());
    spawnable(shop.collection(Page::by_id("o1")).limit_of::<Order>(1).send());
    let entries = || shop.collection(Entry::by_id("o1"));
    spawnable(entries().send());
    spawnable(entries().all());
    spawnable(entries().first());
    let mut stream = entries().stream();
    spawnable(
        async move { stream.try_next().await.map(|one| one.map(|Entry::Order(order)| order)) },
    );
    spawnable(shop.full_scan().all_of::<Order>());
    spawnable(shop.get(key()).with_capacity().send());
    spawnable(shop.put(&order).with_capacity().send());
    spawnable(shop.update(key()).change(|o| o.total.add(1)).with_capacity().send());
    spawnable(shop.modify(key(), |order| order.total += 1).with_capacity().send());
    spawnable(shop.query(Order::by_id("o1")).with_capacity().all());
    spawnable(shop.full_scan().with_capacity().all_of::<Order>());
    spawnable(shop.transact().add(shop.put(&order)).with_capacity().send());
    spawnable(shop.full_scan().of::<Order>().all());
    spawnable(shop.create_table().send());
    spawnable(shop.verify().send());
    spawnable(shop.delete_table().send());
}

#[test]
fn writes_of_an_item_that_they_change_are_sent_to_other_threads() {
    let shop = table::<Shop>();
    let order = Order { id: "o1".into(), total: 1 };
    let mut account = Account { id: "a1".into(), email: "a@shop.example".into(), v: 0 };
    sendable(shop.update(&order).change(|o| o.total.add(1)).send());
    sendable(shop.upsert(&order).change(|o| o.total.add(1)).send());
    sendable(shop.create(&mut account).send());
    sendable(shop.create(&mut account).with_capacity().send());
    sendable(shop.upsert(&order).change(|o| o.total.add(1)).with_capacity().send());
    sendable(shop.update(&mut account).change(|a| a.email.set("b@shop.example")).send());
    sendable(shop.delete(&account).send());
    sendable(shop.transact().add(shop.create(&mut account)).send());
    spawnable(async move {
        let mut account = account;
        shop.create(&mut account).send().await.map(|()| account)
    });
}
