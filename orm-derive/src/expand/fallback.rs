//! What stands in for a derive that found mistakes: enough that the rest of the crate does not
//! complain about a trait that is missing, and nothing that runs.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Path, parse_quote};

use super::wrap;
use crate::model::{CollectionModel, EntityModel, KeyPartModel, TableModel};

pub(crate) fn table(input: &DeriveInput, model: Option<&TableModel>) -> TokenStream {
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
    // Without the table there is nothing to implement the trait with.
    let Some(model) = model else { return TokenStream::new() };
    let table = &model.table;
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = super::entity::bounds(model);
    wrap(
        &model.krate,
        &quote! {
            const NOTHING: k::Slot = k::slot(
                #name,
                k::KeyAttribute::new("", k::KeyType::S),
                k::Template { text: "", segments: &[] },
                false,
                true,
                0,
            );
            impl #impl_generics k::Entity for #ident #ty_generics #bounds {
                type Table = #table;
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
    let table = &model.table;
    wrap(
        &model.krate,
        &quote! {
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
