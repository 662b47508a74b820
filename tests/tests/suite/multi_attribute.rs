//! Indexes whose keys have several attributes:
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html>.

use monotable::{Bytes, Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{Bench, eventually, on_table};

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Invoice, Draft))]
#[gsi(by_region, pk = ["tenant", "region"], sk = ["status", ("amount", N), "id"])]
#[gsi(by_month, pk = ["GSI2PK", "tenant"], sk = ["GSI2SK", ("digest", B)])]
struct Invoices;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "lowercase")]
enum Status {
    Open,
    Paid,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Invoices, pk = "INVOICE#<id>")]
#[index(by_region, pk = ["<tenant>", "<region>"], sk = ["<status>", "<amount>", "<id>"])]
#[index(by_month, pk = ["MONTH#<month:2>", "<tenant>"], sk = ["D#<day:2>#<number:4>", "<digest>"],
        only_when(status = Status::Open))]
struct Invoice {
    id: String,
    tenant: String,
    region: Option<String>,
    status: Status,
    amount: i64,
    month: u8,
    day: u8,
    number: u16,
    digest: Bytes,
}

/// Has one attribute of `by_region`, and so is in none of the indexes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Invoices, pk = "DRAFT#<draft>")]
struct Draft {
    draft: String,
}

fn invoice(id: &str, status: Status, amount: i64) -> Invoice {
    Invoice {
        id: id.into(),
        tenant: "t#1".into(),
        region: Some("eu".into()),
        status,
        amount,
        month: 9,
        day: 3,
        number: 7,
        digest: Bytes::from([0u8, 255]),
    }
}

async fn fill(bench: &Bench<Invoices>) -> [Invoice; 5] {
    let items = [
        invoice("i1", Status::Open, -5),
        invoice("i2", Status::Open, 40),
        invoice("i3", Status::Open, 40),
        invoice("i4", Status::Open, 300),
        invoice("i5", Status::Paid, 40),
    ];
    for item in &items {
        bench.table.put(item).send().await.unwrap();
    }
    let other = Invoice { region: Some("us".into()), ..invoice("i6", Status::Open, 40) };
    bench.table.put(&other).send().await.unwrap();
    let all = || bench.table.query(Invoice::by_tenant_and_region("t#1", "eu"));
    eventually(5, || async { all().count().await.unwrap() }).await;
    items
}

#[tokio::test]
async fn equality_from_the_left_and_a_range_on_the_last() {
    on_table::<Invoices, _>("multi", |bench| async move {
        let items = fill(&bench).await;
        let table = &bench.table;
        let by_region = || Invoice::by_tenant_and_region("t#1", "eu");
        let open = || by_region().status(Status::Open);

        assert_eq!(table.query(by_region()).page_size(2).all().await.unwrap(), items);
        let descending = table.query(by_region()).descending().limit(2).send().await.unwrap();
        assert_eq!(descending.items, [items[4].clone(), items[3].clone()]);
        assert_eq!(table.query(open()).all().await.unwrap(), items[..4]);
        assert_eq!(table.query(open().amount(40)).all().await.unwrap(), items[1..3]);
        assert_eq!(table.query(open().amount(40).id("i3")).all().await.unwrap(), items[2..3]);
        assert_eq!(table.query(open().amount(40).id_prefix("i")).all().await.unwrap(), items[1..3]);
        assert_eq!(table.query(open().amount_range(-5..300)).all().await.unwrap(), items[..3]);
        assert_eq!(table.query(open().amount_range(41..)).all().await.unwrap(), items[3..4]);
        assert_eq!(table.query(open().amount(40).id_range("i2"..="i2")).count().await.unwrap(), 1);
        assert_eq!(table.query(open().amount(40).id_range("i3".."i3")).count().await.unwrap(), 0);
        let us =
            table.query(Invoice::by_tenant_and_region("t#1", "us")).keys().all().await.unwrap();
        assert_eq!(us, [Invoice::key("i6")]);
    })
    .await;
}

