use aws_sdk_dynamodb::error::ProvideErrorMetadata;
use aws_sdk_dynamodb::types::{
    IndexStatus, KeySchemaElement, KeyType, Projection as StoredProjection, ProjectionType,
    TableDescription, TableStatus, TimeToLiveStatus,
};

use super::Table;
use crate::error::Error;
use crate::schema::{IndexSchema, KeyAttribute, Projection, Schema, TableSchema};
use crate::wire::{send, span};

/// Compares the table in DynamoDB with its declaration.
///
/// One DescribeTable, and one DescribeTimeToLive when the declaration has `ttl`; neither consumes
/// capacity units. Compared are the keys and their types, the declared indexes with kind, keys
/// and projection, the TTL attribute, and whether table and indexes can be used. UPDATING counts
/// as usable, since DynamoDB serves reads and writes meanwhile. Indexes that the declaration does
/// not have are fine, and so is an index that projects more than declared.
///
/// # Examples
///
/// ```
/// use monotable::Table;
///
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK")]
/// #[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
/// struct Shop;
///
/// /// The same table before its index was declared.
/// #[derive(Table)]
/// #[table(pk = "PK", sk = "SK")]
/// struct OldShop;
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// let engine = monotable::testing::Embedded::start().await?;
/// let shop = Shop::table(engine.client(), "shop");
/// assert!(shop.verify().send().await.unwrap_err().is_table_missing());
///
/// engine.table::<OldShop>("shop").await?;
/// let error = shop.verify().send().await.unwrap_err();
/// assert!(error.is_schema_mismatch());
/// assert!(error.to_string().contains("there is no index `gsi1`"));
/// # }
/// # Ok(()) }
/// ```
#[must_use = "an operation does nothing until `.send().await`"]
#[derive(Debug)]
pub struct Verify<T: Schema> {
    table: Table<T>,
}

impl<T: Schema> Verify<T> {
    pub(crate) fn new(table: Table<T>) -> Self {
        Verify { table }
    }

    /// Asks DynamoDB and compares.
    ///
    /// # Errors
    ///
    /// [`Error::is_table_missing`]; [`Error::is_schema_mismatch`], whose text has every
    /// difference; else what DynamoDB or the way to it reports.
    pub async fn send(self) -> Result<(), Error> {
        let Verify { table } = self;
        let Some(found) = describe(&table).await? else {
            return Err(Error::table_missing(table.describe(), T::TABLE.name));
        };
        let mut differences = differences(T::TABLE, &found);
        if let Some(attribute) = T::TABLE.ttl {
            differences.extend(ttl_difference(&table, attribute).await?);
        }
        if differences.is_empty() {
            return Ok(());
        }
        Err(Error::schema_mismatch(table.describe(), T::TABLE.name, differences))
    }
}

/// One DescribeTable; `None` when there is no such table.
pub(super) async fn describe<T: Schema>(
    table: &Table<T>,
) -> Result<Option<TableDescription>, Error> {
    let request = table.client().describe_table().table_name(table.name());
    match send!(table, request, span!("DescribeTable", table)) {
        Ok(answer) => Ok(answer.table),
        Err((error, _)) if error.code() == Some("ResourceNotFoundException") => Ok(None),
        Err((error, _)) => Err(Error::request(table.context("DescribeTable"), error)),
    }
}

/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TableDescription.html>: an
/// UPDATING table is available for reads and writes.
pub(super) fn table_works(status: &TableStatus) -> bool {
    matches!(status, TableStatus::Active | TableStatus::Updating)
}

/// An index that is CREATING lacks items, one that is UPDATING only changes its capacity.
pub(super) fn index_works(status: &IndexStatus) -> bool {
    matches!(status, IndexStatus::Active | IndexStatus::Updating)
}

