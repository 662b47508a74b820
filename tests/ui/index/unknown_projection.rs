use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", projection = key_only)]
struct Shop;

fn main() {}
