use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[lsi(by_date, sk = ["date", "total"])]
struct Shop;

fn main() {}
