use monotable::Table;

#[derive(Table)]
#[table(pk = "", sk = "SK")]
struct Shop;

fn main() {}
