//! Rules over the fields and the templates of an entity.

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::{Half, Place, index, key_only, pattern, places};
use crate::ctxt::Ctxt;
use crate::model::{EntityModel, Field, NoneOrder, TextForm};
use crate::names;

pub(crate) fn entity(ctxt: &Ctxt, model: &EntityModel) {
    let places = places(model);
    for place in &places {
        known_fields(ctxt, model, place);
        no_shard_here(ctxt, place);
        sparse_in_index_sort_keys(ctxt, place);
        ordering_in_sort_keys(ctxt, place);
    }
    fields_have_a_value(ctxt, model, &places);
    conditions_are_stored(ctxt, model);
    fields_are_concrete(ctxt, model, &places);
    key_only::key_only(ctxt, model);
    nulls_outside_of_keys(ctxt, model, &places);
    one_attribute_a_field(ctxt, model);
    constants(ctxt, model);
    type_names(ctxt, model);
    version(ctxt, model, &places);
    ttl_has_a_value(ctxt, model);
    unique(ctxt, model);
    index::indexes(ctxt, model);
    pattern::patterns(ctxt, model);
}

/// A component names a field of the struct.
fn known_fields(ctxt: &Ctxt, model: &EntityModel, place: &Place<'_>) {
    let valid: Vec<_> = model.fields.iter().map(|field| field.name.as_str()).collect();
    for component in place.template.components().filter(|component| component.field == usize::MAX) {
        let problem = format!("unknown field `{}` in {place}", component.name);
        ctxt.error(
            &place.template.lit,
            names::suggest(&problem, &component.name, "the fields are", &valid),
        );
    }
}

/// The shard number spreads one partition of an index over several. The primary key must be known
/// without reading, and a sort key does not choose a partition.
fn no_shard_here(ctxt: &Ctxt, place: &Place<'_>) {
    if place.template.has_shard() && (place.index.is_none() || place.half == Half::Sort) {
        ctxt.error(
            &place.template.lit,
            format_args!(
                "`<shard>` cannot stand in {place}: write it in the partition key of an index"
            ),
        );
    }
}

/// `:sparse` leaves an item without a value out of an index, `:none_first` and `:none_last` keep it
/// in. The primary key always has a value. In the partition key of an index to be left out is the
/// only meaning that `None` can have.
fn sparse_in_index_sort_keys(ctxt: &Ctxt, place: &Place<'_>) {
    for component in place.template.components() {
        let Some(order) = component.spec.none else { continue };
        let word = match order {
            NoneOrder::First => "none_first",
            NoneOrder::Last => "none_last",
        };
        let written = component.written();
        if place.index.is_none() {
            ctxt.error(
                &place.template.lit,
                format_args!(
                    "`{written}` in {place}, which every item has: write it without `:{word}`"
                ),
            );
        } else if place.half == Half::Partition {
            ctxt.error(
                &place.template.lit,
                format_args!(
                    "`{written}` in {place}, which has no order: write it without `:{word}`; there \
                    `None` leaves the item out of the index"
                ),
            );
        }
    }
    for component in place.template.components().filter(|component| component.spec.sparse) {
        let (written, name) = (component.written(), &component.name);
        if place.index.is_none() {
            ctxt.error(
                &place.template.lit,
                format_args!(
                    "`{written}` cannot be sparse in {place}, which every item has: \
                    write it without `:sparse`"
                ),
            );
        } else if place.half == Half::Partition {
            ctxt.error(
                &place.template.lit,
                format_args!(
                    "`{written}` in {place}: in the partition half `Option` is \
                        always sparse: write `{name}` without `:sparse`"
                ),
            );
        }
    }
}

/// Items of one partition are ordered by the sort key, so `:desc` says nothing about a partition
/// key; and `:rest`, which gives up escaping to be readable to the end of a sort key, is `:raw`
/// there.
fn ordering_in_sort_keys(ctxt: &Ctxt, place: &Place<'_>) {
    if place.half == Half::Sort {
        return;
    }
    for component in place.template.components() {
        let written = component.written();
        if component.spec.desc {
            ctxt.error(
                &place.template.lit,
                format_args!(
                    "`{written}` in {place}, which has no order: write it without `:desc`"
                ),
            );
        }
        if component.spec.text == Some(TextForm::Rest) {
            ctxt.error(
                &place.template.lit,
                format_args!(
                    "`{written}` in {place}: `:rest` is for sort keys: write it without \
                    `:rest`, or with `:raw`"
                ),
            );
        }
    }
}

