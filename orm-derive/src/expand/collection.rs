use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::{assert, wrap};
use crate::model::CollectionModel;
use crate::names;

pub(crate) fn collection(model: &CollectionModel) -> TokenStream {
    let CollectionModel { ident, vis, krate, table, pk, pattern, members } = model;
    let name = ident.unraw().to_string();
    let template = &pk.lit;
    let entity = |ty: &syn::Type| quote_spanned!(ty.span()=> <#ty as __m::Member>::Entity);
    let schemas = members.iter().map(|(field, ty)| {
        let (field, entity) = (field.to_string(), entity(ty));
        quote!(__m::MemberSchema { field: #field, entity: <#entity as __m::Entity>::SCHEMA })
    });
    let takes = members.iter().map(|(field, ty)| {
        quote! {
            #field: <#ty as __m::Member>::take(
                <Self as __m::ItemCollection>::NAME,
                partition,
                __m::next_bucket(&mut buckets),
            )?
        }
    });
    let rules = members.iter().enumerate().map(|(at, (field, ty))| {
        let (field, member) = (field.to_string(), entity(ty));
        let seen = members[..at].iter().map(|(_, ty)| {
            let entity = entity(ty);
            quote!(<#entity as __m::Entity>::SCHEMA)
        });
        let entry = quote_spanned!(ty.span()=> <#member as __m::StoredIn<#table>>::ENTRY);
        assert::rule(
            ty.span(),
            &quote! {
                __m::check::member(
                    #name,
                    #template,
                    #field,
                    #entry.schema,
                    <#member as __m::Entity>::PARTITION_WITH,
                    &[#(#seen),*],
                )
            },
        )
    });
    // Every member has the same partition key, so any of them tells the types of its fields.
    let first = members.first().map(|(_, ty)| entity(ty));
    // `check` has refused names that are no fields.
    let fields: Vec<_> = pk
        .components()
        .filter_map(|component| names::field(&component.name, Span::mixed_site()))
        .collect();
    let generics: Vec<_> = (0..fields.len()).map(|at| format_ident!("__A{at}")).collect();
    let types: Vec<_> = (0..fields.len())
        .map(|at| quote!(<<#first as __m::Entity>::PartitionParts as __m::Nth<#at>>::Part))
        .collect();
    let bounds = generics
        .iter()
        .zip(&types)
        .map(|(generic, ty)| quote!(#generic: __m::KeyArg<<#ty as __m::KeyField>::Part>));
    let doc = format!("The collection of the partition `{}`.", template.value());
    wrap(
        krate,
        &quote! {
            #(#rules)*
            impl __m::ItemCollection for #ident {
                type Table = #table;
                const NAME: &'static str = #name;
                const MEMBERS: &'static [__m::MemberSchema] = &[#(#schemas),*];
                fn assemble(
                    partition: &str,
                    buckets: __m::Vec<__m::Bucket>,
                ) -> __m::Result<Self, __m::Error> {
                    let mut buckets = buckets.into_iter();
                    __m::Result::Ok(#ident { #(#takes),* })
                }
            }
            impl #ident {
                #[doc = #doc]
                #vis fn #pattern<#(#bounds),*>(
                    #(#fields: #generics),*
                ) -> __m::CollectionPattern<Self> {
                    #(let #fields = __m::KeyArg::arg(&#fields);)*
                    __m::CollectionPattern::of::<#first>(&[#(&__m::Plain(&*#fields)),*])
                }
            }
        },
    )
}
