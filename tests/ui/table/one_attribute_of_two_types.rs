use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(by_rank, pk = "SK", sk = ("RANK", N))]
#[gsi(by_name, pk = "NAME", sk = "RANK")]
struct Shop;

fn main() {}
