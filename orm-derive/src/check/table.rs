//! Rules over the attributes of a table.

use quote::ToTokens;

use crate::ctxt::Ctxt;
use crate::model::{IndexDecl, KeyAttr, TableModel};

/// The most local indexes of a table: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html>.
const MAX_LOCAL: usize = 5;

pub(crate) fn table(ctxt: &Ctxt, model: &TableModel) {
    for (at, index) in model.indexes.iter().enumerate() {
        index_name(ctxt, index);
        index_names_differ(ctxt, index, &model.indexes[..at]);
    }
    local_indexes(ctxt, model);
    key_attributes_differ(ctxt, model);
    one_type_an_attribute(ctxt, model);
    own_attributes(ctxt, model);
    entities_differ(ctxt, model);
}

/// The rule of AWS for the names of indexes.
fn index_name(ctxt: &Ctxt, index: &IndexDecl) {
    let name = index.name.value();
    if !(3..=255).contains(&name.len()) {
        ctxt.error(
            &index.name,
            format_args!(
                "the name of an index has 3 to 255 characters, and `{name}` has {}",
                name.chars().count()
            ),
        );
    } else if !name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte)) {
        ctxt.error(
            &index.name,
            format_args!(
                "the name of an index has only letters from a to z, digits, `_`, `-` \
                and `.`: rename `{name}`"
            ),
        );
    }
}

/// A request names an index by its name alone.
fn index_names_differ(ctxt: &Ctxt, index: &IndexDecl, earlier: &[IndexDecl]) {
    let name = index.name.value();
    if earlier.iter().any(|earlier| earlier.name.value() == name) {
        ctxt.error(
            &index.name,
            format_args!("two indexes are called `{name}`: rename one of them"),
        );
    }
}

/// A local index sorts the partitions of the table anew, so the table has a sort key; there are at
/// most five.
fn local_indexes(ctxt: &Ctxt, model: &TableModel) {
    let local = || model.indexes.iter().filter(|index| index.local);
    if model.sk.is_none()
        && let Some(index) = local().next()
    {
        ctxt.error(
            &index.name,
            "only a table with a sort key has local indexes: write `sk` on the table, \
            or `#[gsi(..)]`",
        );
    }
    if let Some(index) = local().nth(MAX_LOCAL) {
        ctxt.error(
            &index.name,
            format_args!("a table has at most {MAX_LOCAL} local indexes: write `#[gsi(..)]`"),
        );
    }
}

/// A key has each attribute once, in the table and in each index.
fn key_attributes_differ(ctxt: &Ctxt, model: &TableModel) {
    let table_pk = std::slice::from_ref(&model.pk);
    let indexes = model.indexes.iter().map(|index| {
        let pk = if index.local { table_pk } else { &index.pk };
        (pk, &index.sk[..])
    });
    for (pk, sk) in std::iter::once((table_pk, model.sk.as_slice())).chain(indexes) {
        let mut seen: Vec<String> = Vec::new();
        for (at, attr) in pk.iter().chain(sk).enumerate() {
            let name = attr.name.value();
            if name.is_empty() || !seen.contains(&name) {
                seen.push(name);
                continue;
            }
            let is_pk = pk.iter().any(|pk| pk.name.value() == name);
            if at >= pk.len() && is_pk && pk.len() == 1 {
                ctxt.error(
                    &attr.name,
                    format_args!(
                        "`{name}` is the partition key already: name another attribute as `sk`"
                    ),
                );
            } else {
                ctxt.error(
                    &attr.name,
                    format_args!("`{name}` is in this key already: name each attribute once"),
                );
            }
        }
    }
}

/// A key attribute has one type, whichever keys it serves.
fn one_type_an_attribute(ctxt: &Ctxt, model: &TableModel) {
    let mut seen: Vec<&KeyAttr> = Vec::new();
    for attr in key_attributes(model) {
        if let Some(earlier) = seen.iter().find(|earlier| earlier.name.value() == attr.name.value())
            && earlier.ty != attr.ty
        {
            let name = attr.name.value();
            let (before, now) = (earlier.ty, attr.ty);
            ctxt.error(
                &attr.name,
                format_args!(
                    "attribute `{name}` is of type `{before:?}` above and `{now:?}` \
                    here: give it one type"
                ),
            );
        }
        seen.push(attr);
    }
}

/// The attributes of the type and of the expiry are written by the library and are no keys.
fn own_attributes(ctxt: &Ctxt, model: &TableModel) {
    for (key, own) in [("type_attribute", &model.type_attribute), ("ttl", &model.ttl)] {
        if let Some(own) = own
            && let Some(attr) = key_attributes(model).find(|attr| attr.name.value() == own.value())
        {
            let name = attr.name.value();
            ctxt.error(
                own,
                format_args!("`{name}` is a key attribute: name another attribute as `{key}`"),
            );
        }
    }
    if let (Some(ty), Some(ttl)) = (&model.type_attribute, &model.ttl)
        && ty.value() == ttl.value()
    {
        ctxt.error(
            ttl,
            format_args!(
                "`{}` is the `type_attribute` already: name another attribute as `ttl`",
                ttl.value()
            ),
        );
    }
}

/// An entity is listed once.
fn entities_differ(ctxt: &Ctxt, model: &TableModel) {
    for (at, entity) in model.entities.iter().enumerate() {
        if model.entities[..at].contains(entity) {
            let name = entity.to_token_stream().to_string().replace(' ', "");
            ctxt.error(entity, format_args!("`{name}` is listed twice in `entities(..)`"));
        }
    }
}

fn key_attributes(model: &TableModel) -> impl Iterator<Item = &KeyAttr> {
    let indexes = model.indexes.iter().flat_map(|index| index.pk.iter().chain(&index.sk));
    std::iter::once(&model.pk).chain(&model.sk).chain(indexes)
}
