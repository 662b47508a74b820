use monotable::Table;

#[derive(Table)]
#[table(pk = "PK")]
#[lsi(by_date, sk = "LSI1SK")]
struct Shop;

fn main() {}
