use monotable::KeyPart;

#[derive(KeyPart)]
enum Status {}

fn main() {}
