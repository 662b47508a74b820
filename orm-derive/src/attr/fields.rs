//! The fields of an entity with what serde does to them.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Fields, FieldsNamed, GenericParam, LitStr, Type};

use crate::ctxt::Ctxt;
use crate::model::Field;
use crate::names;
use crate::serde_attr::{Container, Member, Named};

/// The named fields of `input`; `None`, after a mistake, if it has none to speak of.
pub(super) fn named<'a>(
    ctxt: &Ctxt,
    input: &'a DeriveInput,
    what: &str,
) -> Option<&'a FieldsNamed> {
    let found = match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(fields) => return Some(fields),
            Fields::Unnamed(_) => "a tuple struct",
            Fields::Unit => "a unit struct",
        },
        Data::Enum(_) => "an enum",
        Data::Union(_) => "a union",
    };
    let ident = &input.ident;
    ctxt.error(
        ident,
        format_args!(
            "{what} is a struct with named fields, and `{ident}` is {found}: write \
            `struct {ident} {{ .. }}`"
        ),
    );
    None
}

/// The fields of an entity and serde's tag; `None`, after a mistake, if it is no struct with named
/// fields.
pub(super) fn of_entity(ctxt: &Ctxt, input: &DeriveInput) -> Option<(Vec<Field>, Option<LitStr>)> {
    of_struct(ctxt, input, "an entity")
}

/// The same of a document.
pub(super) fn of_document(ctxt: &Ctxt, input: &DeriveInput) -> Option<Vec<Field>> {
    of_struct(ctxt, input, "a document").map(|(fields, _)| fields)
}

fn of_struct(ctxt: &Ctxt, input: &DeriveInput, what: &str) -> Option<(Vec<Field>, Option<LitStr>)> {
    let named = named(ctxt, input, what)?;
    let container = Container::read(ctxt, &input.attrs);
    if let Some((attribute, span)) = container.not_a_map {
        ctxt.error_at(
            span,
            format_args!("{what} is stored as a map of its fields: remove `#[serde({attribute})]`"),
        );
    }
    for param in &input.generics.params {
        match param {
            GenericParam::Type(_) => {}
            GenericParam::Lifetime(lifetime) => ctxt.error(
                lifetime,
                format_args!(
                    "{what} owns what it holds, since it is read from a response: use owned types \
                    instead of a lifetime"
                ),
            ),
            GenericParam::Const(constant) => {
                ctxt.error(
                    constant,
                    format_args!("{what} cannot have a constant parameter: remove it"),
                );
            }
        }
    }
    let (ident, (_, ty_generics, _)) = (&input.ident, input.generics.split_for_impl());
    let this = quote!(#ident #ty_generics);
    let fields =
        named.named.iter().filter_map(|field| of(ctxt, &container, field, &this)).collect();
    Some((fields, container.tag))
}

fn of(ctxt: &Ctxt, container: &Container, field: &syn::Field, this: &TokenStream) -> Option<Field> {
    let ident = field.ident.clone()?;
    let member = Member::read(ctxt, &field.attrs);
    let stored = !member.skip_serializing && !member.flatten;
    let attribute = stored.then(|| container.stored_name(ctxt, &member, &ident, Named::Field));
    Some(Field {
        name: ident.unraw().to_string(),
        ident,
        ty: without_self(&field.ty, this),
        attribute,
        flatten: member.flatten,
        skip: member.skip_serializing,
        unread: member.skip_deserializing,
        alias: member.alias,
        serialize_with: member.serialize_with,
        deserialize_with: member.deserialize_with,
    })
}

/// A type as it is written outside of the struct, where `Self` is something else.
pub(super) fn without_self(ty: &Type, this: &TokenStream) -> Type {
    fn named(tokens: TokenStream, this: &TokenStream) -> TokenStream {
        let trees = tokens.into_iter().map(|tree| match tree {
            TokenTree::Ident(ident) if ident == "Self" => this.clone(),
            TokenTree::Group(group) => {
                let inner = named(group.stream(), this);
                let mut renamed = Group::new(group.delimiter(), inner);
                renamed.set_span(group.span());
                TokenTree::Group(renamed).into()
            }
            other => other.into(),
        });
        trees.collect()
    }
    syn::parse2(named(ty.to_token_stream(), this)).unwrap_or_else(|_| ty.clone())
}

/// The place of the field called `ident` in `fields`; `None` after a mistake.
pub(super) fn find(ctxt: &Ctxt, fields: &[Field], ident: &Ident) -> Option<usize> {
    let name = ident.unraw().to_string();
    let found = fields.iter().position(|field| field.name == name);
    if found.is_none() {
        let valid: Vec<_> = fields.iter().map(|field| field.name.as_str()).collect();
        let problem = format!("unknown field `{name}`");
        ctxt.error(ident, names::suggest(&problem, &name, "the fields are", &valid));
    }
    found
}
