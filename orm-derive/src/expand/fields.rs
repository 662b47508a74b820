//! The paths of an entity's or a document's fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{Generics, Ident};

use super::group::{self, Group};
use crate::model::{EntityModel, Field};

/// Types outside of the implementation of `Entity`, and items inside of it.
pub(super) struct Fields {
    pub(super) types: TokenStream,
    pub(super) implementation: TokenStream,
}

/// The paths of an entity.
pub(super) fn entity(model: &EntityModel) -> Fields {
    let EntityModel { ident, vis, .. } = model;
    let groups = group::groups(model);
    let name = format_ident!("{ident}Fields");
    let generics = Parameters::of(&model.generics);
    let Parameters { declared, used, held } = &generics;
    let bounds = super::entity::bounds(model);
    let indexes: Vec<_> = model.indexes.iter().map(|index| &index.index).collect();
    let paths: Vec<_> = (model.fields.iter().enumerate())
        .filter(|(_, field)| has_path(field, &model.generics))
        .filter_map(|(at, field)| {
            let (name, stored, ty) = (&field.ident, field.attribute.as_ref()?, &field.ty);
            if model.is_key_only(at) {
                let doc = format!("`{stored}`, which lives in the key alone.");
                let declared = quote! {
                    #[doc = #doc]
                    #vis #name: __m::Path<#ty, __m::KeyOnly, __M>
                };
                let codec = codec(field, at);
                return Some((declared, quote!(#name: __m::Path::field(#stored, #codec))));
            }
            let class = group::class(model, &groups, at).tokens(model);
            let flags = indexes.iter().rev().fold(quote!(()), |rest, index| {
                quote!((__m::Flag<{ __m::check::filter(__TABLE, #index, #stored) }>, #rest))
            });
            let flags = quote!((__m::Flag<{ __m::check::filter(__TABLE, "", #stored) }>, #flags));
            let null = model.nulls.contains(&at).then(|| quote!(.null()));
            let codec = codec(field, at);
            let doc = format!("The attribute `{stored}`.");
            let declared = quote! {
                #[doc = #doc]
                #vis #name: __m::Path<#ty, __m::Attr<#class, #flags>, __M>
            };
            Some((declared, quote!(#name: __m::Path::field(#stored, #codec #null))))
        })
        .collect();
    let (declared_paths, made_paths): (Vec<_>, Vec<_>) = paths.into_iter().unzip();
    let settable: Vec<_> = groups.iter().filter(|group| group.is_settable()).collect();
    let group_types = settable.iter().map(|group| group_type(model, group, &generics));
    let (declared_groups, made_groups): (Vec<_>, Vec<_>) = settable
        .iter()
        .map(|group| {
            let (name, ty) = (group.name(model), group_ident(model, group));
            let doc = "Fields that make an index key together.";
            (quote!(#[doc = #doc] #vis #name: #ty<#used __M>), quote!(#name: #ty(__m::PhantomData)))
        })
        .unzip();
    let types = quote! {
        #[doc(hidden)]
        #vis struct #name<#declared __M: 'static> #bounds {
            #(#declared_paths,)*
            #(#declared_groups,)*
            #[doc(hidden)]
            __held: __m::PhantomData<fn() -> (#held __M,)>,
        }
        #(#group_types)*
    };
    let implementation = quote! {
        type Fields<__M: 'static> = #name<#used __M>;
        fn fields<__M: 'static>() -> #name<#used __M> {
            #name {
                #(#made_paths,)*
                #(#made_groups,)*
                __held: __m::PhantomData,
            }
        }
    };
    Fields { types, implementation }
}

/// The paths of an entity whose derive failed: every change and condition is permitted.
pub(super) fn stub(model: &EntityModel) -> Fields {
    let EntityModel { ident, vis, .. } = model;
    let name = format_ident!("{ident}Fields");
    let Parameters { declared, used, held } = Parameters::of(&model.generics);
    let bounds = super::entity::bounds(model);
    let fields = model.fields.iter().filter(|field| field.attribute.is_some());
    let (declared_paths, made_paths): (Vec<_>, Vec<_>) = fields
        .map(|Field { ident, ty, .. }| {
            let flags = quote!((__m::Flag<0>, ()));
            (
                quote!(#vis #ident: __m::Path<#ty, __m::Attr<__m::Free, #flags>, __M>),
                quote!(#ident: __m::Path::field("", __m::FieldCodec::new(
                    |_| __m::Result::Ok(__m::Option::None),
                    __m::not_read,
                ))),
            )
        })
        .unzip();
    Fields {
        types: quote! {
            #vis struct #name<#declared __M: 'static> #bounds {
                #(#declared_paths,)*
                __held: __m::PhantomData<fn() -> (#held __M,)>,
            }
        },
        implementation: quote! {
            type Fields<__M: 'static> = #name<#used __M>;
            fn fields<__M: 'static>() -> #name<#used __M> {
                #name { #(#made_paths,)* __held: __m::PhantomData }
            }
        },
    }
}

/// The paths of a document: the kind of its fields comes from where it stands.
pub(super) fn document(
    ident: &Ident,
    vis: &syn::Visibility,
    fields: &[Field],
    generics: &Generics,
    bounds: &TokenStream,
) -> Fields {
    let name = format_ident!("{ident}Fields");
    let Parameters { declared, used, held } = Parameters::of(generics);
    let paths: Vec<_> = (fields.iter().enumerate())
        .filter(|(_, field)| has_path(field, generics))
        .filter_map(|(at, field)| {
            let (name, stored, ty) = (&field.ident, field.attribute.as_ref()?, &field.ty);
            let codec = codec(field, at);
            let doc = format!("The attribute `{stored}`.");
            let declared = quote!(#[doc = #doc] #vis #name: __m::Path<#ty, __K, __M>);
            Some((declared, quote!(#name: __inside.field(#stored, #codec))))
        })
        .collect();
    let (declared_paths, made_paths): (Vec<_>, Vec<_>) = paths.into_iter().unzip();
    let types = quote! {
        #[doc(hidden)]
        #vis struct #name<#declared __K: 'static, __M: 'static> #bounds {
            #(#declared_paths,)*
            #[doc(hidden)]
            __held: __m::PhantomData<fn() -> (#held __K, __M)>,
        }
    };
    let implementation = quote! {
        type Fields<__K: 'static, __M: 'static> = #name<#used __K, __M>;
        fn fields<__K: 'static, __M: 'static>(
            __inside: &__m::Inside<'_>,
        ) -> #name<#used __K, __M> {
            #name { #(#made_paths,)* __held: __m::PhantomData }
        }
    };
    Fields { types, implementation }
}

/// The type parameters of the user, for a type that has more of them.
struct Parameters {
    /// With a comma behind each.
    declared: TokenStream,
    used: TokenStream,
    /// As types of a tuple.
    held: TokenStream,
}

impl Parameters {
    fn of(generics: &Generics) -> Self {
        let names: Vec<_> = generics.type_params().map(|parameter| &parameter.ident).collect();
        let declared = generics.type_params().map(|parameter| {
            let (ident, bounds) = (&parameter.ident, &parameter.bounds);
            quote!(#ident: #bounds)
        });
        Parameters {
            declared: quote!(#(#declared,)*),
            used: quote!(#(#names,)*),
            held: quote!(#(#names,)*),
        }
    }
}

/// Whether a field has a path: it is an attribute, and how it is stored can be said.
fn has_path(field: &Field, generics: &Generics) -> bool {
    let by_module = field.serialize_with.is_some() || field.deserialize_with.is_some();
    field.attribute.is_some() && (!by_module || generics.params.is_empty())
}

/// How a field is stored.
fn codec(field: &Field, at: usize) -> TokenStream {
    let ty = &field.ty;
    let plain = quote_spanned!(ty.span()=> __m::plain_codec::<#ty>());
    if field.serialize_with.is_none() && field.deserialize_with.is_none() && !field.unread {
        return plain;
    }
    let encode = match &field.serialize_with {
        Some(_) => {
            let writer = super::keys::writer(at);
            quote!(|field: &#ty| __m::encode_field(&#writer(field)))
        }
        None => quote!(|field: &#ty| __m::encode_field(field)),
    };
    let decode = match &field.deserialize_with {
        _ if field.unread => quote!(__m::not_read),
        Some(_) => {
            let reader = reader(at);
            quote!(|value| match __m::decode_field::<#reader>(value) {
                __m::Result::Ok(read) => __m::Result::Ok(read.0),
                __m::Result::Err(error) => __m::Result::Err(error),
            })
        }
        None => quote!(|value| __m::decode_field::<#ty>(value)),
    };
    quote!(__m::FieldCodec::new(#encode, #decode))
}

/// For each field with `#[serde(with)]`, a type that serde reads like that field.
pub(super) fn readers(fields: &[Field], generics: &Generics) -> TokenStream {
    let readers = fields.iter().enumerate().filter_map(|(at, field)| {
        let deserialize = field.deserialize_with.as_ref()?;
        let (name, ty) = (reader(at), &field.ty);
        generics.params.is_empty().then(|| {
            quote! {
                struct #name(#ty);
                impl<'de> __m::Deserialize<'de> for #name {
                    fn deserialize<D: __m::Deserializer<'de>>(
                        deserializer: D,
                    ) -> __m::Result<Self, D::Error> {
                        match #deserialize(deserializer) {
                            __m::Result::Ok(read) => __m::Result::Ok(#name(read)),
                            __m::Result::Err(error) => __m::Result::Err(error),
                        }
                    }
                }
            }
        })
    });
    quote!(#(#readers)*)
}

fn reader(field: usize) -> Ident {
    format_ident!("__Reader{field}")
}

/// `OrderStatusAndRegion`.
fn group_ident(model: &EntityModel, group: &Group) -> Ident {
    crate::names::builder(&model.ident, &group.name(model))
}

/// A type that sets the fields of a group, and one that names it in messages.
fn group_type(model: &EntityModel, group: &Group, generics: &Parameters) -> TokenStream {
    let vis = &model.vis;
    let (name, ty) = (group.name(model), group_ident(model, group));
    let Parameters { declared, used, held } = generics;
    let bounds = super::entity::bounds(model);
    let members: Vec<_> = group
        .fields
        .iter()
        .filter_map(|at| {
            let field = &model.fields[*at];
            let stored = field.attribute.as_ref()?;
            let argument = &field.ident;
            let null = model.nulls.contains(at).then(|| quote!(.null()));
            let (ty, codec) = (&field.ty, codec(field, *at));
            let path = quote!(__m::Path::<#ty, (), ()>::field(#stored, #codec #null));
            let parameter = quote!(#argument: impl __m::ValueArg<#ty>);
            Some((parameter, quote!(let __change = __m::group(&#path, #argument, __change);)))
        })
        .collect();
    let (parameters, steps): (Vec<_>, Vec<_>) = members.into_iter().unzip();
    let doc = format!(
        "Sets {} together.",
        group
            .fields
            .iter()
            .map(|at| format!("`{}`", model.fields[*at].name))
            .collect::<Vec<_>>()
            .join(", ")
    );
    quote! {
        #[doc(hidden)]
        #vis struct #name;
        #[doc(hidden)]
        #vis struct #ty<#declared __M: 'static>(__m::PhantomData<fn() -> (#held __M,)>) #bounds;
        impl<#declared __M: __m::Writes> #ty<#used __M> #bounds {
            #[doc = #doc]
            #vis fn set(&self, #(#parameters),*) -> __m::Change {
                let __change = __m::no_change();
                #(#steps)*
                __change
            }
        }
    }
}
