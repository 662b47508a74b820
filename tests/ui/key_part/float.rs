use monotable::KeyPart;

#[derive(KeyPart)]
struct Score(f64);

fn main() {}
