use monotable::Table;

#[derive(Table)]
#[table(pk = ["tenant", "region"], sk = "SK")]
struct Shop;

fn main() {}
