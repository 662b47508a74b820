use proc_macro2::TokenStream;
use quote::{format_ident, quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Ident};

use super::fields::Fields;
use super::keys::{Argument, components, own_components, writers};
use super::pattern::{self, Pattern};
use super::slot::{Half, Slot, entity_span};
use super::{assert, partition, wrap};
use crate::model::{Condition, EntityModel, IndexUse, Template, Unique};

pub(crate) fn entity(model: &EntityModel) -> TokenStream {
    let slots = Slots::of(model);
    let constants = slots.constants();
    let rules = rules(model, &slots);
    let unique = unique(model, &slots);
    let schema = schema(model, &slots);
    let writers = writers(&model.fields, &model.generics);
    let readers = super::fields::readers(&model.fields, &model.generics);
    let implementation = implementation(model, &slots);
    let attributes = super::projection::attributes(model);
    let functions = functions(model, &slots);
    let table = table(model);
    wrap(
        &model.krate,
        &quote! {
            const __TABLE: &__m::TableSchema = #table::TABLE;
            #constants
            #unique
            const __SCHEMA: __m::EntitySchema = #schema;
            #rules
            #writers
            #readers
            #implementation
            #attributes
            #functions
        },
    )
}

/// The table as a `__m::Schema`; a type that is none is reported where it is named.
pub(super) fn table(model: &EntityModel) -> TokenStream {
    let table = &model.table;
    quote_spanned!(table.span()=> <<#table as __m::IsTable>::Table as __m::Schema>)
}

/// `type Table` of the entity, likewise.
pub(super) fn table_type(model: &EntityModel) -> TokenStream {
    let table = &model.table;
    quote_spanned!(table.span()=> type Table = <#table as __m::IsTable>::Table;)
}

/// The slots of the table and of each index.
pub(super) struct Slots<'a> {
    pub(super) pk: Slot<'a>,
    pub(super) sk: Option<Slot<'a>>,
    pub(super) indexes: Vec<IndexSlots<'a>>,
    /// The keys of the guards of unique fields.
    pub(super) guards: Vec<(&'a Unique, Slot<'a>, Slot<'a>)>,
}

/// The slots of an index: one for each attribute.
pub(super) struct IndexSlots<'a> {
    pub(super) index: &'a IndexUse,
    /// A local index has no partition half of its own.
    pub(super) pk: Vec<Slot<'a>>,
    pub(super) sk: Vec<Slot<'a>>,
}

impl<'a> IndexSlots<'a> {
    fn all(&self) -> impl Iterator<Item = &Slot<'a>> {
        self.pk.iter().chain(&self.sk)
    }
}

