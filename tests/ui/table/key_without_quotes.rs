use monotable::Table;

#[derive(Table)]
#[table(pk = PK, sk = "SK")]
struct Shop;

fn main() {}