fn differences(declared: &TableSchema, found: &TableDescription) -> Vec<String> {
    let mut differences = Vec::new();
    if let Some(status) = found.table_status().filter(|status| !table_works(status)) {
        differences.push(format!("the table is {status}, not ACTIVE"));
    }
    let keys = (&[declared.pk][..], declared.sk.as_slice());
    differences.extend(key_differences("the table", keys, found, found.key_schema()));
    for index in declared.indexes {
        match StoredIndex::find(found, index.name) {
            Some(stored) => differences.extend(stored.differences(declared, index, found)),
            None if index.local => differences.push(format!(
                "there is no index `{}`, and a local index comes only with a new table",
                index.name
            )),
            None => differences
                .push(format!("there is no index `{}`, add it with UpdateTable", index.name)),
        }
    }
    differences
}

/// What global and local indexes have in common in an answer of DescribeTable.
struct StoredIndex<'a> {
    local: bool,
    keys: &'a [KeySchemaElement],
    projection: Option<&'a StoredProjection>,
    status: Option<&'a IndexStatus>,
}

impl<'a> StoredIndex<'a> {
    fn find(found: &'a TableDescription, name: &str) -> Option<Self> {
        let global =
            found.global_secondary_indexes().iter().find(|it| it.index_name() == Some(name));
        let local = found.local_secondary_indexes().iter().find(|it| it.index_name() == Some(name));
        let global = global.map(|index| StoredIndex {
            local: false,
            keys: index.key_schema(),
            projection: index.projection(),
            status: index.index_status(),
        });
        global.or_else(|| {
            local.map(|index| StoredIndex {
                local: true,
                keys: index.key_schema(),
                projection: index.projection(),
                status: None,
            })
        })
    }

    fn differences(
        &self,
        declared: &TableSchema,
        index: &IndexSchema,
        found: &TableDescription,
    ) -> Vec<String> {
        let of = format!("index `{}`", index.name);
        let mut differences = Vec::new();
        if self.local != index.local {
            let kind = |local| if local { "local" } else { "global" };
            differences.push(format!(
                "{of} is {}, but {} is declared",
                kind(self.local),
                kind(index.local)
            ));
        }
        let keys = (index.pk, index.sk);
        differences.extend(key_differences(&of, keys, found, self.keys));
        differences.extend(self.projection_difference(&of, declared, index));
        if let Some(status) = self.status.filter(|status| !index_works(status)) {
            differences.push(format!("{of} is {status}, not ACTIVE"));
        }
        differences
    }

    fn projection_difference(
        &self,
        of: &str,
        declared: &TableSchema,
        index: &IndexSchema,
    ) -> Option<String> {
        let stored = self.projection.and_then(StoredProjection::projection_type);
        if stored == Some(&ProjectionType::All) {
            return None;
        }
        match index.projection {
            Projection::KeysOnly => None,
            Projection::All => {
                let stored = stored.map_or("nothing", ProjectionType::as_str);
                Some(format!("{of} projects {stored}, but ALL is declared"))
            }
            Projection::Include(attributes) => {
                let keys = [Some(declared.pk), declared.sk];
                let is_key = |name: &str| {
                    keys.iter().flatten().any(|key| key.name == name) || index.has_key(name)
                };
                let stored = self.projection.map_or(&[][..], StoredProjection::non_key_attributes);
                let missing: Vec<_> = attributes
                    .iter()
                    .filter(|name| !is_key(name) && !stored.iter().any(|it| it == *name))
                    .map(|name| format!("`{name}`"))
                    .collect();
                let missing = missing.join(", ");
                (!missing.is_empty()).then(|| format!("{of} does not project {missing}"))
            }
        }
    }
}

fn key_differences(
    of: &str,
    declared: (&[KeyAttribute], &[KeyAttribute]),
    found: &TableDescription,
    keys: &[KeySchemaElement],
) -> Vec<String> {
    let halves =
        [("partition key", KeyType::Hash, declared.0), ("sort key", KeyType::Range, declared.1)];
    let mut differences = Vec::new();
    for (half, key_type, declared) in halves {
        let declared: Vec<_> =
            declared.iter().map(|key| format!("`{}` ({})", key.name, key.ty.name())).collect();
        let declared = (!declared.is_empty()).then(|| declared.join(", "));
        let stored = stored_half(found, keys, &key_type);
        if stored != declared {
            let stored = stored.map_or(format!("no {half}"), |stored| format!("{half} {stored}"));
            let declared = declared.as_deref().unwrap_or("none");
            differences.push(format!("{of} has {stored}, but {declared} is declared"));
        }
    }
    differences
}

