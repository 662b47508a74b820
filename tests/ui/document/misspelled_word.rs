use monotable::Document;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Document)]
#[document(krate = monotable)]
struct Address {
    city: String,
}

fn main() {}
