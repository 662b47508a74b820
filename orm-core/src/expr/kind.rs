//! Which methods a path has: the kind of its field, and what the closure is for.

use std::fmt;
use std::marker::PhantomData;

/// The paths of conditions, of filters of scans, and of returned attributes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Reading;

/// The paths of a query's filter. `At` is [`First`] for the table, and a [`Next`] more for each of
/// the entity's `#[index(..)]`, in their order.
pub struct Filtering<At>(PhantomData<fn() -> At>);

/// The paths of the filter of an erased pattern: the index is known when it is sent.
#[derive(Debug)]
#[non_exhaustive]
pub struct FilteringAny;

impl<At> fmt::Debug for Filtering<At> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Filtering")
    }
}

/// The paths of the changes of an `update` by key, where only the fields of the key are known.
#[derive(Debug)]
#[non_exhaustive]
pub struct ByKey;

/// The paths of the changes of an `update` of an item, where every field is known.
#[derive(Debug)]
#[non_exhaustive]
pub struct ByItem;

/// The kind of a field: how it may change (`C`), and which queries may filter by it (`F`).
pub struct Attr<C, F>(PhantomData<fn() -> (C, F)>);

impl<C, F> fmt::Debug for Attr<C, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Attr")
    }
}

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident $(<$param:ident>)? -> $inner:ident $element:ident;)*) => {$(
        $(#[$doc])*
        pub struct $name $(<$param>(PhantomData<fn() -> $param>))?;
        impl $(<$param>)? fmt::Debug for $name $(<$param>)? {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(stringify!($name))
            }
        }
        impl $(<$param: 'static>)? Class for $name $(<$param>)? {
            type Inner = $inner;
            type Element = $element;
        }
    )*};
}

/// How a field may change.
pub trait Class: 'static {
    /// The class of a document's fields.
    type Inner: Class;
    /// The class of a list's elements and a map's entries.
    type Element: Class;
}

classes! {
    /// A field that no key depends on.
    Free -> Nested Element;
    /// A field of a document inside of a free field.
    Nested -> Nested Element;
    /// An element of a list or an entry of a map inside of a free field.
    Element -> Nested Element;
    /// Something inside of an `Option`, which may not be there.
    Optional -> Optional Optional;
    /// A field of the primary key.
    Primary -> Inside Inside;
    /// A field that alone, or with fields of the primary key, decides about index keys.
    Alone -> Inside Inside;
    /// A field that decides about index keys together with others, those of the group `G`.
    Grouped<G> -> Inside Inside;
    /// A field whose index keys also depend on something that the key does not tell.
    NeedsItem -> Inside Inside;
    /// A field that no two items may share.
    Unique -> Inside Inside;
    /// The field that counts the writes.
    Version -> Inside Inside;
    /// Something inside of a field that decides about keys.
    Inside -> Inside Inside;
}

// --- what may be read ------------------------------------------------------------------------

/// A field that a condition or a filter may speak of.
#[diagnostic::on_unimplemented(
    message = "this field lives in the key alone (`key_only`): a condition or a filter on it would never hold",
    label = "not stored as an attribute",
    note = "narrow the pattern instead, or name the item by its key; to filter by it, leave it out of `key_only(..)`"
)]
pub trait CanRead<M> {}

#[diagnostic::do_not_recommend]
impl<C, F> CanRead<Reading> for Attr<C, F> {}
#[diagnostic::do_not_recommend]
impl<C, F> CanRead<ByKey> for Attr<C, F> {}
#[diagnostic::do_not_recommend]
impl<C, F> CanRead<ByItem> for Attr<C, F> {}
#[diagnostic::do_not_recommend]
impl<C, F> CanRead<FilteringAny> for Attr<C, F> {}
impl<C, F, At> CanRead<Filtering<At>> for Attr<C, F>
where
    F: FlagAt<At>,
    F::Flag: NoKey + Projected,
{
}

/// Whether a query may filter by a field, by the code of
/// [`filter`](crate::schema::check::filter).
#[derive(Debug)]
pub struct Flag<const CODE: u8>;

/// A field that is no key attribute of what the query reads.
#[diagnostic::on_unimplemented(
    message = "a query cannot filter by a key attribute of the table or index that it reads",
    label = "this field is one",
    note = "narrow the pattern instead; <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.FilterExpression.html>"
)]
pub trait NoKey {}
#[diagnostic::do_not_recommend]
impl NoKey for Flag<0> {}
#[diagnostic::do_not_recommend]
impl NoKey for Flag<2> {}

/// A field that the index which the query reads has.
#[diagnostic::on_unimplemented(
    message = "a query cannot filter by an attribute that the index does not project",
    label = "the index does not have this field",
    note = "add it to the index's `projection = include(..)`, or filter what was read"
)]
pub trait Projected {}
#[diagnostic::do_not_recommend]
impl Projected for Flag<0> {}
#[diagnostic::do_not_recommend]
impl Projected for Flag<1> {}

/// The first position in a list of flags.
#[derive(Debug)]
#[non_exhaustive]
pub struct First;

/// The position behind `At`.
pub struct Next<At>(PhantomData<fn() -> At>);

impl<At> fmt::Debug for Next<At> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Next")
    }
}

/// The flags of a field by position, as nested pairs.
pub trait FlagAt<At> {
    /// The flag.
    type Flag;
}

impl<Flag, Rest> FlagAt<First> for (Flag, Rest) {
    type Flag = Flag;
}

impl<Flag, Rest: FlagAt<At>, At> FlagAt<Next<At>> for (Flag, Rest) {
    type Flag = Rest::Flag;
}

// --- what may be changed ---------------------------------------------------------------------

