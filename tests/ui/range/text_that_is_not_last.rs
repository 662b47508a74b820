use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = Shop, pk = "CUST#<customer>", sk = "NOTE#<title>#<id>")]
struct Note {
    customer: String,
    title: String,
    id: String,
}

fn main() {
    let _ = Note::by_customer("c42").title_range("a".."b");
}
