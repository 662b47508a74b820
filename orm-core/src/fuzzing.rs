//! What the fuzz targets reach. Not public: it is there under `cfg(fuzzing)` alone, without promises.

use std::fmt::Debug;

use aws_sdk_dynamodb::operation::query::QueryOutput;
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::ser_de::DeserializeResponse;
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::ConfigBag;
use serde::de::DeserializeOwned;

use crate::codec::json::law;
use crate::entity::Item;
use crate::error::Error;
use crate::item::unkept;
use crate::wire::{Decode, Holder};

/// The SDK's way to read answers.
#[allow(missing_debug_implementations)]
pub struct Sdk(law::Sdk);

impl Default for Sdk {
    fn default() -> Self {
        Sdk(law::Sdk::new())
    }
}

impl Sdk {
    /// Whether an item has a name twice, of which the SDK keeps one.
    pub fn names_twice(text: &str) -> bool {
        law::names_twice(text)
    }

    /// Panics where the reader makes something else of an item than the SDK and the codec.
    pub fn agrees_on_item<T: DeserializeOwned + PartialEq + Debug>(&self, text: &str) -> bool {
        law::law::<T>(&self.0, text)
    }

    /// Panics where the answer to a query has other items than the SDK finds in it.
    pub fn agrees_on_page(&self, body: &str) {
        let decode = Decode::new(Holder::QUERY, &unkept());
        let Ok(status) = 200.try_into() else { return };
        let response = HttpResponse::new(status, SdkBody::from(body));
        let output = decode.deserialize_nonstreaming_with_config(&response, &ConfigBag::base());
        let output = output.ok().and_then(|output| output.downcast::<QueryOutput>().ok());
        let ours = output.map(|output| {
            let rows = decode.rows(output.items.unwrap_or_default());
            let items: Result<Vec<Item>, Error> =
                rows.into_iter().map(|row| row.found.into_item()).collect();
            items
        });
        match (ours, self.0.items(body.to_owned())) {
            (Some(Ok(ours)), Some(theirs)) => assert_eq!(ours, theirs, "{body}"),
            (None, None) => {}
            (ours, theirs) => panic!("{body}: {ours:?}, {theirs:?}"),
        }
    }
}

/// The text of a cursor of these bytes, be they one or not: with the checksum that makes them worth
/// reading.
pub fn sealed(payload: &[u8]) -> String {
    crate::cursor::seal(payload.to_vec())
}
