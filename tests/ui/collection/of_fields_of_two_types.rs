use monotable::{Entity, ItemCollection, Table};
use serde::{Deserialize, Serialize};
#[derive(Table)]
#[table(pk = "PK", sk = "SK", entities(Ticket, Comment))]
struct App;
#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "TICKET#<id>", sk = "META")]
struct Ticket {
    id: String,
}
#[derive(Serialize, Deserialize, Entity)]
#[entity(table = App, pk = "TICKET#<ticket>", sk = "COMMENT#<number:4>")]
struct Comment {
    ticket: u32,
    number: u32,
}
#[derive(ItemCollection)]
#[collection(table = App, pk = "TICKET#<id>")]
struct Thread {
    ticket: Ticket,
    comments: Vec<Comment>,
}
fn main() {}
