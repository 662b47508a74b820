use monotable::op::Explanation;
use monotable::{Entity, Error, ItemCollection, Table};
use serde_json::Value;
use tests::models::library::{Book, Library, Note, book};
use tests::models::shop::{
    Customer, Order, OrderLine, OrderPage, OrderSummary, Shop, Status, customers, line, order,
};
use tests::recorder::{Recorder, Sent};

#[derive(ItemCollection)]
#[collection(table = Shop, pk = "ORDER#<order_id>")]
#[allow(dead_code)]
enum OrderItem {
    Order(Order),
    Line(OrderLine),
}

/// A table of that name, whatever the engine calls it.
fn offline<T: monotable::Schema>(name: &str) -> Table<T> {
    Table::new(monotable::testing::local_client("http://127.0.0.1:1").unwrap(), name)
}

fn snapshot(name: &str, explained: Result<Explanation, Error>) {
    insta::assert_snapshot!(name, explained.unwrap().to_string());
}

#[test]
fn every_operation() {
    let shop = offline::<Shop>("shop");
    let library = offline::<Library>("library");
    let ana = Customer { customer_id: "c#42".into(), name: "Ana Ruiz".into() };
    let pending = order("o1033", Status::Pending, 0);
    let shipped = Order { status: Status::Shipped, ..pending.clone() };
    let note = Note { branch: "north".into(), reader: "r1".into(), id: 7, text: "x".into() };
    let shelved = Book { isbn: Some("978-1".into()), shelf: Some(7), ..book(1, "Zen") };

    snapshot("get", shop.get(Customer::key("c#42")).explain());
    snapshot("get_consistent", shop.get(&ana).consistent().explain());
    snapshot("put", shop.put(&ana).explain());
    snapshot("put_in_index", shop.put(&pending).explain());
    snapshot("put_out_of_index", shop.put(&shipped).explain());
    snapshot("put_line", shop.put(&line("o1033", 1, 4)).explain());
    snapshot("put_typed", library.put(&note).explain());
    snapshot("put_indexes", library.put(&shelved).explain());
    snapshot("create", shop.create(&ana).explain());
    snapshot("delete", shop.delete(&ana).explain());
    snapshot("exists", shop.exists(Customer::key("c#42")).explain());
    snapshot("exists_consistent", library.exists(&shelved).consistent().explain());
    let keys = [Customer::key("c2"), Customer::key("c1"), Customer::key("c2")];
    snapshot("batch_get", shop.batch_get(&keys).explain());
    snapshot("batch_get_consistent", shop.batch_get(&customers(101)).consistent().explain());
    let batch = || shop.batch_write().put(&ana).put(&pending).delete(Order::key("o1"));
    snapshot("batch_write", batch().explain());
    snapshot("batch_write_last_wins", batch().delete(&ana).last_wins().explain());
    snapshot("batch_write_chunks", shop.batch_write().delete_keys(&customers(26)).explain());
    snapshot("batch_of_nothing", shop.batch_write().explain());
    snapshot("delete_all", shop.delete_all(OrderSummary::by_customer_id("c42")).explain());
    snapshot(
        "delete_all_consistent",
        library.delete_all(Book::by_title("north")).consistent().explain(),
    );
    snapshot("check", shop.check(&ana).explain());
    let archive = offline::<Shop>("archive");
    let transaction = shop.transact().add(shop.delete(&pending)).add(archive.create(&pending));
    let transaction = transaction.add(shop.check(&ana)).add(library.put(&note));
    snapshot("transact", transaction.client_token("t1").explain());
    let keys = (Order::key("o1033"), &ana, library.get(&note));
    snapshot("transact_get", shop.transact_get(keys).explain());
    let page = || shop.collection(OrderPage::by_order_id("o1033"));
    snapshot("collection", page().explain());
    snapshot("collection_latest", page().descending().limit_of::<OrderLine>(20).explain());
    snapshot("collection_first", page().limit_of::<OrderLine>(20).explain());
    let range = OrderLine::by_order_id("o1033").line_range(2..=5);
    snapshot("collection_range", page().range_of(range).consistent().explain());
    let items = shop.collection(OrderItem::by_order_id("o1033"));
    snapshot("collection_items", items.descending().limit(3).explain());
    let scan = shop.full_scan().segments(2).page_size(10).capacity_per_second(5.0).consistent();
    snapshot("scan", scan.explain());
    snapshot("scan_plain", shop.full_scan().explain());
    let scan = shop.full_scan().segments(2).capacity_per_second(5.0).of::<Customer>();
    snapshot("scan_budget", scan.explain());
    snapshot("scan_kind", library.full_scan().of::<Note>().explain());
    let shelves = library.full_scan().index("by_shelf").filter::<Book, _>(|b| b.title.eq("a"));
    snapshot("scan_index", shelves.explain());
}

