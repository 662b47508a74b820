//! What the derives tell about tables, entities and indexes: constant data, and the rules that a
//! set of them must obey, checked while compiling.

#[doc(hidden)]
pub mod check;
#[doc(hidden)]
pub mod distinct;
pub(crate) mod layout;
mod shape;
mod text;

#[doc(hidden)]
pub use text::Text;

use crate::entity::EntityEntry;
use crate::key::Slot;

/// A table as `#[derive(Table)]` declares it. Implemented by the derive only.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a table",
    label = "needs `#[derive(Table)]`",
    note = "declare it with `#[derive(Table)] #[table(pk = \"PK\", sk = \"SK\")] struct {Self};`"
)]
pub trait Schema: Send + Sync + 'static {
    /// Key attributes, indexes, type attribute and TTL attribute.
    const TABLE: &'static TableSchema;

    /// The entities of `entities(..)`, in that order.
    fn entities() -> &'static [EntityEntry];
}

/// A table's declaration.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct TableSchema {
    /// The Rust type's name.
    pub name: &'static str,
    /// The partition key.
    pub pk: KeyAttribute,
    /// The sort key of a composite primary key.
    pub sk: Option<KeyAttribute>,
    /// Global and local secondary indexes.
    pub indexes: &'static [IndexSchema],
    /// The attribute that tells which entity an item is.
    pub type_attribute: Option<&'static str>,
    /// The attribute that DynamoDB's TTL looks at.
    pub ttl: Option<&'static str>,
    /// The names in `entities(..)`.
    pub(crate) listed: &'static [&'static str],
}

/// A secondary index's declaration.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct IndexSchema {
    /// The index name in DynamoDB.
    pub name: &'static str,
    /// Local or global.
    pub local: bool,
    /// The attributes of the partition key, 1 to 4; a local index has the table's.
    pub pk: &'static [KeyAttribute],
    /// The attributes of the sort key, up to 4.
    pub sk: &'static [KeyAttribute],
    /// What the index copies.
    pub projection: Projection,
}

/// A key attribute's name and type.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct KeyAttribute {
    /// The attribute name.
    pub name: &'static str,
    /// S, N or B.
    pub ty: KeyType,
}

/// The type of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum KeyType {
    /// Text.
    S,
    /// Number.
    N,
    /// Binary.
    B,
}

/// What an index copies from an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Projection {
    /// Every attribute.
    All,
    /// The key attributes of table and index.
    KeysOnly,
    /// The key attributes and these.
    Include(&'static [&'static str]),
}

/// An entity's declaration.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct EntitySchema {
    /// The Rust type's name.
    pub name: &'static str,
    /// What the type attribute holds.
    pub type_name: &'static str,
    /// Other values of the type attribute that mean this entity.
    pub type_aliases: &'static [&'static str],
    pub(crate) pk: Slot,
    pub(crate) sk: Option<Slot>,
    /// The function that makes the pattern of the table's partitions.
    pub pattern: &'static str,
    /// The indexes it takes part in.
    pub indexes: &'static [EntityIndex],
    /// Constant attributes, written on every put.
    pub constants: &'static [(&'static str, &'static str)],
    /// The attribute that counts the writes.
    pub version: Option<&'static str>,
    /// The attribute of the field that says when an item expires.
    pub ttl: Option<&'static str>,
    /// The fields whose values no two items share.
    pub unique: &'static [UniqueField],
    /// The attributes of its fields, those of flattened ones left out.
    pub attributes: &'static [&'static str],
    /// The names of the fields that live in the key alone, as serde has them; no attribute is stored
    /// under them.
    pub key_only: &'static [&'static str],
    pub(crate) nulls: &'static [&'static str],
    pub(crate) overlap: &'static [&'static str],
}

/// A field whose value no two items share, and the key of the guard that sees to it.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct UniqueField {
    /// The field's name.
    pub field: &'static str,
    /// Its attribute.
    pub attribute: &'static str,
    pub(crate) pk: Slot,
    pub(crate) sk: Option<Slot>,
}

