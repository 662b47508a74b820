//! What collections of an index take for its partition key: one impl for each index that the entity
//! is in, and one for those that it is not.

use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::spanned::Spanned;

use super::entity::{IndexSlots, Slots, bounds, parameters};
use crate::model::{Component, EntityModel};

/// The partition key of each index, for collections.
pub(super) fn in_indexes(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let ident = &model.ident;
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = bounds(model);
    let parameters = parameters(model);
    let not_taken = |at: usize| {
        quote! {
            impl<#(#parameters,)* const __N: usize, __A> __m::IndexArg<#at, __N, __A>
                for #ident #ty_generics #bounds
            {
                fn component(_: &__A) -> __m::Box<dyn __m::Component + '_> {
                    __m::no_component()
                }
            }
        }
    };
    let indexes =
        slots.indexes.iter().enumerate().map(|(at, IndexSlots { index, pk: own, .. })| {
            let pk = own.first().unwrap_or(&slots.pk);
            let argument = |(n, component): (usize, &Component)| {
                let ty = &model.fields[component.field].ty;
                // Serde writes a natural key, so its type is named.
                let (bound, component) = if pk.may_be_natural().is_some() {
                    let part = quote_spanned!(ty.span()=> <#ty as __m::KeyField>::Part);
                    let arg = quote!(__m::KeyArg::<#part>::arg(arg));
                    (quote!(__m::KeyArg<#part>), quote!(__m::component(#arg)))
                } else {
                    let arg = quote!(__m::FieldArg::<#ty>::arg(arg));
                    (quote!(__m::FieldArg<#ty>), quote!(__m::bare_component(#arg)))
                };
                quote! {
                    #[diagnostic::do_not_recommend]
                    impl<#(#parameters,)* __A: #bound> __m::IndexArg<#at, #n, __A>
                        for #ident #ty_generics #bounds
                    {
                        fn component(arg: &__A) -> __m::Box<dyn __m::Component + '_> {
                            #component
                        }
                    }
                }
            };
            let arguments = if index.shard.is_some() || own.len() > 1 {
                // No collection reads it, whatever its template names.
                vec![not_taken(at)]
            } else {
                pk.template.components().enumerate().map(argument).collect()
            };
            let with =
                pk.may_be_natural().is_some() && pk.template.components().any(|c| pk.has_with(c));
            quote! {
                impl #impl_generics __m::IndexPartition<#at> for #ident #ty_generics #bounds {
                    const WITH: bool = #with;
                }
                #(#arguments)*
            }
        });
    let outside = not_taken(usize::MAX);
    quote! {
        #(#indexes)*
        impl #impl_generics __m::IndexPartition<{ usize::MAX }> for #ident #ty_generics #bounds {
            const WITH: bool = false;
        }
        #outside
    }
}

/// The same of an entity with mistakes, whose indexes are not known.
pub(super) fn stub(model: &EntityModel) -> TokenStream {
    let ident = &model.ident;
    let (_, ty_generics, _) = model.generics.split_for_impl();
    let bounds = bounds(model);
    let parameters = parameters(model);
    quote! {
        impl<#(#parameters,)* const __AT: usize> __m::IndexPartition<__AT>
            for #ident #ty_generics #bounds
        {
            const WITH: bool = false;
        }
        impl<#(#parameters,)* const __AT: usize, const __N: usize, __A>
            __m::IndexArg<__AT, __N, __A> for #ident #ty_generics #bounds
        {
            fn component(_: &__A) -> __m::Box<dyn __m::Component + '_> {
                __m::no_component()
            }
        }
    }
}
