use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK", enitties(Order))]
struct Shop;

fn main() {}
