use proc_macro2::TokenStream;
use quote::quote;

use super::fields::{self, Fields};
use super::wrap;
use crate::model::DocumentModel;

pub(crate) fn document(model: &DocumentModel) -> TokenStream {
    let DocumentModel { ident, vis, generics, krate, fields } = model;
    let (impl_generics, ty_generics, _) = generics.split_for_impl();
    let bounds = super::entity::stored_parameters(generics);
    let Fields { types, implementation } = fields::document(ident, vis, fields, generics, &bounds);
    let writers = super::keys::writers(fields, generics);
    let readers = fields::readers(fields, generics);
    wrap(
        krate,
        &quote! {
            #writers
            #readers
            #types
            impl #impl_generics __m::Document for #ident #ty_generics #bounds {
                #implementation
            }
        },
    )
}