/// How an entity takes part in an index.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub struct EntityIndex {
    /// The index name in DynamoDB.
    pub name: &'static str,
    pub(crate) pk: &'static [Slot],
    pub(crate) sk: &'static [Slot],
    pub(crate) shards: Option<Shards>,
    /// The function that makes the pattern of the index's partitions, if it has one.
    pub pattern: Option<&'static str>,
    /// The condition as written.
    pub only_when: Option<&'static str>,
}

/// How an index partition is spread.
#[derive(Debug, Clone, Copy)]
pub struct Shards {
    /// The fields that are hashed, as written.
    pub by: &'static str,
    /// Shards written.
    pub count: u32,
    /// Shards read, at least; reads cover `max(count, read)`.
    pub read: u32,
}

impl KeyType {
    /// `S`, `N` or `B`.
    pub const fn name(self) -> &'static str {
        match self {
            KeyType::S => "S",
            KeyType::N => "N",
            KeyType::B => "B",
        }
    }
}

impl Shards {
    /// How many shards a read covers.
    pub const fn reads(&self) -> u32 {
        if self.read > self.count { self.read } else { self.count }
    }
}

impl KeyAttribute {
    #[doc(hidden)]
    pub const fn new(name: &'static str, ty: KeyType) -> Self {
        KeyAttribute { name, ty }
    }
}

impl EntityIndex {
    /// The slots of the partition key, then those of the sort key.
    pub(crate) fn slots(&self) -> impl Iterator<Item = &'static Slot> {
        self.pk.iter().chain(self.sk)
    }

    /// The slot at a position of [`slots`](Self::slots).
    pub(crate) const fn slot(&self, at: usize) -> &'static Slot {
        if at < self.pk.len() { &self.pk[at] } else { &self.sk[at - self.pk.len()] }
    }

    /// Whether one of its slots fills the attribute.
    pub(crate) const fn fills(&self, attribute: &str) -> bool {
        let mut at = 0;
        while at < self.pk.len() + self.sk.len() {
            if text::equal(self.slot(at).attribute.name, attribute) {
                return true;
            }
            at += 1;
        }
        false
    }
}

impl IndexSchema {
    /// Whether an attribute belongs to its key.
    pub(crate) const fn has_key(&self, attribute: &str) -> bool {
        has(self.pk, attribute) || has(self.sk, attribute)
    }

    /// Whether an attribute that is no key is copied into the index.
    pub(crate) const fn projects(&self, attribute: &str) -> bool {
        match self.projection {
            Projection::All => true,
            Projection::KeysOnly => false,
            Projection::Include(names) => text::is_among(attribute, names),
        }
    }
}

impl IndexSchema {
    /// Whether an attribute is in the index: projected, or a key attribute of table or index.
    pub(crate) fn holds(&self, table: &TableSchema, attribute: &str) -> bool {
        self.projects(attribute) || self.has_key(attribute) || table.has_key(attribute)
    }
}

const fn has(attributes: &[KeyAttribute], name: &str) -> bool {
    let mut at = 0;
    while at < attributes.len() {
        if text::equal(attributes[at].name, name) {
            return true;
        }
        at += 1;
    }
    false
}

impl TableSchema {
    /// Whether an attribute belongs to the table's key.
    pub(crate) const fn has_key(&self, attribute: &str) -> bool {
        has(&[self.pk], attribute) || has(self.sk.as_slice(), attribute)
    }

    /// The attributes of the partition key and of the sort key, of the table or of an index.
    pub(crate) fn key_of(
        &'static self,
        index: Option<&'static IndexSchema>,
    ) -> (&'static [KeyAttribute], &'static [KeyAttribute]) {
        match index {
            Some(index) => (index.pk, index.sk),
            None => (std::slice::from_ref(&self.pk), self.sk.as_slice()),
        }
    }

    /// Whether the derive of the table failed, and said so.
    pub(crate) const fn is_stub(&self) -> bool {
        self.name.is_empty()
    }

