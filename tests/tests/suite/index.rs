use monotable::Entity;
use tests::bench::{eventually, on_table};
use tests::models::library::{Book, Library, Loan, book};
use tests::models::shop::date;

#[tokio::test]
async fn a_local_index_fetches_what_it_does_not_project() {
    if !tests::engine::local_indexes_fetch() {
        return;
    }
    on_table::<Library, _>("lsi", |bench| async move {
        for (id, title) in [(1, "Zen"), (2, "Asterix"), (3, "Momo")] {
            bench.table.put(&book(id, title)).send().await.unwrap();
        }
        let query = bench.table.query(Book::by_title("north")).consistent();
        let titles: Vec<_> =
            query.all().await.unwrap().into_iter().map(|book| (book.title, book.pages)).collect();
        assert_eq!(titles, [("Asterix".into(), 100), ("Momo".into(), 100), ("Zen".into(), 100)]);
        let query = bench.table.query(Book::by_title("north").title_range("B"..="N"));
        assert_eq!(query.all().await.unwrap(), [book(3, "Momo")]);
        let query = bench.table.query(Book::by_title("north").title_prefix("Mo"));
        assert_eq!(query.count().await.unwrap(), 1);
    })
    .await;
}

#[tokio::test]
async fn a_partial_index_gives_keys_and_counts() {
    on_table::<Library, _>("gsi-keys", |bench| async move {
        let table = &bench.table;
        let shelved = Book { isbn: Some("978-1".into()), shelf: Some(7), ..book(1, "Zen") };
        table.put(&shelved).send().await.unwrap();
        table.put(&book(2, "Asterix")).send().await.unwrap();
        let expected = vec![shelved.key()];
        eventually(expected.clone(), || async {
            table.query(Book::by_isbn("978-1")).keys().await.unwrap()
        })
        .await;
        eventually(expected, || async {
            table.query(Book::by_shelf(7).id_range(..=1)).keys().await.unwrap()
        })
        .await;
        // `None` in the partition half leaves the item out.
        assert_eq!(table.query(Book::by_shelf(7)).count().await.unwrap(), 1);
        assert_eq!(table.query(Book::by_isbn("")).count().await.unwrap_err().to_string(),
            "invalid key of `Book`: attribute `isbn` (template `<isbn>`) is empty; a key needs at least one byte");
    })
    .await;
}

#[tokio::test]
async fn a_sparse_index_holds_what_has_the_field() {
    on_table::<Library, _>("gsi-sparse", |bench| async move {
        let table = &bench.table;
        let loan = |id, due| Loan { branch: "north".into(), reader: "r1".into(), id, due };
        let due = loan(1, Some(date(2026, 9, 30)));
        table.put(&due).send().await.unwrap();
        table.put(&loan(2, None)).send().await.unwrap();
        eventually(vec![due.clone()], || async {
            table.query(Loan::by_due_branch("north")).all().await.unwrap()
        })
        .await;
        // The put of the item without it takes it out.
        table.put(&Loan { due: None, ..due }).send().await.unwrap();
        eventually(0, || async { table.query(Loan::by_due_branch("north")).count().await.unwrap() })
            .await;
    })
    .await;
}

#[tokio::test]
async fn a_null_in_a_natural_index_key_is_left_out() {
    on_table::<Library, _>("gsi-null", |bench| async move {
        let item = book(1, "Zen").to_item().unwrap();
        assert!(!item.contains_key("isbn"));
        let empty = Book { isbn: Some(String::new()), ..book(1, "Zen") };
        let error = bench.table.put(&empty).send().await.unwrap_err();
        assert!(error.is_invalid_key() && error.to_string().contains("`isbn`"), "{error}");
        assert!(bench.recorder.take().is_empty());
    })
    .await;
}
