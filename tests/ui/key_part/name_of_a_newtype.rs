use monotable::KeyPart;

#[derive(KeyPart)]
#[key(as = "id")]
struct OrderId(String);

fn main() {}
