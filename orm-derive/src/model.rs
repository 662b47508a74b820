//! What the attributes of a derive say, checked: the only thing that `expand` works from.

use proc_macro2::Ident;
use syn::{ExprPath, Generics, LitStr, Member, Pat, Path, Type, Visibility};

/// The type of a key attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum KeyType {
    S,
    N,
    B,
}

/// A key attribute of a table or an index.
#[derive(Debug, Clone)]
pub(crate) struct KeyAttr {
    pub(crate) name: LitStr,
    pub(crate) ty: KeyType,
}

/// What an index holds of an item.
#[derive(Debug, Clone)]
pub(crate) enum Projection {
    All,
    KeysOnly,
    /// The key attributes and these.
    Include(Vec<LitStr>),
}

/// `#[gsi(..)]` or `#[lsi(..)]`.
#[derive(Debug, Clone)]
pub(crate) struct IndexDecl {
    pub(crate) name: LitStr,
    pub(crate) local: bool,
    /// Empty for a local index, which shares the table's.
    pub(crate) pk: Vec<KeyAttr>,
    pub(crate) sk: Vec<KeyAttr>,
    pub(crate) projection: Projection,
}

/// `#[derive(Table)]`.
#[derive(Debug, Clone)]
pub(crate) struct TableModel {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    pub(crate) pk: KeyAttr,
    pub(crate) sk: Option<KeyAttr>,
    pub(crate) entities: Vec<Type>,
    pub(crate) type_attribute: Option<LitStr>,
    pub(crate) ttl: Option<LitStr>,
    /// In the order of the source.
    pub(crate) indexes: Vec<IndexDecl>,
}

/// The width of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    /// `:4`, zero-padded.
    Digits(u8),
    /// `:plain`, without ranges.
    Plain,
}

/// How text is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextForm {
    /// `:ordered`
    Ordered,
    /// `:raw`
    Raw,
    /// `:rest`
    Rest,
}

/// The precision, the number or the bucket of a date or timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    Second,
    Milli,
    Micro,
    Nano,
    EpochSecond,
    EpochMilli,
    Year,
    Month,
    Day,
    Hour,
}

/// Where an index keeps the items without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum NoneOrder {
    First,
    Last,
}

/// The words behind a field of a template.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Spec {
    pub(crate) width: Option<Width>,
    pub(crate) text: Option<TextForm>,
    pub(crate) lower: bool,
    pub(crate) unit: Option<Unit>,
    pub(crate) desc: bool,
    pub(crate) sparse: bool,
    pub(crate) none: Option<NoneOrder>,
    /// As written, without the leading `:`; empty if there are none.
    pub(crate) source: String,
}

/// `<field:spec>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Component {
    /// Index into [`EntityModel::fields`]; `usize::MAX` if unknown, as always in a collection.
    pub(crate) field: usize,
    pub(crate) name: String,
    pub(crate) spec: Spec,
}

/// A piece of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Segment {
    Literal(String),
    Component(Component),
    Shard,
}

/// The template of one key attribute.
#[derive(Debug, Clone)]
pub(crate) struct Template {
    pub(crate) lit: LitStr,
    pub(crate) segments: Vec<Segment>,
    /// A segment could not be read, and that has been reported.
    pub(crate) is_damaged: bool,
}

/// A field of an entity, with what serde does to it.
#[derive(Debug, Clone)]
pub(crate) struct Field {
    pub(crate) ident: Ident,
    /// Without `r#`.
    pub(crate) name: String,
    pub(crate) ty: Type,
    /// The stored attribute's name; `None` if the field is not written, or flattened.
    pub(crate) attribute: Option<String>,
    pub(crate) flatten: bool,
    /// Not written: `skip` or `skip_serializing`.
    pub(crate) skip: bool,
    /// Not read back: `skip` or `skip_deserializing`.
    pub(crate) unread: bool,
    /// Read under other names too.
    pub(crate) alias: bool,
    pub(crate) serialize_with: Option<ExprPath>,
    pub(crate) deserialize_with: Option<ExprPath>,
}

/// A field whose value no two items share.
#[derive(Debug, Clone)]
pub(crate) struct Unique {
    /// Index into [`EntityModel::fields`].
    pub(crate) field: usize,
    /// The keys of its guards.
    pub(crate) pk: Template,
    pub(crate) sk: Template,
}

/// What the user permits although it would be refused.
#[derive(Debug, Clone, Default)]
pub(crate) struct Allow {
    /// The reason.
    pub(crate) hot_partition: Option<LitStr>,
    pub(crate) overlap: Vec<Path>,
    /// The table's `entities(..)` cannot name this entity.
    pub(crate) unlisted: bool,
    /// Expired items may be found in the index.
    pub(crate) expired: bool,
}

/// `shard(by = .., count = .., read = ..)`.
#[derive(Debug, Clone)]
pub(crate) struct Shard {
    /// Indexes into [`EntityModel::fields`].
    pub(crate) by: Vec<usize>,
    pub(crate) count: u32,
    /// `count` if not given.
    pub(crate) read: u32,
}

