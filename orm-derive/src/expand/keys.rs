//! How a field or an argument becomes a component of a key.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{Generics, Ident};

use super::slot::Slot;
use crate::model::{EntityModel, Field, Template};

/// An argument of `key` or of a pattern.
pub(super) struct Argument<'a> {
    pub(super) index: usize,
    pub(super) field: &'a Field,
    pub(super) name: Ident,
    generic: Ident,
    /// Serde or a pattern of the user takes the part, so its type is named.
    is_exact: bool,
    /// They do here: elsewhere a component of the argument is enough, which lends what it can.
    pub(super) is_part: bool,
}

impl<'a> Argument<'a> {
    /// The fields of the templates, each once. `is_part`: [`Argument::of`].
    pub(super) fn all(
        model: &'a EntityModel,
        templates: impl IntoIterator<Item = &'a Template>,
        is_part: impl Fn(usize) -> bool,
    ) -> Vec<Self> {
        let mut arguments: Vec<Self> = Vec::new();
        for component in templates.into_iter().flat_map(Template::components) {
            if arguments.iter().all(|argument| argument.index != component.field) {
                let (field, position) = (component.field, arguments.len());
                arguments.push(Self::of(model, field, position, is_part(field)));
            }
        }
        arguments
    }

    /// `is_part`: whether serde, or a pattern of the user, takes the part where the argument is given.
    pub(super) fn of(model: &'a EntityModel, index: usize, position: usize, is_part: bool) -> Self {
        let field = &model.fields[index];
        let mut conditions = model.indexes.iter().flat_map(|index| &index.only_when);
        let is_exact = conditions.any(|condition| condition.field == index)
            || templates(model).any(|template| template.is_field_alone(index));
        Argument {
            is_exact,
            is_part,
            index,
            field,
            name: argument(&field.ident),
            generic: format_ident!("__A{position}"),
        }
    }

    /// `A0: __m::FieldArg<..>`
    pub(super) fn bound(&self) -> TokenStream {
        let Argument { generic, field, .. } = self;
        let ty = &field.ty;
        if self.is_exact {
            let part = quote_spanned!(ty.span()=> <#ty as __m::KeyField>::Part);
            quote!(#generic: __m::KeyArg<#part>)
        } else {
            quote!(#generic: __m::FieldArg<#ty>)
        }
    }

    /// The function from the argument to the part or the component.
    pub(super) fn lend(&self) -> TokenStream {
        let taken = if self.is_exact { quote!(__m::KeyArg) } else { quote!(__m::FieldArg) };
        if self.is_part { quote!(#taken::arg) } else { quote!(#taken::component) }
    }

    /// What [`lend`](Self::lend) made, as a component of the slot: an expression to be borrowed.
    pub(super) fn component(&self, slot: &Slot<'_>, lent: &TokenStream) -> TokenStream {
        if self.is_part { component_of(slot, self.index, &quote!(&*#lent)) } else { lent.clone() }
    }

    /// `customer_id: A0`
    pub(super) fn parameter(&self) -> TokenStream {
        let Argument { name, generic, .. } = self;
        quote!(#name: #generic)
    }

    pub(super) fn generic(&self) -> &Ident {
        &self.generic
    }

    /// Shadows the parameter by what [`lend`](Self::lend) makes.
    pub(super) fn borrow(&self) -> TokenStream {
        let (name, lend) = (&self.name, self.lend());
        quote!(let #name = #lend(&#name);)
    }
}

/// The field's name, so that signatures read well. One with a capital may be the name of a constant,
/// which a parameter would be taken for.
fn argument(field: &Ident) -> Ident {
    let mut name = field.clone();
    if field.to_string().contains(char::is_uppercase) {
        name = format_ident!("argument_{}", field.unraw());
        return Ident::new(&name.to_string().to_lowercase(), field.span());
    }
    name.set_span(name.span().resolved_at(Span::mixed_site()));
    name
}

/// The components of a slot, each from its argument behind [`Argument::borrow`].
pub(super) fn components(slot: &Slot<'_>, arguments: &[Argument<'_>]) -> TokenStream {
    let components = slot.template.components().filter_map(|component| {
        let component = argument_in(slot, component.field, arguments)?;
        Some(quote!(&#component))
    });
    quote!(&[#(#components),*])
}

/// The component of a slot that is made of an argument.
pub(super) fn argument_in(
    slot: &Slot<'_>,
    field: usize,
    arguments: &[Argument<'_>],
) -> Option<TokenStream> {
    let argument = arguments.iter().find(|argument| argument.index == field)?;
    let name = &argument.name;
    Some(argument.component(slot, &quote!(#name)))
}

/// The components of a slot of `self`.
pub(super) fn own_components(slot: &Slot<'_>) -> TokenStream {
    let components = slot.template.components().map(|component| {
        let component = own_component(slot, component.field);
        quote!(&#component)
    });
    quote!(&[#(#components),*])
}

fn own_component(slot: &Slot<'_>, field: usize) -> TokenStream {
    let Field { ident, .. } = &slot.model.fields[field];
    if slot.may_be_natural().is_some() {
        return component_of(slot, field, &quote!(&self.#ident));
    }
    own_part(slot.model, field)
}

/// A field of `self` in a template.
pub(super) fn own_part(model: &EntityModel, field: usize) -> TokenStream {
    let Field { ident, ty, .. } = &model.fields[field];
    quote_spanned!(ty.span()=> <#ty as __m::KeyField>::component(&self.#ident))
}

/// Natural keys are written by serde, as the field itself is; in a template the value is enough.
fn component_of(slot: &Slot<'_>, field: usize, value: &TokenStream) -> TokenStream {
    let with = slot.model.fields[field].serialize_with.is_some();
    match (slot.may_be_natural(), with) {
        (None, _) => quote!(__m::Bare(#value)),
        (Some(_), false) => quote!(__m::Plain(#value)),
        (Some(_), true) => {
            let writer = writer(field);
            quote!(__m::With(#value, #writer(#value)))
        }
    }
}

/// For each field with `#[serde(with)]`, a type that serde writes like that field. It has no type
/// parameters, so fields of generic structs go without.
pub(super) fn writers(fields: &[Field], generics: &Generics) -> TokenStream {
    let writers = fields.iter().enumerate().filter_map(|(at, field)| {
        let serialize = field.serialize_with.as_ref()?;
        let (name, ty) = (writer(at), &field.ty);
        generics.params.is_empty().then(|| {
            quote! {
                struct #name<'a>(&'a #ty);
                impl __m::Serialize for #name<'_> {
                    fn serialize<S: __m::Serializer>(
                        &self,
                        serializer: S,
                    ) -> __m::Result<S::Ok, S::Error> {
                        #serialize(self.0, serializer)
                    }
                }
            }
        })
    });
    quote!(#(#writers)*)
}

pub(super) fn writer(field: usize) -> Ident {
    format_ident!("__Writer{field}")
}

/// Every template of the entity.
pub(super) fn templates(model: &EntityModel) -> impl Iterator<Item = &Template> {
    let indexes = model.indexes.iter().flat_map(|index| index.pk.iter().chain(&index.sk));
    std::iter::once(&model.pk).chain(&model.sk).chain(indexes)
}
