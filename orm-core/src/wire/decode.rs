//! The seam where answers are decoded: the SDK signs, sends and retries, and reads everything of an
//! answer but its items.

use std::fmt;
use std::str;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use aws_sdk_dynamodb::config::ConfigBag;
use aws_sdk_dynamodb::operation::batch_get_item::BatchGetItem;
use aws_sdk_dynamodb::operation::delete_item::DeleteItem;
use aws_sdk_dynamodb::operation::get_item::GetItem;
use aws_sdk_dynamodb::operation::put_item::PutItem;
use aws_sdk_dynamodb::operation::query::Query;
use aws_sdk_dynamodb::operation::scan::Scan;
use aws_sdk_dynamodb::operation::transact_get_items::TransactGetItems;
use aws_sdk_dynamodb::operation::update_item::UpdateItem;
use aws_smithy_runtime_api::client::interceptors::context::{Error, Output};
use aws_smithy_runtime_api::client::orchestrator::{HttpResponse, OrchestratorError};
use aws_smithy_runtime_api::client::runtime_plugin::RuntimePlugin;
use aws_smithy_runtime_api::client::ser_de::{DeserializeResponse, SharedResponseDeserializer};
use aws_smithy_types::body::SdkBody;
use aws_smithy_types::config_bag::FrozenLayer;

use super::shape::Shape;
use crate::codec::json::{self, Span, Text, Unread};
use crate::entity::Item;
use crate::found::{Answer, Decoder, Places, Row};

/// An operation whose answer holds items, and the SDK's way to read it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Holder {
    shape: Shape,
    sdk: &'static LazyLock<Option<FrozenLayer>>,
}

macro_rules! holders {
    ($($name:ident: $operation:ident $shape:ident;)*) => {
        impl Holder {
            $(pub(crate) const $name: Holder = {
                static SDK: LazyLock<Option<FrozenLayer>> =
                    LazyLock::new(|| $operation::new().config());
                Holder { shape: Shape::$shape, sdk: &SDK }
            };)*
        }
    };
}

holders! {
    GET: GetItem Item;
    QUERY: Query Items;
    SCAN: Scan Items;
    BATCH_GET: BatchGetItem Tables;
    TRANSACT_GET: TransactGetItems Answers;
    PUT: PutItem Attributes;
    UPDATE: UpdateItem Attributes;
    DELETE: DeleteItem Attributes;
}

/// What reads the items of an answer.
pub(crate) trait Seam: Clone + fmt::Debug + Send + Sync + 'static {
    /// Called before each answer is read.
    fn prepare(&self, config: &mut ConfigBag);

    /// How many items were found, if that is known.
    fn found(&self) -> Option<usize>;
}

/// The SDK reads the answer.
#[derive(Debug, Clone)]
pub(crate) struct Sdk;

impl Seam for Sdk {
    fn prepare(&self, _: &mut ConfigBag) {}

    fn found(&self) -> Option<usize> {
        None
    }
}

impl<S: Seam> Seam for Option<S> {
    fn prepare(&self, config: &mut ConfigBag) {
        if let Some(seam) = self {
            seam.prepare(config);
        }
    }

    fn found(&self) -> Option<usize> {
        self.as_ref().and_then(Seam::found)
    }
}

/// The items of the answer are read here.
pub(crate) struct Decode<V>(Arc<Inner<V>>);

struct Inner<V> {
    holder: Holder,
    decoder: Decoder<V>,
    /// Of the last attempt, if its answer was read here.
    rows: Mutex<Option<Vec<Row<V>>>>,
}

impl<V: Send + 'static> Decode<V> {
    pub(crate) fn new(holder: Holder, decoder: &Decoder<V>) -> Self {
        let decoder = decoder.clone();
        Decode(Arc::new(Inner { holder, decoder, rows: Mutex::default() }))
    }

    /// The items that were read here, if the answer still has what stands for them; else those that
    /// the SDK read, or that a mock or an interceptor made.
    pub(crate) fn rows(&self, items: impl IntoIterator<Item = Item>) -> Vec<Row<V>> {
        let items: Vec<Item> = items.into_iter().collect();
        match self.0.take() {
            Some(rows) if !items.is_empty() && items.iter().all(Item::is_empty) => rows,
            _ => items.into_iter().map(Row::of_item).collect(),
        }
    }

    /// The same of answers that have a place for each item, there or not.
    pub(crate) fn rows_of_each(
        &self,
        items: impl IntoIterator<Item = Option<Item>>,
    ) -> Vec<Option<Row<V>>> {
        let items: Vec<_> = items.into_iter().collect();
        let there = || items.iter().flatten();
        let is_read = |rows: &Vec<_>| rows.len() == there().count() && there().all(Item::is_empty);
        let mut rows = self.0.take().filter(is_read).map(Vec::into_iter);
        let mut row = |item: Item| match &mut rows {
            Some(rows) => rows.next(),
            None => Some(Row::of_item(item)),
        };
        items.into_iter().map(|item| item.and_then(&mut row)).collect()
    }
}

