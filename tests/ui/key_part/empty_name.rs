use monotable::KeyPart;

#[derive(KeyPart)]
enum Status {
    #[key(as = "")]
    Open,
    Closed,
}

fn main() {}