/// `field = PATTERN` of `only_when`.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    /// Index into [`EntityModel::fields`].
    pub(crate) field: usize,
    pub(crate) pat: Pat,
}

/// `#[index(..)]` on an entity.
#[derive(Debug, Clone)]
pub(crate) struct IndexUse {
    pub(crate) index: LitStr,
    /// One template for each attribute; empty for a local index, which shares the table's.
    pub(crate) pk: Vec<Template>,
    pub(crate) sk: Vec<Template>,
    /// The name of the pattern's function: explicit, or `by_` and the fields of `pk`. `None` only
    /// after an error.
    pub(crate) pattern: Option<Ident>,
    pub(crate) shard: Option<Shard>,
    pub(crate) only_when: Vec<Condition>,
    pub(crate) allow: Allow,
}

impl IndexUse {
    /// The templates of the partition key; a local index has the table's.
    pub(crate) fn partition<'a>(&'a self, table: &'a Template) -> &'a [Template] {
        if self.pk.is_empty() { std::slice::from_ref(table) } else { &self.pk }
    }
}

/// `#[derive(Entity)]`.
#[derive(Debug, Clone)]
pub(crate) struct EntityModel {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    pub(crate) table: Path,
    pub(crate) pk: Template,
    pub(crate) sk: Option<Template>,
    pub(crate) pattern: Ident,
    pub(crate) type_name: Option<LitStr>,
    pub(crate) type_aliases: Vec<LitStr>,
    /// Constants written with every item: name and value.
    pub(crate) attributes: Vec<(LitStr, LitStr)>,
    /// Fields that live in the primary key alone, as indexes into `fields`, and where they are named.
    pub(crate) key_only: Vec<(usize, Ident)>,
    /// Fields whose `None` is stored as NULL, as indexes into `fields`.
    pub(crate) nulls: Vec<usize>,
    /// The field that counts the writes, as an index into `fields`.
    pub(crate) version: Option<usize>,
    /// The field that says when an item expires, as an index into `fields`.
    pub(crate) ttl: Option<usize>,
    pub(crate) unique: Vec<Unique>,
    pub(crate) allow: Allow,
    pub(crate) fields: Vec<Field>,
    /// The attribute that `#[serde(tag)]` writes.
    pub(crate) tag: Option<LitStr>,
    pub(crate) indexes: Vec<IndexUse>,
}

impl EntityModel {
    /// Whether a field lives in the primary key alone.
    pub(crate) fn is_key_only(&self, field: usize) -> bool {
        self.key_only.iter().any(|(at, _)| *at == field)
    }

    /// The fields with an attribute of their own, those that are stored first.
    pub(crate) fn attributes(&self, key_only: bool) -> impl Iterator<Item = (&Field, &str)> {
        let fields = self.fields.iter().enumerate();
        let fields = fields.filter(move |(at, _)| self.is_key_only(*at) == key_only);
        fields.filter_map(|(_, field)| Some((field, field.attribute.as_deref()?)))
    }
}

/// `#[derive(KeyPart)]`.
#[derive(Debug, Clone)]
pub(crate) enum KeyPartModel {
    Newtype {
        ident: Ident,
        generics: Generics,
        krate: Path,
        ty: Box<Type>,
        member: Member,
    },
    Enum {
        ident: Ident,
        krate: Path,
        /// Each variant with its stored name.
        variants: Vec<(Ident, String)>,
    },
}

/// `#[derive(ItemCollection)]`.
#[derive(Debug, Clone)]
pub(crate) struct CollectionModel {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) krate: Path,
    pub(crate) table: Path,
    pub(crate) index: Option<LitStr>,
    /// What an enum that is read in no partition does not have.
    pub(crate) partition: Option<CollectionPartition>,
    /// The fields, or the variants of an enum.
    pub(crate) members: Vec<(Ident, Type)>,
    /// `#[collection(other)]`: where items of no listed kind are kept.
    pub(crate) other: Option<(Ident, Type)>,
    pub(crate) is_enum: bool,
}

/// `pk = ".."` of `#[collection(..)]`.
#[derive(Debug, Clone)]
pub(crate) struct CollectionPartition {
    /// Its components have names only.
    pub(crate) pk: Template,
    pub(crate) pattern: Ident,
}

/// `#[derive(Document)]`.
#[derive(Debug, Clone)]
pub(crate) struct DocumentModel {
    pub(crate) ident: Ident,
    pub(crate) vis: Visibility,
    pub(crate) generics: Generics,
    pub(crate) krate: Path,
    pub(crate) fields: Vec<Field>,
}

/// `#[derive(Projection)]`.
#[derive(Debug, Clone)]
pub(crate) struct ProjectionModel {
    pub(crate) ident: Ident,
    pub(crate) krate: Path,
    pub(crate) entity: Type,
    /// Those that serde reads.
    pub(crate) fields: Vec<ProjectedField>,
}

/// A field of a projection.
#[derive(Debug, Clone)]
pub(crate) struct ProjectedField {
    pub(crate) ident: Ident,
    pub(crate) ty: Type,
    /// The attribute that it is read from.
    pub(crate) attribute: String,
    /// Whether serde reads it by a function of the user.
    pub(crate) is_read_by: bool,
}
