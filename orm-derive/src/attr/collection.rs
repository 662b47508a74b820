//! `#[collection(..)]`.

use proc_macro2::Ident;
use syn::{DeriveInput, LitStr, Path};

use super::{
    default_krate, fields, is_meant, krate, missing, no_generics, pattern, read, set, settings,
    text, unknown, value,
};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::{CollectionModel, Template};
use crate::template::Scope;

const COLLECTION: &[&str] = &["table", "pk", "name", "crate"];
const EXAMPLE: &str = "table = Shop, pk = \"ORDER#<order_id>\"";

impl CollectionModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        let members = fields::named(ctxt, input, "an item collection")?;
        no_generics(ctxt, input, "an item collection");
        if members.named.is_empty() {
            ctxt.error(
                &input.ident,
                "an item collection has at least one member: write a field such as \
                `orders: Vec<Order>`",
            );
        }

        let (mut table, mut pk, mut name, mut crate_path) =
            (None::<Path>, None::<LitStr>, None, None);
        let (mut table_seen, mut pk_seen) = (false, false);
        let found = read(ctxt, &input.attrs, "collection", |input| {
            settings(ctxt, input, |key, input| {
                match key.to_string().as_str() {
                    "table" => {
                        table_seen = true;
                        set(ctxt, key, &mut table, super::table(input)?);
                    }
                    "pk" => {
                        pk_seen = true;
                        set(ctxt, key, &mut pk, value(input)?);
                    }
                    "name" => set(ctxt, key, &mut name, text(ctxt, key, input)?),
                    "crate" => set(ctxt, key, &mut crate_path, krate(input)?),
                    _ => {
                        table_seen |= is_meant(key, "table", COLLECTION);
                        pk_seen |= is_meant(key, "pk", COLLECTION);
                        return Err(unknown(key, "collection", COLLECTION));
                    }
                }
                Ok(())
            });
            Ok(())
        });
        let span = input.ident.span();
        if !table_seen {
            missing(ctxt, span, found, "collection", "table", EXAMPLE);
        }
        if !pk_seen && found > 0 {
            missing(ctxt, span, found, "collection", "pk", EXAMPLE);
        }

        let scope = Scope { fields: None, sharded: false };
        let pk = match &pk {
            Some(pk) => Template::parse(ctxt, pk, scope),
            None => Template::missing(span),
        };
        check::collection(ctxt, &pk);
        Some(Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            krate: crate_path.unwrap_or_else(default_krate),
            table: table?,
            pattern: pattern(ctxt, name.as_ref(), std::slice::from_ref(&pk))
                .unwrap_or_else(|| Ident::new("unnamed", span)),
            pk,
            members: members
                .named
                .iter()
                .filter_map(|field| Some((field.ident.clone()?, field.ty.clone())))
                .collect(),
        })
    }
}
