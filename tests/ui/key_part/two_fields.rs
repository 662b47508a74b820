use monotable::KeyPart;

#[derive(KeyPart)]
struct OrderId(String, u32);

fn main() {}
