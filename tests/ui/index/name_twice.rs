use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK")]
#[gsi(gsi1, pk = "GSI2PK")]
struct Shop;

fn main() {}