/// A key is rendered from the struct and the struct is read back beside it, so a field of a
/// template is written and read as one attribute.
fn fields_have_a_value(ctxt: &Ctxt, model: &EntityModel, places: &[Place<'_>]) {
    for (field, place) in used_fields(model, places) {
        let Some(reason) = unstored(field) else { continue };
        if model.key_only.iter().any(|(at, _)| model.fields[*at].ident == field.ident) {
            continue;
        }
        let name = &field.name;
        ctxt.error(
            &field.ident,
            format_args!("`<{name}>` in {place} needs a stored field, and `{name}` is {reason}"),
        );
    }
}

/// Why a field is no attribute that is written and read back.
pub(super) const fn unstored(field: &Field) -> Option<&'static str> {
    if field.flatten {
        Some("flattened, and has no single value")
    } else if field.skip {
        Some("not written: serde skips it")
    } else if field.unread {
        Some("not read back: serde skips it")
    } else {
        None
    }
}

/// `only_when` decides the same after a read as before the write, so its fields are stored.
fn conditions_are_stored(ctxt: &Ctxt, model: &EntityModel) {
    for condition in model.indexes.iter().flat_map(|index| &index.only_when) {
        let field = &model.fields[condition.field];
        if field.skip || field.unread {
            let name = &field.name;
            ctxt.error(
                &field.ident,
                format_args!(
                    "`only_when` asks for `{name}`, which serde skips, so an item that is read \
                    and written again would change: store it"
                ),
            );
        }
    }
}

