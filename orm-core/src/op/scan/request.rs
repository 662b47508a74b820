use aws_sdk_dynamodb::operation::scan::ScanOutput;
use aws_sdk_dynamodb::operation::scan::builders::ScanFluentBuilder;
use aws_sdk_dynamodb::types::{AttributeValue, ReturnConsumedCapacity};

use super::FullScan;
use super::budget::{Budget, FIRST_PAGE};
use crate::capacity::{MAX_ITEM, MAX_PAGE, read_units};
use crate::collection::ItemKind;
use crate::entity::Item;
use crate::error::Error;
use crate::expr::{self, Aliases, Expression, Node};
use crate::found::Found;
use crate::item;
use crate::meter::Label;
use crate::op::json::Json;
use crate::op::{Explanation, Request};
use crate::schema::{EntitySchema, IndexSchema, Projection, Schema, TableSchema};
use crate::ttl;
use crate::wire::{Decode, Holder, Watch, send, set_some, span};

/// What a typed scan wants.
#[derive(Debug, Clone, Copy)]
pub(super) struct Kinds {
    name: &'static str,
    entities: &'static [&'static EntitySchema],
    keeps_unknown: bool,
}

/// One answer.
pub(super) struct Page {
    pub(super) items: Vec<Found>,
    /// Where the next page begins; `None` is the only sign of the end.
    pub(super) next: Option<Item>,
}

impl Kinds {
    pub(super) fn of<K: ItemKind>() -> Self {
        let keeps_unknown = K::raw(Item::new()).is_some();
        Kinds { name: K::NAME, entities: K::KINDS, keeps_unknown }
    }

    /// That the type attribute, where it is text, is one of the kinds'. Any other type of value does
    /// not decide, and a missing one has none.
    fn of_type(&self, attribute: &'static str) -> Option<Node> {
        let names = self.entities.iter().flat_map(|entity| entity.type_names());
        let names: Vec<_> = names.map(|name| AttributeValue::S(name.to_owned())).collect();
        let path = expr::attribute(attribute);
        let text = AttributeValue::S(expr::AttributeType::S.name().to_owned());
        let is_text = Node::Call("attribute_type", path.clone(), text);
        (names.len() <= MOST_NAMES)
            .then(|| Node::Any(vec![Node::Not(Box::new(is_text)), Node::In(path, names)]))
    }

    /// The TTL attribute, if every kind has it.
    fn ttl(&self, table: &TableSchema) -> Option<&'static str> {
        table.ttl.filter(|_| self.entities.iter().all(|entity| entity.ttl.is_some()))
    }
}

/// With more names the expression would come near the limit of 4 KB, and the answer decides alone.
const MOST_NAMES: usize = 100;

