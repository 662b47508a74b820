//! What a write stores beside the fields: index keys, guards, expiry and version, each from the
//! fields that it knows.

use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::entity::Slots;
use super::group::{self, Source};
use super::slot::Slot;
use crate::model::{EntityModel, IndexUse, Segment, Unique};

/// The functions of `Entity` that work from what is known.
pub(super) fn functions(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let follow = group::keys_follow(model);
    let index_keys = slots.indexes.iter().enumerate().map(|(index, slots)| -> TokenStream {
        let slots_of = slots.pk.iter().chain(&slots.sk).enumerate();
        slots_of.map(|(at, slot)| index_key(model, slots.index, slot, (index, at))).collect()
    });
    let guards =
        slots.guards.iter().enumerate().map(|(at, (unique, pk, _))| guard(model, at, unique, pk));
    let expires = match model.ttl.and_then(|at| Some((at, model.fields[at].attribute.as_ref()?))) {
        Some((at, stored)) => {
            let (field, ty) = (read(model, at), &model.fields[at].ty);
            // The key has a part of the field, behind a smart pointer.
            let is_primary = group::is_primary(model, at);
            let ty = if is_primary { quote!(<#ty as __m::KeyField>::Part) } else { quote!(#ty) };
            let seconds =
                quote_spanned!(model.fields[at].ty.span()=> <#ty as __m::TtlField>::seconds);
            quote! {
                if !known.touches(&[#stored]) {
                    return __m::Result::Ok(__m::Option::None);
                }
                let field = #field;
                let seconds = #seconds(&*field);
                __m::Result::Ok(__m::Option::Some(__m::checked_seconds::<Self>(seconds, #stored)?))
            }
        }
        None => quote!(__m::Result::Ok(__m::Option::None)),
    };
    let (version, holds_version, set_version) = match model.version {
        Some(at) => {
            let (ident, ty) = (&model.fields[at].ident, &model.fields[at].ty);
            let part = quote_spanned!(ty.span()=> <#ty as __m::VersionField>);
            (
                quote!(#part::version(&self.#ident)),
                quote!(__m::Option::is_some(&#part::of(version))),
                quote! {
                    if let __m::Option::Some(version) = #part::of(version) {
                        self.#ident = version;
                    }
                },
            )
        }
        None => (quote!(0), quote!(true), quote!()),
    };
    let key_only = key_only(model);
    quote! {
        const KEYS_FOLLOW: bool = #follow;
        fn index_keys(
            known: &__m::Known<'_, Self>,
        ) -> __m::Result<__m::Vec<(&'static str, __m::Option<__m::KeyValue>)>, __m::KeyError> {
            #[allow(unused_mut)]
            let mut keys = __m::Vec::new();
            #(#index_keys)*
            __m::Result::Ok(keys)
        }
        fn guards(
            known: &__m::Known<'_, Self>,
        ) -> __m::Result<__m::Vec<(usize, __m::Option<__m::KeyValue>)>, __m::KeyError> {
            #[allow(unused_mut)]
            let mut keys = __m::Vec::new();
            #(#guards)*
            __m::Result::Ok(keys)
        }
        fn expires(
            known: &__m::Known<'_, Self>,
        ) -> __m::Result<__m::Option<__m::Option<i64>>, __m::Error> {
            #expires
        }
        fn version(&self) -> u64 {
            #version
        }
        #[allow(unused_variables)]
        fn holds_version(version: u64) -> bool {
            #holds_version
        }
        #[allow(unused_variables)]
        fn set_version(&mut self, version: u64) {
            #set_version
        }
        #key_only
    }
}

/// The fields that live in the key alone, each from where the key has it.
fn key_only(model: &EntityModel) -> Option<TokenStream> {
    if model.key_only.is_empty() {
        return None;
    }
    let arms = model.key_only.iter().filter_map(|(at, _)| {
        let field = &model.fields[*at];
        let (ty, stored) = (&field.ty, field.attribute.as_ref()?);
        let Source { sort, at } = group::source(model, *at)?;
        let (half, slot) =
            if sort { (quote!(sort), quote!(__SK)) } else { (quote!(partition), quote!(__PK)) };
        let part = quote_spanned!(ty.span()=> <#ty as __m::KeyField>::Part);
        Some(quote!(#stored => key.#half::<#part>(const { &#slot }, #at),))
    });
    Some(quote! {
        fn key_only(
            key: &__m::StoredKey<'_>,
            attribute: &str,
        ) -> __m::Result<__m::Option<__m::AttributeValue>, __m::CodecError> {
            match attribute {
                #(#arms)*
                _ => __m::Result::Ok(__m::Option::None),
            }
        }
    })
}

fn index_key(
    model: &EntityModel,
    index: &IndexUse,
    slot: &Slot<'_>,
    (index_at, at): (usize, usize),
) -> TokenStream {
    let entity = model.ident.unraw().to_string();
    let name = &slot.name;
    let fields = group::dependencies(model, index, at);
    // In the schema a local index has the table's partition key in front.
    let at = at + usize::from(index.pk.is_empty());
    let touched = fields.iter().filter(|field| !group::is_primary(model, **field));
    let touched = touched.filter_map(|field| model.fields[*field].attribute.as_ref());
    let held = index.only_when.iter().map(|condition| {
        let (pat, value) = (&condition.pat, read(model, condition.field));
        if group::is_primary(model, condition.field) {
            let ty = &model.fields[condition.field].ty;
            quote!((match *<#ty as __m::KeyField>::seen(&*#value) { #pat => true, _ => false }))
        } else {
            quote!((match *#value { #pat => true, _ => false }))
        }
    });
    let shard = match &index.shard {
        Some(shard) if slot.template.segments.contains(&Segment::Shard) => {
            let count = shard.count;
            let (lets, parts) = components(model, &shard.by);
            quote! {{
                #lets
                match __m::shard(#parts, #count) {
                    __m::Result::Ok(shard) => __m::Option::Some(shard),
                    __m::Result::Err(error) => {
                        return __m::Result::Err(__m::shard_error(#entity, error));
                    }
                }
            }}
        }
        _ => quote!(__m::Option::None),
    };
    let of_template: Vec<_> = slot.template.components().map(|component| component.field).collect();
    let (lets, parts) = components(model, &of_template);
    quote! {
        if const { __m::check::writes(&__SCHEMA, #index_at, #at) }
            && known.touches(&[#(#touched),*])
        {
            let held = !const { __m::check::decides(&__SCHEMA, #index_at, #at) }
                || (true #(&& #held)*);
            let value = if held {
                let shard: __m::Option<u32> = #shard;
                #lets
                __m::index_value(&#name, #parts, shard)?
            } else {
                __m::Option::None
            };
            keys.push((#name.attribute.name, value));
        }
    }
}

fn guard(model: &EntityModel, at: usize, unique: &Unique, pk: &Slot<'_>) -> TokenStream {
    let name = &pk.name;
    let stored = model.fields[unique.field].attribute.as_deref().unwrap_or_default();
    let (lets, parts) = components(model, &[unique.field]);
    quote! {
        if known.touches(&[#stored]) {
            #lets
            keys.push((#at, __m::index_value(&#name, #parts, __m::Option::None)?));
        }
    }
}

/// Fields as components of a key: the statements that read them, and the list.
fn components(model: &EntityModel, fields: &[usize]) -> (TokenStream, TokenStream) {
    let (lets, parts): (Vec<_>, Vec<_>) = fields
        .iter()
        .map(|at| {
            let (name, value) = (local(*at), read(model, *at));
            let ty = &model.fields[*at].ty;
            let part = if group::is_primary(model, *at) {
                quote!(&__m::Bare(&*#name))
            } else {
                quote_spanned!(ty.span()=> &<#ty as __m::KeyField>::component(#name))
            };
            (quote!(let #name = #value;), part)
        })
        .unzip();
    (quote!(#(#lets)*), quote!(&[#(#parts),*]))
}

fn local(field: usize) -> Ident {
    format_ident!("__field{field}")
}

/// A field as it is known: a reference, or, from the key, a part that derefs to it.
fn read(model: &EntityModel, at: usize) -> TokenStream {
    let field = &model.fields[at];
    let (ident, ty) = (&field.ident, &field.ty);
    let stored = field.attribute.as_deref().unwrap_or_default();
    if !group::is_primary(model, at) {
        return quote!(known.field::<#ty>(#stored, |__item| &__item.#ident)?);
    }
    // An update by key does not come here without a source; see `Class::NeedsItem`.
    let Source { sort, at: position } =
        group::source(model, at).unwrap_or(Source { sort: false, at: 0 });
    let slot = if sort { quote!(__SK) } else { quote!(__PK) };
    let name = &field.name;
    quote_spanned! {ty.span()=>
        known.primary::<<#ty as __m::KeyField>::Part>(
            #name,
            |__item| <#ty as __m::KeyField>::part(&__item.#ident),
            const { &#slot },
            #position,
        )?
    }
}
