use std::ops::Deref;

use super::kind::{Attr, Class, Optional};
use super::path::{DocumentPath, FieldCodec, Path, Segment};

/// A struct that stands inside of an entity as a map, and whose fields have paths:
/// `o.address.city`. Implemented by `#[derive(Document)]`.
///
/// # Examples
///
/// ```
/// use monotable::{Document, Entity, Table};
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Table)]
/// #[table(pk = "PK")]
/// struct Shop;
///
/// #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Document)]
/// struct Address { city: String, zip: String }
///
/// #[derive(Debug, PartialEq, Serialize, Deserialize, Entity)]
/// #[entity(table = Shop, pk = "CUST#<id>")]
/// struct Customer { id: String, address: Address }
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # #[cfg(feature = "testing")] {
/// # let engine = monotable::testing::Embedded::start().await?;
/// # let shop = engine.table::<Shop>("shop").await?;
/// let address = Address { city: "Graz".into(), zip: "8010".into() };
/// shop.put(&Customer { id: "c1".into(), address }).send().await?;
/// let customer = shop
///     .update(Customer::key("c1"))
///     .change(|c| c.address.zip.set("8020"))
///     .condition(|c| c.address.city.eq("Graz"))
///     .returning_new()
///     .send()
///     .await?;
/// assert_eq!(customer.address.zip, "8020");
/// # }
/// # Ok(()) }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a document",
    label = "needs `#[derive(Document)]`"
)]
pub trait Document: 'static {
    /// The paths of its fields.
    #[doc(hidden)]
    type Fields<K: 'static, M: 'static>: Send + 'static;

    #[doc(hidden)]
    fn fields<K: 'static, M: 'static>(inside: &Inside<'_>) -> Self::Fields<K, M>;
}

impl<T: Document> Document for Box<T> {
    type Fields<K: 'static, M: 'static> = T::Fields<K, M>;

    fn fields<K: 'static, M: 'static>(inside: &Inside<'_>) -> T::Fields<K, M> {
        T::fields(inside)
    }
}

/// Where a document stands.
#[doc(hidden)]
#[derive(Debug)]
pub struct Inside<'a> {
    at: &'a DocumentPath,
    foreign: bool,
}

impl Inside<'_> {
    /// The path of a field, by its stored name.
    pub fn field<T, K, M>(&self, name: &'static str, codec: FieldCodec<T>) -> Path<T, K, M> {
        Path::new(self.at.step(Segment::Name(name.into())), codec.inside(self.foreign))
    }
}

/// A kind of field that has something inside.
pub trait HasInner {
    /// The kind of a document's fields.
    type Inner: 'static;
    /// The kind of a list's elements and a map's entries.
    type Element: 'static;
}

impl<C: Class, F: 'static> HasInner for Attr<C, F> {
    type Inner = Attr<C::Inner, F>;
    type Element = Attr<C::Element, F>;
}

/// A document, or an `Option` of one.
pub trait Nested<K, M> {
    /// The paths of its fields.
    type Fields: Send + 'static;

    #[doc(hidden)]
    fn nested(inside: &Inside<'_>) -> Self::Fields;
}

#[diagnostic::do_not_recommend]
impl<T: Document, K: HasInner, M: 'static> Nested<K, M> for T {
    type Fields = T::Fields<K::Inner, M>;
    fn nested(inside: &Inside<'_>) -> Self::Fields {
        T::fields(inside)
    }
}

#[diagnostic::do_not_recommend]
impl<T: Document, C: Class, F: 'static, M: 'static> Nested<Attr<C, F>, M> for Option<T> {
    type Fields = T::Fields<Attr<Optional, F>, M>;
    fn nested(inside: &Inside<'_>) -> Self::Fields {
        T::fields(inside)
    }
}

/// The fields of a document are fields of its path.
impl<T: Nested<K, M>, K, M> Deref for Path<T, K, M> {
    type Target = T::Fields;

    fn deref(&self) -> &T::Fields {
        let inside = Inside { at: &self.at, foreign: self.codec.foreign };
        let fields = self.fields.get_or_init(|| Box::new(T::nested(&inside)));
        match fields.downcast_ref() {
            Some(fields) => fields,
            None => unreachable!("the cell of a path holds the fields of its own type"),
        }
    }
}
