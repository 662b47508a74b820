use std::ops::Bound;

use futures_util::TryStreamExt;
use monotable::{Entity, Key, Table};
use serde::{Deserialize, Serialize};
use tests::bench::{eventually, on_table};
use tests::models::library::{Library, Loan, Note};
use tests::models::shop::{Customer, OrderSummary, Shop, date, summary};

fn ids(orders: &[OrderSummary]) -> Vec<&str> {
    orders.iter().map(|order| order.order_id.as_str()).collect()
}

/// Five orders around the ends of September, the customer's profile, and another customer's order.
async fn fill(table: &Table<Shop>) {
    let days = [
        (date(2026, 8, 31), "o1"),
        (date(2026, 9, 1), "o2"),
        (date(2026, 9, 14), "o3"),
        (date(2026, 9, 30), "o4"),
        (date(2026, 10, 1), "o5"),
    ];
    for (day, id) in days {
        table.put(&summary(day, id)).send().await.unwrap();
    }
    let ana = Customer { customer_id: "c42".into(), name: "Ana".into() };
    table.put(&ana).send().await.unwrap();
    let other = OrderSummary { customer_id: "c4".into(), ..summary(date(2026, 9, 2), "x") };
    table.put(&other).send().await.unwrap();
}

#[tokio::test]
async fn every_form_of_a_pattern() {
    on_table::<Shop, _>("query-forms", |bench| async move {
        let shop = &bench.table;
        fill(shop).await;
        bench.recorder.take();
        let c42 = || OrderSummary::by_customer_id("c42");

        let all = shop.query(c42()).all().await.unwrap();
        assert_eq!(ids(&all), ["o1", "o2", "o3", "o4", "o5"]);
        let back = shop.query(c42()).descending().all().await.unwrap();
        assert_eq!(ids(&back), ["o5", "o4", "o3", "o2", "o1"]);

        let september = date(2026, 9, 1)..=date(2026, 9, 30);
        let found = shop.query(c42().date_range(september)).all().await.unwrap();
        assert_eq!(ids(&found), ["o2", "o3", "o4"]);
        let found = shop.query(c42().date_range(date(2026, 9, 1)..date(2026, 9, 30)));
        assert_eq!(ids(&found.all().await.unwrap()), ["o2", "o3"]);
        let found = shop.query(c42().date_range(date(2026, 9, 14)..)).all().await.unwrap();
        assert_eq!(ids(&found), ["o3", "o4", "o5"]);
        let found = shop.query(c42().date_range(..=date(2026, 9, 1))).all().await.unwrap();
        assert_eq!(ids(&found), ["o1", "o2"]);
        let found = shop.query(c42().date_prefix("2026-09")).all().await.unwrap();
        assert_eq!(ids(&found), ["o2", "o3", "o4"]);
        let found = shop.query(c42().date(date(2026, 9, 14))).all().await.unwrap();
        assert_eq!(ids(&found), ["o3"]);
        let found = shop.query(c42().date(date(2026, 9, 14)).order_id("o3")).all().await.unwrap();
        assert_eq!(ids(&found), ["o3"]);
        let found = shop.query(c42().date(date(2026, 9, 14)).order_id_range("o2".."o3"));
        assert!(found.all().await.unwrap().is_empty());

        // Each of them is one request.
        assert_eq!(bench.recorder.operations(), ["Query"; 10]);
    })
    .await;
}

#[tokio::test]
async fn consistent_first_and_erased_patterns() {
    on_table::<Shop, _>("query-first", |bench| async move {
        fill(&bench.table).await;
        let mut pattern = OrderSummary::by_customer_id("c42").erase();
        if bench.table.name().len() > 1 {
            pattern = OrderSummary::by_customer_id("c42").date_range(date(2026, 9, 2)..).erase();
        }
        let first = bench.table.query(pattern).consistent().first().await.unwrap();
        assert_eq!(first.unwrap().order_id, "o3");
        let nobody = bench.table.query(OrderSummary::by_customer_id("nobody"));
        assert_eq!(nobody.first().await.unwrap(), None);
    })
    .await;
}

