use proc_macro2::TokenStream;
use quote::{quote, quote_spanned};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use super::{assert, wrap};
use crate::model::{IndexDecl, KeyAttr, KeyType, Projection, TableModel};

pub(crate) fn table(model: &TableModel) -> TokenStream {
    let TableModel { ident, krate, entities, .. } = model;
    let name = ident.unraw().to_string();
    let pk = key_attribute(&model.pk);
    let sk = option(model.sk.as_ref().map(key_attribute));
    let indexes = model.indexes.iter().map(|decl| index(decl, &model.pk));
    let type_attribute = option(model.type_attribute.as_ref().map(|name| quote!(#name)));
    let ttl = option(model.ttl.as_ref().map(|name| quote!(#name)));
    let functions = functions(model);
    let entry = |entity: &syn::Type| quote_spanned!(entity.span()=> <#entity as __m::StoredIn<#ident>>::ENTRY);
    let entries = entities.iter().map(entry);
    let names = entities.iter().map(|entity| match entity {
        syn::Type::Path(path) => {
            path.path.segments.last().map(|last| last.ident.unraw().to_string())
        }
        _ => None,
    });
    let names = names.map(Option::unwrap_or_default);
    let pairs = entities.iter().enumerate().flat_map(|(at, second)| {
        let entry = &entry;
        entities[..at].iter().map(move |first| {
            let (first, other) = (entry(first), entry(second));
            let told_apart = quote!(__m::told_apart(&__TABLE, #first.schema, #other.schema, true));
            assert::rule(second.span(), &told_apart)
        })
    });
    wrap(
        krate,
        &quote! {
            const __TABLE: __m::TableSchema =
                __m::table(#name, #pk, #sk, &[#(#indexes),*], #type_attribute, #ttl, &[#(#names),*]);
            impl __m::Schema for #ident {
                const TABLE: &'static __m::TableSchema = &__TABLE;
                fn entities() -> &'static [__m::EntityEntry] {
                    const ENTITIES: &[__m::EntityEntry] = &[#(#entries),*];
                    ENTITIES
                }
            }
            #functions
            #(#pairs)*
        },
    )
}

/// `Shop::table(..)` and its neighbours; the stub has them as well.
pub(super) fn functions(model: &TableModel) -> TokenStream {
    let TableModel { ident, vis, .. } = model;
    let connect = cfg!(feature = "aws-config").then(|| {
        quote! {
            /// A handle by the environment: region, credentials and endpoint from variables,
            /// profile or instance. It sends no request to the table.
            #vis async fn connect(
                name: impl __m::Into<__m::String>,
            ) -> __m::Table<#ident> {
                __m::Table::connect(name).await
            }
        }
    });
    quote! {
        impl #ident {
            /// A handle on the table of that name. It sends no request.
            #vis fn table(client: __m::Client, name: impl __m::Into<__m::String>) -> __m::Table<#ident> {
                __m::Table::new(client, name)
            }
            #connect
            /// The stored layout as text, for a snapshot: what changes here changes data on disk.
            #vis fn layout() -> __m::String {
                __m::layout::<#ident>()
            }
            /// Which entity a stored item is, and its keys as stored and as they would be written.
            #vis fn inspect(item: &__m::Item) -> __m::Inspection {
                __m::inspect::<#ident>(item)
            }
        }
    }
}

fn index(decl: &IndexDecl, table_pk: &KeyAttr) -> TokenStream {
    let IndexDecl { name, local, .. } = decl;
    let pk = if *local { std::slice::from_ref(table_pk) } else { &decl.pk };
    let (pk, sk) = (pk.iter().map(key_attribute), decl.sk.iter().map(key_attribute));
    let projection = match &decl.projection {
        Projection::All => quote!(__m::Projection::All),
        Projection::KeysOnly => quote!(__m::Projection::KeysOnly),
        Projection::Include(names) => quote!(__m::Projection::Include(&[#(#names),*])),
    };
    quote!(__m::index(#name, #local, &[#(#pk),*], &[#(#sk),*], #projection))
}

fn key_attribute(attribute: &KeyAttr) -> TokenStream {
    let KeyAttr { name, ty } = attribute;
    let ty = match ty {
        KeyType::S => quote!(S),
        KeyType::N => quote!(N),
        KeyType::B => quote!(B),
    };
    quote!(__m::KeyAttribute::new(#name, __m::KeyType::#ty))
}

fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(__m::Option::Some(#value)),
        None => quote!(__m::Option::None),
    }
}
