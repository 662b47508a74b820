use monotable::Table;

#[derive(Table)]
#[table(sk = "SK")]
struct Shop;

fn main() {}
