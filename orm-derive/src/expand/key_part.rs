use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::wrap;
use crate::model::KeyPartModel;

pub(crate) fn key_part(model: &KeyPartModel) -> TokenStream {
    match model {
        KeyPartModel::Newtype { ident, generics, krate, ty, member } => {
            let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
            let given = where_clause.map(|clause| &clause.predicates).into_iter().flatten();
            // A bound without parameters would be checked twice, here and where it is used.
            let is_generic = !generics.params.is_empty();
            let bound = is_generic.then(|| quote!(#ty: k::KeyPart,));
            // What the type lacks is reported at the type.
            let part = quote_spanned!(ty.span()=> <#ty as k::KeyPart>);
            wrap(
                krate,
                &quote! {
                    impl #impl_generics k::KeyPart for #ident #ty_generics
                    where
                        #(#given,)*
                        #bound
                    {
                        const KIND: k::PartKind = #part::KIND;
                        fn to_value(
                            &self,
                        ) -> k::Result<k::PartValue<'_>, k::PartError> {
                            #part::to_value(&self.#member)
                        }
                        fn from_value(
                            value: k::PartValue<'_>,
                        ) -> k::Result<Self, k::PartError> {
                            k::Result::Ok(#ident {
                                #member: #part::from_value(value)?,
                            })
                        }
                    }
                },
            )
        }
        KeyPartModel::Enum { ident, krate, variants } => {
            let idents = variants.iter().map(|(variant, _)| variant);
            let names: Vec<_> = variants.iter().map(|(_, name)| name).collect();
            let write = idents.clone();
            wrap(
                krate,
                &quote! {
                    impl k::KeyPart for #ident {
                        const KIND: k::PartKind = k::PartKind::Name(&[#(#names),*]);
                        fn to_value(
                            &self,
                        ) -> k::Result<k::PartValue<'_>, k::PartError> {
                            k::Result::Ok(k::name(match self {
                                #(#ident::#write => #names,)*
                            }))
                        }
                        fn from_value(
                            value: k::PartValue<'_>,
                        ) -> k::Result<Self, k::PartError> {
                            k::Result::Ok(match k::name_of(&value)? {
                                #(#names => #ident::#idents,)*
                                other => return k::Result::Err(k::unknown_name(other)),
                            })
                        }
                    }
                },
            )
        }
    }
}
