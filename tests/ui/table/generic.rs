use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop<T>;

fn main() {}
