//! Rules over the fields that live in the primary key alone.

use crate::ctxt::Ctxt;
use crate::model::{EntityModel, Field, Template};

/// The key tells the whole field, in the form that serde has for its type, and nothing else asks for
/// the attribute.
///
/// Whether it is a key attribute itself is checked by a constant that `expand` emits.
pub(super) fn key_only(ctxt: &Ctxt, model: &EntityModel) {
    for (at, ident) in &model.key_only {
        let field = &model.fields[*at];
        let name = &field.name;
        if let Some(problem) = problem(model, *at, field) {
            ctxt.error(ident, format_args!("`key_only({name})`: {problem}"));
        }
    }
}

fn problem(model: &EntityModel, at: usize, field: &Field) -> Option<String> {
    let name = &field.name;
    if let Some(reason) = super::entity::unstored(field) {
        return Some(format!(
            "`{name}` is {reason}; the key is read into the field by serde: remove serde's attribute, \
            since `key_only` keeps the field out of the item"
        ));
    }
    if is_damaged(model) {
        return None;
    }
    let mut components = components(model).filter(|component| component.field == at).peekable();
    if components.peek().is_none() {
        return Some(format!(
            "`{name}` is not in the primary key, so nothing would tell it on a read: write \
            `<{name}>` in `pk` or `sk`, or leave it out of `key_only(..)`"
        ));
    }
    if components.all(|component| component.spec.lower) {
        return Some(format!(
            "`<{name}:lower>` keeps the lower case of `{name}` alone, so the key does not tell it: \
            leave it out of `key_only(..)`, or write `<{name}>`"
        ));
    }
    if field.serialize_with.is_some() || field.deserialize_with.is_some() {
        return Some(format!(
            "`{name}` is stored by `#[serde(with)]`, whose text the key does not have: remove `with`, \
            or leave it out of `key_only(..)`"
        ));
    }
    if field.alias {
        return Some(format!(
            "`{name}` has `#[serde(alias)]`, and serde would find an item's field twice: remove \
            `alias`, since the key tells `{name}` whatever an attribute says"
        ));
    }
    if model.ttl == Some(at) {
        return Some(format!(
            "`{name}` is the `ttl`, which is asked for as an attribute: leave it out of \
            `key_only(..)`"
        ));
    }
    if model.unique.iter().any(|unique| unique.field == at) {
        return Some(format!(
            "`{name}` is in `unique(..)`, whose guards are given up under the stored attribute: leave \
            it out of one of them"
        ));
    }
    None
}

/// A template could not be read, or names no field, and that has been reported.
fn is_damaged(model: &EntityModel) -> bool {
    std::iter::once(&model.pk).chain(&model.sk).any(|template| template.is_damaged)
        || components(model).any(|component| component.field == usize::MAX)
}

fn components(model: &EntityModel) -> impl Iterator<Item = &crate::model::Component> {
    std::iter::once(&model.pk).chain(&model.sk).flat_map(Template::components)
}
