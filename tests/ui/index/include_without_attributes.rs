use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", projection = include())]
struct Shop;

fn main() {}
