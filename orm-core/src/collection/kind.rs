use crate::entity::{Entity, Item};
use crate::error::Error;
use crate::found::{Attributes, Found};
use crate::item;
use crate::schema::{EntitySchema, Schema};

/// One item of several kinds: an entity, or an enum of entities made by
/// `#[derive(ItemCollection)]`.
///
/// What reads items of which the key does not tell the kind takes one: scans and changes of a
/// stream.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is neither an entity nor an enum of entities",
    label = "no kind of item",
    note = "an entity has `#[derive(Serialize, Deserialize, Entity)]`; an enum with an entity in each variant has `#[derive(ItemCollection)]`"
)]
pub trait ItemKind: Sized + Send + 'static {
    /// The table.
    type Table: Schema;

    /// The Rust type's name.
    #[doc(hidden)]
    const NAME: &'static str;

    /// The entities, in the order in which an item without a type attribute is compared with them.
    #[doc(hidden)]
    const KINDS: &'static [&'static EntitySchema];

    /// `at`: position in [`KINDS`](Self::KINDS).
    #[doc(hidden)]
    fn decode(at: usize, item: Found) -> Result<Self, Error>;

    /// An item of no listed kind, where it is kept as stored.
    #[doc(hidden)]
    fn raw(_: Item) -> Option<Self> {
        None
    }
}

#[diagnostic::do_not_recommend]
impl<E: Entity> ItemKind for E {
    type Table = E::Table;
    const NAME: &'static str = E::SCHEMA.name;
    const KINDS: &'static [&'static EntitySchema] = &[E::SCHEMA];
    fn decode(_: usize, item: Found) -> Result<Self, Error> {
        item.decode_with(item::decoder::<E>)
    }
}

/// Which of its kinds an item is, as a position: by the type attribute, else by the keys.
pub(crate) fn kind_of<K: ItemKind>(found: &impl Attributes) -> Option<usize> {
    K::KINDS.iter().position(|entity| item::is_of(K::Table::TABLE, entity, found))
}
