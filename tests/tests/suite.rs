//! The behaviour of every operation, by verb, on the embedded engine or on `MONOTABLE_ENDPOINT`.

#![allow(clippy::unwrap_used)]

mod suite {
    mod batch_get;
    mod batch_write;
    mod capacity;
    mod check;
    mod collection;
    mod create;
    mod cursor;
    mod delete;
    mod delete_all;
    mod edges;
    mod errors;
    mod exists;
    mod expression_limits;
    mod filter;
    mod get;
    mod guards;
    mod hydrate;
    mod index;
    mod inspect;
    mod inverted;
    mod key_only;
    mod lambda;
    mod meter;
    mod missing;
    mod modify;
    mod multi_attribute;
    mod natural;
    mod projection;
    mod put;
    mod query;
    mod query_many;
    mod read_costs;
    mod reserved;
    mod scan;
    mod scan_kinds;
    mod send;
    mod shard;
    mod streams;
    mod table;
    mod transact;
    mod transact_get;
    mod ttl;
    mod unique;
    mod update;
    mod upsert;
    mod values;
    mod version;
}
