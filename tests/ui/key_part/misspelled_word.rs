use monotable::KeyPart;

#[derive(KeyPart)]
enum Status {
    #[key(name = "10")]
    Open,
    Closed,
}

fn main() {}
