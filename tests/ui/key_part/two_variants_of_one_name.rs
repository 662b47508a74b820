use monotable::KeyPart;

#[derive(KeyPart)]
enum Status {
    #[key(as = "10")]
    Open,
    #[key(as = "10")]
    Closed,
}

fn main() {}
