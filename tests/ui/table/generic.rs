use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop<const N: usize>;

fn main() {}