/// Name and type of every attribute of one half; a global index may have several.
fn stored_half(
    found: &TableDescription,
    keys: &[KeySchemaElement],
    key_type: &KeyType,
) -> Option<String> {
    let attributes: Vec<_> = keys
        .iter()
        .filter(|key| key.key_type() == key_type)
        .map(|key| {
            let name = key.attribute_name();
            let definition =
                found.attribute_definitions().iter().find(|it| it.attribute_name() == name);
            let ty = definition.map_or("no type", |it| it.attribute_type().as_str());
            format!("`{name}` ({ty})")
        })
        .collect();
    (!attributes.is_empty()).then(|| attributes.join(", "))
}

/// One DescribeTimeToLive.
async fn ttl_difference<T: Schema>(
    table: &Table<T>,
    declared: &str,
) -> Result<Option<String>, Error> {
    let request = table.client().describe_time_to_live().table_name(table.name());
    let answer = send!(table, request, span!("DescribeTimeToLive", table))
        .map_err(|(error, _)| Error::request(table.context("DescribeTimeToLive"), error))?;
    let found = answer.time_to_live_description();
    let status = found.and_then(|ttl| ttl.time_to_live_status());
    let difference = match (status, found.and_then(|ttl| ttl.attribute_name())) {
        (Some(TimeToLiveStatus::Enabled | TimeToLiveStatus::Enabling), Some(attribute)) => {
            (attribute != declared)
                .then(|| format!("TTL looks at `{attribute}`, but `{declared}` is declared"))
        }
        (status, _) => {
            let status = status.map_or("DISABLED", TimeToLiveStatus::as_str);
            Some(format!("TTL is {status}, but `{declared}` is declared"))
        }
    };
    Ok(difference)
}

#[cfg(test)]
mod tests {
    use aws_sdk_dynamodb::types::builders::TableDescriptionBuilder;
    use aws_sdk_dynamodb::types::{
        AttributeDefinition, GlobalSecondaryIndexDescription, LocalSecondaryIndexDescription,
        ScalarAttributeType,
    };

    use super::*;
    use crate::schema::KeyType as DeclaredType;

    const fn text(name: &'static str) -> KeyAttribute {
        KeyAttribute::new(name, DeclaredType::S)
    }

    const INDEX: IndexSchema = IndexSchema {
        name: "gsi1",
        local: false,
        pk: &[text("GSI1PK")],
        sk: &[text("GSI1SK")],
        projection: Projection::All,
    };

    fn declared(indexes: &'static [IndexSchema]) -> TableSchema {
        TableSchema {
            name: "Shop",
            pk: text("PK"),
            sk: Some(text("SK")),
            indexes,
            type_attribute: None,
            ttl: None,
            listed: &[],
        }
    }

    fn keys(pk: &[&str], sk: &[&str]) -> Option<Vec<KeySchemaElement>> {
        let element = |name: &str, half: KeyType| {
            KeySchemaElement::builder().attribute_name(name).key_type(half).build().unwrap()
        };
        let pk = pk.iter().map(|name| element(name, KeyType::Hash));
        Some(pk.chain(sk.iter().map(|name| element(name, KeyType::Range))).collect())
    }

    fn stored(types: &[(&str, ScalarAttributeType)]) -> TableDescriptionBuilder {
        let definitions = types.iter().map(|(name, ty)| {
            AttributeDefinition::builder()
                .attribute_name(*name)
                .attribute_type(ty.clone())
                .build()
                .unwrap()
        });
        TableDescription::builder()
            .table_status(TableStatus::Active)
            .set_attribute_definitions(Some(definitions.collect()))
            .set_key_schema(keys(&["PK"], &["SK"]))
    }

    fn projection(ty: ProjectionType, attributes: &[&str]) -> StoredProjection {
        let attributes = attributes.iter().map(|&name| name.to_owned()).collect();
        StoredProjection::builder()
            .projection_type(ty)
            .set_non_key_attributes(Some(attributes))
            .build()
    }

