use twox_hash::XxHash64;

/// The shard of an item: XXH64 with seed 0 of the texts joined by `#`, modulo `count`.
///
/// `texts` are the fields of `shard(by = …)` as a partition key stores them (`:ns` for timestamps).
/// The hash is that of <https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md>, so that any
/// language can compute it; it is stored data and never changes.
///
/// # Examples
///
/// ```
/// use monotable::shard::shard_of;
///
/// assert_eq!(shard_of(&["o1033"], 10), 7);
/// assert_eq!(shard_of(&["o1033"], 1), 0);
/// ```
pub fn shard_of(texts: &[&str], count: u32) -> u32 {
    let hash = XxHash64::oneshot(0, texts.join("#").as_bytes());
    u32::try_from(hash % u64::from(count.max(1))).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::shard_of;

    /// From the specification of XXH64, and from another implementation of it.
    #[test]
    fn known_values() {
        assert_eq!(twox_hash::XxHash64::oneshot(0, b""), 0xEF46_DB37_51D8_E999);
        assert_eq!(twox_hash::XxHash64::oneshot(0, b"abc"), 0x44BC_2CF5_AD77_0999);
        let shards: Vec<_> =
            ["a", "b", "o1001", "o1017", "o1033"].iter().map(|id| shard_of(&[id], 10)).collect();
        assert_eq!(shards, [5, 5, 4, 4, 7]);
    }

    #[test]
    fn several_fields_are_joined_by_a_hash_sign() {
        assert_eq!(shard_of(&["a", "b"], 1000), shard_of(&["a#b"], 1000));
    }
}
