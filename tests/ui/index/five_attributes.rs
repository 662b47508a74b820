use monotable::Table;

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_region, pk = "tenant", sk = ["a", "b", "c", "d", "e"])]
struct Shop;

fn main() {}
