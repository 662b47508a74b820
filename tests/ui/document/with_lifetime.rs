use monotable::Document;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Document)]
struct Address<'a> {
    city: &'a str,
}

fn main() {}
