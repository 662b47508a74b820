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
            let bound = is_generic.then(|| quote!(#ty: __m::KeyPart,));
            // What the type lacks is reported at the type.
            let part = quote_spanned!(ty.span()=> <#ty as __m::KeyPart>);
            wrap(
                krate,
                &quote! {
                    impl #impl_generics __m::KeyPart for #ident #ty_generics
                    where
                        #(#given,)*
                        #bound
                    {
                        const KIND: __m::PartKind = #part::KIND;
                        fn to_value(
                            &self,
                        ) -> __m::Result<__m::PartValue<'_>, __m::PartError> {
                            #part::to_value(&self.#member)
                        }
                        fn from_value(
                            value: __m::PartValue<'_>,
                        ) -> __m::Result<Self, __m::PartError> {
                            __m::Result::Ok(#ident {
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
                    impl __m::KeyPart for #ident {
                        const KIND: __m::PartKind = __m::PartKind::Name(&[#(#names),*]);
                        fn to_value(
                            &self,
                        ) -> __m::Result<__m::PartValue<'_>, __m::PartError> {
                            __m::Result::Ok(__m::name(match self {
                                #(#ident::#write => #names,)*
                            }))
                        }
                        fn from_value(
                            value: __m::PartValue<'_>,
                        ) -> __m::Result<Self, __m::PartError> {
                            __m::Result::Ok(match __m::name_of(&value)? {
                                #(#names => #ident::#idents,)*
                                other => return __m::Result::Err(__m::unknown_name(other)),
                            })
                        }
                    }
                },
            )
        }
    }
}
