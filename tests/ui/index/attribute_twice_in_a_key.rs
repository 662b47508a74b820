use monotable::Table;

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_region, pk = ["tenant", "region"], sk = ["status", "region"])]
struct Shop;

fn main() {}
