//! The rules over several attributes, one function each.
//!
//! What needs types, or other entities, is checked by the constants and bounds that `expand` emits.

mod entity;
mod index;
mod key_only;
mod pattern;
mod projection;
mod table;

use std::fmt;

use proc_macro2::Ident;
use syn::LitStr;

use crate::ctxt::Ctxt;
use crate::model::{EntityModel, Template};
use crate::names;

pub(crate) use entity::entity;
pub(crate) use index::{index_has_template, shards_by_primary_key};
pub(crate) use projection::projection;
pub(crate) use table::table;

/// The template of a collection names fields of its members, which are not known here: they must at
/// least be field names.
pub(crate) fn collection(ctxt: &Ctxt, pk: &Template) {
    for component in pk.components() {
        if names::field(&component.name, pk.lit.span()).is_none() {
            ctxt.error(
                &pk.lit,
                format_args!("`{}` cannot be a field: write a field's name", component.written()),
            );
        }
    }
}

/// An enum without a partition is read by scans and changes alone, which know no index and no pattern.
pub(crate) fn without_partition(ctxt: &Ctxt, index: Option<&LitStr>, name: Option<&LitStr>) {
    for (given, key) in [(index, "index"), (name, "name")] {
        if let Some(given) = given {
            ctxt.error(
                given,
                format_args!(
                    "`{key}` is for reading a partition, and there is no `pk`: write \
                    `pk = \"ORDER#<order_id>\"`, or leave `{key}` out"
                ),
            );
        }
    }
}

/// A key is read back to the variant that wrote it: each variant has a name, and no two the same.
pub(crate) fn key_part(ctxt: &Ctxt, variants: &[(Ident, String)]) {
    for (at, (ident, name)) in variants.iter().enumerate() {
        if name.is_empty() {
            ctxt.error(
                ident,
                format_args!("`{ident}` has an empty name: write `#[key(as = \"..\")]`"),
            );
        } else if let Some((other, _)) = variants[..at].iter().find(|(_, earlier)| earlier == name)
        {
            ctxt.error(
                ident,
                format_args!(
                    "`{other}` and `{ident}` are both stored as `{name}`: write \
                    `#[key(as = \"..\")]` on one of them"
                ),
            );
        }
    }
}

/// A template with its place in the table or an index.
#[derive(Clone, Copy)]
struct Place<'a> {
    template: &'a Template,
    half: Half,
    /// `None` for the primary key.
    index: Option<&'a LitStr>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Half {
    Partition,
    Sort,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.half {
            Half::Partition => "the partition key",
            Half::Sort => "the sort key",
        })?;
        match self.index {
            Some(index) => write!(f, " of index `{}`", index.value()),
            None => Ok(()),
        }
    }
}

/// The templates of an entity, those of the primary key first.
fn places(model: &EntityModel) -> Vec<Place<'_>> {
    let primary = (None, std::slice::from_ref(&model.pk), model.sk.as_slice());
    let indexes =
        model.indexes.iter().map(|index| (Some(&index.index), &index.pk[..], &index.sk[..]));
    let mut places = Vec::new();
    for (index, pk, sk) in std::iter::once(primary).chain(indexes) {
        for (templates, half) in [(pk, Half::Partition), (sk, Half::Sort)] {
            places.extend(templates.iter().map(|template| Place { template, half, index }));
        }
    }
    places
}
