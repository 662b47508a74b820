use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
struct Shop {
    name: String,
}

fn main() {}
