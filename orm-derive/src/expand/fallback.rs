//! What stands in for a derive that found mistakes: enough that the rest of the crate does not
//! complain about a trait that is missing, and nothing that runs.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{DeriveInput, Ident, Path, parse_quote};

use super::wrap;
use crate::model::{
    CollectionModel, CollectionPartition, DocumentModel, EntityModel, KeyPartModel, TableModel,
    Template,
};

pub(crate) fn table(input: &DeriveInput, model: Option<&TableModel>) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &input.ident;
    let krate = krate(model.map(|model| &model.krate));
    let functions = model.map(super::table::functions);
    wrap(
        &krate,
        &quote! {
            impl __m::Schema for #ident {
                const TABLE: &'static __m::TableSchema = &__m::table(
                    "",
                    __m::KeyAttribute::new("", __m::KeyType::S),
                    __m::Option::None,
                    &[],
                    __m::Option::None,
                    __m::Option::None,
                    &[],
                );
                fn entities() -> &'static [__m::EntityEntry] {
                    &[]
                }
            }
            #functions
        },
    )
}

pub(crate) fn entity(input: &DeriveInput, model: Option<&EntityModel>) -> TokenStream {
    let (ident, name) = (&input.ident, input.ident.unraw().to_string());
    // Without the table there is nothing to implement the trait with, and an entity has no
    // lifetimes.
    let Some(model) = model else { return TokenStream::new() };
    if input.generics.lifetimes().next().is_some() {
        return TokenStream::new();
    }
    let table = super::entity::table_type(model);
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = super::entity::bounds(model);
    let (functions, roles) = (functions(model), super::entity::roles(model));
    let writes = super::entity::writes(model);
    let super::fields::Fields { types, implementation: paths } = super::fields::stub(model);
    let in_indexes = super::partition::stub(model);
    wrap(
        &model.krate,
        &quote! {
            #functions
            #roles
            #types
            #in_indexes
            const __NOTHING: __m::Slot = __m::slot(
                #name,
                __m::KeyAttribute::new("", __m::KeyType::S),
                __m::Template { text: "", segments: &[] },
                false,
                true,
                0,
            );
            impl #impl_generics __m::Entity for #ident #ty_generics #bounds {
                #table
                #writes
                type PartitionParts = __m::NotDerived;
                const PARTITION_WITH: bool = false;
                const SCHEMA: &'static __m::EntitySchema = &__m::EntityParts {
                    name: #name,
                    type_name: #name,
                    type_aliases: &[],
                    pk: __NOTHING,
                    sk: __m::Option::None,
                    pattern: "",
                    indexes: &[],
                    constants: &[],
                    version: __m::Option::None,
                    ttl: __m::Option::None,
                    unique: &[],
                    attributes: &[],
                    key_only: &[],
                    nulls: &[],
                    overlap: &[],
                }
                .schema();
                fn key(&self) -> __m::Key<Self> {
                    __m::Key::render(&[], &[])
                }
                const KEYS_FOLLOW: bool = true;
                #paths
                fn index_keys(
                    _: &__m::Known<'_, Self>,
                ) -> __m::Result<
                    __m::Vec<(&'static str, __m::Option<__m::KeyValue>)>,
                    __m::KeyError,
                > {
                    __m::Result::Ok(__m::Vec::new())
                }
                fn guards(
                    _: &__m::Known<'_, Self>,
                ) -> __m::Result<__m::Vec<(usize, __m::Option<__m::KeyValue>)>, __m::KeyError> {
                    __m::Result::Ok(__m::Vec::new())
                }
                fn expires(
                    _: &__m::Known<'_, Self>,
                ) -> __m::Result<__m::Option<__m::Option<i64>>, __m::Error> {
                    __m::Result::Ok(__m::Option::None)
                }
                fn version(&self) -> u64 {
                    0
                }
                fn holds_version(_: u64) -> bool {
                    true
                }
                fn set_version(&mut self, _: u64) {}
            }
        },
    )
}

/// A document whose paths cannot be told.
pub(crate) fn document(input: &DeriveInput, model: Option<&DocumentModel>) -> TokenStream {
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let ident = &input.ident;
    let krate = krate(model.map(|model| &model.krate));
    wrap(
        &krate,
        &quote! {
            impl __m::Document for #ident {
                type Fields<K: 'static, M: 'static> = ();
                fn fields<K: 'static, M: 'static>(_: &__m::Inside<'_>) {}
            }
        },
    )
}

