use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct App;

#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "TICKET#<tenant>#<id>", sk = "META", onlywhen(x))]
struct Ticket {
    tenant: String,
    id: String,
}

#[derive(ItemCollection)]
#[collection(table = App, pk = "TICKET#<tenant>#<id>")]
struct Thread {
    ticket: Ticket,
}

fn main() {}