impl<V> Clone for Decode<V> {
    fn clone(&self) -> Self {
        Decode(Arc::clone(&self.0))
    }
}

impl<V: Send + 'static> Seam for Decode<V> {
    fn prepare(&self, config: &mut ConfigBag) {
        self.0.take();
        if self.0.sdk().is_some() {
            let ours = SharedResponseDeserializer::new(self.clone());
            config.interceptor_state().store_put(ours);
        }
    }

    fn found(&self) -> Option<usize> {
        let rows = self.0.rows.lock().unwrap_or_else(PoisonError::into_inner);
        let rows = rows.as_ref()?;
        Some(rows.iter().filter(|row| !row.found.is_empty()).count())
    }
}

impl<V> fmt::Debug for Decode<V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Decode").field(&self.0.holder.shape).finish()
    }
}

impl<V: Send + 'static> DeserializeResponse for Decode<V> {
    fn deserialize_nonstreaming_with_config(
        &self,
        response: &HttpResponse,
        config: &ConfigBag,
    ) -> Result<Output, OrchestratorError<Error>> {
        let Some(sdk) = self.0.sdk() else {
            return Err(OrchestratorError::other("the SDK has no deserializer of its own"));
        };
        // Errors have no items; what is unusual is the SDK's to read.
        let read = response.status().is_success().then(|| self.0.read(response).ok()).flatten();
        let Some((rest, rows)) = read else {
            return sdk.deserialize_nonstreaming_with_config(response, config);
        };
        let mut without = HttpResponse::new(response.status(), SdkBody::from(rest));
        *without.headers_mut() = response.headers().clone();
        // An error, and the place in it, are those of the whole answer.
        let Ok(output) = sdk.deserialize_nonstreaming_with_config(&without, config) else {
            return sdk.deserialize_nonstreaming_with_config(response, config);
        };
        *self.0.rows.lock().unwrap_or_else(PoisonError::into_inner) = Some(rows);
        Ok(output)
    }
}

impl<V> Inner<V> {
    fn sdk(&self) -> Option<&'static SharedResponseDeserializer> {
        self.holder.sdk.as_ref().and_then(|layer| layer.load::<SharedResponseDeserializer>())
    }

    fn take(&self) -> Option<Vec<Row<V>>> {
        self.rows.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// The items, and the body without them.
    fn read(&self, response: &HttpResponse) -> Result<(String, Vec<Row<V>>), Unread> {
        let body = response.body().try_clone().ok_or(Unread)?;
        let answer = Answer::new(body, Arc::clone(&self.decoder.shown));
        let body = response.body().bytes().ok_or(Unread)?;
        let body = str::from_utf8(body).map_err(|_| Unread)?;
        let (mut rows, mut places) = (Vec::new(), Places::default());
        let shape = self.holder.shape;
        let parts = shape.look_through(body, |text, count| {
            if rows.capacity() == 0 {
                // Every item takes a few bytes, whatever the count says.
                let count = count.min(body.len() / 16);
                rows.reserve(count);
                places.items.reserve(count);
                places.kept.reserve(count * self.decoder.shown.kept());
            }
            let at = rows.len();
            let value = self.row(text, &mut places)?;
            rows.push(Row { found: answer.item(at), value });
            Ok(())
        })?;
        answer.set_places(places);
        Ok((shape.rest(body, &parts).ok_or(Unread)?, rows))
    }

    /// The item that is next in the text. One that is not read at once is still an item.
    fn row(&self, text: &mut Text<'_>, places: &mut Places) -> Result<Option<V>, Unread> {
        let Decoder { shown, read, .. } = &self.decoder;
        let (item, first) = (*text, places.kept.len());
        places.kept.resize(first + shown.kept(), Span::default());
        let value = match read(text, shown, &mut places.kept[first..]) {
            Ok(value) => value,
            Err(Unread) => {
                *text = item;
                places.kept[first..].fill(Span::default());
                json::skip(text, shown, &mut places.kept[first..])?;
                None
            }
        };
        places.items.push(Span { start: item.at(), end: text.at() });
        Ok(value)
    }
}
