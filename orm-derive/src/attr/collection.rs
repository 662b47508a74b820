//! `#[collection(..)]`.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DataEnum, DeriveInput, Error, Fields, LitStr, Path, Token, Type};

use super::{
    default_krate, fields, is_meant, krate, missing, no_generics, pattern, read, set, settings,
    text, unknown, value,
};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::{CollectionModel, CollectionPartition, Template};
use crate::names;
use crate::template::Scope;

const COLLECTION: &[&str] = &["table", "index", "pk", "name", "crate"];
const EXAMPLE: &str = "table = Shop, pk = \"ORDER#<order_id>\"";

impl CollectionModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        let is_enum = matches!(input.data, Data::Enum(_));
        let all = members(ctxt, input)?;
        no_generics(ctxt, input, "an item collection");
        let (mut kinds, mut other) = (Vec::new(), None);
        for Member { ident, ty, is_other } in all.found {
            if !is_other {
                kinds.push((ident, ty));
            } else if other.is_none() {
                other = Some((ident, ty));
            } else {
                ctxt.error(
                    &ident,
                    "`#[collection(other)]` is given twice: one place holds all items of no \
                    listed kind",
                );
            }
        }
        if kinds.is_empty() && !all.is_damaged {
            let example = if is_enum {
                "a variant such as `Order(Order)`"
            } else {
                "a field such as `orders: Vec<Order>`"
            };
            ctxt.error(
                &input.ident,
                format_args!("an item collection has at least one member: write {example}"),
            );
        }

        let span = input.ident.span();
        let attr = CollectionAttr::read(ctxt, input);
        if !attr.table_seen {
            missing(ctxt, span, attr.found, "collection", "table", EXAMPLE);
        }
        if !attr.pk_seen && attr.found > 0 && !is_enum {
            missing(ctxt, span, attr.found, "collection", "pk", EXAMPLE);
        }
        if is_enum && !attr.pk_seen {
            check::without_partition(ctxt, attr.index.as_ref(), attr.name.as_ref());
        }
        Some(Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            krate: attr.krate.unwrap_or_else(default_krate),
            table: attr.table?,
            index: attr.index,
            partition: (attr.pk_seen || !is_enum)
                .then(|| partition(ctxt, attr.pk.as_ref(), attr.name.as_ref(), span)),
            members: kinds,
            other,
            is_enum,
        })
    }
}

fn partition(
    ctxt: &Ctxt,
    pk: Option<&LitStr>,
    name: Option<&LitStr>,
    span: Span,
) -> CollectionPartition {
    let pk = match pk {
        Some(pk) => Template::parse(ctxt, pk, Scope { fields: None, sharded: false }),
        None => Template::missing(span),
    };
    check::collection(ctxt, &pk);
    let pattern = pattern(ctxt, name, std::slice::from_ref(&pk))
        .unwrap_or_else(|| Ident::new("unnamed", span));
    CollectionPartition { pk, pattern }
}

/// The attribute of the struct or enum.
#[derive(Default)]
struct CollectionAttr {
    table: Option<Path>,
    index: Option<LitStr>,
    pk: Option<LitStr>,
    name: Option<LitStr>,
    krate: Option<Path>,
    /// Whether they are there, readable or not.
    table_seen: bool,
    pk_seen: bool,
    /// How many attributes there are.
    found: usize,
}

impl CollectionAttr {
    fn read(ctxt: &Ctxt, input: &DeriveInput) -> Self {
        let mut attr = Self::default();
        let found = read(ctxt, &input.attrs, "collection", |input| {
            settings(ctxt, input, |key, input| attr.setting(ctxt, key, input));
            Ok(())
        });
        Self { found, ..attr }
    }

    fn setting(&mut self, ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        match key.to_string().as_str() {
            "table" => {
                self.table_seen = true;
                set(ctxt, key, &mut self.table, super::table(input)?);
            }
            "index" => set(ctxt, key, &mut self.index, index(input)?),
            "pk" => {
                self.pk_seen = true;
                set(ctxt, key, &mut self.pk, value(input)?);
            }
            "name" => set(ctxt, key, &mut self.name, text(ctxt, key, input)?),
            "crate" => set(ctxt, key, &mut self.krate, krate(input)?),
            "other" => {
                return Err(Error::new(
                    key.span(),
                    "`other` is written on a field or a variant: `#[collection(other)]`",
                ));
            }
            _ => {
                self.table_seen |= is_meant(key, "table", COLLECTION);
                self.pk_seen |= is_meant(key, "pk", COLLECTION);
                return Err(unknown(key, "collection", COLLECTION));
            }
        }
        Ok(())
    }
}

/// Reads `= gsi1` or `= "by-status"`.
fn index(input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<Token![=]>()?;
    if input.peek(LitStr) {
        return input.parse();
    }
    let name = Ident::parse_any(input).map_err(|error| {
        Error::new(error.span(), "expected the name of an index: write `index = gsi1`")
    })?;
    Ok(LitStr::new(&name.unraw().to_string(), name.span()))
}

/// A field, or a variant of an enum.
struct Member {
    ident: Ident,
    ty: Type,
    is_other: bool,
}

struct Members {
    found: Vec<Member>,
    /// Whether some could not be read.
    is_damaged: bool,
}

/// `None`, after a mistake, if there are none to speak of.
fn members(ctxt: &Ctxt, input: &DeriveInput) -> Option<Members> {
    if let Data::Enum(data) = &input.data {
        return Some(variants(ctxt, data));
    }
    let fields = fields::named(ctxt, input, "an item collection")?;
    let found = fields.named.iter().filter_map(|field| {
        let is_other = is_other(ctxt, &field.attrs);
        Some(Member { ident: field.ident.clone()?, ty: field.ty.clone(), is_other })
    });
    Some(Members { found: found.collect(), is_damaged: false })
}

fn variants(ctxt: &Ctxt, data: &DataEnum) -> Members {
    let mut members = Members { found: Vec::new(), is_damaged: false };
    for variant in &data.variants {
        let ident = &variant.ident;
        let is_other = is_other(ctxt, &variant.attrs);
        let problem = match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                let ty = fields.unnamed[0].ty.clone();
                members.found.push(Member { ident: ident.clone(), ty, is_other });
                continue;
            }
            Fields::Unnamed(fields) if fields.unnamed.is_empty() => "holds nothing",
            Fields::Unnamed(_) => "holds several values",
            Fields::Named(_) => "has named fields",
            Fields::Unit => "holds nothing",
        };
        members.is_damaged = true;
        let remedy = if is_other {
            format!("`{ident}(Item)`")
        } else {
            format!(
                "`{ident}(..)` with an entity, or `#[collection(other)] {ident}(Item)` for items of \
                no listed kind"
            )
        };
        ctxt.error(
            ident,
            format_args!(
                "`{ident}` {problem}, and a variant of an item collection holds one item: write \
                {remedy}"
            ),
        );
    }
    members
}

/// Whether `#[collection(other)]` stands on a field or a variant.
fn is_other(ctxt: &Ctxt, attrs: &[Attribute]) -> bool {
    let mut other = None;
    read(ctxt, attrs, "collection", |input| {
        settings(ctxt, input, |key, _| {
            if key != "other" {
                let problem = format!("unknown attribute `{key}`");
                let heading = "on a member there is";
                return Err(Error::new(
                    key.span(),
                    names::suggest(&problem, &key.to_string(), heading, &["other"]),
                ));
            }
            set(ctxt, key, &mut other, ());
            Ok(())
        });
        Ok(())
    });
    other.is_some()
}
