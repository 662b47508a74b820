use monotable::Document;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Document)]
#[serde(transparent)]
struct Address {
    city: String,
}

fn main() {}
