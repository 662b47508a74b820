//! `#[key(..)]` on a newtype, a unit enum and its variants.

use proc_macro2::Ident;
use syn::{Attribute, Data, DataEnum, DeriveInput, Fields, Index, LitStr, Member, Path};

use super::{default_krate, krate, no_generics, read, set, settings, unknown, value};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::KeyPartModel;
use crate::serde_attr::{Container, Member as SerdeMember, Named};

impl KeyPartModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        let krate = container(ctxt, &input.attrs);
        let ident = input.ident.clone();
        match &input.data {
            Data::Struct(data) => {
                let mut fields = data.fields.iter();
                let (Some(field), None) = (fields.next(), fields.next()) else {
                    ctxt.error(
                        &ident,
                        format_args!(
                            "a key part is a struct with one field or an enum: write \
                            `struct {ident}(String);`"
                        ),
                    );
                    return None;
                };
                no_settings(ctxt, &field.attrs);
                Some(Self::Newtype {
                    ident,
                    generics: input.generics.clone(),
                    krate,
                    ty: Box::new(field.ty.clone()),
                    member: match &field.ident {
                        Some(ident) => Member::Named(ident.clone()),
                        None => Member::Unnamed(Index::from(0)),
                    },
                })
            }
            Data::Enum(data) => {
                no_generics(ctxt, input, "an enum in a key");
                if data.variants.is_empty() {
                    ctxt.error(&ident, "an enum in a key has at least one variant");
                    return None;
                }
                let variants = variants(ctxt, input, data);
                check::key_part(ctxt, &variants);
                Some(Self::Enum { ident, krate, variants })
            }
            Data::Union(_) => {
                ctxt.error(
                    &ident,
                    "a key part is a struct with one field or an enum, and not a union",
                );
                None
            }
        }
    }
}

fn container(ctxt: &Ctxt, attrs: &[Attribute]) -> Path {
    let mut found = None;
    read(ctxt, attrs, "key", |input| {
        settings(ctxt, input, |key, input| match key.to_string().as_str() {
            "crate" => {
                set(ctxt, key, &mut found, krate(input)?);
                Ok(())
            }
            "as" => Err(syn::Error::new(
                key.span(),
                "`as` is the stored name of one variant: write it there",
            )),
            _ => Err(unknown(key, "key", &["crate"])),
        });
        Ok(())
    });
    found.unwrap_or_else(default_krate)
}

fn variants(ctxt: &Ctxt, input: &DeriveInput, data: &DataEnum) -> Vec<(Ident, String)> {
    let serde = Container::read(ctxt, &input.attrs);
    let mut variants = Vec::new();
    for variant in &data.variants {
        let ident = &variant.ident;
        if !matches!(variant.fields, Fields::Unit) {
            ctxt.error(
                variant,
                format_args!(
                    "an enum in a key has unit variants only: write `{ident}` without fields"
                ),
            );
        }
        let member = SerdeMember::read(ctxt, &variant.attrs);
        let name = match stored_as(ctxt, &variant.attrs) {
            Some(name) => name.value(),
            None => serde.stored_name(ctxt, &member, ident, Named::Variant),
        };
        variants.push((ident.clone(), name));
    }
    variants
}

/// `#[key(as = "10")]` of a variant.
fn stored_as(ctxt: &Ctxt, attrs: &[Attribute]) -> Option<LitStr> {
    let mut name = None;
    read(ctxt, attrs, "key", |input| {
        settings(ctxt, input, |key, input| {
            if key != "as" {
                return Err(unknown(key, "key", &["as"]));
            }
            set(ctxt, key, &mut name, value(input)?);
            Ok(())
        });
        Ok(())
    });
    name
}

/// The field of a newtype has nothing to set.
fn no_settings(ctxt: &Ctxt, attrs: &[Attribute]) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("key")) {
        ctxt.error(attr, "a newtype is stored as its field is: remove `#[key(..)]` here");
    }
}
