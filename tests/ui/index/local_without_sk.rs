use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[lsi(by_date)]
struct Shop;

fn main() {}
