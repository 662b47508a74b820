//! The shop, and a table with one of everything.

pub mod shop {
    use chrono::{DateTime, NaiveDate, Utc};
    use monotable::{Entity, ItemCollection, KeyPart, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Table)]
    #[table(pk = "PK", sk = "SK", entities(Customer, OrderSummary, Order, OrderLine))]
    #[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
    #[gsi(gsi2, pk = "GSI2PK", sk = "GSI2SK")]
    pub struct Shop;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "CUST#<customer_id>", sk = "PROFILE")]
    pub struct Customer {
        pub customer_id: String,
        pub name: String,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "CUST#<customer_id>", sk = "ORDER#<date>#<order_id>")]
    pub struct OrderSummary {
        pub customer_id: String,
        pub date: NaiveDate,
        pub order_id: String,
        pub total: u32,
    }

    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    pub enum Status {
        Pending,
        Shipped,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "ORDER#<order_id>", sk = "META")]
    #[index(gsi1, pk = "STATUS#<status>#<shard>", sk = "<placed_at:s>#<order_id>",
            shard(by = order_id, count = 10), only_when(status = Status::Pending))]
    pub struct Order {
        pub order_id: String,
        pub customer_id: String,
        pub status: Status,
        pub placed_at: DateTime<Utc>,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Shop, pk = "ORDER#<order_id>", sk = "LINE#<line:4>")]
    #[index(gsi2, pk = "SKU#<sku>", sk = "<order_date>#<order_id>")]
    pub struct OrderLine {
        pub order_id: String,
        pub line: u16,
        pub sku: String,
        pub note: String,
        pub order_date: NaiveDate,
    }

    #[derive(Debug, Clone, PartialEq, ItemCollection)]
    #[collection(table = Shop, pk = "ORDER#<order_id>")]
    pub struct OrderPage {
        pub order: Order,
        pub lines: Vec<OrderLine>,
    }

    /// Customers `c0000`, `c0001`, …
    pub fn customers(count: usize) -> Vec<Customer> {
        let customer = |n| Customer { customer_id: format!("c{n:04}"), name: format!("name {n}") };
        (0..count).map(customer).collect()
    }

    pub fn date(year: i32, month: u32, day: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(year, month, day).unwrap()
    }

    pub fn summary(date: NaiveDate, order_id: &str) -> OrderSummary {
        OrderSummary { customer_id: "c42".into(), date, order_id: order_id.into(), total: 7 }
    }

    pub fn order(order_id: &str, status: Status, second: u32) -> Order {
        let placed_at = date(2026, 10, 1).and_hms_opt(9, second / 60, second % 60).unwrap();
        Order {
            order_id: order_id.into(),
            customer_id: "c42".into(),
            status,
            placed_at: placed_at.and_utc(),
        }
    }

    pub fn line(order_id: &str, line: u16, note_bytes: usize) -> OrderLine {
        OrderLine {
            order_id: order_id.into(),
            line,
            sku: "KB-104".into(),
            note: "n".repeat(note_bytes),
            order_date: date(2026, 10, 1),
        }
    }
}

pub mod library {
    //! Local indexes, every projection, sparse indexes, a type attribute and overlapping kinds.

    use monotable::{Entity, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Table)]
    #[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Book, Loan, Note))]
    #[lsi(by_title, sk = "LSI1SK", projection = keys_only)]
    #[gsi(by_isbn, pk = "isbn", projection = keys_only)]
    #[gsi(by_due, pk = "GSI1PK", sk = "GSI1SK")]
    #[gsi(by_shelf, pk = "GSI2PK", sk = "GSI2SK", projection = include("title"))]
    pub struct Library;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Library, pk = "BRANCH#<branch>", sk = "BOOK#<id:6>")]
    #[index(by_title, sk = "<title>", name = "by_title")]
    #[index(by_isbn, pk = "<isbn>")]
    #[index(by_shelf, pk = "SHELF#<shelf>", sk = "<id:6>")]
    pub struct Book {
        pub branch: String,
        pub id: u32,
        pub title: String,
        pub isbn: Option<String>,
        pub shelf: Option<u8>,
        pub pages: u32,
    }

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Library, pk = "BRANCH#<branch>", sk = "LOAN#<reader>#<id:6>")]
    #[index(by_due, pk = "DUE#<branch>", sk = "<due:sparse>#<reader>", name = "by_due_branch")]
    pub struct Loan {
        pub branch: String,
        pub reader: String,
        pub id: u32,
        pub due: Option<chrono::NaiveDate>,
    }

    /// Notes of a loan lie among the loans, which they are told apart from by the type attribute.
    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Library, pk = "BRANCH#<branch>", sk = "LOAN#<reader>#<id:6>#NOTE",
             type_name = "note", type_alias("Note", "memo"), allow(overlap(Loan)))]
    pub struct Note {
        pub branch: String,
        pub reader: String,
        pub id: u32,
        pub text: String,
    }

    pub fn book(id: u32, title: &str) -> Book {
        Book {
            branch: "north".into(),
            id,
            title: title.into(),
            isbn: None,
            shelf: None,
            pages: 100,
        }
    }
}

pub mod plain {
    //! Keys that are fields as they are.

    use monotable::{Entity, Table};
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Table)]
    #[table(pk = "from", sk = "to", entities(Edge))]
    pub struct Graph;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Graph, pk = "<from>", sk = "<to>")]
    pub struct Edge {
        pub from: String,
        pub to: String,
        pub weight: u32,
    }

    /// Pairs that are one text when they are joined, with a separator or without.
    pub fn edges() -> Vec<Edge> {
        let ends =
            [("a", "b"), ("b", "a"), ("A#", "B"), ("A", "#B"), ("a + b", "c"), ("a", "b + c")];
        let edge = |(weight, (from, to)): (u32, (&str, &str))| Edge {
            from: from.into(),
            to: to.into(),
            weight,
        };
        (0..).zip(ends).map(edge).collect()
    }

    #[derive(Debug, Table)]
    #[table(pk = ("n", N), entities(Tally))]
    pub struct Tallies;

    #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
    #[entity(table = Tallies, pk = "<n>")]
    pub struct Tally {
        pub n: i64,
        pub count: u32,
    }
}