/// The functions that the templates would give, for arguments of any type.
fn functions(model: &EntityModel) -> TokenStream {
    let EntityModel { ident, vis, .. } = model;
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = super::entity::bounds(model);
    let stored = super::entity::stored(model);
    let key = arguments(std::iter::once(&model.pk).chain(&model.sk));
    let table = (&model.pattern, std::slice::from_ref(&model.pk), model.sk.as_slice());
    let indexes = model.indexes.iter().filter_map(|index| {
        Some((index.pattern.as_ref()?, index.partition(&model.pk), &index.sk[..]))
    });
    let mut names = BTreeSet::from(["key".to_owned()]);
    let patterns = std::iter::once(table).chain(indexes);
    let patterns = patterns.filter(|(name, ..)| {
        let builder = crate::names::builder(ident, name).to_string();
        names.insert(name.to_string()) && names.insert(builder)
    });
    let patterns = patterns.map(|(name, pk, sk)| {
        let builder = crate::names::builder(ident, name);
        let arguments = arguments(pk);
        let open = sk.iter().flat_map(Template::components);
        let open = open.filter(|component| !pk.iter().any(|pk| pk.fixes(component)));
        let mut methods = BTreeSet::from(["erase".to_owned()]);
        let open = open.flat_map(|component| {
            ["", "_range", "_prefix"].map(|suffix| format!("{}{suffix}", component.name))
        });
        let none = sk.iter().flat_map(Template::components);
        let none = none.filter(|component| component.spec.none.is_some()).filter_map(|component| {
            let method = crate::names::field(&format!("{}_none", component.name), name.span())?;
            Some(quote!(#vis fn #method(self) -> Self { self }))
        });
        let steps = open.filter(|method| methods.insert(method.clone())).filter_map(|method| {
            let method = crate::names::field(&method, name.span())?;
            Some(quote!(#vis fn #method<__A>(self, _: __A) -> Self { self }))
        });
        quote! {
            #vis struct #builder #impl_generics (__m::Pattern<#ident #ty_generics, __m::OnTable>)
            #bounds;
            impl #impl_generics #builder #ty_generics #bounds {
                #vis fn erase(self) -> __m::Pattern<#ident #ty_generics, __m::OnTable> {
                    self.0
                }
                #(#steps)*
                #(#none)*
            }
            impl #impl_generics __m::IntoPattern for #builder #ty_generics #bounds #stored {
                type Entity = #ident #ty_generics;
                type Index = __m::OnTable;
                type Filter = __m::FilteringAny;
                fn into_pattern(self) -> __m::Pattern<#ident #ty_generics, __m::OnTable> {
                    self.0
                }
            }
            impl #impl_generics #ident #ty_generics #bounds {
                #vis fn #name<#(#arguments),*>(#(_: #arguments),*) -> #builder #ty_generics {
                    #builder(__m::Pattern::start(__m::Option::None, &[], &[]))
                }
            }
        }
    });
    quote! {
        impl #impl_generics #ident #ty_generics #bounds {
            #vis fn key<#(#key),*>(#(_: #key),*) -> __m::Key<Self> {
                __m::Key::render(&[], &[])
            }
        }
        #(#patterns)*
    }
}

/// A type parameter for each field of the templates.
fn arguments<'a>(templates: impl IntoIterator<Item = &'a Template>) -> Vec<Ident> {
    let components = templates.into_iter().flat_map(Template::components);
    let fields: BTreeSet<_> = components.map(|component| component.name.as_str()).collect();
    (0..fields.len()).map(|at| format_ident!("__A{at}")).collect()
}

pub(crate) fn key_part(input: &DeriveInput, model: Option<&KeyPartModel>) -> TokenStream {
    let ident = &input.ident;
    let krate = krate(model.map(|model| match model {
        KeyPartModel::Newtype { krate, .. } | KeyPartModel::Enum { krate, .. } => krate,
    }));
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    wrap(
        &krate,
        &quote! {
            impl #impl_generics __m::KeyPart for #ident #ty_generics #where_clause {
                const KIND: __m::PartKind = __m::PartKind::Text;
                fn to_value(&self) -> __m::Result<__m::PartValue<'_>, __m::PartError> {
                    __m::Result::Err(__m::PartError::new("was not derived"))
                }
                fn from_value(_: __m::PartValue<'_>) -> __m::Result<Self, __m::PartError> {
                    __m::Result::Err(__m::PartError::new("was not derived"))
                }
            }
        },
    )
}

pub(crate) fn collection(input: &DeriveInput, model: Option<&CollectionModel>) -> TokenStream {
    let (ident, name) = (&input.ident, input.ident.unraw().to_string());
    let Some(model) = model else { return TokenStream::new() };
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let CollectionModel { table, vis, is_enum, .. } = model;
    let partition = model.partition.as_ref().map(|CollectionPartition { pk, pattern }| {
        let arguments = arguments([pk]);
        let kind = super::collection::kind_of_index(model);
        let operation = if *is_enum { quote!(ReadItems) } else { quote!(ReadCollection) };
        quote! {
            impl #ident {
                #vis fn #pattern<#(#arguments),*>(
                    #(_: #arguments),*
                ) -> __m::CollectionPattern<Self> {
                    __m::CollectionPattern::not_derived()
                }
            }
            impl __m::ItemCollection for #ident {
                type Table = #table;
                type Index = #kind;
                type Read = __m::#operation<Self>;
                const NAME: &'static str = #name;
                const INDEX: __m::Option<&'static str> = __m::Option::None;
                const MEMBERS: &'static [&'static __m::EntitySchema] = &[];
                const KEEPS_OTHERS: bool = false;
                fn read(
                    table: __m::Table<#table>,
                    pattern: __m::CollectionPattern<Self>,
                ) -> __m::#operation<Self> {
                    __m::#operation::new(table, pattern)
                }
            }
        }
    });
    let form = if *is_enum {
        quote! {
            impl __m::ItemKind for #ident {
                type Table = #table;
                const NAME: &'static str = #name;
                const KINDS: &'static [&'static __m::EntitySchema] = &[];
                fn decode(_: usize, _: __m::Found) -> __m::Result<Self, __m::Error> {
                    __m::Result::Err(__m::not_derived())
                }
            }
        }
    } else {
        quote! {
            impl __m::Assemble for #ident {
                const FIELDS: &'static [&'static str] = &[];
                fn assemble(_: &str, _: __m::Vec<__m::Bucket>) -> __m::Result<Self, __m::Error> {
                    __m::Result::Err(__m::not_derived())
                }
            }
        }
    };
    wrap(&model.krate, &quote!(#partition #form))
}

fn krate(given: Option<&Path>) -> Path {
    given.cloned().unwrap_or_else(|| parse_quote!(::monotable))
}
