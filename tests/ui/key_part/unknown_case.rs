use monotable::KeyPart;
use serde::Serialize;

#[derive(Serialize, KeyPart)]
#[serde(rename_all = "SCREAMING_CASE")]
enum Status {
    Open,
}

fn main() {}
