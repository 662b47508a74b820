//! One access pattern: the constructor `by_…`, and the builder that narrows the sort key.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::Ident;

use super::entity::{IndexSlots, Slots, bounds, condition_text, parameters, stored};
use super::keys::{Argument, argument_in, components};
use super::slot::Slot;
use crate::model::{Component, Condition, EntityModel};
use crate::names;

pub(super) struct Pattern<'a> {
    model: &'a EntityModel,
    name: &'a Ident,
    /// The position in the schema and the index's name; `None` for the table.
    index: Option<(usize, &'a syn::LitStr)>,
    pk: &'a [Slot<'a>],
    sk: &'a [Slot<'a>],
    only_when: &'a [Condition],
    is_sharded: bool,
}

/// Where a component stands in the sort key.
#[derive(Clone, Copy)]
struct Place {
    /// The position of the attribute.
    slot: usize,
    /// The position of the component in its template.
    at: usize,
    field: usize,
}

/// The patterns of the table and of every index.
pub(super) fn all<'a>(model: &'a EntityModel, slots: &'a Slots<'a>) -> Vec<Pattern<'a>> {
    let table = Pattern {
        model,
        name: &model.pattern,
        index: None,
        pk: std::slice::from_ref(&slots.pk),
        sk: slots.sk.as_slice(),
        only_when: &[],
        is_sharded: false,
    };
    let indexes = slots.indexes.iter().enumerate().filter_map(|(at, of)| {
        let IndexSlots { index, pk, sk } = of;
        Some(Pattern {
            model,
            name: index.pattern.as_ref()?,
            index: Some((at, &index.index)),
            pk: if pk.is_empty() { std::slice::from_ref(&slots.pk) } else { pk },
            sk,
            only_when: &index.only_when,
            is_sharded: index.shard.is_some(),
        })
    });
    std::iter::once(table).chain(indexes).collect()
}

