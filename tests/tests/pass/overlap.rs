//! Two kinds under one template, told apart by the type attribute.

use monotable::{Entity, Table, assert_distinct};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "_et", entities(Order, Quote, Note))]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Shop;

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "<id>", allow(overlap(Quote, Note)))]
#[index(gsi1, pk = "OWNER#<owner>", sk = "ORDER#<id>")]
struct Order {
    customer: String,
    id: String,
    owner: String,
}

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "<number>", type_name = "quote",
         type_alias("offer"), allow(overlap(Order, self::Note)))]
#[index(gsi1, pk = "OWNER#<owner>", sk = "QUOTE#<number>")]
struct Quote {
    customer: String,
    number: String,
    owner: String,
}

#[derive(Debug, Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "NOTE#<text>", allow(overlap(Order, Quote)))]
#[index(gsi1, pk = "OWNER#<customer>", sk = "NOTE#<text>", name = "notes")]
struct Note {
    customer: String,
    text: String,
}

assert_distinct!(Shop: Order, Quote, Note,);

#[test]
fn they_share_an_index() {
    assert!(format!("{:?}", Order::by_owner("ana")).contains("ORDER#"));
    assert!(format!("{:?}", Quote::by_owner("ana")).contains("QUOTE#"));
    let quote = Quote { customer: "c42".into(), number: "1".into(), owner: "ana".into() };
    let item = quote.to_item().expect("it has keys");
    let report = Shop::inspect(&item).to_string();
    assert!(report.contains("Quote"), "{report}");
}
