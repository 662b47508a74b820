use std::collections::BTreeMap;
use std::time::Duration;

use aws_sdk_dynamodb::error::{BuildError, ProvideErrorMetadata};
use aws_sdk_dynamodb::operation::create_table::builders::CreateTableFluentBuilder;
use aws_sdk_dynamodb::types::{
    AttributeDefinition, BillingMode, GlobalSecondaryIndex, KeySchemaElement, KeyType,
    LocalSecondaryIndex, Projection as SdkProjection, ProjectionType, ProvisionedThroughput,
    ScalarAttributeType, StreamSpecification, StreamViewType, TimeToLiveSpecification,
};

use super::Table;
use super::wait::{DEFAULT_TIMEOUT, Wait, until_active, until_gone};
use crate::error::{Context, Error};
use crate::schema::{IndexSchema, KeyAttribute, Projection, Schema};
use crate::wire::{send, span};

/// Creates a table as its schema declares it: one CreateTable, then DescribeTable until the table
/// and every index are ACTIVE, then one UpdateTimeToLive if the schema has `ttl`.
///
/// Billed on demand unless [`provisioned`](Self::provisioned) says otherwise. On AWS it takes
/// seconds to minutes.
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_CreateTable.html>
///
/// # Examples
///
/// ```
/// use monotable::Table;
///
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK", ttl = "expires_at")]
/// #[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
/// struct Shop;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// let engine = monotable::testing::Embedded::start().await?;
/// let shop = Shop::table(engine.client(), "shop");
/// shop.create_table().send().await?;
/// shop.verify().send().await?;
///
/// assert!(shop.create_table().send().await.is_err());
/// assert!(shop.create_table().if_not_exists().send().await.is_ok());
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct CreateTable<T: Schema> {
    table: Table<T>,
    /// Of the table and of the indexes that `of_indexes` does not have; `None` is on demand.
    throughput: Option<Units>,
    of_indexes: BTreeMap<String, Units>,
    stream: Option<StreamViewType>,
    timeout: Duration,
    if_not_exists: bool,
}

#[derive(Debug, Clone, Copy)]
struct Units {
    read: u32,
    write: u32,
}

impl<T: Schema> CreateTable<T> {
    pub(crate) fn new(table: Table<T>) -> Self {
        CreateTable {
            table,
            throughput: None,
            of_indexes: BTreeMap::new(),
            stream: None,
            timeout: DEFAULT_TIMEOUT,
            if_not_exists: false,
        }
    }

    /// Billed by the request; the default.
    pub fn on_demand(mut self) -> Self {
        self.throughput = None;
        self
    }

    /// Billed by capacity units a second, for the table and, each on its own, every global index.
    /// One read unit is one strongly consistent read of 4 KB a second, one write unit one write of
    /// 1 KB a second; at least 1 each.
    pub fn provisioned(mut self, read_units: u32, write_units: u32) -> Self {
        self.throughput = Some(Units { read: read_units, write: write_units });
        self
    }

    /// Other capacity units for one global index; goes with [`provisioned`](Self::provisioned).
    pub fn index_provisioned(mut self, index: &str, read_units: u32, write_units: u32) -> Self {
        self.of_indexes.insert(index.to_owned(), Units { read: read_units, write: write_units });
        self
    }

    /// A stream of the table's changes; the argument says what a record holds.
    pub fn stream(mut self, view: StreamViewType) -> Self {
        self.stream = Some(view);
        self
    }

    /// How long to wait until everything is ACTIVE, 5 minutes by default. When it is over the
    /// table may still be on its way.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// A table that exists already is fine: it is waited for and then [verified](Table::verify),
    /// and changed in nothing. Of two callers at once, the second may find TTL not enabled yet.
    pub fn if_not_exists(mut self) -> Self {
        self.if_not_exists = true;
        self
    }

