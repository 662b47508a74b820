//! `#[projection(..)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Error, Path, Type};

use super::{
    default_krate, fields, is_meant, krate, missing, no_generics, read, set, settings, unknown,
    value,
};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::{ProjectedField, ProjectionModel};
use crate::serde_attr::{Container, Member};

const PROJECTION: &[&str] = &["entity", "crate"];

impl ProjectionModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        no_generics(ctxt, input, "a projection");
        let (mut entity, mut crate_path) = (None::<Type>, None::<Path>);
        let mut is_seen = false;
        let found = read(ctxt, &input.attrs, "projection", |input| {
            settings(ctxt, input, |key, input| {
                match key.to_string().as_str() {
                    "entity" => {
                        is_seen = true;
                        let given = value(input).map_err(|error| {
                            Error::new(
                                error.span(),
                                "expected the type with `#[derive(Entity)]`: write `entity = Order`",
                            )
                        });
                        set(ctxt, key, &mut entity, given?);
                    }
                    "crate" => set(ctxt, key, &mut crate_path, krate(input)?),
                    _ => {
                        is_seen |= is_meant(key, "entity", PROJECTION);
                        return Err(unknown(key, "projection", PROJECTION));
                    }
                }
                Ok(())
            });
            Ok(())
        });
        let ident = &input.ident;
        if entity.is_none() && !is_seen {
            missing(ctxt, ident.span(), found, "projection", "entity", "entity = Order");
        }
        let fields = fields_of(ctxt, input)?;
        let model = Self {
            ident: ident.clone(),
            krate: crate_path.unwrap_or_else(default_krate),
            entity: entity?,
            fields,
        };
        check::projection(ctxt, &model);
        Some(model)
    }
}

fn fields_of(ctxt: &Ctxt, input: &DeriveInput) -> Option<Vec<ProjectedField>> {
    let named = fields::named(ctxt, input, "a projection")?;
    let container = Container::read(ctxt, &input.attrs);
    if let Some((attribute, span)) = container.not_a_map {
        ctxt.error_at(
            span,
            format_args!(
                "a projection is read as a map of its fields: remove `#[serde({attribute})]`"
            ),
        );
    }
    let ident = &input.ident;
    let this = quote!(#ident);
    Some(named.named.iter().filter_map(|field| of(ctxt, &container, field, &this)).collect())
}

/// A field, if serde reads it.
fn of(
    ctxt: &Ctxt,
    container: &Container,
    field: &syn::Field,
    this: &TokenStream,
) -> Option<ProjectedField> {
    let ident = field.ident.clone()?;
    let member = Member::read(ctxt, &field.attrs);
    if member.flatten {
        ctxt.error(
            &ident,
            format_args!(
                "a projection names every attribute that it reads, and `flatten` names none: write \
                the fields of `{ident}` here, or skip it with `#[serde(skip)]`"
            ),
        );
        return None;
    }
    (!member.skip_deserializing).then(|| ProjectedField {
        attribute: container.read_name(&member, &ident),
        ident,
        ty: fields::without_self(&field.ty, this),
        is_read_by: member.deserialize_with.is_some(),
    })
}
