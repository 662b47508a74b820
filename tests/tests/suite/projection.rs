//! Projections: the same fields as the whole item has, whatever is read.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::time::{Duration, UNIX_EPOCH};

use monotable::{Document, Entity, Projection, Set, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{Bench, eventually, on_table};
use tests::models::library::{Book, Library, Loan, Note, book};
use tests::recorder::Sent;
use tests::tape::Tape;

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "sku", type_attribute = "_et", ttl = "expiresAt", entities(Part))]
#[lsi(by_price, sk = "LSI1SK", projection = include("expiresAt"))]
#[gsi(by_maker, pk = "GSI1PK")]
#[gsi(by_size, pk = "GSI2PK", projection = include("size", "a.b", "expiresAt"))]
struct Parts;

/// Names that are reserved words, that have dots, and that serde renames.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Parts, pk = "PLANT#<plant>", sk = "<sku>", ttl = expires_at)]
#[index(by_price, sk = "<list_price:8>", name = "by_price")]
#[index(by_maker, pk = "MAKER#<maker>")]
#[index(by_size, pk = "SIZE#<width:3>", name = "by_size")]
#[serde(rename_all = "camelCase")]
struct Part {
    plant: String,
    sku: String,
    list_price: u32,
    maker: String,
    #[serde(rename = "size")]
    width: u8,
    #[serde(rename = "a.b")]
    dotted: Option<i64>,
    #[serde(rename = "user")]
    owner: Option<String>,
    tags: Set<String>,
    address: Address,
    notes: Vec<String>,
    expires_at: Option<u64>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
struct Address {
    city: String,
    zip: Option<String>,
}

/// Defines a projection, and how it is made of the whole.
macro_rules! projections {
    ($($(#[$attr:meta])* $name:ident { $($(#[$field_attr:meta])* $field:ident: $ty:ty,)* })*) => {$(
        #[derive(Debug, Clone, PartialEq, Deserialize, Projection)]
        #[projection(entity = Part)]
        #[serde(deny_unknown_fields)]
        $(#[$attr])*
        struct $name { $($(#[$field_attr])* $field: $ty,)* }

        impl From<&Part> for $name {
            fn from(part: &Part) -> Self {
                $name { $($field: part.$field.clone(),)* }
            }
        }
    )*};
}

projections! {
    #[serde(rename_all = "camelCase")]
    Price { list_price: u32, sku: String, }

    SizeOnly {
        #[serde(rename = "a.b")]
        dotted: Option<i64>,
        #[serde(rename = "size")]
        width: u8,
    }

    Owner {
        #[serde(rename = "user")]
        owner: Option<String>,
    }

    #[serde(rename_all(deserialize = "camelCase", serialize = "kebab-case"))]
    Contents { tags: Set<String>, address: Address, notes: Vec<String>, expires_at: Option<u64>, }

    #[serde(rename_all = "camelCase")]
    Everything {
        expires_at: Option<u64>,
        notes: Vec<String>,
        address: Address,
        tags: Set<String>,
        #[serde(rename = "user")]
        owner: Option<String>,
        #[serde(rename = "a.b")]
        dotted: Option<i64>,
        #[serde(rename = "size")]
        width: u8,
        maker: String,
        list_price: u32,
        sku: String,
        plant: String,
    }
}

fn part(tape: &mut Tape<'_>, number: usize) -> Part {
    let texts = |tape: &mut Tape<'_>| (0..tape.below(3)).map(|_| tape.text()).collect::<Vec<_>>();
    Part {
        plant: "p".into(),
        sku: format!("{number:03}{}", tape.text()),
        list_price: u32::try_from(number).unwrap() * 10,
        maker: "m".into(),
        width: 7,
        dotted: tape.rarely(2).then(|| i64::from(tape.word()) - 1000),
        owner: tape.rarely(2).then(|| tape.text()),
        tags: texts(tape).into_iter().collect::<BTreeSet<_>>().into_iter().collect(),
        address: Address { city: tape.text(), zip: tape.rarely(2).then(|| tape.text()) },
        notes: texts(tape),
        expires_at: tape.rarely(2).then_some(4_000_000_000),
    }
}

/// Every read of a projection against the same fields of the whole items, which are in order.
async fn reads_the_same<P>(table: &Table<Parts>, parts: &[Part])
where
    P: Projection<Entity = Part> + for<'a> From<&'a Part> + Clone + PartialEq + Debug,
{
    let expected: Vec<P> = parts.iter().map(P::from).collect();
    let each: Vec<_> = expected.iter().cloned().map(Some).collect();
    for (part, expected) in parts.iter().zip(&each) {
        let get = || table.get(part).consistent().select::<P>();
        assert_eq!(get().send().await.unwrap(), *expected);
        assert_eq!(get().include_expired().send().await.unwrap(), *expected);
    }
    let batch = table.batch_get(parts).consistent().select::<P>();
    assert_eq!(batch.send().await.unwrap(), each);
    assert_eq!(table.transact_get(parts).select::<P>().send().await.unwrap(), each);
    let both = (table.get(&parts[0]).select::<P>(), &parts[1]);
    let both = table.transact_get(both).send().await.unwrap();
    assert_eq!(both, (each[0].clone(), Some(parts[1].clone())));

    let query = table.query(Part::by_plant("p").erase()).consistent().select::<P>();
    assert_eq!(query.all().await.unwrap(), expected);
    if tests::engine::local_indexes_fetch() {
        let query = table.query(Part::by_price("p").erase()).consistent().select::<P>();
        assert_eq!(query.all().await.unwrap(), expected);
    }
    let texts = |found: Vec<P>| {
        let texts: BTreeSet<_> = found.iter().map(|found| format!("{found:?}")).collect();
        texts
    };
    eventually(texts(expected.clone()), || async {
        texts(table.query(Part::by_maker("m").erase()).select::<P>().all().await.unwrap())
    })
    .await;
}

#[tokio::test]
async fn a_projection_is_the_same_fields_of_the_whole() {
    on_table::<Parts, _>("projection", |bench| async move {
        let mut seed = 7_u32;
        let words: Vec<u32> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            seed >> 8
        })
        .take(4000)
        .collect();
        let mut tape = Tape::new(&words);
        let parts: Vec<_> = (0..20).map(|number| part(&mut tape, number)).collect();
        bench.table.batch_write().put_all(&parts).send().await.unwrap();
        reads_the_same::<Price>(&bench.table, &parts).await;
        reads_the_same::<SizeOnly>(&bench.table, &parts).await;
        reads_the_same::<Owner>(&bench.table, &parts).await;
        reads_the_same::<Contents>(&bench.table, &parts).await;
        reads_the_same::<Everything>(&bench.table, &parts).await;
    })
    .await;
}

#[tokio::test]
async fn an_index_that_includes_the_attributes_is_enough() {
    on_table::<Parts, _>("projection-include", |bench| async move {
        let parts: Vec<_> = (0..5).map(|number| part(&mut Tape::new(&[1; 30]), number)).collect();
        bench.table.batch_write().put_all(&parts).send().await.unwrap();
        let expected: Vec<_> = parts.iter().map(SizeOnly::from).collect();
        eventually(expected, || async {
            bench.table.query(Part::by_size(7)).select::<SizeOnly>().all().await.unwrap()
        })
        .await;

        // Of an erased pattern only the request tells which index it reads.
        bench.recorder.take();
        let query = || bench.table.query(Part::by_size(7).erase()).select::<Price>();
        for error in [query().all().await.unwrap_err(), query().explain().unwrap_err()] {
            assert!(error.is_usage(), "{error}");
            let text = error.to_string();
            assert!(
                text.contains("index `by_size` does not project `listPrice` of `Part`"),
                "{text}"
            );
        }
        assert_eq!(bench.recorder.take(), []);
    })
    .await;
}

/// Held by the local index.
#[derive(Debug, PartialEq, Deserialize, Projection)]
#[projection(entity = Part)]
#[serde(rename_all = "camelCase")]
struct Expiry {
    sku: String,
    expires_at: Option<u64>,
}

#[tokio::test]
async fn a_local_index_fetches_whole_items_where_it_lacks_an_attribute() {
    on_table::<Parts, _>("projection-local", |bench| async move {
        let part = part(&mut Tape::new(&[1; 30]), 1);
        bench.table.put(&part).send().await.unwrap();
        bench.recorder.take();
        let query = || bench.table.query(Part::by_price("p")).consistent();
        let expected = Expiry { sku: part.sku.clone(), expires_at: part.expires_at };
        assert_eq!(query().select::<Expiry>().one().await.unwrap(), expected);
        if tests::engine::local_indexes_fetch() {
            let contents = query().select::<Contents>().one().await.unwrap();
            assert_eq!(contents, Contents::from(&part));
        }
        query().select::<Contents>().send().await.ok();
        let sent = bench.recorder.take();
        let held = ["LSI1SK", "PK", "_et", "expiresAt", "sku"].map(String::from);
        assert_eq!(names(&sent[0], &sent[0].body), BTreeSet::from(held));
        assert!(sent[0].body.get("Select").is_none());
        let last = &sent.last().unwrap().body;
        assert_eq!(last["Select"], "ALL_ATTRIBUTES");
        assert!(last.get("ProjectionExpression").is_none());
    })
    .await;
}

fn names(sent: &Sent, part: &serde_json::Value) -> BTreeSet<String> {
    let text = part["ProjectionExpression"].as_str().unwrap_or_else(|| panic!("{sent:?}"));
    let name = |alias: &str| part["ExpressionAttributeNames"][alias].as_str().unwrap().to_owned();
    text.split(", ").map(name).collect()
}

#[tokio::test]
async fn it_asks_for_what_it_names_the_key_the_type_and_the_time_to_live() {
    on_table::<Parts, _>("projection-requests", |bench| async move {
        let Bench { table, recorder } = &bench;
        let key = || Part::key("p", "s");
        let with_ttl = BTreeSet::from(["PK", "_et", "expiresAt", "sku", "user"].map(String::from));
        let without = BTreeSet::from(["PK", "_et", "sku", "user"].map(String::from));
        table.get(key()).select::<Owner>().send().await.unwrap();
        table.get(key()).include_expired().select::<Owner>().send().await.unwrap();
        table.batch_get([key()]).select::<Owner>().send().await.unwrap();
        table.transact_get(vec![key()]).select::<Owner>().send().await.unwrap();
        table.transact_get(vec![key()]).select::<Owner>().include_expired().send().await.unwrap();
        table.query(Part::by_plant("p")).select::<Owner>().all().await.unwrap();
        let sent = recorder.take();
        assert_eq!(names(&sent[0], &sent[0].body), with_ttl);
        assert_eq!(names(&sent[1], &sent[1].body), without);
        assert_eq!(names(&sent[2], &sent[2].body["RequestItems"][table.name()]), with_ttl);
        assert_eq!(names(&sent[3], &sent[3].body["TransactItems"][0]["Get"]), with_ttl);
        assert_eq!(names(&sent[4], &sent[4].body["TransactItems"][0]["Get"]), without);
        // The filter sees the time to live on its own.
        assert_eq!(names(&sent[5], &sent[5].body), without);
        let explained = [
            table.get(key()).select::<Owner>().explain(),
            table.get(key()).include_expired().select::<Owner>().explain(),
            table.batch_get([key()]).select::<Owner>().explain(),
            table.transact_get(vec![key()]).select::<Owner>().explain(),
        ];
        for (explained, sent) in explained.into_iter().zip(&sent) {
            let body = explained.unwrap().requests()[0].body();
            assert_eq!(serde_json::from_str::<serde_json::Value>(&body).unwrap(), sent.body);
        }
    })
    .await;
}

#[tokio::test]
async fn expired_items_are_absent() {
    on_table::<Parts, _>("projection-ttl", |bench| async move {
        let at = |second| bench.table.with_clock(move || UNIX_EPOCH + Duration::from_secs(second));
        let part = Part { expires_at: Some(100), ..part(&mut Tape::new(&[]), 1) };
        at(0).put(&part).send().await.unwrap();
        let expected = || Some(Owner::from(&part));
        for (second, found) in [(99, expected()), (100, None)] {
            let table = at(second);
            let get = || table.get(&part).consistent().select::<Owner>();
            assert_eq!(get().send().await.unwrap(), found);
            assert_eq!(get().include_expired().send().await.unwrap(), expected());
            let batch = || table.batch_get([part.key()]).consistent().select::<Owner>();
            assert_eq!(batch().send().await.unwrap(), std::slice::from_ref(&found));
            assert_eq!(batch().include_expired().send().await.unwrap(), [expected()]);
            let get = || table.transact_get(vec![part.key()]).select::<Owner>();
            assert_eq!(get().send().await.unwrap(), std::slice::from_ref(&found));
            assert_eq!(get().include_expired().send().await.unwrap(), [expected()]);
            let query = || table.query(Part::by_plant("p")).consistent().select::<Owner>();
            assert_eq!(query().first().await.unwrap(), found);
            assert_eq!(query().include_expired().first().await.unwrap(), expected());
        }
    })
    .await;
}

/// Fits a note as well.
#[derive(Debug, PartialEq, Deserialize, Projection)]
#[projection(entity = Loan)]
struct LoanRow {
    reader: String,
    due: Option<chrono::NaiveDate>,
}

#[derive(Debug, PartialEq, Deserialize, Projection)]
#[projection(entity = Book)]
struct Title {
    title: String,
    #[serde(skip)]
    is_read: bool,
}

#[tokio::test]
async fn an_item_of_another_kind_is_none() {
    on_table::<Library, _>("projection-kind", |bench| async move {
        let table = &bench.table;
        let loan = Loan { branch: "north".into(), reader: "r1".into(), id: 7, due: None };
        let note = Note { branch: "north".into(), reader: "r1".into(), id: 7, text: "x".into() };
        table.put(&loan).send().await.unwrap();
        table.put(&note).send().await.unwrap();
        let rows = table.query(Loan::by_branch("north")).consistent().select::<LoanRow>();
        assert_eq!(rows.all().await.unwrap(), [LoanRow { reader: "r1".into(), due: None }]);
        let key = Loan::raw_key("BRANCH#north", "LOAN#r1#000007#NOTE");
        let error = table.get(key).consistent().select::<LoanRow>().send().await.unwrap_err();
        assert!(error.is_decode() && error.to_string().contains("`Note`"), "{error}");

        // Without the type attribute the key tells, also of an item that is at hand.
        let mut item = note.to_item().unwrap();
        item.remove("_et");
        let error = LoanRow::from_item(item).unwrap_err();
        assert!(error.is_decode() && error.to_string().contains("`Note`"), "{error}");
        let row = LoanRow::from_item(loan.to_item().unwrap()).unwrap();
        assert_eq!(row, LoanRow { reader: "r1".into(), due: None });
    })
    .await;
}

#[tokio::test]
async fn a_missing_attribute_names_the_item_and_a_skipped_field_is_not_read() {
    on_table::<Library, _>("projection-missing", |bench| async move {
        let zen = book(1, "Zen");
        bench.table.put(&zen).send().await.unwrap();
        let get = || bench.table.get(&zen).consistent().select::<Title>();
        let title = Title { title: "Zen".into(), is_read: false };
        assert_eq!(get().send().await.unwrap(), Some(title));
        assert_eq!(
            bench.table.get(Book::key("north", 2)).select::<Title>().send().await.unwrap(),
            None
        );

        let mut item = zen.to_item().unwrap();
        item.remove("title");
        let error = Title::from_item(item).unwrap_err();
        assert!(error.is_decode(), "{error}");
        let text = error.to_string();
        assert!(text.contains("title") && text.contains("BRANCH#north + BOOK#000001"), "{text}");
    })
    .await;
}