#[derive(Debug, serde::Deserialize, monotable::Projection)]
#[projection(entity = Book)]
struct Title {
    #[serde(rename = "title")]
    _title: String,
}

#[test]
fn reads_of_a_part() {
    let library = offline::<Library>("library");
    let key = || Book::key("north", 7);
    snapshot("get_select", library.get(key()).select::<Title>().explain());
    snapshot("batch_get_select", library.batch_get([key()]).select::<Title>().explain());
    let keys = (library.get(key()).select::<Title>(), library.get(Book::key("north", 8)));
    snapshot("transact_get_select", library.transact_get(keys).explain());
    let shelf = || library.query(Book::by_shelf(7).id_range(..=9)).descending();
    snapshot("query_select", shelf().select::<Title>().explain());
    snapshot("query_keys", shelf().keys().explain());
    snapshot("query_select_of_a_local_index", {
        library.query(Book::by_title("north")).select::<Title>().explain()
    });
    let explained = shelf().hydrate().explain().unwrap();
    assert_eq!(explained.to_string(), shelf().keys().explain().unwrap().to_string());
}

#[test]
fn costs_are_bounded_by_the_limits() {
    let shop = offline::<Shop>("shop");
    let get = shop.get(Customer::key("c1"));
    assert_eq!(get.explain().unwrap().max_read_units(), 50.0);
    assert_eq!(get.consistent().explain().unwrap().max_read_units(), 100.0);
    let ana = Customer { customer_id: "c1".into(), name: "Ana".into() };
    let put = shop.put(&ana).explain().unwrap();
    // The replaced item may have 400 KB, and be in both indexes, which a customer is not.
    assert_eq!((put.max_read_units(), put.max_write_units()), (0.0, 1200.0));
    // An order in its index leaves one place there for another.
    let pending = shop.put(&order("o1", Status::Pending, 0)).explain().unwrap();
    assert_eq!(pending.max_write_units(), 1600.0);
    // Twice that in a transaction. A check touches no index.
    let both = shop.transact().add(shop.put(&ana)).add(shop.check(Customer::key("c2")));
    assert_eq!(both.explain().unwrap().max_write_units(), 2400.0 + 800.0);
    let check = shop.check(Customer::key("c2")).explain().unwrap();
    assert_eq!((check.max_read_units(), check.max_write_units()), (0.0, 800.0));
    let keys = (Customer::key("c1"), Customer::key("c2"));
    assert_eq!(shop.transact_get(keys).explain().unwrap().max_read_units(), 400.0);
    let query = shop.query(OrderSummary::by_customer_id("c1"));
    assert_eq!(query.explain().unwrap().max_read_units(), 178.0);
    assert_eq!(query.limit(2).explain().unwrap().max_read_units(), 100.0);
    let batch = shop.batch_get(&customers(101)).explain().unwrap();
    assert_eq!((batch.max_read_units(), batch.max_write_units()), (5050.0, 0.0));
    let batch = shop.batch_write().put_all(&customers(26)).delete(&ana).explain().unwrap();
    assert_eq!((batch.max_read_units(), batch.max_write_units()), (0.0, 32_400.0));
    // The deletes are not known yet.
    let delete = shop.delete_all(OrderSummary::by_customer_id("c1")).explain().unwrap();
    assert_eq!((delete.max_read_units(), delete.max_write_units()), (178.0, 0.0));
}

