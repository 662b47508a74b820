use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::Type;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::{assert, wrap};
use crate::model::{CollectionModel, CollectionPartition};
use crate::names;

pub(crate) fn collection(model: &CollectionModel) -> TokenStream {
    let rules = rules(model);
    let partition = model.partition.as_ref().map(|partition| {
        let (read, constructor) = (read(model), constructor(model, partition));
        quote!(#read #constructor)
    });
    let form = if model.is_enum { kind(model) } else { assemble(model) };
    wrap(&model.krate, &quote!(#rules #partition #form))
}

/// The entity of a member.
fn entity(model: &CollectionModel, ty: &Type) -> TokenStream {
    let role = if model.is_enum { quote!(Variant) } else { quote!(Member) };
    quote_spanned!(ty.span()=> <#ty as __m::#role>::Entity)
}

fn schemas<'a>(model: &'a CollectionModel) -> impl Iterator<Item = TokenStream> + 'a {
    model.members.iter().map(|(_, ty)| {
        let entity = entity(model, ty);
        quote_spanned!(ty.span()=> <#entity as __m::Entity>::SCHEMA)
    })
}

fn rules(model: &CollectionModel) -> TokenStream {
    let CollectionModel { ident, table, index, members, is_enum, .. } = model;
    let name = ident.unraw().to_string();
    let schema = quote!(<#table as __m::Schema>::TABLE);
    let exists = index.as_ref().map(|index| {
        assert::rule(index.span(), &quote!(__m::check::collection_index(#schema, #name, #index)))
    });
    let index = index.as_ref().map(syn::LitStr::value).unwrap_or_default();
    let rules = members.iter().enumerate().map(|(at, (field, ty))| {
        let (field, member) = (field.unraw().to_string(), entity(model, ty));
        let entry = quote_spanned!(ty.span()=> <#member as __m::StoredIn<#table>>::ENTRY);
        let seen: Vec<_> = schemas(model).take(at).collect();
        let seen = quote!(&[#(#seen),*]);
        let kind = assert::rule(
            ty.span(),
            &quote!(__m::check::kind(#schema, #name, #entry.schema, #seen, #is_enum)),
        );
        let partition = model.partition.as_ref().map(|CollectionPartition { pk, .. }| {
            let template = &pk.lit;
            let with = if index.is_empty() {
                quote!(<#member as __m::Entity>::PARTITION_WITH)
            } else {
                let position = index_position(&member, &index);
                quote!(<#member as __m::IndexPartition<{ #position }>>::WITH)
            };
            let rule = quote! {
                __m::check::member(
                    __m::check::Partition {
                        collection: #name,
                        table: #schema,
                        index: #index,
                        template: #template,
                    },
                    #field,
                    #entry.schema,
                    #with,
                    #seen,
                )
            };
            assert::rule(ty.span(), &rule)
        });
        quote!(#kind #partition)
    });
    quote!(#exists #(#rules)*)
}

/// The position of the index among those of an entity.
fn index_position(entity: &impl ToTokens, index: &str) -> TokenStream {
    quote!(__m::check::index_position(<#entity as __m::Entity>::SCHEMA, #index))
}

/// The trait of what is read as one partition.
fn read(model: &CollectionModel) -> TokenStream {
    let CollectionModel { ident, table, index, other, is_enum, .. } = model;
    let name = ident.unraw().to_string();
    let kind = kind_of_index(model);
    let index = match index {
        Some(index) => quote!(__m::Option::Some(#index)),
        None => quote!(__m::Option::None),
    };
    let operation = if *is_enum { quote!(ReadItems) } else { quote!(ReadCollection) };
    let (schemas, keeps) = (schemas(model), other.is_some());
    quote! {
        impl __m::ItemCollection for #ident {
            type Table = #table;
            type Index = #kind;
            type Read = __m::#operation<Self>;
            const NAME: &'static str = #name;
            const INDEX: __m::Option<&'static str> = #index;
            const MEMBERS: &'static [&'static __m::EntitySchema] = &[#(#schemas),*];
            const KEEPS_OTHERS: bool = #keeps;
            fn read(
                table: __m::Table<#table>,
                pattern: __m::CollectionPattern<Self>,
            ) -> __m::#operation<Self> {
                __m::#operation::new(table, pattern)
            }
        }
    }
}

/// The type that tells what is read; the stub has it as well.
pub(super) fn kind_of_index(model: &CollectionModel) -> TokenStream {
    let CollectionModel { table, index, .. } = model;
    match index {
        None => quote!(__m::OnTable),
        Some(index) => quote! {
            <__m::Target<{ __m::check::target(<#table as __m::Schema>::TABLE, #index) }>
                as __m::TargetKind>::Kind
        },
    }
}

/// `by_..(..)`.
fn constructor(model: &CollectionModel, partition: &CollectionPartition) -> TokenStream {
    let CollectionModel { ident, vis, index, members, .. } = model;
    let CollectionPartition { pk, pattern } = partition;
    // Every member has the same partition key, so any of them tells the types of its fields.
    let first = members.first().map(|(_, ty)| entity(model, ty));
    // `check` has refused names that are no fields.
    let fields: Vec<_> = pk
        .components()
        .filter_map(|component| names::field(&component.name, Span::mixed_site()))
        .collect();
    let generics: Vec<_> = (0..fields.len()).map(|at| format_ident!("__A{at}")).collect();
    let (bounds, components): (Vec<_>, Vec<_>) = (generics.iter().zip(&fields).enumerate())
        .map(|(at, (generic, field))| match index {
            None => {
                let ty = quote!(<<#first as __m::Entity>::PartitionParts as __m::Nth<#at>>::Part);
                (
                    quote!(#generic: __m::KeyArg<<#ty as __m::KeyField>::Part>),
                    quote!(&*__m::component(__m::KeyArg::arg(&#field))),
                )
            }
            Some(index) => {
                let position = index_position(&first, &index.value());
                let taken = quote!(__m::IndexArg<{ #position }, #at, #generic>);
                (quote!(#first: #taken), quote!(&*<#first as #taken>::component(&#field)))
            }
        })
        .unzip();
    let place = match index {
        Some(index) => format!(" of the index `{}`", index.value()),
        None => String::new(),
    };
    let doc = format!("The collection of the partition `{}`{place}.", pk.lit.value());
    quote! {
        impl #ident {
            #[doc = #doc]
            #vis fn #pattern<#(#generics),*>(
                #(#fields: #generics),*
            ) -> __m::CollectionPattern<Self>
            where
                #(#bounds),*
            {
                __m::CollectionPattern::of::<#first>(&[#(#components),*])
            }
        }
    }
}

/// The struct from the items of its members.
fn assemble(model: &CollectionModel) -> TokenStream {
    let CollectionModel { ident, members, other, .. } = model;
    let fields = members.iter().map(|(field, _)| field.to_string());
    let takes = members.iter().map(|(field, ty)| {
        quote! {
            #field: <#ty as __m::Member>::take(
                <Self as __m::ItemCollection>::NAME,
                partition,
                __m::next_bucket(&mut buckets),
            )?
        }
    });
    let others = other.as_ref().map(|(field, ty)| {
        let take = quote_spanned!(ty.span()=> <#ty as __m::RawItems>::take);
        quote!(#field: #take(__m::next_bucket(&mut buckets))?,)
    });
    quote! {
        impl __m::Assemble for #ident {
            const FIELDS: &'static [&'static str] = &[#(#fields),*];
            fn assemble(
                partition: &str,
                buckets: __m::Vec<__m::Bucket>,
            ) -> __m::Result<Self, __m::Error> {
                let mut buckets = buckets.into_iter();
                __m::Result::Ok(#ident { #(#takes,)* #others })
            }
        }
    }
}

/// The enum from one item.
fn kind(model: &CollectionModel) -> TokenStream {
    let CollectionModel { ident, table, members, other, .. } = model;
    let name = ident.unraw().to_string();
    let schemas = schemas(model);
    let arms = members.iter().enumerate().map(|(at, (variant, ty))| {
        let of = quote_spanned!(ty.span()=> <#ty as __m::Variant>::of);
        quote!(#at => #of(item).map(#ident::#variant),)
    });
    let raw = other.as_ref().map(|(variant, ty)| {
        let of = quote_spanned!(ty.span()=> <#ty as __m::RawItem>::of);
        quote! {
            fn raw(item: __m::Item) -> __m::Option<Self> {
                __m::Option::Some(#ident::#variant(#of(item)))
            }
        }
    });
    quote! {
        impl __m::ItemKind for #ident {
            type Table = #table;
            const NAME: &'static str = #name;
            const KINDS: &'static [&'static __m::EntitySchema] = &[#(#schemas),*];
            fn decode(at: usize, item: __m::Found) -> __m::Result<Self, __m::Error> {
                match at {
                    #(#arms)*
                    _ => __m::Result::Err(__m::no_such_kind(#name)),
                }
            }
            #raw
        }
    }
}
