//! The answer to a query has the items that the SDK finds in it.

#![no_main]

use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use monotable::fuzzing::Sdk;

static SDK: LazyLock<Sdk> = LazyLock::new(Sdk::default);

fuzz_target!(|body: &str| SDK.agrees_on_page(body));
