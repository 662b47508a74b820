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

/// `Select: ALL_ATTRIBUTES` on a local index returns attributes that the index does not project:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_Query.html#DDB-Query-request-Select>.
/// moto 5 returns what the index projects.
pub fn local_indexes_fetch() -> bool {
    name() != "moto"
}

/// An item may have 400 KB, attribute names and values in UTF-8 bytes:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>. moto 5
/// counts the bytes of its JSON.
pub fn counts_item_bytes() -> bool {
    name() != "moto"
}

/// Items on a page of 1 MB of items of 50 kB; moto 5 counts the bytes of its JSON.
pub fn items_of_50_kb_on_a_page() -> std::ops::Range<usize> {
    if name() == "moto" { 15..30 } else { 20..30 }
}

/// Only AWS compares the signature with the body. The others take a batch of which a part was left
/// out on the way.
pub fn checks_signatures() -> bool {
    name() == "aws"
}

/// Every request is answered in full. AWS may leave a part of a batch over at any time.
pub fn never_throttles() -> bool {
    name() != "aws"
}

/// A transaction with the client token of one within 10 minutes is not done again:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html#DDB-TransactWriteItems-request-ClientRequestToken>.
/// moto 5 ignores the token.
pub fn knows_client_tokens() -> bool {
    name() != "moto"
}

/// Items of one TransactGetItems, 100:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactGetItems.html>. moto 5
/// has the limit of 25 that was there before.
pub fn items_of_a_transact_get() -> u16 {
    if name() == "moto" { 25 } else { 100 }
}

/// An UpdateItem may have no `UpdateExpression`:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html>. moto 5
/// answers an internal error.
pub fn updates_nothing() -> bool {
    name() != "moto"
}

/// A request sees another one whole or not at all. moto 5 handles several at once without a lock,
/// and loses writes.
pub fn is_atomic() -> bool {
    name() != "moto"
}

/// `begins_with` takes binary data:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.OperatorsAndFunctions.html#Expressions.OperatorsAndFunctions.Functions>.
/// For moto 5 none begins with another.
pub fn has_binary_prefixes() -> bool {
    name() != "moto"
}

/// Nothing is less than a value of another type. moto 5 answers an internal error.
pub fn compares_types() -> bool {
    name() != "moto"
}

/// `UPDATED_NEW` returns what was changed inside of an attribute:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_UpdateItem.html#DDB-UpdateItem-request-ReturnValues>.
/// moto 5 returns attributes at the top level only.
pub fn returns_changed_parts() -> bool {
    name() != "moto"
}

/// Updates of 4 KB. The parser of moto 5 runs out of stack.
pub fn takes_long_updates() -> bool {
    name() != "moto"
}

/// A condition on the size of what is missing does not hold. moto 5 refuses it.
pub fn knows_size_of_nothing() -> bool {
    name() != "moto"
}

/// Consumed capacity follows the sizes of items:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/read-write-operations.html>.
/// moto 5 answers one unit a request or an item, and nothing of indexes.
pub fn counts_capacity() -> bool {
    name() != "moto"
}

/// What a transaction pays twice, for preparing and committing, is what it pays on the table; of
/// indexes the documentation does not say it:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html>. The
/// embedded engine counts an index once.
pub fn index_writes_in_a_transaction() -> std::ops::RangeInclusive<f64> {
    if name() == "embedded" { 1.0..=1.0 } else { 1.0..=2.0 }
}

/// What a local index does not project is fetched item by item, and each is rounded up:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/LSI.html#LSI.ThroughputConsiderations.Reads>.
/// The embedded engine rounds their sum.
pub fn rounds_each_fetch() -> bool {
    name() != "embedded"
}
