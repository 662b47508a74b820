//! Rules over the `#[index(..)]` attributes of an entity.

use proc_macro2::Ident;
use syn::LitStr;

use crate::ctxt::Ctxt;
use crate::model::{EntityModel, IndexUse, Segment, Template};

pub(super) fn indexes(ctxt: &Ctxt, model: &EntityModel) {
    for (at, index) in model.indexes.iter().enumerate() {
        used_once(ctxt, index, &model.indexes[..at]);
        shard_and_its_number(ctxt, index);
        shard_ends_at_a_delimiter(ctxt, index);
    }
}

/// `#[index(..)]` says what the entity writes into the index: at least one of its key attributes.
pub(crate) fn index_has_template(ctxt: &Ctxt, index: &LitStr, pk: &[Template], sk: &[Template]) {
    if pk.is_empty() && sk.is_empty() {
        let name = index.value();
        ctxt.error(
            index,
            format_args!(
                "index `{name}` has no template: write `pk = \"..\"`, `sk = \"..\"` or both"
            ),
        );
    }
}

/// The shard of an item must not change while the item exists, so it follows from fields of the
/// primary key.
pub(crate) fn shards_by_primary_key(
    ctxt: &Ctxt,
    ident: &Ident,
    field: usize,
    primary: [Option<&Template>; 2],
) {
    if !primary.into_iter().flatten().any(|template| template.has_field(field)) {
        ctxt.error(
            ident,
            format_args!(
                "`{ident}` is not in the primary key, and an item would change its \
                    shard with it: name fields of the primary key in `by`"
            ),
        );
    }
}

/// An item has one key in an index.
fn used_once(ctxt: &Ctxt, index: &IndexUse, earlier: &[IndexUse]) {
    let name = index.index.value();
    if earlier.iter().any(|earlier| earlier.index.value() == name) {
        ctxt.error(
            &index.index,
            format_args!(
                "index `{name}` is given twice: an item has one key in it, so write one \
                `#[index({name}, ..)]`"
            ),
        );
    }
}

/// `shard(..)` says how the number is made, `<shard>` where it stands: one is nothing without the
/// other.
fn shard_and_its_number(ctxt: &Ctxt, index: &IndexUse) {
    let number = index.pk.iter().find(|pk| pk.has_shard());
    match (number, &index.shard) {
        (Some(pk), None) => ctxt.error(
            &pk.lit,
            "`<shard>` needs to know how many shards there are: write `shard(by = \
                <a field of the primary key>, count = 10)`",
        ),
        (None, Some(_)) => {
            let at = index.pk.first().map_or(&index.index, |pk| &pk.lit);
            ctxt.error(
                at,
                "`shard(..)` needs a place in the partition key: write `<shard>` in \
                    `pk`, as in `\"STATUS#<status>#<shard>\"`",
            );
        }
        _ => {}
    }
}

/// The number of a shard has one digit or more, so what stands behind it must end it, or shard 1 and
/// `12` would make the text of shard 11 and `2`.
fn shard_ends_at_a_delimiter(ctxt: &Ctxt, index: &IndexUse) {
    for pk in &index.pk {
        let at = pk.segments.iter().position(|segment| matches!(segment, Segment::Shard));
        let ends = match at.and_then(|at| pk.segments.get(at + 1)) {
            None => true,
            Some(Segment::Literal(text)) => text.starts_with(|ch: char| ch.is_ascii_punctuation()),
            Some(_) => false,
        };
        if !ends {
            ctxt.error(
                &pk.lit,
                "`<shard>` has no fixed width: what stands behind it must begin with ASCII \
                    punctuation, for example `#`",
            );
        }
    }
}
