use monotable::KeyPart;

#[derive(KeyPart)]
enum Status {
    Open,
    Closed(String),
}

fn main() {}
