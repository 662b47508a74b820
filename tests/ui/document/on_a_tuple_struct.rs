use monotable::Document;
use serde::{Deserialize, Serialize};

#[derive(Serialize, Deserialize, Document)]
struct Address(String, String);

fn main() {}