/// What goes out is what `explain` shows, member for member.
#[tokio::test]
async fn the_wire_carries_what_explain_shows() {
    tests::bench::on_table::<Shop, _>("wire", |bench| async move {
        let shop = &bench.table;
        let ana = Customer { customer_id: "c#42".into(), name: "Ana \"Ruiz\"\n".into() };
        let pending = order("o1033", Status::Pending, 0);
        let check = |explained: Explanation, sent: Vec<Sent>| {
            let told: Vec<(String, Value)> = explained
                .requests()
                .iter()
                .map(|request| {
                    let body = serde_json::from_str(&request.body()).unwrap();
                    (request.operation().to_owned(), body)
                })
                .collect();
            let mut sent: Vec<(String, Value)> =
                sent.into_iter().map(|sent| (sent.operation, sent.body)).collect();
            // Shards are asked at once, in no order.
            let pk =
                |(_, body): &(String, Value)| body["ExpressionAttributeValues"][":pk"].to_string();
            sent.sort_by_key(pk);
            assert_eq!(sent, told);
        };
        let recorder: &Recorder = &bench.recorder;

        let create = shop.create(&ana);
        let explained = create.explain().unwrap();
        create.send().await.unwrap();
        check(explained, recorder.take());
        let put = shop.put(&pending);
        let explained = put.explain().unwrap();
        put.send().await.unwrap();
        check(explained, recorder.take());
        let get = shop.get(&ana).consistent();
        let explained = get.explain().unwrap();
        get.send().await.unwrap();
        check(explained, recorder.take());
        let transaction = shop.transact().add(shop.check(&ana)).add(shop.put(&pending));
        let transaction = transaction.client_token("t1");
        let explained = transaction.explain().unwrap();
        transaction.send().await.unwrap();
        check(explained, recorder.take());
        let get = shop.transact_get((&ana, Order::key("o1033")));
        let explained = get.explain().unwrap();
        get.send().await.unwrap();
        check(explained, recorder.take());
        let delete = shop.delete(&ana);
        let explained = delete.explain().unwrap();
        delete.send().await.unwrap();
        check(explained, recorder.take());
        let query = shop.query(OrderSummary::by_customer_id("c42")).descending().limit(2);
        let explained = query.explain().unwrap();
        query.send().await.unwrap();
        check(explained, recorder.take());
        let query = shop.query(Order::by_status(Status::Pending)).page_size(3);
        let explained = query.explain().unwrap();
        query.send().await.unwrap();
        check(explained, recorder.take());
        let exists = shop.exists(&ana).consistent();
        let explained = exists.explain().unwrap();
        exists.send().await.unwrap();
        check(explained, recorder.take());
        let batch = shop.batch_write().put(&ana).delete(Order::key("o1"));
        let explained = batch.explain().unwrap();
        batch.send().await.unwrap();
        check(explained, recorder.take());
        let batch = shop.batch_get([Customer::key("c2"), ana.key()]).consistent();
        let explained = batch.explain().unwrap();
        batch.send().await.unwrap();
        check(explained, recorder.take());
        let delete = shop.delete_all(OrderSummary::by_customer_id("c42"));
        let explained = delete.explain().unwrap();
        delete.send().await.unwrap();
        check(explained, recorder.take());
        let collection = shop.collection(OrderPage::by_order_id("o1033")).consistent();
        let explained = collection.explain().unwrap();
        collection.send().await.unwrap();
        check(explained, recorder.take());
        let scan = shop.full_scan().page_size(2);
        let explained = scan.explain().unwrap();
        let _ = scan.all().await.unwrap();
        let mut sent = recorder.take();
        sent.truncate(1);
        check(explained, sent);
    })
    .await;
}
