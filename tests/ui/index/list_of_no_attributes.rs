use monotable::Table;

#[derive(Table)]
#[table(pk = "PK")]
#[gsi(by_region, pk = ["tenant"], sk = [])]
struct Shop;

fn main() {}