    /// The SDK's builder, filled. Sending it does not wait and does not enable TTL.
    ///
    /// # Errors
    ///
    /// [`index_provisioned`](Self::index_provisioned) without [`provisioned`](Self::provisioned),
    /// or for an index that is not a global one of the schema.
    pub fn into_sdk(self) -> Result<CreateTableFluentBuilder, Error> {
        self.check_indexes()?;
        let schema = T::TABLE;
        let definitions = schema.key_attributes().into_iter().map(definition);
        let mut request = self
            .table
            .client()
            .create_table()
            .table_name(self.table.name())
            .set_attribute_definitions(Some(definitions.collect::<Result<_, _>>()?))
            .set_key_schema(Some(key_schema(&[schema.pk], schema.sk.as_slice())?));
        request = match self.throughput {
            Some(units) => request
                .billing_mode(BillingMode::Provisioned)
                .provisioned_throughput(units.to_sdk()?),
            None => request.billing_mode(BillingMode::PayPerRequest),
        };
        for index in schema.indexes {
            request = if index.local {
                request.local_secondary_indexes(local_index(index)?)
            } else {
                let units = self.of_indexes.get(index.name).copied().or(self.throughput);
                request.global_secondary_indexes(global_index(index, units)?)
            };
        }
        if let Some(view) = self.stream {
            let stream = StreamSpecification::builder().stream_enabled(true).stream_view_type(view);
            request = request.stream_specification(built(stream.build())?);
        }
        Ok(request)
    }

    /// Creates the table and waits.
    ///
    /// # Errors
    ///
    /// As [`into_sdk`](Self::into_sdk); a table of that name that exists, unless
    /// [`if_not_exists`](Self::if_not_exists) is given, which fails with
    /// [`Error::is_schema_mismatch`] when it is not as declared; [`Error::is_not_ready`] when the
    /// time is over, with what is not ACTIVE yet; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let (table, if_not_exists) = (self.table.clone(), self.if_not_exists);
        let mut wait = Wait::new(self.timeout);
        let request = self.into_sdk()?;
        match send!(table, request, span!("CreateTable", table)) {
            Ok(_) => {}
            Err((error, _)) if if_not_exists && error.code() == Some("ResourceInUseException") => {
                until_active(&table, &mut wait).await?;
                return table.verify().send().await;
            }
            Err((error, lost)) => {
                let context = write_context(&table, "CreateTable", lost);
                return Err(Error::request(context, error));
            }
        }
        until_active(&table, &mut wait).await?;
        match T::TABLE.ttl {
            Some(attribute) => enable_ttl(&table, attribute, &mut wait).await,
            None => Ok(()),
        }
    }

    fn check_indexes(&self) -> Result<(), Error> {
        for name in self.of_indexes.keys() {
            if T::TABLE.index(name).is_none_or(|index| index.local) {
                let global = T::TABLE.indexes.iter().filter(|index| !index.local);
                let global: Vec<_> = global.map(|index| format!("`{}`", index.name)).collect();
                return Err(Error::usage(format!(
                    "`{}` has no global index `{name}`; its global indexes are: {}",
                    T::TABLE.name,
                    if global.is_empty() { "none".to_owned() } else { global.join(", ") },
                )));
            }
            if self.throughput.is_none() {
                return Err(Error::usage(format!(
                    "index `{name}` has capacity units but the table is on demand; call `.provisioned(..)` too"
                )));
            }
        }
        Ok(())
    }
}

/// Deletes a table with everything in it: one DeleteTable, then DescribeTable until the name is
/// free. A table that does not exist is fine.
///
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_DeleteTable.html>
///
/// # Examples
///
/// ```
/// use monotable::Table;
///
/// #[derive(Table)]
/// #[table(pk = "PK")]
/// struct Tokens;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// let engine = monotable::testing::Embedded::start().await?;
/// let tokens = engine.table::<Tokens>("tokens").await?;
/// tokens.delete_table().send().await?;
/// tokens.delete_table().send().await?;
/// assert!(tokens.verify().send().await.unwrap_err().is_table_missing());
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct DeleteTable<T: Schema> {
    table: Table<T>,
    timeout: Duration,
}

impl<T: Schema> DeleteTable<T> {
    pub(crate) fn new(table: Table<T>) -> Self {
        DeleteTable { table, timeout: DEFAULT_TIMEOUT }
    }

