use monotable::Table;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[lsi(by_a, sk = "A")]
#[lsi(by_b, sk = "B")]
#[lsi(by_c, sk = "C")]
#[lsi(by_d, sk = "D")]
#[lsi(by_e, sk = "E")]
#[lsi(by_f, sk = "F")]
struct Shop;

fn main() {}
