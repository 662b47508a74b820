//! The derives of [`monotable`](https://docs.rs/monotable). Use them through that crate, which
//! re-exports them under its feature `derive`.

mod attr;
mod check;
mod ctxt;
mod expand;
mod model;
mod names;
mod serde_attr;
mod template;

use proc_macro::TokenStream;
use quote::quote;
use syn::{DeriveInput, parse_macro_input};

use ctxt::Ctxt;
use model::{
    CollectionModel, DocumentModel, EntityModel, KeyPartModel, ProjectionModel, TableModel,
};

/// Declares a table on a unit struct.
#[doc = include_str!("docs/table.md")]
#[proc_macro_derive(Table, attributes(table, gsi, lsi))]
pub fn derive_table(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ctxt = Ctxt::new();
    let model = TableModel::from_input(&ctxt, &input);
    finish(ctxt, &input, model, expand::table, expand::table_fallback)
}

/// Declares an entity on a serde struct.
#[doc = include_str!("docs/entity.md")]
#[proc_macro_derive(Entity, attributes(entity, index, serde))]
pub fn derive_entity(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ctxt = Ctxt::new();
    let model = EntityModel::from_input(&ctxt, &input);
    finish(ctxt, &input, model, expand::entity, expand::entity_fallback)
}

/// Declares a key part on a newtype or a unit enum.
#[doc = include_str!("docs/key_part.md")]
#[proc_macro_derive(KeyPart, attributes(key, serde))]
pub fn derive_key_part(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ctxt = Ctxt::new();
    let model = KeyPartModel::from_input(&ctxt, &input);
    finish(ctxt, &input, model, expand::key_part, expand::key_part_fallback)
}

/// Declares an item collection on a struct whose fields are its members.
#[doc = include_str!("docs/collection.md")]
#[proc_macro_derive(ItemCollection, attributes(collection))]
pub fn derive_item_collection(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ctxt = Ctxt::new();
    let model = CollectionModel::from_input(&ctxt, &input);
    finish(ctxt, &input, model, expand::collection, expand::collection_fallback)
}

/// Declares the paths of a struct that stands inside of an entity.
#[doc = include_str!("docs/document.md")]
#[proc_macro_derive(Document, attributes(document, serde))]
pub fn derive_document(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ctxt = Ctxt::new();
    let model = DocumentModel::from_input(&ctxt, &input);
    finish(ctxt, &input, model, expand::document, expand::document_fallback)
}

/// Declares a projection on a serde struct of some of an entity's fields.
#[doc = include_str!("docs/projection.md")]
#[proc_macro_derive(Projection, attributes(projection, serde))]
pub fn derive_projection(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    let ctxt = Ctxt::new();
    let model = ProjectionModel::from_input(&ctxt, &input);
    finish(ctxt, &input, model, expand::projection, expand::projection_fallback)
}

/// The expansion, or every mistake at once with a stub that keeps the rest of the crate quiet.
fn finish<M>(
    ctxt: Ctxt,
    input: &DeriveInput,
    model: Option<M>,
    expand: impl FnOnce(&M) -> proc_macro2::TokenStream,
    fallback: impl FnOnce(&DeriveInput, Option<&M>) -> proc_macro2::TokenStream,
) -> TokenStream {
    let errors = ctxt.check().err().map(|error| error.into_compile_error());
    match (errors, model) {
        (None, Some(model)) => expand(&model).into(),
        (errors, model) => {
            let stub = fallback(input, model.as_ref());
            quote!(#errors #stub).into()
        }
    }
}
