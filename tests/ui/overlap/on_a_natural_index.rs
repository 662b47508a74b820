use monotable::{Entity, Table};
use serde::{Deserialize, Serialize};

#[derive(Table)]
#[table(pk = "PK", entities(Order, Quote))]
#[gsi(by_tenant, pk = ["tenant", "region"], sk = "id")]
struct Shop;

macro_rules! entity {
    ($name:ident, $pk:literal) => {
        #[derive(Serialize, Deserialize, Entity)]
        #[entity(table = Shop, pk = $pk)]
        #[index(by_tenant, pk = ["<tenant>", "<region>"], sk = "<id>")]
        struct $name {
            id: String,
            tenant: String,
            region: String,
        }
    };
}
entity!(Order, "ORDER#<id>");
entity!(Quote, "QUOTE#<id>");

fn main() {}
