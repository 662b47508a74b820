//! The practical limit: plain JSON of the same values between bytes and the same structs, by
//! `serde_json`, without SDK and HTTP.

use serde::Serialize;
use serde::de::DeserializeOwned;

pub const NAME: &str = "limit: plain JSON";

pub fn read<T: DeserializeOwned>(json: &[u8]) -> T {
    serde_json::from_slice(json).unwrap()
}

pub fn write<T: Serialize>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).unwrap()
}
