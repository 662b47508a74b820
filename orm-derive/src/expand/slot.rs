//! The constants of one key attribute of an entity: its template, and the rules over it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::Ident;
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::assert;
use crate::model::{
    Component, EntityModel, NoneOrder, Segment, Spec, Template, TextForm, Unit, Width,
};

/// A slot in generated code: a constant `name`, and one constant for each component.
pub(super) struct Slot<'a> {
    pub(super) model: &'a EntityModel,
    pub(super) template: &'a Template,
    /// The constant.
    pub(super) name: Ident,
    pub(super) half: Half,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Half {
    Partition,
    Sort,
}

impl<'a> Slot<'a> {
    pub(super) fn new(
        model: &'a EntityModel,
        template: &'a Template,
        name: Ident,
        half: Half,
    ) -> Self {
        Slot { model, template, name, half }
    }

    /// The constant of the component at `at`.
    pub(super) fn part(&self, at: usize) -> Ident {
        format_ident!("{}_PART_{at}", self.name)
    }

    /// Whether the slot is the field itself if the attribute has the field's name.
    pub(super) fn may_be_natural(&self) -> Option<&'a str> {
        match &self.template.segments[..] {
            [Segment::Component(component)] if component.spec.source.is_empty() => {
                self.model.fields[component.field].attribute.as_deref()
            }
            _ => None,
        }
    }

    /// `attribute` is a `__m::KeyAttribute` of the table's key.
    pub(super) fn of_table(&self, attribute: &TokenStream) -> TokenStream {
        let limit: usize = if self.half == Half::Partition { 2048 } else { 1024 };
        self.constants(attribute, &quote!(true), &quote!(#limit))
    }

    /// The same of an index, which may be one of the table's too.
    pub(super) fn of_index(&self, attribute: &TokenStream) -> TokenStream {
        let sort = self.half == Half::Sort;
        self.constants(
            attribute,
            &quote!(__m::check::is_primary(__TABLE, &#attribute)),
            &quote!(__m::check::limit(__TABLE, &#attribute, #sort)),
        )
    }

    fn constants(
        &self,
        attribute: &TokenStream,
        primary: &TokenStream,
        limit: &TokenStream,
    ) -> TokenStream {
        let Slot { model, template, name, .. } = self;
        let entity = model.ident.unraw().to_string();
        let text = &template.lit;
        let natural = match self.may_be_natural() {
            Some(stored) => quote!(__m::check::is_natural(#attribute, #stored)),
            None => quote!(false),
        };
        let parts = self.parts();
        let segments = self.segments();
        quote! {
            #parts
            const #name: __m::Slot = __m::slot(
                #entity,
                #attribute,
                __m::Template { text: #text, segments: &[#segments] },
                #natural,
                #primary,
                #limit,
            );
        }
    }

    /// The rules over this slot alone.
    pub(super) fn rules(&self) -> TokenStream {
        let name = &self.name;
        let sort = self.half == Half::Sort;
        let span = self.template.lit.span();
        let parts = self.template.components().enumerate().map(|(at, component)| {
            let part = self.part(at);
            let with = self.has_with(component);
            let part_rule = assert::rule(span, &quote!(__m::check::part(&#name, &#part, #sort)));
            let option_rule =
                assert::rule(span, &quote!(__m::check::option(&#name, &#part, #sort)));
            let natural_rule =
                assert::rule(span, &quote!(__m::check::natural(&#name, &#part, #with)));
            quote!(#part_rule #option_rule #natural_rule)
        });
        let text = assert::rule(span, &quote!(__m::check::text_attribute(&#name)));
        quote!(#(#parts)* #text)
    }

    /// The rules over the key of a guard, which the user does not write.
    pub(super) fn guard_rules(&self) -> TokenStream {
        let (name, span) = (&self.name, self.template.lit.span());
        let parts = (0..self.template.components().count()).map(|at| {
            let part = self.part(at);
            assert::rule(span, &quote!(__m::check::unique_part(&#name, &#part)))
        });
        quote!(#(#parts)*)
    }

    pub(super) fn has_with(&self, component: &Component) -> bool {
        self.model.fields[component.field].serialize_with.is_some()
    }

    fn parts(&self) -> TokenStream {
        let segments = &self.template.segments;
        let mut at = 0;
        let parts = segments.iter().enumerate().filter_map(|(position, segment)| {
            let Segment::Component(component) = segment else { return None };
            let name = self.part(at);
            at += 1;
            let field = &self.model.fields[component.field];
            let (label, ty) = (&field.name, &field.ty);
            let spec = spec(&component.spec);
            let follow = match segments.get(position + 1) {
                None => quote!(__m::Follow::End),
                Some(Segment::Literal(text)) => {
                    let byte = text.as_bytes().first().copied().unwrap_or(b'#');
                    quote!(__m::Follow::Literal(#byte))
                }
                Some(_) => quote!(__m::Follow::Component),
            };
            // The bound is the field type's own, so it is reported there.
            let (kind, optional) = (
                quote_spanned!(ty.span()=> <<#ty as __m::KeyField>::Part as __m::KeyPart>::KIND),
                quote_spanned!(ty.span()=> <#ty as __m::KeyField>::OPTIONAL),
            );
            Some(quote! {
                const #name: __m::Part = __m::Part {
                    field: #label,
                    kind: #kind,
                    spec: #spec,
                    follow: #follow,
                    optional: #optional,
                };
            })
        });
        quote!(#(#parts)*)
    }

    fn segments(&self) -> TokenStream {
        let mut at = 0;
        let segments = self.template.segments.iter().map(|segment| match segment {
            Segment::Literal(text) => quote!(__m::Segment::Literal(#text)),
            Segment::Shard => quote!(__m::Segment::Shard),
            Segment::Component(_) => {
                let part = self.part(at);
                at += 1;
                quote!(__m::Segment::Part(#part))
            }
        });
        quote!(#(#segments),*)
    }
}

fn spec(spec: &Spec) -> TokenStream {
    let width = match spec.width {
        None => quote!(__m::Option::None),
        Some(Width::Digits(digits)) => quote!(__m::Option::Some(__m::Width::Digits(#digits))),
        Some(Width::Plain) => quote!(__m::Option::Some(__m::Width::Plain)),
    };
    let text = match spec.text {
        None => quote!(Encoded),
        Some(TextForm::Ordered) => quote!(Ordered),
        Some(TextForm::Raw) => quote!(Raw),
        Some(TextForm::Rest) => quote!(Rest),
    };
    let unit = match spec.unit {
        None => quote!(__m::Option::None),
        Some(unit) => {
            let unit = match unit {
                Unit::Second => quote!(Second),
                Unit::Milli => quote!(Milli),
                Unit::Micro => quote!(Micro),
                Unit::Nano => quote!(Nano),
                Unit::EpochSecond => quote!(EpochSecond),
                Unit::EpochMilli => quote!(EpochMilli),
                Unit::Year => quote!(Year),
                Unit::Month => quote!(Month),
                Unit::Day => quote!(Day),
                Unit::Hour => quote!(Hour),
            };
            quote!(__m::Option::Some(__m::Unit::#unit))
        }
    };
    let none = match spec.none {
        None => quote!(__m::Option::None),
        Some(NoneOrder::First) => quote!(__m::Option::Some(__m::NoneOrder::First)),
        Some(NoneOrder::Last) => quote!(__m::Option::Some(__m::NoneOrder::Last)),
    };
    let Spec { lower, desc, sparse, .. } = spec;
    quote! {
        __m::Spec {
            width: #width,
            text: __m::TextForm::#text,
            lower: #lower,
            unit: #unit,
            desc: #desc,
            sparse: #sparse,
            none: #none,
        }
    }
}

/// The span that rules about a whole entity are reported at.
pub(super) fn entity_span(model: &EntityModel) -> Span {
    model.ident.span()
}
