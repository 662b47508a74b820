use monotable::KeyPart;

#[derive(KeyPart)]
#[serde(rename_all = "SCREAMING_CASE")]
enum Status {
    Open,
}

fn main() {}
