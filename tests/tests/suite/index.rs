use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};
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
            table.query(Book::by_isbn("978-1")).keys().all().await.unwrap()
        })
        .await;
        eventually(expected, || async {
            table.query(Book::by_shelf(7).id_range(..=1)).keys().all().await.unwrap()
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
        eventually(0, || async {
            table.query(Loan::by_due_branch("north")).count().await.unwrap()
        })
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
enum State {
    Open,
    Waiting,
    Closed,
}

#[derive(Debug, Table)]
#[table(pk = "PK", entities(Ticket))]
#[gsi(by_owner, pk = "GSI1PK", sk = "GSI1SK")]
struct Desk;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
#[entity(table = Desk, pk = "TICKET#<id>")]
#[index(by_owner, pk = "OWNER#<owner>#<state>", sk = "<id:6>", name = "by_owner",
        only_when(state = State::Open | State::Waiting, due = Some(_)))]
struct Ticket {
    id: u32,
    owner: Option<String>,
    state: State,
    due: Option<u32>,
}

#[tokio::test]
async fn an_index_holds_what_its_condition_and_its_parts_allow() {
    on_table::<Desk, _>("gsi-when", |bench| async move {
        let ticket = |id, owner: Option<&str>, state, due| Ticket {
            id,
            owner: owner.map(str::to_owned),
            state,
            due,
        };
        let tickets = [
            ticket(1, Some("ana"), State::Open, Some(1)),
            ticket(2, Some("ana"), State::Waiting, Some(1)),
            ticket(3, Some("ana"), State::Closed, Some(1)),
            ticket(4, Some("ana"), State::Open, None),
            ticket(5, None, State::Open, Some(1)),
        ];
        let mut attributes = Vec::new();
        for ticket in &tickets {
            bench.table.put(ticket).send().await.unwrap();
            let item = ticket.to_item().unwrap();
            attributes.push((item.contains_key("GSI1PK"), item.contains_key("GSI1SK")));
        }
        // The condition decides about the first attribute; both make an item appear.
        let half = (false, true);
        assert_eq!(attributes, [(true, true), (true, true), half, half, half]);
        let open = || bench.table.query(Ticket::by_owner("ana", State::Open));
        eventually(vec![tickets[0].clone()], || async { open().all().await.unwrap() }).await;
        let waiting = bench.table.query(Ticket::by_owner("ana", State::Waiting)).all().await;
        assert_eq!(waiting.unwrap(), [tickets[1].clone()]);
        let closed = bench.table.query(Ticket::by_owner("ana", State::Closed)).all().await;
        let text = closed.unwrap_err().to_string();
        assert!(text.contains("only when state = State::Open | State::Waiting"), "{text}");
    })
    .await;
}
