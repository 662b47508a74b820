use monotable::Document;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Document)]
enum Address {
    Street(String),
    Box(u32),
}

fn main() {}