/// The stored text of a key follows from the template and the field's type, so the type is known.
fn fields_are_concrete(ctxt: &Ctxt, model: &EntityModel, places: &[Place<'_>]) {
    let params = type_parameters(model);
    for (field, place) in used_fields(model, places) {
        if mentions(field.ty.to_token_stream(), &params) {
            ctxt.error(
                &field.ty,
                format_args!(
                    "a field of a key template cannot have a generic type: `<{}>` \
                        stands in {place}: write a concrete type",
                    field.name
                ),
            );
        }
    }
}

/// A field that decides about a key is absent where it is `None`: the key reads it, and a stored
/// NULL would say something else.
fn nulls_outside_of_keys(ctxt: &Ctxt, model: &EntityModel, places: &[Place<'_>]) {
    for (index, field) in model.fields.iter().enumerate() {
        if model.nulls.contains(&index)
            && let Some(place) = places.iter().find(|place| place.template.has_field(index))
        {
            let name = &field.name;
            ctxt.error(
                &field.ident,
                format_args!(
                    "`{name}` stands in {place} and cannot be NULL: leave it out of `null(..)`"
                ),
            );
        }
    }
}

/// A field is one attribute of the item, and no two fields share one. The name of an attribute is
/// not empty.
fn one_attribute_a_field(ctxt: &Ctxt, model: &EntityModel) {
    for (at, field) in model.fields.iter().enumerate() {
        let Some(attribute) = &field.attribute else {
            continue;
        };
        let (ident, name) = (&field.ident, &field.name);
        let earlier =
            model.fields[..at].iter().find(|earlier| earlier.attribute.as_ref() == Some(attribute));
        if attribute.is_empty() {
            ctxt.error(
                ident,
                format_args!(
                    "`{name}` has an empty attribute name: write `#[serde(rename = \"..\")]`"
                ),
            );
        } else if let Some(earlier) = earlier {
            ctxt.error(
                ident,
                format_args!(
                    "`{}` and `{name}` are both stored as attribute `{attribute}`: \
                    rename one of them",
                    earlier.name
                ),
            );
        }
    }
}

/// A constant has an attribute of its own.
fn constants(ctxt: &Ctxt, model: &EntityModel) {
    for (at, (name, _)) in model.attributes.iter().enumerate() {
        let text = name.value();
        if model.attributes[..at].iter().any(|(earlier, _)| earlier.value() == text) {
            ctxt.error(name, format_args!("attribute `{text}` is given twice in `attributes(..)`"));
        }
        if let Some(field) =
            model.fields.iter().find(|field| field.attribute.as_deref() == Some(&*text))
        {
            ctxt.error(
                name,
                format_args!(
                    "attribute `{text}` is where field `{}` is stored: choose another name",
                    field.name
                ),
            );
        }
    }
}

/// A type is recognised by its name or an older one, each listed once.
fn type_names(ctxt: &Ctxt, model: &EntityModel) {
    let current = model.type_name.as_ref().map(syn::LitStr::value);
    for (at, alias) in model.type_aliases.iter().enumerate() {
        let text = alias.value();
        if current.as_deref() == Some(&*text) {
            ctxt.error(
                alias,
                format_args!(
                    "`{text}` is the `type_name` already: leave it out of `type_alias(..)`"
                ),
            );
        } else if model.type_aliases[..at].iter().any(|earlier| earlier.value() == text) {
            ctxt.error(alias, format_args!("`{text}` is given twice in `type_alias(..)`"));
        }
    }
}

/// Every write counts the version, so nothing that a write must know beforehand is made of it, and
/// it is stored.
fn version(ctxt: &Ctxt, model: &EntityModel, places: &[Place<'_>]) {
    let Some(at) = model.version else { return };
    let field = &model.fields[at];
    let (ident, name) = (&field.ident, &field.name);
    if let Some(reason) = unstored(field) {
        ctxt.error(
            ident,
            format_args!("`version = {name}` needs a stored field, and `{name}` is {reason}"),
        );
    }
    if let Some(place) = places.iter().find(|place| place.template.has_field(at)) {
        ctxt.error(
            &place.template.lit,
            format_args!(
                "`<{name}>` stands in {place}, and every write counts the version `{name}` up: \
                leave it out of keys"
            ),
        );
    }
    for index in &model.indexes {
        if index.only_when.iter().any(|condition| condition.field == at) {
            ctxt.error(
                &index.index,
                format_args!(
                    "`only_when` asks for `{name}`, and every write counts the version `{name}` \
                    up: ask for another field"
                ),
            );
        }
    }
    if model.ttl == Some(at) {
        ctxt.error(
            ident,
            format_args!(
                "`{name}` is given as `version` and as `ttl`: a version counts writes, a time to \
                live is a time; write two fields"
            ),
        );
    }
    if model.unique.iter().any(|unique| unique.field == at) {
        ctxt.error(
            ident,
            format_args!(
                "the version `{name}` counts the writes of each item, and many items have the \
                same one: leave it out of `unique(..)`"
            ),
        );
    }
}

/// An item expires after a read as it did before the write, so the field is stored.
fn ttl_has_a_value(ctxt: &Ctxt, model: &EntityModel) {
    let Some(field) = model.ttl.map(|at| &model.fields[at]) else { return };
    if let Some(reason) = unstored(field) {
        let name = &field.name;
        ctxt.error(
            &field.ident,
            format_args!("`ttl = {name}` needs a stored field, and `{name}` is {reason}"),
        );
    }
}

/// A guard's key is made of the field, like every key. Where the primary key is made of nothing
/// else, it is a guard itself.
fn unique(ctxt: &Ctxt, model: &EntityModel) {
    let params = type_parameters(model);
    for at in model.unique.iter().map(|unique| unique.field) {
        let field = &model.fields[at];
        let name = &field.name;
        if let Some(reason) = unstored(field) {
            ctxt.error(
                &field.ident,
                format_args!("`unique({name})` needs a stored field, and `{name}` is {reason}"),
            );
        }
        if mentions(field.ty.to_token_stream(), &params) {
            ctxt.error(
                &field.ty,
                format_args!("a unique field cannot have a generic type: write a concrete type"),
            );
        }
        let mut primary =
            model.pk.components().chain(model.sk.iter().flat_map(|sk| sk.components()));
        if model.pk.has_field(at) && primary.all(|component| component.field == at) {
            ctxt.error(
                &field.ident,
                format_args!(
                    "the primary key is made of `{name}` alone, so no two items share it: leave it \
                    out of `unique(..)`; `create` refuses one that is taken"
                ),
            );
        }
    }
}

fn type_parameters(model: &EntityModel) -> Vec<String> {
    model.generics.type_params().map(|param| param.ident.to_string()).collect()
}

/// The fields that stand in templates, each with the first place.
fn used_fields<'a>(
    model: &'a EntityModel,
    places: &'a [Place<'a>],
) -> impl Iterator<Item = (&'a Field, Place<'a>)> {
    model.fields.iter().enumerate().filter_map(|(index, field)| {
        let place = places.iter().find(|place| place.template.has_field(index))?;
        Some((field, *place))
    })
}

fn mentions(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        TokenTree::Group(group) => mentions(group.stream(), names),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}