impl<'a> Slots<'a> {
    fn of(model: &'a EntityModel) -> Self {
        let slot = |template, name: Ident, half| Slot::new(model, template, name, half);
        Slots {
            pk: slot(&model.pk, format_ident!("__PK"), Half::Partition),
            sk: model.sk.as_ref().map(|sk| slot(sk, format_ident!("__SK"), Half::Sort)),
            indexes: (model.indexes.iter().enumerate())
                .map(|(at, index)| {
                    let half = |templates: &'a [Template], name: &str, half| {
                        let slots = templates.iter().enumerate().map(|(position, template)| {
                            let name = format_ident!("__INDEX_{at}_{name}_{position}");
                            slot(template, name, half)
                        });
                        slots.collect()
                    };
                    let pk = half(&index.pk, "PK", Half::Partition);
                    let sk = half(&index.sk, "SK", Half::Sort);
                    IndexSlots { index, pk, sk }
                })
                .collect(),
            guards: (model.unique.iter().enumerate())
                .map(|(at, unique)| {
                    let pk = slot(&unique.pk, format_ident!("__GUARD_{at}_PK"), Half::Partition);
                    let sk = slot(&unique.sk, format_ident!("__GUARD_{at}_SK"), Half::Sort);
                    (unique, pk, sk)
                })
                .collect(),
        }
    }

    fn constants(&self) -> TokenStream {
        let sort_attribute = quote!(__m::check::sort_attribute(__TABLE));
        let pk = self.pk.of_table(&quote!(__TABLE.pk));
        let sk = self.sk.iter().map(|sk| sk.of_table(&sort_attribute));
        let indexes = self.indexes.iter().map(|IndexSlots { index, pk, sk }| {
            let name = &index.index;
            let half = |slots: &[Slot<'_>], sort: bool| -> TokenStream {
                let constants = slots.iter().enumerate().map(|(at, slot)| {
                    slot.of_index(&quote!(__m::check::index_attribute(__TABLE, #name, #sort, #at)))
                });
                constants.collect()
            };
            let (pk, sk) = (half(pk, false), half(sk, true));
            quote!(#pk #sk)
        });
        let guards = self.guards.iter().map(|(_, pk, sk)| {
            let pk = pk.of_table(&quote!(__TABLE.pk));
            let sk = sk.of_table(&sort_attribute);
            quote!(#pk #sk)
        });
        quote!(#pk #(#sk)* #(#indexes)* #(#guards)*)
    }

    fn rules(&self) -> TokenStream {
        let indexes = self.indexes.iter().flat_map(IndexSlots::all);
        let slots = std::iter::once(&self.pk).chain(&self.sk).chain(indexes);
        let rules = slots.map(Slot::rules);
        let guards = self.guards.iter().map(|(_, pk, _)| pk.guard_rules());
        quote!(#(#rules)* #(#guards)*)
    }
}

/// The constant of the unique fields: calls in a nested list would not live long enough.
fn unique(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let unique = slots.guards.iter().map(|(unique, pk, sk)| {
        let field = &model.fields[unique.field];
        let (name, attribute) = (&field.name, field.attribute.as_deref().unwrap_or_default());
        let (pk, sk) = (&pk.name, &sk.name);
        quote! {
            __m::unique_field(#name, #attribute, #pk, __TABLE.sk.is_some(), #sk)
        }
    });
    quote!(const __UNIQUE: &[__m::UniqueField] = &[#(#unique),*];)
}

fn schema(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let name = model.ident.unraw().to_string();
    let type_name = match &model.type_name {
        Some(name) => quote!(#name),
        None => quote!(#name),
    };
    let aliases = &model.type_aliases;
    let pattern = model.pattern.unraw().to_string();
    let pk = &slots.pk.name;
    let sk = optional_slot(slots.sk.as_ref());
    let indexes = slots.indexes.iter().map(|IndexSlots { index, pk: index_pk, sk: index_sk }| {
        let index_name = &index.index;
        let table_pk = index_pk.is_empty().then_some(pk);
        let index_pk = index_pk.iter().map(|slot| &slot.name).chain(table_pk);
        let index_sk = index_sk.iter().map(|slot| &slot.name);
        let shards = match &index.shard {
            Some(shard) => {
                let by: Vec<_> =
                    shard.by.iter().map(|field| model.fields[*field].name.as_str()).collect();
                let (by, count, read) = (by.join(", "), shard.count, shard.read);
                quote!(__m::Option::Some(__m::Shards { by: #by, count: #count, read: #read }))
            }
            None => quote!(__m::Option::None),
        };
        let pattern = match &index.pattern {
            Some(name) => {
                let name = name.unraw().to_string();
                quote!(__m::Option::Some(#name))
            }
            None => quote!(__m::Option::None),
        };
        let only_when = match condition_text(model, &index.only_when) {
            Some(text) => quote!(__m::Option::Some(#text)),
            None => quote!(__m::Option::None),
        };
        quote! {
            __m::entity_index(
                #index_name, &[#(#index_pk),*], &[#(#index_sk),*], #shards, #pattern, #only_when
            )
        }
    });
    let constants = model.attributes.iter().map(|(name, value)| quote!((#name, #value)));
    let nulls = model.nulls.iter().filter_map(|field| model.fields[*field].attribute.as_ref());
    let attribute = |field: Option<usize>| match field
        .and_then(|field| model.fields[field].attribute.as_ref())
    {
        Some(name) => quote!(__m::Option::Some(#name)),
        None => quote!(__m::Option::None),
    };
    let (version, ttl) = (attribute(model.version), attribute(model.ttl));
    let attributes = model.attributes(false).map(|(_, stored)| stored);
    let key_only = model.attributes(true).map(|(_, stored)| stored);
    let overlap =
        model.allow.overlap.iter().filter_map(|path| {
            path.segments.last().map(|segment| segment.ident.unraw().to_string())
        });
    quote! {
        __m::EntityParts {
            name: #name,
            type_name: #type_name,
            type_aliases: &[#(#aliases),*],
            pk: #pk,
            sk: #sk,
            pattern: #pattern,
            indexes: &[#(#indexes),*],
            constants: &[#(#constants),*],
            version: #version,
            ttl: #ttl,
            unique: __UNIQUE,
            attributes: &[#(#attributes),*],
            key_only: &[#(#key_only),*],
            nulls: &[#(#nulls),*],
            overlap: &[#(#overlap),*],
        }
        .schema()
    }
}

/// `status = Status::Pending | Status::Packed and due = Some(_)`, as written.
pub(super) fn condition_text(model: &EntityModel, conditions: &[Condition]) -> Option<String> {
    let texts: Vec<_> = conditions
        .iter()
        .map(|condition| {
            let pat = &condition.pat;
            // Token streams print with blanks that nobody writes.
            let pat = quote!(#pat).to_string().replace(" :: ", "::").replace(" (", "(");
            let pat = pat.replace("( ", "(").replace(" )", ")");
            format!("{} = {pat}", model.fields[condition.field].name)
        })
        .collect();
    (!texts.is_empty()).then(|| texts.join(" and "))
}

fn optional_slot(slot: Option<&Slot<'_>>) -> TokenStream {
    match slot {
        Some(Slot { name, .. }) => quote!(__m::Option::Some(#name)),
        None => quote!(__m::Option::None),
    }
}

fn rules(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let entity = model.ident.unraw().to_string();
    let each_slot = slots.rules();
    let given = model.sk.is_some();
    let span = model.sk.as_ref().map_or(model.pk.lit.span(), |sk| sk.lit.span());
    let halves = assert::rule(
        span,
        &quote!(__m::check::halves(__TABLE, #entity, "the table", __TABLE.sk, #given)),
    );
    let hot = hot_partition(std::slice::from_ref(&slots.pk), model.allow.hot_partition.is_some());
    let unlisted = model.allow.unlisted;
    let listed =
        assert::rule(entity_span(model), &quote!(__m::check::listed(__TABLE, #entity, #unlisted)));
    let one_template =
        assert::rule(entity_span(model), &quote!(__m::check::one_template(&__SCHEMA)));
    let unasked =
        assert::rule(entity_span(model), &quote!(__m::fills_few_partitions(__TABLE, &__SCHEMA)));
    let indexes = slots.indexes.iter().enumerate().map(|(at, IndexSlots { index, pk, sk })| {
        let (name, span) = (&index.index, index.index.span());
        let (pk_given, sk_given) = (!pk.is_empty(), !sk.is_empty());
        let counts = [(pk, false), (sk, true)].map(|(slots, sort)| {
            let count = slots.len();
            let span = slots.first().map_or(span, |slot| slot.template.lit.span());
            let rule = quote!(__m::check::attribute_count(__TABLE, #entity, #name, #sort, #count));
            assert::rule(span, &rule)
        });
        let exists =
            assert::rule(span, &quote!(__m::check::index(__TABLE, #entity, #name, #pk_given)));
        let halves = assert::rule(
            span,
            &quote!(__m::check::halves(
                __TABLE,
                #entity,
                __m::check::index_label(__TABLE, #name).as_str(),
                __m::check::index_sk(__TABLE, #name, #sk_given),
                #sk_given
            )),
        );
        let hot = pk_given.then(|| hot_partition(pk, index.allow.hot_partition.is_some()));
        let own = (!index.only_when.is_empty())
            .then(|| assert::rule(span, &quote!(__m::check::only_when(&__SCHEMA, #at))));
        let expired = index.allow.expired;
        let ttl = model.ttl.map(|_| {
            let rule = quote!(__m::check::ttl_in_index(__TABLE, &__SCHEMA, #name, #expired));
            assert::rule(span, &rule)
        });
        quote!(#exists #halves #(#counts)* #hot #own #ttl)
    });
    let ttl = model.ttl.map(|field| {
        let field = &model.fields[field];
        let (ty, stored) = (&field.ty, field.attribute.as_deref().unwrap_or_default());
        // What `#[serde(with)]` writes is its own.
        let own = field.serialize_with.is_none() && field.deserialize_with.is_none();
        let seconds = quote_spanned!(ty.span()=> #own && <#ty as __m::TtlField>::SECONDS);
        let rule = quote!(__m::check::ttl(__TABLE, #entity, #stored, #seconds));
        assert::rule(field.ident.span(), &rule)
    });
    let unique = model.unique.first().map(|unique| {
        assert::rule(unique.pk.lit.span(), &quote!(__m::check::unique(__TABLE, &__SCHEMA)))
    });
    let attributes = model.fields.iter().filter_map(|field| {
        let stored = field.attribute.as_ref()?;
        let rule = quote!(__m::check::attribute(__TABLE, &__SCHEMA, #stored));
        let ttl_rule = model.ttl.map(|_| {
            let rule = quote!(__m::check::ttl_attribute(__TABLE, &__SCHEMA, #stored));
            assert::rule(field.ident.span(), &rule)
        });
        let rule = assert::rule(field.ident.span(), &rule);
        Some(quote!(#rule #ttl_rule))
    });
    let key_only = model.key_only.iter().filter_map(|(at, ident)| {
        let stored = model.fields[*at].attribute.as_ref()?;
        Some(assert::rule(ident.span(), &quote!(__m::check::key_only(&__SCHEMA, #stored))))
    });
    let tag = model.tag.as_ref().map(|tag| {
        let rule = quote!(__m::check::attribute(__TABLE, &__SCHEMA, #tag));
        assert::rule(tag.span(), &rule)
    });
    let constants = model.attributes.iter().map(|(name, _)| {
        assert::rule(name.span(), &quote!(__m::check::constant(__TABLE, &__SCHEMA, #name)))
    });
    let overlap = model.allow.overlap.iter().map(|path| {
        quote_spanned! {path.span()=>
            const _: &__m::EntitySchema = <#path as __m::Entity>::SCHEMA;
        }
    });
    quote! {
        #each_slot
        #halves
        #hot
        #one_template
        #unasked
        #listed
        #(#indexes)*
        #(#attributes)*
        #(#key_only)*
        #tag
        #(#constants)*
        #(#overlap)*
        #ttl
        #unique
    }
}

fn hot_partition(slots: &[Slot<'_>], allowed: bool) -> TokenStream {
    let Some(first) = slots.first() else { return TokenStream::new() };
    let names = slots.iter().map(|slot| &slot.name);
    let span = first.template.lit.span();
    assert::rule(span, &quote!(__m::check::hot_partition(&[#(#names),*], #allowed)))
}

fn implementation(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let ident = &model.ident;
    let table = table_type(model);
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = bounds(model);
    let pk = own_components(&slots.pk);
    let sk = slots.sk.as_ref().map_or(quote!(&[]), own_components);
    let parts = model.pk.components().map(|component| &model.fields[component.field].ty);
    let partition_with =
        slots.pk.may_be_natural().is_some() && model.pk.components().any(|c| slots.pk.has_with(c));
    let (roles, writes) = (roles(model), writes(model));
    let fields = super::fields::entity(model);
    let known = super::known::functions(model, slots);
    let Fields { types, implementation: paths } = fields;
    let in_indexes = partition::in_indexes(model, slots);
    quote! {
        #roles
        #types
        #in_indexes
        impl #impl_generics __m::Entity for #ident #ty_generics #bounds {
            #table
            #writes
            type PartitionParts = (#(#parts,)*);
            const PARTITION_WITH: bool = #partition_with;
            const SCHEMA: &'static __m::EntitySchema = &__SCHEMA;
            fn key(&self) -> __m::Key<Self> {
                __m::Key::render(#pk, #sk)
            }
            #paths
            #known
        }
    }
}

/// Which writes an entity takes, with mistakes or without.
pub(super) fn writes(model: &EntityModel) -> TokenStream {
    let version = if model.version.is_some() { quote!(HasVersion) } else { quote!(NoVersion) };
    let unique = if model.unique.is_empty() { quote!(NoUnique) } else { quote!(HasUnique) };
    quote! {
        type Version = __m::#version;
        type Unique = __m::#unique;
    }
}

/// What every entity is, with mistakes or without: one of its table's, and a member of collections.
pub(super) fn roles(model: &EntityModel) -> TokenStream {
    let EntityModel { ident, table, .. } = model;
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let (bounds, stored) = (bounds(model), stored(model));
    quote! {
        impl #impl_generics __m::StoredIn<#table> for #ident #ty_generics #bounds {
            const ENTRY: __m::EntityEntry = __m::EntityEntry::of::<Self>();
        }
        impl #impl_generics __m::Variant for #ident #ty_generics #bounds #stored {
            type Entity = Self;
            fn of(item: __m::Found) -> __m::Result<Self, __m::Error> {
                __m::decode_found(item)
            }
        }
        impl #impl_generics __m::Member for #ident #ty_generics #bounds #stored {
            type Entity = Self;
            fn take(
                collection: &'static str,
                partition: &str,
                bucket: __m::Bucket,
            ) -> __m::Result<Self, __m::Error> {
                __m::exactly_one(collection, partition, bucket)
            }
        }
    }
}

/// A bound for impls that need the entity whole, behind the others: what serde lacks is reported at
/// the entity alone.
pub(super) fn stored(model: &EntityModel) -> TokenStream {
    let ident = &model.ident;
    let (_, ty_generics, _) = model.generics.split_for_impl();
    quote! {
        for<'itself> <#ident #ty_generics as __m::Life<'itself>>::Itself:
            __m::Serialize + __m::DeserializeOwned
    }
}

/// The parameters in front of others: defaults would have to stand behind those.
pub(super) fn parameters(model: &EntityModel) -> Vec<GenericParam> {
    let mut parameters: Vec<_> = model.generics.params.iter().cloned().collect();
    for parameter in &mut parameters {
        match parameter {
            GenericParam::Type(one) => (one.eq_token, one.default) = (None, None),
            GenericParam::Const(one) => (one.eq_token, one.default) = (None, None),
            GenericParam::Lifetime(_) => {}
        }
    }
    parameters
}

/// `where` of the user, and what an entity needs of each type parameter.
pub(super) fn bounds(model: &EntityModel) -> TokenStream {
    stored_parameters(&model.generics)
}

/// The same for whatever is stored.
pub(super) fn stored_parameters(generics: &syn::Generics) -> TokenStream {
    let given = generics.where_clause.as_ref().map(|clause| &clause.predicates);
    let given = given.into_iter().flatten();
    let parameters = generics.type_params().map(|parameter| {
        let ident = &parameter.ident;
        quote! {
            #ident: __m::Serialize
                + __m::DeserializeOwned
                + ::core::marker::Send
                + ::core::marker::Sync
                + 'static
        }
    });
    quote!(where #(#given,)* #(#parameters,)*)
}

fn functions(model: &EntityModel, slots: &Slots<'_>) -> TokenStream {
    let EntityModel { ident, vis, .. } = model;
    let (impl_generics, ty_generics, _) = model.generics.split_for_impl();
    let bounds = bounds(model);
    let templates = || std::iter::once(&model.pk).chain(&model.sk);
    let arguments = Argument::all(model, templates(), |field| {
        templates().any(|template| template.is_field_alone(field))
    });
    let argument_bounds = arguments.iter().map(Argument::bound);
    let parameters = arguments.iter().map(Argument::parameter);
    let borrows = arguments.iter().map(Argument::borrow);
    let pk = components(&slots.pk, &arguments);
    let sk = slots.sk.as_ref().map_or(quote!(&[]), |sk| components(sk, &arguments));
    let raw = if slots.sk.is_some() {
        quote! {
            /// The key of a stored text, unchecked.
            #vis fn raw_key(
                pk: impl __m::Into<__m::KeyValue>,
                sk: impl __m::Into<__m::KeyValue>,
            ) -> __m::Key<Self> {
                __m::Key::raw(pk.into(), __m::Option::Some(sk.into()))
            }
        }
    } else {
        quote! {
            /// The key of a stored text, unchecked.
            #vis fn raw_key(pk: impl __m::Into<__m::KeyValue>) -> __m::Key<Self> {
                __m::Key::raw(pk.into(), __m::Option::None)
            }
        }
    };
    let patterns = pattern::all(model, slots);
    let constructors = patterns.iter().map(Pattern::constructor);
    let builders = patterns.iter().map(Pattern::builder);
    quote! {
        impl #impl_generics #ident #ty_generics #bounds {
            /// The primary key of the item with these fields.
            #vis fn key<#(#argument_bounds),*>(#(#parameters),*) -> __m::Key<Self> {
                #(#borrows)*
                __m::Key::render(#pk, #sk)
            }
            #raw
            #(#constructors)*
        }
        #(#builders)*
    }
}