    /// How long to wait until the table is gone, 5 minutes by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Deletes the table and waits.
    ///
    /// # Errors
    ///
    /// A table that is being created or has deletion protection; the time is over; else what
    /// DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let DeleteTable { table, timeout } = self;
        let mut wait = Wait::new(timeout);
        let request = table.client().delete_table().table_name(table.name());
        match send!(table, request, span!("DeleteTable", table)) {
            Ok(_) => until_gone(&table, &mut wait).await,
            Err((error, _)) if error.code() == Some("ResourceNotFoundException") => Ok(()),
            Err((error, lost)) => {
                Err(Error::request(write_context(&table, "DeleteTable", lost), error))
            }
        }
    }
}

/// One UpdateTimeToLive; again while it does not find the table, which may happen for a moment
/// after the table is ACTIVE.
async fn enable_ttl<T: Schema>(
    table: &Table<T>,
    attribute: &str,
    wait: &mut Wait,
) -> Result<(), Error> {
    let specification = TimeToLiveSpecification::builder().enabled(true).attribute_name(attribute);
    let specification = built(specification.build())?;
    loop {
        let request = table
            .client()
            .update_time_to_live()
            .table_name(table.name())
            .time_to_live_specification(specification.clone());
        match send!(table, request, span!("UpdateTimeToLive", table)) {
            Ok(_) => return Ok(()),
            // The SDK repeats a request whose answer was lost.
            Err((error, _)) if error.message() == Some("TimeToLive is already enabled") => {
                return Ok(());
            }
            Err((error, _)) if error.code() == Some("ResourceNotFoundException") => {
                wait.pause(table, || "UpdateTimeToLive does not find the table".to_owned()).await?;
            }
            Err((error, lost)) => {
                let context = write_context(table, "UpdateTimeToLive", lost);
                return Err(Error::request(context, error));
            }
        }
    }
}

fn write_context<T: Schema>(table: &Table<T>, operation: &'static str, is_lost: bool) -> Context {
    Context { is_write: true, is_lost, ..table.context(operation) }
}

impl Units {
    fn to_sdk(self) -> Result<ProvisionedThroughput, Error> {
        let units = ProvisionedThroughput::builder()
            .read_capacity_units(self.read.into())
            .write_capacity_units(self.write.into());
        built(units.build())
    }
}

fn global_index(index: &IndexSchema, units: Option<Units>) -> Result<GlobalSecondaryIndex, Error> {
    let index = GlobalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.pk, index.sk)?))
        .projection(projection(index.projection))
        .set_provisioned_throughput(units.map(Units::to_sdk).transpose()?);
    built(index.build())
}

fn local_index(index: &IndexSchema) -> Result<LocalSecondaryIndex, Error> {
    let index = LocalSecondaryIndex::builder()
        .index_name(index.name)
        .set_key_schema(Some(key_schema(index.pk, index.sk)?))
        .projection(projection(index.projection));
    built(index.build())
}

fn definition(attribute: KeyAttribute) -> Result<AttributeDefinition, Error> {
    let definition = AttributeDefinition::builder()
        .attribute_name(attribute.name)
        .attribute_type(ScalarAttributeType::from(attribute.ty.name()));
    built(definition.build())
}

fn key_schema(pk: &[KeyAttribute], sk: &[KeyAttribute]) -> Result<Vec<KeySchemaElement>, Error> {
    let pk = pk.iter().map(|attribute| (attribute, KeyType::Hash));
    pk.chain(sk.iter().map(|attribute| (attribute, KeyType::Range)))
        .map(|(attribute, half)| {
            let element = KeySchemaElement::builder().attribute_name(attribute.name).key_type(half);
            built(element.build())
        })
        .collect()
}

fn projection(projection: Projection) -> SdkProjection {
    let builder = SdkProjection::builder();
    match projection {
        Projection::All => builder.projection_type(ProjectionType::All),
        Projection::KeysOnly => builder.projection_type(ProjectionType::KeysOnly),
        Projection::Include(attributes) => builder
            .projection_type(ProjectionType::Include)
            .set_non_key_attributes(Some(attributes.iter().map(|&name| name.to_owned()).collect())),
    }
    .build()
}

/// The SDK's builders refuse a required member that is not set; all are.
fn built<V>(result: Result<V, BuildError>) -> Result<V, Error> {
    result.map_err(|error| Error::usage(format!("the request cannot be built: {error}")))
}