#[tokio::test]
async fn what_can_find_nothing_sends_nothing() {
    on_table::<Shop, _>("query-nothing", |bench| async move {
        let shop = &bench.table;
        let c42 = || OrderSummary::by_customer_id("c42");
        let reversed = date(2026, 9, 30)..=date(2026, 9, 1);
        assert!(shop.query(c42().date_range(reversed.clone())).all().await.unwrap().is_empty());
        let empty = date(2026, 9, 1)..date(2026, 9, 1);
        assert_eq!(shop.query(c42().date_range(empty)).count().await.unwrap(), 0);
        // No cursor, which a loop would follow for ever.
        let page = shop.query(c42()).limit(0).send().await.unwrap();
        assert!(page.is_empty() && page.next.is_none());
        let page = shop.query(c42().date_range(reversed)).limit(0).send().await.unwrap();
        assert!(page.is_empty() && page.next.is_none());
        assert_eq!(shop.query(c42()).limit(0).first().await.unwrap(), None);
        let ids = || c42().date(date(2026, 9, 1));
        assert!(shop.query(ids().order_id_range(.."")).all().await.unwrap().is_empty());
        assert!(bench.recorder.take().is_empty());

        let error = shop.query(c42()).page_size(0).all().await.unwrap_err();
        assert!(error.to_string().contains("page size of 0"), "{error}");
        let error = shop.query(c42().date_prefix("2026-13")).all().await.unwrap_err();
        assert!(error.is_invalid_key() && error.to_string().contains("`2026-13`"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}

#[tokio::test]
async fn many_pages_are_right_in_each_terminal() {
    on_table::<Shop, _>("query-pages", |bench| async move {
        let shop = &bench.table;
        let expected: Vec<_> = (0..23).map(|n| format!("o{n:02}")).collect();
        for id in &expected {
            shop.put(&summary(date(2026, 9, 1), id)).send().await.unwrap();
        }
        bench.recorder.take();
        let query = || shop.query(OrderSummary::by_customer_id("c42")).page_size(5);

        assert_eq!(ids(&query().all().await.unwrap()), expected);
        assert_eq!(bench.recorder.take().len(), 5);
        assert_eq!(query().count().await.unwrap(), 23);
        assert_eq!(bench.recorder.take().len(), 5);
        assert_eq!(query().limit(7).count().await.unwrap(), 7);
        assert_eq!(query().keys().all().await.unwrap().len(), 23);
        bench.recorder.take();

        let page = query().send().await.unwrap();
        assert_eq!(
            (ids(&page), page.next.is_some()),
            (vec!["o00", "o01", "o02", "o03", "o04"], true)
        );
        assert_eq!(bench.recorder.take().len(), 1);
        for limit in [1, 4, 5, 6, 12, 22, 23, 24, 1000] {
            let page = query().limit(limit).send().await.unwrap();
            assert_eq!(ids(&page), expected[..limit.min(23)], "{limit}");
            // After exactly the last item DynamoDB does not know that nothing follows.
            assert!(page.next.is_some() == (limit < 23) || limit == 23, "{limit}");
            let all = query().limit(limit).all().await.unwrap();
            assert_eq!(ids(&all), expected[..limit.min(23)], "{limit}");
        }
        let back = query().descending().limit(6).all().await.unwrap();
        let reversed: Vec<_> = expected.iter().rev().take(6).map(String::as_str).collect();
        assert_eq!(ids(&back), reversed);

        bench.recorder.take();
        let streamed: Vec<_> = query().stream().try_collect().await.unwrap();
        assert_eq!(ids(&streamed), expected);
        assert_eq!(bench.recorder.take().len(), 5);
        let mut lazy = query().limit(9).stream();
        assert!(bench.recorder.take().is_empty());
        for id in &expected[..5] {
            assert_eq!(&lazy.try_next().await.unwrap().unwrap().order_id, id);
        }
        assert_eq!(bench.recorder.take().len(), 1);
        let rest: Vec<_> = lazy.try_collect().await.unwrap();
        assert_eq!(ids(&rest), expected[5..9]);
        assert_eq!(bench.recorder.take().len(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_limit_asks_for_no_more_than_it_returns() {
    on_table::<Shop, _>("query-limit", |bench| async move {
        fill(&bench.table).await;
        bench.recorder.take();
        let query = bench.table.query(OrderSummary::by_customer_id("c42"));
        let page = query.descending().limit(2).send().await.unwrap();
        assert_eq!(ids(&page), ["o5", "o4"]);
        let sent = bench.recorder.take();
        assert_eq!(sent.len(), 1);
        assert_eq!(sent[0].body["Limit"], 2);
        assert_eq!(sent[0].body["ScanIndexForward"], false);
    })
    .await;
}

#[tokio::test]
async fn pages_of_one_megabyte() {
    on_table::<Shop, _>("query-megabytes", |bench| async move {
        let shop = &bench.table;
        for n in 0..60 {
            shop.put(&tests::models::shop::line("o1", n, 50_000)).send().await.unwrap();
        }
        bench.recorder.take();
        let query = || shop.query(tests::models::shop::OrderLine::by_order_id("o1"));
        let lines = query().all().await.unwrap();
        let numbers: Vec<_> = lines.iter().map(|line| line.line).collect();
        assert_eq!(numbers, (0..60).collect::<Vec<_>>());
        let pages = bench.recorder.take().len();
        assert!((3..=4).contains(&pages), "{pages} pages");
        let on_a_page = tests::engine::items_of_50_kb_on_a_page();
        assert_eq!(query().count().await.unwrap(), 60);
        let page = query().send().await.unwrap();
        assert!(page.next.is_some() && on_a_page.contains(&page.len()), "{}", page.len());
    })
    .await;
}

#[derive(Debug, Table)]
#[table(pk = "PK", sk = "SK", entities(Word))]
#[gsi(by_text, pk = "GSI1PK", sk = "GSI1SK")]
struct Words;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Words, pk = "BOOK#<book>", sk = "WORD#<word>")]
#[index(by_text, pk = "ALL#<book>", sk = "W#<first>", name = "by_first")]
struct Word {
    book: String,
    word: String,
    first: String,
}

#[tokio::test]
async fn an_excluded_text_at_the_end_is_read_and_dropped() {
    on_table::<Words, _>("query-excluded", |bench| async move {
        let words = ["a", "ab", "b", "b\u{0}", "c", "c#", "ca"];
        for word in words {
            // Several items of the index lie on the bound `c`.
            let first = word[..1].to_owned();
            let item = Word { book: "b".into(), word: word.into(), first };
            bench.table.put(&item).send().await.unwrap();
        }
        use std::ops::Bound::{Excluded, Included, Unbounded};
        let found = async |start: Bound<&str>, end: Bound<&str>| {
            let range = (start.map(str::to_owned), end.map(str::to_owned));
            let query = bench.table.query(Word::by_book("b").word_range(range));
            let items = query.page_size(1).all().await.unwrap();
            items.into_iter().map(|item| item.word).collect::<Vec<_>>()
        };
        assert_eq!(found(Included("ab"), Excluded("c")).await, ["ab", "b", "b\u{0}"]);
        assert_eq!(found(Excluded("b"), Included("c")).await, ["b\u{0}", "c"]);
        assert_eq!(found(Unbounded, Excluded("b")).await, ["a", "ab"]);
        assert_eq!(found(Excluded("c"), Unbounded).await, ["c#", "ca"]);

        let below = |end: Bound<&str>| {
            let range = (Unbounded, end.map(str::to_owned));
            bench.table.query(Word::by_first("b").first_range(range))
        };
        eventually(7, || async { below(Included("c")).count().await.unwrap() }).await;
        assert_eq!(below(Excluded("c")).count().await.unwrap(), 4);
        assert_eq!(below(Excluded("c")).page_size(1).limit(3).all().await.unwrap().len(), 3);
        let range = "b".to_owned().."c".to_owned();
        let limited = bench.table.query(Word::by_first("b").first_range(range)).limit(9);
        assert_eq!(limited.all().await.unwrap().len(), 2);
        let back = below(Excluded("c")).descending().limit(1).all().await.unwrap();
        assert_eq!(back[0].first, "b");
    })
    .await;
}

#[tokio::test]
async fn kinds_that_may_overlap_are_left_out_after_reading() {
    on_table::<Library, _>("query-overlap", |bench| async move {
        let table = &bench.table;
        for id in 1..=6 {
            let loan = Loan { branch: "north".into(), reader: "r1".into(), id, due: None };
            table.put(&loan).send().await.unwrap();
            let note = Note {
                branch: "north".into(),
                reader: "r1".into(),
                id,
                text: format!("note {id}"),
            };
            table.put(&note).send().await.unwrap();
        }
        bench.recorder.take();
        let loans = || table.query(Loan::by_branch("north").reader("r1"));
        assert_eq!(loans().all().await.unwrap().len(), 6);
        assert_eq!(loans().count().await.unwrap(), 6);
        bench.recorder.take();
        let two = loans().limit(2).send().await.unwrap();
        assert_eq!(two.iter().map(|loan| loan.id).collect::<Vec<_>>(), [1, 2]);
        assert!(bench.recorder.take()[0].body.get("Limit").is_none());
        let keys: Vec<Key<Loan>> = loans().keys().all().await.unwrap();
        assert_eq!(keys.len(), 6);

        let notes = table.query(Note::by_branch("north").reader("r1")).all().await.unwrap();
        assert_eq!(notes.len(), 6);
        assert_eq!(notes[3].text, "note 4");
    })
    .await;
}