    pub(crate) const fn index(&self, name: &str) -> Option<&'static IndexSchema> {
        let mut at = 0;
        while at < self.indexes.len() {
            if text::equal(self.indexes[at].name, name) {
                return Some(&self.indexes[at]);
            }
            at += 1;
        }
        None
    }

    /// Whether the attribute is one of `key_attributes`.
    pub(crate) fn is_key(&self, name: &str) -> bool {
        let is = |attribute: &KeyAttribute| attribute.name == name;
        is(&self.pk)
            || self.sk.as_ref().is_some_and(is)
            || self.indexes.iter().any(|index| index.pk.iter().chain(index.sk).any(is))
    }

    /// Every key attribute of the table and its indexes, each once.
    pub(crate) fn key_attributes(&self) -> Vec<KeyAttribute> {
        let mut all = vec![self.pk];
        all.extend(self.sk);
        for index in self.indexes {
            all.extend(index.pk.iter().chain(index.sk));
        }
        let mut seen = std::collections::HashSet::new();
        all.retain(|attribute| seen.insert(attribute.name));
        all
    }
}

impl EntitySchema {
    /// Whether the derive of the entity failed, and said so.
    pub(crate) const fn is_stub(&self) -> bool {
        self.pk.attribute.name.is_empty()
    }

    /// Whether the attribute is a field that is a key itself.
    pub(crate) fn is_natural(&'static self, attribute: &str) -> bool {
        self.natural(attribute).is_some()
    }

    /// The slot of an attribute that serde writes, and that is a key as it is.
    pub(crate) fn natural(&'static self, attribute: &str) -> Option<&'static Slot> {
        self.all_slots().find(|slot| slot.natural && slot.attribute.name == attribute)
    }

    /// The slots of the table and of each index; several indexes may share one.
    pub(crate) fn all_slots(&'static self) -> impl Iterator<Item = &'static Slot> {
        let primary = std::iter::once(&self.pk).chain(&self.sk);
        primary.chain(self.indexes.iter().flat_map(EntityIndex::slots))
    }

    /// What the type attribute of its items may hold.
    pub(crate) fn type_names(&'static self) -> impl Iterator<Item = &'static str> {
        std::iter::once(self.type_name).chain(self.type_aliases.iter().copied())
    }

    /// The first slot of each half of the key of the table or of an index, where it is in that.
    pub(crate) fn first_slots(
        &'static self,
        index: Option<&str>,
    ) -> Option<(&'static Slot, Option<&'static Slot>)> {
        let Some(name) = index else { return Some((&self.pk, self.sk.as_ref())) };
        let index = self.indexes.iter().find(|index| index.name == name)?;
        Some((index.pk.first()?, index.sk.first()))
    }

    /// Whether the attribute belongs to the primary key.
    pub(crate) fn is_primary(&'static self, attribute: &str) -> bool {
        self.pk.attribute.name == attribute
            || self.sk.as_ref().is_some_and(|sk| sk.attribute.name == attribute)
    }

    /// The slots of the table's and the indexes' key attributes, each attribute once.
    pub(crate) fn slots(&'static self) -> Vec<&'static Slot> {
        let mut slots: Vec<_> = self.all_slots().collect();
        let mut seen = std::collections::HashSet::new();
        slots.retain(|slot| seen.insert(slot.attribute.name));
        slots
    }
}

/// The classes of sort-key components, by which methods they have.
pub(crate) mod class {
    /// Ranges.
    pub(crate) const ORDERED: u8 = 0;
    /// Ranges and prefixes.
    pub(crate) const PREFIXED: u8 = 1;
    /// Text with something behind it: prefixes only.
    pub(crate) const INSIDE: u8 = 2;
    /// Names: neither.
    pub(crate) const NAMED: u8 = 3;
    /// Numbers without padding: neither.
    pub(crate) const UNPADDED: u8 = 4;
    /// Stored by `#[serde(with)]` in a way that only it knows.
    pub(crate) const UNKNOWN: u8 = 5;
}

/// The codes of what a pattern reads.
pub(crate) mod target {
    /// The table.
    pub(crate) const TABLE: u8 = 0;
    /// A local index.
    pub(crate) const LOCAL: u8 = 1;
    /// A global index that projects all attributes.
    pub(crate) const GLOBAL: u8 = 2;
    /// A global index that projects a part.
    pub(crate) const PARTIAL: u8 = 3;
}
