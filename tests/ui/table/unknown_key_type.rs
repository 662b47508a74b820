use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = ("SK", String))]
struct Shop;

fn main() {}
