//! What stands in for a derive that found mistakes: enough that the rest of the crate does not
//! complain about a trait that is missing, and nothing that runs.

use std::collections::BTreeSet;

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident, Path, parse_quote};

use super::pattern::builder_name;
use super::wrap;
use crate::model::{CollectionModel, EntityModel, KeyPartModel, TableModel, Template};

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
            impl k::Schema for #ident {
                const TABLE: &'static k::TableSchema = &k::table(
                    "",
                    k::KeyAttribute::new("", k::KeyType::S),
                    k::Option::None,
                    &[],
                    k::Option::None,
                    k::Option::None,
                );
                fn entities() -> &'static [k::EntityEntry] {
                    &[]
                }
            }
            #functions
        },
    )
}

pub(crate) fn entity(input: &DeriveInput, model: Option<&EntityModel>) -> TokenStream {
    let (ident, name) = (&input.ident, input.ident.to_string());
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
    wrap(
        &model.krate,
        &quote! {
            #functions
            #roles
            const NOTHING: k::Slot = k::slot(
                #name,
                k::KeyAttribute::new("", k::KeyType::S),
                k::Template { text: "", segments: &[] },
                false,
                true,
                0,
            );
            impl #impl_generics k::Entity for #ident #ty_generics #bounds {
                #table
                type PartitionParts = ();
                const PARTITION_WITH: bool = false;
                const SCHEMA: &'static k::EntitySchema = &k::EntityParts {
                    name: #name,
                    type_name: #name,
                    type_aliases: &[],
                    pk: NOTHING,
                    sk: k::Option::None,
                    indexes: &[],
                    constants: &[],
                    nulls: &[],
                    overlap: &[],
                }
                .schema();
                fn key(&self) -> k::Key<Self> {
                    k::Key::render(&[], &[])
                }
                fn index_keys(
                    &self,
                ) -> k::Result<k::Vec<(&'static str, k::KeyValue)>, k::KeyError> {
                    k::Result::Ok(k::Vec::new())
                }
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
    let table = (&model.pattern, &model.pk, model.sk.as_ref());
    let indexes = model.indexes.iter().filter_map(|index| {
        let pk = index.pk.as_ref().unwrap_or(&model.pk);
        Some((index.pattern.as_ref()?, pk, index.sk.as_ref()))
    });
    let mut names = BTreeSet::from(["key".to_owned()]);
    let patterns = std::iter::once(table).chain(indexes);
    let patterns = patterns.filter(|(name, ..)| names.insert(name.to_string()));
    let patterns = patterns.map(|(name, pk, sk)| {
        let builder = builder_name(ident, name);
        let arguments = arguments([pk]);
        let open = sk.into_iter().flat_map(Template::components);
        let open = open.filter(|component| pk.components().all(|c| c.name != component.name));
        let mut methods = BTreeSet::from(["erase".to_owned()]);
        let open = open.flat_map(|component| {
            ["", "_range", "_prefix"].map(|suffix| format!("{}{suffix}", component.name))
        });
        let steps = open.filter(|method| methods.insert(method.clone())).filter_map(|method| {
            let method = crate::names::field(&method, name.span())?;
            Some(quote!(#vis fn #method<A>(self, _: A) -> Self { self }))
        });
        quote! {
            #vis struct #builder #impl_generics (k::Pattern<#ident #ty_generics, k::OnTable>)
            #bounds;
            impl #impl_generics #builder #ty_generics #bounds {
                #vis fn erase(self) -> k::Pattern<#ident #ty_generics, k::OnTable> {
                    self.0
                }
                #(#steps)*
            }
            impl #impl_generics k::IntoPattern for #builder #ty_generics #bounds #stored {
                type Entity = #ident #ty_generics;
                type Index = k::OnTable;
                fn into_pattern(self) -> k::Pattern<#ident #ty_generics, k::OnTable> {
                    self.0
                }
            }
            impl #impl_generics #ident #ty_generics #bounds {
                #vis fn #name<#(#arguments),*>(#(_: #arguments),*) -> #builder #ty_generics {
                    #builder(k::Pattern::start(k::Option::None, &[], &[]))
                }
            }
        }
    });
    quote! {
        impl #impl_generics #ident #ty_generics #bounds {
            #vis fn key<#(#key),*>(#(_: #key),*) -> k::Key<Self> {
                k::Key::render(&[], &[])
            }
        }
        #(#patterns)*
    }
}

/// A type parameter for each field of the templates.
fn arguments<'a>(templates: impl IntoIterator<Item = &'a Template>) -> Vec<Ident> {
    let components = templates.into_iter().flat_map(Template::components);
    let fields: BTreeSet<_> = components.map(|component| component.name.as_str()).collect();
    (0..fields.len()).map(|at| format_ident!("Argument{at}")).collect()
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
            impl #impl_generics k::KeyPart for #ident #ty_generics #where_clause {
                const KIND: k::PartKind = k::PartKind::Text;
                fn to_value(&self) -> k::Result<k::PartValue<'_>, k::PartError> {
                    k::Result::Err(k::PartError::new("was not derived"))
                }
                fn from_value(_: k::PartValue<'_>) -> k::Result<Self, k::PartError> {
                    k::Result::Err(k::PartError::new("was not derived"))
                }
            }
        },
    )
}

pub(crate) fn collection(input: &DeriveInput, model: Option<&CollectionModel>) -> TokenStream {
    let (ident, name) = (&input.ident, input.ident.to_string());
    let Some(model) = model else { return TokenStream::new() };
    if !input.generics.params.is_empty() {
        return TokenStream::new();
    }
    let CollectionModel { table, vis, pattern, .. } = model;
    let arguments = arguments([&model.pk]);
    wrap(
        &model.krate,
        &quote! {
            impl #ident {
                #vis fn #pattern<#(#arguments),*>(
                    #(_: #arguments),*
                ) -> k::CollectionPattern<Self> {
                    k::CollectionPattern::not_derived()
                }
            }
            impl k::ItemCollection for #ident {
                type Table = #table;
                const NAME: &'static str = #name;
                const MEMBERS: &'static [k::MemberSchema] = &[];
                fn assemble(
                    _: &str,
                    _: k::Vec<k::Bucket>,
                ) -> k::Result<Self, k::Error> {
                    k::Result::Err(k::not_derived())
                }
            }
        },
    )
}

fn krate(given: Option<&Path>) -> Path {
    given.cloned().unwrap_or_else(|| parse_quote!(::monotable))
}
