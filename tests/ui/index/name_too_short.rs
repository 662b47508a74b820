use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(g1, pk = "GSI1PK")]
struct Shop;

fn main() {}
