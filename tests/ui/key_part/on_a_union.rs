use monotable::KeyPart;

#[derive(KeyPart)]
union Id {
    number: u32,
}

fn main() {}
