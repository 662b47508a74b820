use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi("by status", pk = "GSI1PK")]
struct Shop;

fn main() {}
