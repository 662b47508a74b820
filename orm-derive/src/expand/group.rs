//! Which fields decide about index keys together.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote};
use syn::Ident;

use super::keys::templates;
use crate::model::{EntityModel, IndexUse, Template};

/// Where the primary key tells a field.
pub(super) struct Source {
    /// Whether it is in the sort key.
    pub(super) sort: bool,
    /// Its position among the components.
    pub(super) at: usize,
}

/// Fields of which none changes without the others, as long as only the key is known.
pub(super) struct Group {
    /// Indexes into the entity's fields, in the order of the struct.
    pub(super) fields: Vec<usize>,
    /// Whether the key does not tell everything that their index keys are made of.
    pub(super) needs_item: bool,
}

/// How a field may change.
pub(super) enum Class<'a> {
    Free,
    Primary,
    Alone,
    Member(&'a Group),
    NeedsItem,
    Unique,
    Version,
}

impl Class<'_> {
    pub(super) fn tokens(&self, model: &EntityModel) -> TokenStream {
        match self {
            Class::Free => quote!(__m::Free),
            Class::Primary => quote!(__m::Primary),
            Class::Alone => quote!(__m::Alone),
            Class::Member(group) => {
                let name = group.name(model);
                quote!(__m::Grouped<#name>)
            }
            Class::NeedsItem => quote!(__m::NeedsItem),
            Class::Unique => quote!(__m::Unique),
            Class::Version => quote!(__m::Version),
        }
    }
}

impl Group {
    /// `status_and_region`.
    pub(super) fn name(&self, model: &EntityModel) -> Ident {
        let names: Vec<_> =
            self.fields.iter().map(|field| model.fields[*field].name.as_str()).collect();
        let name = names.join("_and_");
        let taken = model.fields.iter().any(|field| field.name == name);
        let suffix = if taken { "_group" } else { "" };
        format_ident!("{name}{suffix}", span = Span::call_site())
    }

    /// Whether its fields have a method to be set together.
    pub(super) fn is_settable(&self) -> bool {
        self.fields.len() > 1 && !self.needs_item
    }
}

/// Whether a field is part of the primary key.
pub(super) fn is_primary(model: &EntityModel, field: usize) -> bool {
    model.pk.has_field(field) || model.sk.as_ref().is_some_and(|sk| sk.has_field(field))
}

/// The component of the primary key from which the whole field can be told.
pub(super) fn source(model: &EntityModel, field: usize) -> Option<Source> {
    let halves = [(false, Some(&model.pk)), (true, model.sk.as_ref())];
    halves.into_iter().find_map(|(sort, template)| {
        let template = template?;
        let at = template
            .components()
            .position(|component| component.field == field && !component.spec.lower)?;
        let by_serde =
            template.is_field_alone(field) && model.fields[field].serialize_with.is_some();
        (!by_serde).then_some(Source { sort, at })
    })
}

/// The fields that decide about the key attribute at `at`, those of the partition key first, the
/// primary key's fields among them.
pub(super) fn dependencies(model: &EntityModel, index: &IndexUse, at: usize) -> Vec<usize> {
    let Some(template) = index.pk.iter().chain(&index.sk).nth(at) else { return Vec::new() };
    let mut fields: Vec<_> = template.components().map(|component| component.field).collect();
    if may_decide(model, index, at) {
        fields.extend(index.only_when.iter().map(|condition| condition.field));
    }
    if template.has_shard() {
        fields.extend(index.shard.iter().flat_map(|shard| shard.by.iter().copied()));
    }
    fields.sort_unstable();
    fields.dedup();
    fields
}

/// Whether `only_when` may decide about this attribute: it does about the first one that is the
/// index's own. Which attribute a template fills is known to the compiler only, so a field alone
/// may be its own key, and a text that stands in another key may be the same attribute.
fn may_decide(model: &EntityModel, index: &IndexUse, at: usize) -> bool {
    let others = || {
        let others = model.indexes.iter().filter(|other| other.index != index.index);
        let others = others.flat_map(|other| other.pk.iter().chain(&other.sk));
        std::iter::once(&model.pk).chain(&model.sk).chain(others)
    };
    let may_be_shared = |template: &Template| {
        template.components().any(|component| template.is_field_alone(component.field))
            || others().any(|other| other.lit.value() == template.lit.value())
    };
    index.pk.iter().chain(&index.sk).take(at).all(may_be_shared)
}

/// The connected components of the fields outside of the primary key.
pub(super) fn groups(model: &EntityModel) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for index in &model.indexes {
        for at in 0..index.pk.len() + index.sk.len() {
            let (primary, mut fields): (Vec<_>, Vec<_>) = dependencies(model, index, at)
                .into_iter()
                .partition(|field| is_primary(model, *field));
            if fields.is_empty() {
                continue;
            }
            let mut needs_item = primary.iter().any(|field| source(model, *field).is_none());
            let unique = |field: &usize| model.unique.iter().any(|unique| unique.field == *field);
            needs_item |= fields.len() > 1 && fields.iter().any(unique);
            needs_item |= fields.iter().any(|field| decides_about_guards(model, *field));
            let (touching, others): (Vec<_>, Vec<_>) = groups
                .into_iter()
                .partition(|group| group.fields.iter().any(|field| fields.contains(field)));
            for group in touching {
                needs_item |= group.needs_item;
                fields.extend(group.fields);
            }
            fields.sort_unstable();
            fields.dedup();
            needs_item |= fields.len() > 1 && fields.iter().any(unique);
            groups = others;
            groups.push(Group { fields, needs_item });
        }
    }
    groups.sort_by_key(|group| group.fields.first().copied());
    groups
}

/// Whether the guards of unique fields expire by it: they are written with the item that they
/// belong to.
fn decides_about_guards(model: &EntityModel, field: usize) -> bool {
    model.ttl == Some(field) && !model.unique.is_empty()
}

/// How a field may change.
pub(super) fn class<'a>(model: &EntityModel, groups: &'a [Group], field: usize) -> Class<'a> {
    if is_primary(model, field) {
        return Class::Primary;
    }
    if model.version == Some(field) {
        return Class::Version;
    }
    if model.unique.iter().any(|unique| unique.field == field) {
        return Class::Unique;
    }
    match groups.iter().find(|group| group.fields.contains(&field)) {
        Some(group) if group.needs_item => Class::NeedsItem,
        Some(group) if group.is_settable() => Class::Member(group),
        Some(_) => Class::Alone,
        None if decides_about_guards(model, field) => Class::NeedsItem,
        None if model.ttl == Some(field) => Class::Alone,
        None => Class::Free,
    }
}

/// Whether every index key follows from the primary key, and no field's value is in one.
pub(super) fn keys_follow(model: &EntityModel) -> bool {
    groups(model).is_empty()
        && templates(model).all(|template| {
            template.components().all(|component| is_primary(model, component.field))
        })
}