#[tokio::test]
async fn templates_and_bytes_of_an_index() {
    on_table::<Invoices, _>("multi-templates", |bench| async move {
        let items = fill(&bench).await;
        let table = &bench.table;
        let late = Invoice { day: 28, digest: Bytes::from([7u8]), ..items[0].clone() };
        table.put(&late).send().await.unwrap();
        let by_month = || Invoice::by_month_and_tenant(9, "t#1");
        eventually(5, || async { table.query(by_month()).count().await.unwrap() }).await;
        // `only_when` leaves the paid one out.
        let late_only = table.query(by_month().day_range(20..)).all().await.unwrap();
        assert_eq!(late_only, [late]);
        let digest = Bytes::from([0u8, 255]);
        let exact = || by_month().day(3).number(7);
        assert_eq!(table.query(exact()).count().await.unwrap(), 4);
        assert_eq!(table.query(exact().digest(digest.clone())).count().await.unwrap(), 4);
        assert_eq!(table.query(exact().digest_range(..digest)).count().await.unwrap(), 0);
    })
    .await;
}

#[tokio::test]
async fn an_item_without_one_of_the_attributes_is_not_in_the_index() {
    on_table::<Invoices, _>("multi-sparse", |bench| async move {
        let items = fill(&bench).await;
        let table = &bench.table;
        table.put(&Draft { draft: "d".into() }).send().await.unwrap();
        table.update(Invoice::key("i1")).change(|i| i.region.remove()).send().await.unwrap();
        let by_region = || Invoice::by_tenant_and_region("t#1", "eu");
        eventually(items[1..].to_vec(), || async { table.query(by_region()).all().await.unwrap() })
            .await;
        // The condition decides about `GSI2PK`, the first attribute that is no field.
        table
            .update(Invoice::key("i2"))
            .change(|i| i.status_and_month.set(Status::Paid, 9))
            .send()
            .await
            .unwrap();
        let stored = table.client().get_item().table_name(table.name());
        let stored = stored.set_key(Some(Invoice::key("i2").to_item().unwrap())).send().await;
        let stored = stored.unwrap().item.unwrap();
        assert!(!stored.contains_key("GSI2PK"));
        assert!(stored.contains_key("GSI2SK"));
        let by_month = || table.query(Invoice::by_month_and_tenant(9, "t#1"));
        eventually(4, || async { by_month().count().await.unwrap() }).await;
    })
    .await;
}

#[tokio::test]
async fn the_table_has_the_keys_in_their_order() {
    on_table::<Invoices, _>("multi-verify", |bench| async move {
        bench.table.verify().send().await.unwrap();
        let table = bench.table.client().describe_table().table_name(bench.table.name());
        let table = table.send().await.unwrap().table.unwrap();
        let index = |name: &str| {
            let indexes = table.global_secondary_indexes();
            let index = indexes.iter().find(|index| index.index_name() == Some(name)).unwrap();
            let keys = index.key_schema().iter();
            keys.map(|key| format!("{} {}", key.attribute_name(), key.key_type()))
                .collect::<Vec<_>>()
        };
        assert_eq!(
            index("by_region"),
            ["tenant HASH", "region HASH", "status RANGE", "amount RANGE", "id RANGE"]
        );

        let layout = Invoices::layout();
        assert!(
            layout.contains("  gsi by_region tenant S, region S + status S, amount N, id S, all\n"),
            "{layout}"
        );
        assert!(layout.contains("  GSI2SK = D#<day:2>#<number:4>\n"), "{layout}");
    })
    .await;
}

#[tokio::test]
async fn each_attribute_is_a_valid_key() {
    on_table::<Invoices, _>("multi-limits", |bench| async move {
        let table = &bench.table;
        let long = Invoice { tenant: "x".repeat(2049), ..invoice("i1", Status::Open, 1) };
        let error = table.put(&long).send().await.unwrap_err();
        assert!(error.is_invalid_key());
        assert!(error.to_string().contains("attribute `tenant`"), "{error}");
        let error = table.query(Invoice::by_tenant_and_region("t", "")).all().await.unwrap_err();
        assert!(error.to_string().contains("attribute `region`"), "{error}");
        let empty = Invoice { digest: Bytes::from(Vec::new()), ..invoice("i1", Status::Open, 1) };
        let error = table.put(&empty).send().await.unwrap_err();
        assert!(error.to_string().contains("attribute `digest`"), "{error}");
        assert_eq!(bench.recorder.take().len(), 0);

        let report = Invoices::inspect(&invoice("i1", Status::Open, 1).to_item().unwrap());
        assert!(report.is_faithful(), "{report}");
        let keys: Vec<_> = report.keys.iter().map(|key| key.attribute).collect();
        assert_eq!(
            keys,
            ["PK", "tenant", "region", "status", "amount", "id", "GSI2PK", "GSI2SK", "digest"]
        );
    })
    .await;
}