/// The kind of a field that an item has.
pub trait Kind {
    /// How it may change.
    type Class: Class;
}

/// The kind of a field that lives in the primary key alone, which no expression can speak of.
#[derive(Debug)]
#[non_exhaustive]
pub struct KeyOnly;

impl Kind for KeyOnly {
    type Class = Primary;
}

impl<C: Class, F> Kind for Attr<C, F> {
    type Class = C;
}

/// An attribute of the item itself, not one inside of another.
#[diagnostic::on_unimplemented(
    message = "a set inside of another attribute changes as a whole",
    label = "`insert` and `delete` are for sets at the top level of an item",
    note = "`set` the whole set; <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Expressions.UpdateExpressions.html>"
)]
pub trait TopLevel {}
#[diagnostic::do_not_recommend]
impl<F> TopLevel for Attr<Free, F> {}

/// By class, whether `set` is there.
pub trait SetIn<M>: Class {}
/// By class, whether the other changes are there.
pub trait ChangeIn<M>: Class {}

impl<M> SetIn<M> for Free {}
impl<M> ChangeIn<M> for Free {}
impl<M> SetIn<M> for Nested {}
impl<M> ChangeIn<M> for Nested {}
impl<M> SetIn<M> for Element {}
impl<M> ChangeIn<M> for Element {}

/// An element of a list or an entry of a map, which can be taken out of it.
#[diagnostic::on_unimplemented(
    message = "`remove_element` is for elements of lists and entries of maps",
    label = "this is a field",
    note = "`set` it, or `remove` it where it is an `Option`"
)]
pub trait IsElement {}
#[diagnostic::do_not_recommend]
impl<F> IsElement for Attr<Element, F> {}

// The others ask a trait whose message says why not. Written out: messages show these lines.
impl<M: ChangesInsideOption> SetIn<M> for Optional {}
impl<M: ChangesInsideOption> ChangeIn<M> for Optional {}
impl<M: ChangesPrimaryKey> SetIn<M> for Primary {}
impl<M: ChangesPrimaryKey> ChangeIn<M> for Primary {}
impl<M: Writes> SetIn<M> for Alone {}
impl<M: RewritesKeys> ChangeIn<M> for Alone {}
impl<G: 'static, M: SetsAlone<G>> SetIn<M> for Grouped<G> {}
impl<G: 'static, M: RewritesKeys> ChangeIn<M> for Grouped<G> {}
impl<M: KnowsItem> SetIn<M> for NeedsItem {}
impl<M: RewritesKeys> ChangeIn<M> for NeedsItem {}
impl<M: ChecksUnique> SetIn<M> for Unique {}
impl<M: RewritesKeys> ChangeIn<M> for Unique {}
impl<M: ChangesVersion> SetIn<M> for Version {}
impl<M: ChangesVersion> ChangeIn<M> for Version {}
impl<M: ChangesInsideKey> SetIn<M> for Inside {}
impl<M: ChangesInsideKey> ChangeIn<M> for Inside {}

/// The paths of changes.
pub trait Writes {}
impl Writes for ByKey {}
impl Writes for ByItem {}

/// No paths: an item keeps its primary key.
#[diagnostic::on_unimplemented(
    message = "a field of the primary key does not change",
    label = "it says which item this is",
    note = "an item with another key is another item: `create` that one and `delete` this one, in a transaction if both must happen"
)]
pub trait ChangesPrimaryKey {}

/// No paths: the library counts.
#[diagnostic::on_unimplemented(
    message = "the version is counted by the library",
    label = "each write sets it",
    note = "leave it out of the changes"
)]
pub trait ChangesVersion {}

/// No paths: the parent may be missing.
#[diagnostic::on_unimplemented(
    message = "what is inside of an `Option` does not change alone",
    label = "where the whole is `None`, there is nothing to change it in",
    note = "`set` the whole value, or make the field a struct that is always there"
)]
pub trait ChangesInsideOption {}

/// No paths: an index key must be rewritten from the whole field.
#[diagnostic::on_unimplemented(
    message = "a field that an index depends on changes as a whole",
    label = "index keys are rewritten from the whole value",
    note = "`set` the whole field"
)]
pub trait ChangesInsideKey {}

/// No paths: only the value that `set` gets is known.
#[diagnostic::on_unimplemented(
    message = "a field that an index depends on changes by `set`, or `remove` where it is an `Option`",
    label = "the index key is rewritten from the new value, which this change does not tell",
    note = "read the item and use `modify`, or `set` the new value"
)]
pub trait RewritesKeys {}

/// Where the other fields of the group `G` are known.
#[diagnostic::on_unimplemented(
    message = "this field makes an index key together with others: set them together with `{G}.set(..)`",
    label = "a key does not tell the others",
    note = "`update(&item)` and `modify` know every field, and set each alone"
)]
pub trait SetsAlone<G> {}
#[diagnostic::do_not_recommend]
impl<G> SetsAlone<G> for ByItem {}

/// Where every field is known.
#[diagnostic::on_unimplemented(
    message = "the key does not tell everything that is written together with this field",
    label = "an index key, or the guards of unique fields, depend on more than the key tells",
    note = "use `update(&item)` or `modify`, which know every field"
)]
pub trait KnowsItem {}
#[diagnostic::do_not_recommend]
impl KnowsItem for ByItem {}

/// Where the old value, and so the guard to give up, is known.
#[diagnostic::on_unimplemented(
    message = "a unique field changes with the item, not by key",
    label = "the guard of the old value must go, and a key does not tell that value",
    note = "use `update(&item)` or `modify`"
)]
pub trait ChecksUnique {}
#[diagnostic::do_not_recommend]
impl ChecksUnique for ByItem {}
