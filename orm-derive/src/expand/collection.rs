use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{assert, wrap};
use crate::model::CollectionModel;
use crate::names;

pub(crate) fn collection(model: &CollectionModel) -> TokenStream {
    let CollectionModel { ident, vis, krate, table, pk, pattern, members } = model;
    let name = ident.to_string();
    let template = &pk.lit;
    let entity = |ty: &syn::Type| quote_spanned!(ty.span()=> <#ty as k::Member>::Entity);
    let schemas = members.iter().map(|(field, ty)| {
        let (field, entity) = (field.to_string(), entity(ty));
        quote!(k::MemberSchema { field: #field, entity: <#entity as k::Entity>::SCHEMA })
    });
    let takes = members.iter().map(|(field, ty)| {
        quote! {
            #field: <#ty as k::Member>::take(
                <Self as k::ItemCollection>::NAME,
                partition,
                k::next_bucket(&mut buckets),
            )?
        }
    });
    let rules = members.iter().enumerate().map(|(at, (field, ty))| {
        let (field, member) = (field.to_string(), entity(ty));
        let seen = members[..at].iter().map(|(_, ty)| {
            let entity = entity(ty);
            quote!(<#entity as k::Entity>::SCHEMA.name)
        });
        let entry = quote_spanned!(ty.span()=> <#member as k::StoredIn<#table>>::ENTRY);
        assert::rule(
            ty.span(),
            &quote! {
                k::check::member(
                    #name,
                    #template,
                    #field,
                    #entry.schema,
                    <#member as k::Entity>::PARTITION_WITH,
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
    let generics: Vec<_> = (0..fields.len()).map(|at| format_ident!("A{at}")).collect();
    let types: Vec<_> = (0..fields.len())
        .map(|at| quote!(<<#first as k::Entity>::PartitionParts as k::Nth<#at>>::Part))
        .collect();
    let bounds = generics.iter().zip(&types).map(|(generic, ty)| {
        quote!(#generic: k::KeyArg<<#ty as k::KeyField>::Part>)
    });
    let doc = format!("The collection of the partition `{}`.", template.value());
    wrap(
        krate,
        &quote! {
            #(#rules)*
            impl k::ItemCollection for #ident {
                type Table = #table;
                const NAME: &'static str = #name;
                const MEMBERS: &'static [k::MemberSchema] = &[#(#schemas),*];
                fn assemble(
                    partition: &str,
                    buckets: k::Vec<k::Bucket>,
                ) -> k::Result<Self, k::Error> {
                    let mut buckets = buckets.into_iter();
                    k::Result::Ok(#ident { #(#takes),* })
                }
            }
            impl #ident {
                #[doc = #doc]
                #vis fn #pattern<#(#bounds),*>(
                    #(#fields: #generics),*
                ) -> k::CollectionPattern<Self> {
                    #(let #fields = k::KeyArg::arg(&#fields);)*
                    k::CollectionPattern::of::<#first>(&[#(&k::Plain(&*#fields)),*])
                }
            }
        },
    )
}
