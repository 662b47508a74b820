use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, sk = "GSI1SK")]
struct Shop;

fn main() {}
