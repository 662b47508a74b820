use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = ("SK", T), tll = "expires_at")]
#[gsi(g1, pk = "PK")]
#[lsi(by_date)]
struct Shop;

fn main() {}
