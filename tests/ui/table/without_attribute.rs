use monotable::Table;

#[derive(Table)]
struct Shop;

fn main() {}
