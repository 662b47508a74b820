use monotable::Table;

#[derive(Table)]
#[table(pk = "ID", sk = "ID")]
struct Shop;

fn main() {}
