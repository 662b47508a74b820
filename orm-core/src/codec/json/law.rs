//! The law of the reader: what it reads, the SDK's parser and [`from_item`] read too, as the same
//! value.

use std::fmt::Debug;

use aws_sdk_dynamodb::operation::query::{Query, QueryOutput};
use aws_smithy_runtime_api::client::orchestrator::HttpResponse;
use aws_smithy_runtime_api::client::runtime_plugin::RuntimePlugin;
use aws_smithy_runtime_api::client::ser_de::{DeserializeResponse, SharedResponseDeserializer};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::{ConfigBag, FrozenLayer};
use serde::de::DeserializeOwned;

use super::{Restored, Shown, Text, Unread, item, read};
use crate::codec::from_item;
use crate::entity::Item;

/// Answers as the SDK reads them.
pub(crate) struct Sdk(FrozenLayer);

impl Sdk {
    pub(crate) fn new() -> Self {
        Sdk(Query::new().config().expect("a query has a deserializer"))
    }

    /// The items of a page; `None` where the SDK refuses it.
    pub(crate) fn items(&self, body: String) -> Option<Vec<Item>> {
        let sdk = self.0.load::<SharedResponseDeserializer>().expect("a query has a deserializer");
        let response = HttpResponse::new(200.try_into().expect("a status"), SdkBody::from(body));
        let config = ConfigBag::base();
        let output = sdk.deserialize_nonstreaming_with_config(&response, &config).ok()?;
        let output = output.downcast::<QueryOutput>().expect("the output of a query");
        Some(output.items.unwrap_or_default())
    }

    pub(crate) fn item(&self, text: &str) -> Option<Item> {
        let mut items = self.items(format!("{{\"Items\":[{text}]}}"))?;
        // What is not one item is not compared.
        if items.len() == 1 { items.pop() } else { None }
    }
}

/// All of the text, which is one item.
pub(crate) fn whole<T>(
    text: &str,
    read: impl FnOnce(&mut Text<'_>) -> Result<T, Unread>,
) -> Result<T, Unread> {
    let mut at = Text::new(text);
    at.space();
    let value = read(&mut at)?;
    at.space();
    if at.rest().is_empty() { Ok(value) } else { Err(Unread) }
}

fn fast<T: DeserializeOwned>(text: &str) -> Result<T, Unread> {
    let shown = Shown::new([], [], None);
    whole(text, |text| read(text, &shown, &mut [], &|_| Some(Restored::new())))
}

/// Checks the law on a text; whether it was read fast.
pub(crate) fn law<T: DeserializeOwned + PartialEq + Debug>(sdk: &Sdk, text: &str) -> bool {
    let items = sdk.item(text);
    if let Ok(item) = whole(text, item) {
        assert_eq!(Some(&item), items.as_ref(), "the item of {text}");
    }
    let Ok(value) = fast::<T>(text) else { return false };
    let slow = items.map(from_item::<T>);
    let Some(Ok(slow)) = slow else { panic!("{value:?} was read, but {slow:?}: {text}") };
    assert_eq!(value, slow, "{text}");
    // The signs of zeros.
    assert_eq!(format!("{value:?}"), format!("{slow:?}"), "{text}");
    true
}

/// Whether a map of the item has a name twice, or two that are one number, as far as it can be read.
/// The maps of the SDK have each name once, and no order.
pub(crate) fn names_twice(text: &str) -> bool {
    fn value(text: &mut Text<'_>, found: &mut bool) -> Result<(), Unread> {
        if text.rest().starts_with(b"{") {
            let mut names = Vec::new();
            text.enter(b'{')?;
            let mut is_first = true;
            while let Some(name) = text.name(&mut is_first)? {
                let name = name.trim_start_matches(['+', '-', '0']).to_owned();
                *found |= names.contains(&name);
                names.push(name);
                value(text, found)?;
            }
            Ok(())
        } else if text.rest().starts_with(b"[") {
            text.enter(b'[')?;
            let mut is_first = true;
            while text.element(&mut is_first)? {
                value(text, found)?;
            }
            Ok(())
        } else {
            text.skip_json()
        }
    }
    let (mut text, mut found) = (Text::new(text), false);
    text.space();
    // What cannot be read is not read fast either.
    let _ = value(&mut text, &mut found);
    found
}