impl Pattern<'_> {
    fn builder_name(&self) -> Ident {
        names::builder(&self.model.ident, self.name)
    }

    /// Whether the partition key fixes a component of the sort key.
    fn fixes(&self, component: &Component) -> bool {
        self.pk.iter().any(|pk| pk.template.fixes(component))
    }

    /// The components of the sort key.
    fn sort(&self) -> impl Iterator<Item = (Place, &Component)> {
        self.sk.iter().enumerate().flat_map(|(slot, sk)| {
            let components = sk.template.components().enumerate();
            components
                .map(move |(at, component)| (Place { slot, at, field: component.field }, component))
        })
    }

    /// The sort-key components that the partition key does not fix.
    fn open(&self) -> Vec<Place> {
        self.sort()
            .filter(|(_, component)| !self.fixes(component))
            .map(|(place, _)| place)
            .collect()
    }

    /// Whether serde writes the field in one of the keys, or `only_when` looks at it.
    fn takes_part(&self, field: usize) -> bool {
        self.pk.iter().chain(self.sk).any(|slot| slot.template.is_field_alone(field))
            || self.only_when.iter().any(|condition| condition.field == field)
    }

    pub(super) fn constructor(&self) -> TokenStream {
        let Pattern { model, name, pk, .. } = self;
        let vis = &model.vis;
        let arguments =
            Argument::all(model, pk.iter().map(|pk| pk.template), |field| self.takes_part(field));
        let argument_bounds = arguments.iter().map(Argument::bound);
        let parameters = arguments.iter().map(Argument::parameter);
        let borrows = arguments.iter().map(Argument::borrow);
        let index = match self.index {
            Some((at, _)) => quote!(__m::Option::Some(#at)),
            None => quote!(__m::Option::None),
        };
        let parts = pk.iter().map(|pk| components(pk, &arguments));
        let known = self.sort().filter(|(_, component)| self.fixes(component));
        let known = known.filter_map(|(Place { slot, at, field }, _)| {
            let component = argument_in(&self.sk[slot], field, &arguments)?;
            Some(quote!((#slot, #at, &#component)))
        });
        let require: TokenStream = arguments
            .iter()
            .filter_map(|argument| self.require(argument.index, &argument.name))
            .collect();
        let type_arguments = type_arguments(model);
        let builder = self.builder_name();
        let doc = self.doc();
        quote! {
            #[doc = #doc]
            #vis fn #name<#(#argument_bounds),*>(
                #(#parameters),*
            ) -> #builder<#type_arguments 0> {
                #(#borrows)*
                #builder(__m::Pattern::start(#index, &[#(#parts),*], &[#(#known),*]) #require)
            }
        }
    }

    fn doc(&self) -> String {
        let place = match self.index {
            Some((_, index)) => format!("the index `{}`", index.value()),
            None => "the table".to_owned(),
        };
        let quoted = |slots: &[Slot<'_>]| {
            let texts = slots.iter().map(|slot| format!("`{}`", slot.template.lit.value()));
            texts.collect::<Vec<_>>().join(", ")
        };
        let sk = match self.sk {
            [] => String::new(),
            sk => format!(", sort keys {}", quoted(sk)),
        };
        format!("The items of the partition {} of {place}{sk}.", quoted(self.pk))
    }

    /// `.require(..)` where `only_when` speaks of the field.
    fn require(&self, field: usize, value: &Ident) -> Option<TokenStream> {
        let condition = self.only_when.iter().find(|condition| condition.field == field)?;
        let text = condition_text(self.model, std::slice::from_ref(condition))?;
        let (pat, ty) = (&condition.pat, &self.model.fields[field].ty);
        Some(quote! {
            .require(
                match *<#ty as __m::KeyField>::seen(&*#value) { #pat => true, _ => false },
                #text,
            )
        })
    }

    pub(super) fn builder(&self) -> TokenStream {
        let Pattern { model, .. } = self;
        let EntityModel { ident, vis, .. } = model;
        let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
        let (bounds, stored) = (bounds(model), stored(model));
        let builder = self.builder_name();
        let params = parameters(model);
        let params = quote!(#(#params,)*);
        let type_arguments = type_arguments(model);
        let kind = match self.index {
            None => quote!(__m::OnTable),
            Some((_, index)) => quote! {
                <__m::Target<{ __m::check::target(__TABLE, #index) }> as __m::TargetKind>::Kind
            },
        };
        let shard = self.is_sharded.then(|| {
            quote! {
                /// Reads one shard, from 0.
                #vis fn shard(self, shard: u32) -> Self {
                    #builder(self.0.shard(shard))
                }
            }
        });
        // The table first, then the indexes.
        let at = (0..self.index.map_or(0, |(at, _)| at + 1))
            .fold(quote!(__m::First), |at, _| quote!(__m::Next<#at>));
        let open = self.open();
        let steps = open.iter().enumerate().map(|(depth, place)| self.step(depth, *place));
        let doc = self.doc();
        quote! {
            #[doc = #doc]
            #[must_use = "a pattern does nothing until it is queried"]
            #vis struct #builder<#params const __DEPTH: usize>(
                __m::Pattern<#ident #ty_generics, #kind>,
            ) #bounds;

            impl<#params const __DEPTH: usize> #builder<#type_arguments __DEPTH> #bounds {
                /// One type for all states, for code that narrows in one branch only.
                #vis fn erase(self) -> __m::Pattern<#ident #ty_generics, #kind> {
                    self.0
                }
                #shard
            }

            #[diagnostic::do_not_recommend]
            impl<#params const __DEPTH: usize> __m::IntoPattern
                for #builder<#type_arguments __DEPTH> #bounds #stored
            {
                type Entity = #ident #ty_generics;
                type Index = #kind;
                type Filter = __m::Filtering<#at>;
                fn into_pattern(self) -> __m::Pattern<#ident #ty_generics, #kind> {
                    self.0
                }
            }

            impl<#params const __DEPTH: usize> ::core::clone::Clone
                for #builder<#type_arguments __DEPTH> #bounds
            {
                fn clone(&self) -> Self {
                    #builder(::core::clone::Clone::clone(&self.0))
                }
            }

            impl<#params const __DEPTH: usize> ::core::fmt::Debug
                for #builder<#type_arguments __DEPTH> #bounds
            {
                fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    ::core::fmt::Debug::fmt(&self.0, f)
                }
            }

            #(
                impl #impl_generics #steps
            )*
        }
    }

    /// The methods of one component: fix it, a range, a prefix.
    fn step(&self, depth: usize, place: Place) -> TokenStream {
        let Place { slot: key, at, field } = place;
        let sk = &self.sk[key];
        let model = self.model;
        let vis = &model.vis;
        let bounds = bounds(model);
        let builder = self.builder_name();
        let type_arguments = type_arguments(model);
        let argument = Argument::of(model, field, 0, self.takes_part(field));
        let (name, generic) = (&argument.name, argument.generic());
        let label = &argument.field.name;
        let fix = &argument.field.ident;
        let range = format_ident!("{label}_range", span = fix.span());
        let prefix = format_ident!("{label}_prefix", span = fix.span());
        let (bound, lend) = (argument.bound(), argument.lend());
        let parameter = argument.parameter();
        let borrow = argument.borrow();
        let component = argument.component(sk, &quote!(#name));
        let parts = argument.is_part.then(|| {
            let part = argument.component(sk, &quote!(*edge));
            quote! {
                let start = start.as_ref().map(|edge| #part);
                let end = end.as_ref().map(|edge| #part);
            }
        });
        let require = self.require(field, name);
        let (slot, part_const) = (&sk.name, sk.part(at));
        let with = argument.field.serialize_with.is_some();
        let class = quote! {
            for<'a> <__m::Class<{ __m::check::class(&#slot, &#part_const, #with) }>
                as __m::Life<'a>>::Itself
        };
        let next = depth + 1;
        let template = sk.template.lit.value();
        let docs = [
            format!("Fixes `{label}` of `{template}`."),
            format!(
                "Narrows `{label}` of `{template}` to a range, and ends. In an index both the stored \
                 values and the bounds of a lossy spec are rounded down."
            ),
            format!("Narrows `{label}` of `{template}` to a prefix, and ends."),
        ];
        let [fix_doc, range_doc, prefix_doc] = docs;
        let is_kept = sk.template.components().nth(at).is_some_and(|it| it.spec.none.is_some());
        let none = is_kept.then(|| {
            let method = format_ident!("{label}_none", span = fix.span());
            let doc = format!("The items without `{label}` of `{template}`.");
            quote! {
                #[doc = #doc]
                #vis fn #method(self) -> #builder<#type_arguments #next> {
                    #builder(self.0.fix_none(#key, #at))
                }
            }
        });
        quote! {
            #builder<#type_arguments #depth> #bounds {
                #[doc = #fix_doc]
                #vis fn #fix<#bound>(self, #parameter) -> #builder<#type_arguments #next> {
                    #borrow
                    #builder(self.0.fix(#key, #at, &#component) #require)
                }

                #none

                #[doc = #range_doc]
                #vis fn #range<__Range, #generic>(
                    self,
                    range: __Range,
                ) -> #builder<#type_arguments { usize::MAX }>
                where
                    __Range: __m::RangeBounds<#generic>,
                    #bound,
                    #class: __m::InOrder,
                    #class: __m::HasOrder,
                    #class: __m::Padded,
                    #class: __m::KnownOrder,
                {
                    let start = range.start_bound().map(#lend);
                    let end = range.end_bound().map(#lend);
                    #parts
                    let (start, end) = __m::edges(start.as_ref(), end.as_ref());
                    #builder(self.0.range(#key, #at, start, end))
                }

                #[doc = #prefix_doc]
                #vis fn #prefix(
                    self,
                    prefix: &str,
                ) -> #builder<#type_arguments { usize::MAX }>
                where
                    #class: __m::HasPrefix,
                    #class: __m::KnownOrder,
                {
                    #builder(self.0.prefix(#key, #at, prefix))
                }
            }
        }
    }
}

/// The type parameters as arguments, with a comma behind each.
fn type_arguments(model: &EntityModel) -> TokenStream {
    let idents = model.generics.type_params().map(|parameter| &parameter.ident);
    quote!(#(#idents,)*)
}
