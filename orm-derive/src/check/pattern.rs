//! Rules over the names that the patterns of an entity generate.

use std::collections::BTreeMap;

use proc_macro2::Ident;
use syn::LitStr;

use crate::ctxt::Ctxt;
use crate::model::{EntityModel, Template};
use crate::names;

/// Functions that every entity has.
const RESERVED: [&str; 4] = ["key", "raw_key", "to_item", "from_item"];
/// Methods that every pattern has.
const RESERVED_METHODS: [&str; 2] = ["erase", "shard"];

pub(super) fn patterns(ctxt: &Ctxt, model: &EntityModel) {
    names_are_free(ctxt, model);
    names_differ(ctxt, model);
    sort_key_methods(ctxt, None, std::slice::from_ref(&model.pk), model.sk.as_slice());
    for index in &model.indexes {
        sort_key_methods(ctxt, Some(&index.index), index.partition(&model.pk), &index.sk);
    }
}

/// A pattern is a function of the entity, beside those that every entity has.
fn names_are_free(ctxt: &Ctxt, model: &EntityModel) {
    for (pattern, _) in all(model) {
        if RESERVED.iter().any(|reserved| pattern == reserved) {
            ctxt.error(
                pattern,
                format_args!(
                    "every entity has a function `{pattern}`: give the pattern another \
                    name, as in `name = \"by_{pattern}\"`"
                ),
            );
        }
    }
}

/// Two patterns of one name would be two functions of one name.
fn names_differ(ctxt: &Ctxt, model: &EntityModel) {
    let mut seen: Vec<(&Ident, Option<&LitStr>)> = Vec::new();
    for (pattern, index) in all(model) {
        let same = |earlier: &Ident| earlier == pattern;
        // `by_a1` and `by_a_1` are two functions, but their builders have one name.
        let alike = |earlier: &Ident| {
            names::builder(&model.ident, earlier) == names::builder(&model.ident, pattern)
        };
        if let Some((_, other)) = seen.iter().find(|(earlier, _)| same(earlier)) {
            ctxt.error(
                pattern,
                format_args!(
                    "two patterns are called `{pattern}`, that of {} and that of \
                        {}: write `name = \"..\"` on one of them",
                    place(*other),
                    place(index)
                ),
            );
        } else if let Some((earlier, _)) = seen.iter().find(|(earlier, _)| alike(earlier)) {
            ctxt.error(
                pattern,
                format_args!(
                    "the patterns `{earlier}` and `{pattern}` differ in underscores only: write \
                    `name = \"..\"` on one of them"
                ),
            );
        }
        seen.push((pattern, index));
    }
}

/// A component of the sort key that the partition key does not fix gives a pattern the methods
/// `field`, `field_range` and `field_prefix`, beside those that every pattern has. No two of them
/// share a name.
fn sort_key_methods(ctxt: &Ctxt, index: Option<&LitStr>, pk: &[Template], sk: &[Template]) {
    let mut owners: BTreeMap<String, &str> = BTreeMap::new();
    let components = sk.iter().flat_map(|sk| sk.components().map(move |component| (sk, component)));
    let free = components.filter(|(_, component)| !pk.iter().any(|pk| pk.fixes(component)));
    for (sk, component) in free {
        let name = component.name.as_str();
        let none = component.spec.none.map(|_| "_none");
        for suffix in ["", "_range", "_prefix"].into_iter().chain(none) {
            let method = format!("{name}{suffix}");
            let place = place(index);
            if RESERVED_METHODS.contains(&&*method) {
                ctxt.error(
                    &sk.lit,
                    format_args!(
                        "`<{name}>` in the sort key of {place} needs a method \
                        `{method}`, which every pattern has: rename the field and keep \
                        the attribute with `#[serde(rename = \"{name}\")]`"
                    ),
                );
            } else if let Some(other) =
                owners.insert(method.clone(), name).filter(|other| *other != name)
            {
                ctxt.error(
                    &sk.lit,
                    format_args!(
                        "`<{other}>` and `<{name}>` in the sort key of {place} both \
                        need a method `{method}`: rename one field and keep the \
                        attribute with `#[serde(rename = \"..\")]`"
                    ),
                );
            }
        }
    }
}

fn all(model: &EntityModel) -> impl Iterator<Item = (&Ident, Option<&LitStr>)> {
    let indexes = model
        .indexes
        .iter()
        .filter_map(|index| Some((index.pattern.as_ref()?, Some(&index.index))));
    std::iter::once((&model.pattern, None)).chain(indexes)
}

fn place(index: Option<&LitStr>) -> String {
    index.map_or_else(|| "the table".to_owned(), |index| format!("index `{}`", index.value()))
}
