//! Projections, and what an entity tells for them.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::DeriveInput;
use syn::spanned::Spanned;

use super::{assert, wrap};
use crate::model::{EntityModel, ProjectedField, ProjectionModel};

/// The table and the most indexes that one has without a raised quota: 20 global and 5 local ones;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html>. Others are
/// checked when a query is sent.
const PLACES: usize = 26;

pub(crate) fn projection(model: &ProjectionModel) -> TokenStream {
    let ProjectionModel { ident, krate, entity, fields } = model;
    let attributes = fields.iter().map(|field| &field.attribute);
    let rules = fields.iter().map(|field| rule(model, field));
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let numbers = 1..=fields.len();
    let lacks = (0..PLACES).rev().fold(quote!(__m::Unlisted), |rest, place| {
        quote! {
            (
                <#ident as __m::FieldNumber<
                    { __m::check::lacks(__TABLE, __ENTITY, #place, __ATTRIBUTES) },
                >>::Name,
                #rest,
            )
        }
    });
    let implementation = implementation(model, &quote!(__STORED), &quote!(__KEY_ONLY), &lacks);
    let schema = quote_spanned!(entity.span()=> <#entity as __m::Entity>);
    wrap(
        krate,
        &quote! {
            const __ENTITY: &__m::EntitySchema = #schema::SCHEMA;
            const __TABLE: &__m::TableSchema =
                <<#entity as __m::Entity>::Table as __m::Schema>::TABLE;
            const __ATTRIBUTES: &[&str] = &[#(#attributes),*];
            const __STORED: &[&str] =
                &__m::check::only::<{ __m::check::count(__ENTITY, __ATTRIBUTES, false) }>(
                    __ENTITY, __ATTRIBUTES, false,
                );
            const __KEY_ONLY: &[&str] =
                &__m::check::only::<{ __m::check::count(__ENTITY, __ATTRIBUTES, true) }>(
                    __ENTITY, __ATTRIBUTES, true,
                );
            mod __fields {
                #(pub struct #idents;)*
            }
            #(
                impl __m::FieldNumber<#numbers> for #ident {
                    type Name = __fields::#idents;
                }
            )*
            #(#rules)*
            #implementation
        },
    )
}

/// The attribute exists, is of the field's type, and is read in the same way.
fn rule(model: &ProjectionModel, field: &ProjectedField) -> TokenStream {
    let entity = &model.entity;
    let ProjectedField { ident, ty, attribute, is_read_by } = field;
    let exists = assert::rule(ident.span(), &quote!(__m::check::projected(__ENTITY, #attribute)));
    let position = quote!(__m::check::position(__ENTITY, #attribute));
    let read_by = quote_spanned! {ty.span()=>
        __m::read_by::<#entity, { #position }, { #position != usize::MAX }, #ty, _>()
    };
    let alike = assert::rule(
        ident.span(),
        &quote! {
            if #position == usize::MAX {
                __m::Text::EMPTY
            } else {
                __m::check::read_alike(__ENTITY, #attribute, #read_by, #is_read_by)
            }
        },
    );
    quote!(#exists #alike)
}

fn implementation(
    model: &ProjectionModel,
    attributes: &TokenStream,
    key_only: &TokenStream,
    lacks: &TokenStream,
) -> TokenStream {
    let ProjectionModel { ident, entity, .. } = model;
    quote! {
        impl __m::IsProjection for #ident {
            type Entity = #entity;
            const ATTRIBUTES: &'static [&'static str] = #attributes;
            const KEY_ONLY: &'static [&'static str] = #key_only;
            type Lacks = #lacks;
        }
    }
}

/// A projection whose derive failed: every query may read it.
pub(crate) fn fallback(input: &DeriveInput, model: Option<&ProjectionModel>) -> TokenStream {
    let Some(model) = model else { return TokenStream::new() };
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    wrap(&model.krate, &implementation(model, &quote!(&[]), &quote!(&[]), &quote!(__m::Unlisted)))
}

/// The types of an entity's attributes, by their places in its schema, those of the key alone last.
pub(super) fn attributes(model: &EntityModel) -> TokenStream {
    let ident = &model.ident;
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = super::entity::bounds(model);
    let fields = model.attributes(false).chain(model.attributes(true));
    let each = fields.enumerate().map(|(at, (field, _))| {
        let ty = &field.ty;
        let read_by = field.deserialize_with.is_some();
        quote! {
            impl #impl_generics __m::HasAttribute<#at, #ty> for #ident #ty_generics #bounds {
                const READ_BY: bool = #read_by;
            }
        }
    });
    quote!(#(#each)*)
}
