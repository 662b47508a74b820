use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK", ttl = "SK")]
struct Shop;

fn main() {}
