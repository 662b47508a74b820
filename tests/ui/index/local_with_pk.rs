use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[lsi(by_date, pk = "LSI1PK", sk = "LSI1SK")]
struct Shop;

fn main() {}
