use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK", type_attribute = "GSI1PK")]
#[gsi(gsi1, pk = "GSI1PK")]
struct Shop;

fn main() {}
