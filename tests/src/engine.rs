//! What the engine behind `MONOTABLE_ENDPOINT` lacks. AWS's documentation decides what is right; an
//! engine that deviates is named here with the reason, and the test that needs the behaviour skips.

/// The engine under test: `embedded`, or what `MONOTABLE_ENGINE` says (`moto`, `dynamodb-local`,
/// `aws`, …).
pub fn name() -> String {
    let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
    match set("MONOTABLE_ENDPOINT") {
        Some(_) => set("MONOTABLE_ENGINE").unwrap_or_else(|| "other".to_owned()),
        None => "embedded".to_owned(),
    }
}

/// A page ends at 1 MB. moto 5 cuts a Query at 1 MB too, but counts bytes otherwise.
pub fn pages_end_at_one_megabyte() -> bool {
    true
}

/// Whether a consistent read of a global index is refused, as the developer guide says.
pub fn refuses_consistent_global_reads() -> bool {
    true
}