impl<T: Schema, K: Send + 'static> FullScan<T, K> {
    /// One page, when the budget has it.
    pub(super) async fn page(
        &self,
        segment: u32,
        start: Option<Item>,
        budget: Option<&Budget>,
    ) -> Result<Page, Error> {
        let Some(budget) = budget else {
            return Ok(self.fetch(segment, start, self.page_size).await?.page());
        };
        let turn = budget.turn().await;
        let size = self.page_size.unwrap_or_else(|| turn.page_size());
        let answer = self.fetch(segment, start, Some(size)).await?;
        let read = u32::try_from(answer.output.scanned_count).unwrap_or(0);
        turn.spend(self.units(&answer), read);
        Ok(answer.page())
    }

    /// One Scan.
    async fn fetch(
        &self,
        segment: u32,
        start: Option<Item>,
        page_size: Option<u32>,
    ) -> Result<Answer, Error> {
        let index = self.schema()?.map(|index| index.name);
        let span = span!(
            "Scan",
            self.table,
            aws.dynamodb.segment = segment,
            aws.dynamodb.index_name = index
        );
        let builder = self.builder(segment, page_size)?.set_exclusive_start_key(start);
        let builder = builder.set_return_consumed_capacity(self.reports());
        let entity = self.kinds.map_or("", |kinds| kinds.name);
        let label = || Label { index, ..Label::of(entity) };
        let decoder = item::undecoded(T::TABLE, self.schema()?);
        let decode = Decode::new(Holder::SCAN, &decoder);
        let watch = Watch::new(self.table.endpoint(), &decode);
        let output = send!(label(); self.table, builder, self.custom, span, watch);
        let mut output = output.map_err(|(error, _)| {
            let mut context = self.table.context("Scan");
            context.target = index.map(|index| format!("index `{index}`")).unwrap_or_default();
            Error::request(context, error)
        })?;
        let rows = decode.rows(output.items.take().unwrap_or_default());
        Ok(Answer { items: rows.into_iter().map(|row| row.found).collect(), output })
    }

    /// What a page cost, or about that, where the engine does not tell.
    fn units(&self, Answer { items, output }: &Answer) -> f64 {
        let told = output.consumed_capacity().and_then(|capacity| capacity.capacity_units);
        told.filter(|units| units.is_finite() && *units >= 0.0).unwrap_or_else(|| {
            let bytes: usize = items.iter().map(Found::size).sum();
            let read = usize::try_from(output.scanned_count).unwrap_or(0);
            let bytes = match items.len() {
                0 => read.saturating_mul(MAX_ITEM),
                items => bytes.saturating_mul(read.max(items)) / items,
            };
            read_units(bytes.min(MAX_PAGE), self.consistent)
        })
    }

    fn reports(&self) -> Option<ReturnConsumedCapacity> {
        self.capacity_per_second.map(|_| ReturnConsumedCapacity::Total)
    }

    pub(super) fn builder(
        &self,
        segment: u32,
        page_size: Option<u32>,
    ) -> Result<ScanFluentBuilder, Error> {
        let split = self.segments > 1;
        let number = |number: u32| i32::try_from(number).ok();
        let index = self.schema()?;
        let mut aliases = Aliases::default();
        let filter = aliases.condition(Expression::Filter, &self.whole_filter(index)?)?;
        Ok(set_some!(
            self.table.client().scan().table_name(self.table.name()),
            set_index_name: index.map(|index| index.name.to_owned()),
            set_limit: page_size.and_then(number),
            set_consistent_read: self.consistent.then_some(true),
            set_segment: number(segment).filter(|_| split),
            set_total_segments: number(self.segments).filter(|_| split),
            set_filter_expression: filter,
            set_expression_attribute_names: aliases.names(),
            set_expression_attribute_values: aliases.values(),
        ))
    }

    pub(super) fn explanation(&self) -> Result<Explanation, Error> {
        let first = self.capacity_per_second.map(|_| FIRST_PAGE);
        let page_size = self.page_size.or(first);
        let requests = (0..self.segments).map(|segment| self.request(segment, page_size));
        Ok(Explanation::of(requests.collect::<Result<_, _>>()?))
    }

    fn request(&self, segment: u32, page_size: Option<u32>) -> Result<Request, Error> {
        let split = self.segments > 1;
        let number = |number: u32| Json::Number(number.to_string());
        let index = self.schema()?;
        let mut aliases = Aliases::default();
        let filter = aliases.condition(Expression::Filter, &self.whole_filter(index)?)?;
        Ok(Request::new(
            "Scan",
            vec![
                ("TableName", Some(Json::text(self.table.name()))),
                ("IndexName", index.map(|index| Json::text(index.name))),
                ("Limit", page_size.map(number)),
                ("ConsistentRead", self.consistent.then_some(Json::Bool(true))),
                ("Segment", split.then(|| number(segment))),
                ("TotalSegments", split.then(|| number(self.segments))),
                ("ReturnConsumedCapacity", self.reports().map(|told| Json::text(told.as_str()))),
                ("FilterExpression", filter.map(Json::text)),
                ("ExpressionAttributeNames", aliases.names().as_ref().map(Json::names)),
                ("ExpressionAttributeValues", aliases.values().as_ref().map(Json::item)),
            ],
        ))
    }

    /// What the caller asks, that the item is of the kinds, and that it is not expired. What is to be
    /// kept or refused as unknown has to come back.
    fn whole_filter(&self, index: Option<&IndexSchema>) -> Result<Node, Error> {
        let table = T::TABLE;
        let projects = |name: &str| index.is_none_or(|index| index.holds(table, name));
        if let Some(name) = self.filter.attributes().iter().find(|name| !projects(name)) {
            let index = index.map_or("", |index| index.name);
            return Err(Error::expression(format!(
                "a scan of the index `{index}` cannot filter by `{name}`: it is not projected by the index: add it to `projection = include(..)`"
            )));
        }
        let mut filter = self.filter.clone();
        let skips = |kinds: &&Kinds| !kinds.keeps_unknown && !self.refuse_unknown;
        if let Some(kinds) = self.kinds.as_ref().filter(skips) {
            if let Some(ttl) = kinds.ttl(table).filter(|_| !self.include_expired) {
                filter = ttl::alive(ttl, self.table.now()).and(filter);
            }
            if let Some(of_type) = table.type_attribute.and_then(|name| kinds.of_type(name)) {
                filter = of_type.and(filter);
            }
        }
        Ok(filter)
    }

    /// The index, by the table's declaration.
    fn schema(&self) -> Result<Option<&'static IndexSchema>, Error> {
        let Some(name) = &self.index else { return Ok(None) };
        T::TABLE.index(name).map(Some).ok_or_else(|| {
            let known: Vec<_> =
                T::TABLE.indexes.iter().map(|index| format!("`{}`", index.name)).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            Error::usage(format!(
                "`{}` has no index `{name}`; its indexes are: {known}",
                T::TABLE.name
            ))
        })
    }

    /// The index, if it holds a part of each item.
    pub(super) fn partial(&self) -> Result<Option<&'static str>, Error> {
        self.check()?;
        let index = self.schema()?.filter(|index| is_partial(index));
        Ok(index.map(|index| index.name))
    }

    pub(super) fn check(&self) -> Result<(), Error> {
        let problem = match (self.segments, self.page_size, self.capacity_per_second) {
            (0, _, _) => "a scan needs at least one segment",
            (1_000_001.., _, _) => "DynamoDB scans in at most 1 000 000 segments",
            (_, Some(0), _) => "a page size of 0 reads nothing; use at least 1",
            (_, Some(size), _) if i32::try_from(size).is_err() => {
                "the page size does not fit DynamoDB's 32 bits"
            }
            (_, _, Some(units)) if !(units.is_finite() && units > 0.0) => {
                "a capacity budget must be a positive number of units a second"
            }
            _ => "",
        };
        if !problem.is_empty() {
            return Err(Error::usage(problem));
        }
        let Some(index) = self.schema()? else { return Ok(()) };
        if self.consistent && !index.local {
            return Err(Error::usage(format!(
                "the global index `{}` has no consistent reads: drop `.consistent()`, or scan the table",
                index.name
            )));
        }
        if let Some(kinds) = self.kinds.filter(|_| is_partial(index)) {
            return Err(Error::usage(format!(
                "the index `{}` projects a part of each item, so a `{}` cannot be read from it: scan it without `.of`, or scan the table",
                index.name, kinds.name
            )));
        }
        Ok(())
    }
}

/// The SDK's answer, and the items beside it.
struct Answer {
    items: Vec<Found>,
    output: ScanOutput,
}

impl Answer {
    fn page(self) -> Page {
        let next = self.output.last_evaluated_key.filter(|key| !key.is_empty());
        Page { items: self.items, next }
    }
}

fn is_partial(index: &IndexSchema) -> bool {
    index.projection != Projection::All
}