    fn global(projection: StoredProjection) -> GlobalSecondaryIndexDescription {
        GlobalSecondaryIndexDescription::builder()
            .index_name("gsi1")
            .set_key_schema(keys(&["GSI1PK"], &["GSI1SK"]))
            .projection(projection)
            .index_status(IndexStatus::Active)
            .build()
    }

    const TEXTS: &[(&str, ScalarAttributeType)] = &[
        ("PK", ScalarAttributeType::S),
        ("SK", ScalarAttributeType::S),
        ("GSI1PK", ScalarAttributeType::S),
        ("GSI1SK", ScalarAttributeType::S),
    ];

    #[test]
    fn the_table_as_declared_has_no_differences() {
        let found =
            stored(TEXTS).global_secondary_indexes(global(projection(ProjectionType::All, &[])));
        assert!(differences(&declared(&[INDEX]), &found.clone().build()).is_empty());
        assert!(differences(&declared(&[]), &found.build()).is_empty(), "extra indexes are fine");
    }

    #[test]
    fn every_difference_is_told() {
        let found = stored(&[("id", ScalarAttributeType::N)])
            .table_status(TableStatus::Deleting)
            .set_key_schema(keys(&["id"], &[]))
            .build();
        assert_eq!(
            differences(
                &declared(&[INDEX, IndexSchema { name: "lsi1", local: true, ..INDEX }]),
                &found
            ),
            [
                "the table is DELETING, not ACTIVE",
                "the table has partition key `id` (N), but `PK` (S) is declared",
                "the table has no sort key, but `SK` (S) is declared",
                "there is no index `gsi1`, add it with UpdateTable",
                "there is no index `lsi1`, and a local index comes only with a new table",
            ]
        );
    }

    #[test]
    fn several_attributes_in_a_half_are_other_keys() {
        let index = GlobalSecondaryIndexDescription::builder()
            .index_name("gsi1")
            .set_key_schema(keys(&["GSI1PK", "PK"], &["GSI1SK"]))
            .projection(projection(ProjectionType::All, &[]))
            .index_status(IndexStatus::Creating);
        let found = stored(TEXTS).global_secondary_indexes(index.build()).build();
        assert_eq!(
            differences(&declared(&[INDEX]), &found),
            [
                "index `gsi1` has partition key `GSI1PK` (S), `PK` (S), but `GSI1PK` (S) is declared",
                "index `gsi1` is CREATING, not ACTIVE",
            ]
        );
    }

    #[test]
    fn a_local_index_is_no_global_one() {
        let index = LocalSecondaryIndexDescription::builder()
            .index_name("gsi1")
            .set_key_schema(keys(&["GSI1PK"], &["GSI1SK"]))
            .projection(projection(ProjectionType::All, &[]));
        let found = stored(TEXTS).local_secondary_indexes(index.build()).build();
        assert_eq!(
            differences(&declared(&[INDEX]), &found),
            ["index `gsi1` is local, but global is declared"]
        );
    }

    #[test]
    fn an_index_may_project_more_than_declared() {
        const PART: &[IndexSchema] =
            &[IndexSchema { projection: Projection::Include(&["total", "SK"]), ..INDEX }];
        const KEYS: &[IndexSchema] = &[IndexSchema { projection: Projection::KeysOnly, ..INDEX }];
        let told = |indexes, stored_as| {
            let found = stored(TEXTS).global_secondary_indexes(global(stored_as)).build();
            differences(&declared(indexes), &found)
        };
        let include = |attributes| projection(ProjectionType::Include, attributes);
        let keys_only = projection(ProjectionType::KeysOnly, &[]);

        assert!(told(PART, projection(ProjectionType::All, &[])).is_empty());
        assert!(told(PART, include(&["note", "total"])).is_empty());
        assert!(told(KEYS, include(&["note"])).is_empty());
        assert_eq!(told(PART, include(&["note"])), ["index `gsi1` does not project `total`"]);
        assert_eq!(
            told(&[INDEX], keys_only),
            ["index `gsi1` projects KEYS_ONLY, but ALL is declared"]
        );
    }
}
