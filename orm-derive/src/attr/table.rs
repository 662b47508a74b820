//! `#[table(..)]`, `#[gsi(..)]` and `#[lsi(..)]`.

use proc_macro2::Ident;
use syn::parse::{Parse, ParseStream};
use syn::{Data, DeriveInput, Error, Fields, LitStr, Path, Token, Type, parenthesized, token};

use super::index::MOST_ATTRIBUTES;
use super::{
    bracketed, default_krate, each, index_name, is_meant, krate, list, missing, no_generics, read,
    set, settings, text, text_item, unknown,
};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::{IndexDecl, KeyAttr, KeyType, Projection, TableModel};
use crate::names;

const TABLE: &[&str] = &["pk", "sk", "entities", "type_attribute", "ttl", "crate"];
const GSI: &[&str] = &["pk", "sk", "projection"];
const LSI: &[&str] = &["sk", "projection"];
const EXAMPLE: &str = "pk = \"PK\", sk = \"SK\"";

impl TableModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        if !matches!(&input.data, Data::Struct(data) if matches!(data.fields, Fields::Unit)) {
            let message = format!("a table is a unit struct: write `struct {};`", input.ident);
            ctxt.error(&input.ident, message);
        }
        no_generics(ctxt, input, "a table");

        let mut attr = TableAttr::default();
        let found = read(ctxt, &input.attrs, "table", |input| {
            attr.read(ctxt, input);
            Ok(())
        });
        let mut indexes = Vec::new();
        for each in &input.attrs {
            for (name, local) in [("gsi", false), ("lsi", true)] {
                read(ctxt, std::slice::from_ref(each), name, |input| {
                    indexes.extend(index(ctxt, input, local));
                    Ok(())
                });
            }
        }

        let incomplete = attr.pk.is_none();
        // Stands in for a key attribute whose mistake has been reported.
        let unreadable = || KeyAttr { name: LitStr::new("", input.ident.span()), ty: KeyType::S };
        if !attr.pk_seen {
            missing(ctxt, input.ident.span(), found, "table", "pk", EXAMPLE);
        }
        let model = Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            krate: attr.krate.unwrap_or_else(default_krate),
            pk: attr.pk.unwrap_or_else(unreadable),
            sk: attr.sk.or_else(|| attr.sk_seen.then(unreadable)),
            entities: attr.entities.unwrap_or_default(),
            type_attribute: attr.type_attribute,
            ttl: attr.ttl,
            indexes,
        };
        check::table(ctxt, &model);
        (!incomplete).then_some(model)
    }
}

#[derive(Default)]
struct TableAttr {
    pk: Option<KeyAttr>,
    /// `pk` is there, readable or not.
    pk_seen: bool,
    sk: Option<KeyAttr>,
    /// `sk` is there, readable or not.
    sk_seen: bool,
    entities: Option<Vec<Type>>,
    type_attribute: Option<LitStr>,
    ttl: Option<LitStr>,
    krate: Option<Path>,
}

impl TableAttr {
    fn read(&mut self, ctxt: &Ctxt, input: ParseStream<'_>) {
        settings(ctxt, input, |key, input| {
            match key.to_string().as_str() {
                "pk" => {
                    self.pk_seen = true;
                    set(ctxt, key, &mut self.pk, key_attr(ctxt, key, input)?);
                }
                "sk" => {
                    self.sk_seen = true;
                    set(ctxt, key, &mut self.sk, key_attr(ctxt, key, input)?);
                }
                "entities" => {
                    set(ctxt, key, &mut self.entities, list(ctxt, key, input, Type::parse)?);
                }
                "type_attribute" => {
                    set(ctxt, key, &mut self.type_attribute, text(ctxt, key, input)?);
                }
                "ttl" => set(ctxt, key, &mut self.ttl, text(ctxt, key, input)?),
                "crate" => set(ctxt, key, &mut self.krate, krate(input)?),
                _ => {
                    self.pk_seen |= is_meant(key, "pk", TABLE);
                    return Err(unknown(key, "table", TABLE));
                }
            }
            Ok(())
        });
    }
}

/// Reads `= "NAME"` or `= ("NAME", N)`.
fn key_attr(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<KeyAttr> {
    input.parse::<Token![=]>()?;
    if input.peek(token::Bracket) {
        return Err(input.error(format_args!(
            "only a global index has keys of several attributes: name one, as in `{key} = \"{}\"`",
            key.to_string().to_uppercase()
        )));
    }
    one_key_attr(ctxt, key, input)
}

/// The same, or `= ["NAME", ("NAME", N), ..]`.
fn key_attrs(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<KeyAttr>> {
    input.parse::<Token![=]>()?;
    if !input.peek(token::Bracket) {
        return Ok(vec![one_key_attr(ctxt, key, input)?]);
    }
    let attrs = bracketed(ctxt, key, input, |input| one_key_attr(ctxt, key, input))?;
    if let Some(over) = attrs.get(MOST_ATTRIBUTES) {
        ctxt.error(
            &over.name,
            format_args!(
                "`{key}` has {} attributes, and DynamoDB takes at most {MOST_ATTRIBUTES} in each \
                half of an index's key: leave some out, or join them in a template of one attribute",
                attrs.len()
            ),
        );
    }
    Ok(attrs)
}

/// Reads `"NAME"` or `("NAME", N)`.
fn one_key_attr(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<KeyAttr> {
    if !input.peek(token::Paren) {
        let name = input.parse().map_err(|error| {
            Error::new(
                error.span(),
                format!(
                    "expected the name of an attribute: `{key} = \"PK\"` or `{key} = (\"PK\", N)`"
                ),
            )
        })?;
        key_name(ctxt, key, &name);
        return Ok(KeyAttr { name, ty: KeyType::S });
    }
    let content;
    parenthesized!(content in input);
    let name = content.parse()?;
    key_name(ctxt, key, &name);
    let ty = if content.parse::<Option<Token![,]>>()?.is_some() && !content.is_empty() {
        key_type(&content)?
    } else {
        KeyType::S
    };
    content.parse::<Option<Token![,]>>()?;
    Ok(KeyAttr { name, ty })
}

fn key_type(input: ParseStream<'_>) -> syn::Result<KeyType> {
    let ty: Ident = input.parse()?;
    match ty.to_string().as_str() {
        "S" => Ok(KeyType::S),
        "N" => Ok(KeyType::N),
        "B" => Ok(KeyType::B),
        other => {
            let problem = format!("unknown key type `{other}`");
            Err(Error::new(
                ty.span(),
                names::suggest(&problem, other, "the key types are", &["S", "N", "B"]),
            ))
        }
    }
}

/// A key attribute's name has 1 to 255 bytes: <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/HowItWorks.NamingRulesDataTypes.html>.
fn key_name(ctxt: &Ctxt, key: &Ident, name: &LitStr) {
    match name.value().len() {
        0 => ctxt.error(
            name,
            format_args!("`{key}` cannot be empty: name a key attribute, as in `{key} = \"PK\"`"),
        ),
        1..=255 => {}
        bytes => ctxt.error(
            name,
            format_args!("the name of a key attribute has at most 255 bytes, this one has {bytes}"),
        ),
    }
}

fn index(ctxt: &Ctxt, input: ParseStream<'_>, local: bool) -> Option<IndexDecl> {
    let attr = if local { "lsi" } else { "gsi" };
    let span = input.span();
    let name = index_name(ctxt, attr, input);
    let (mut pk, mut sk, mut projection) = (None, None, None);
    // A key that is there but could not be read is not missing too.
    let (mut pk_seen, mut sk_seen) = (false, false);
    settings(ctxt, input, |key, input| {
        match key.to_string().as_str() {
            "pk" if local => {
                return Err(Error::new(
                    key.span(),
                    "a local index shares the table's partition key: leave `pk` \
                        out, or write `#[gsi(..)]`",
                ));
            }
            "pk" => {
                pk_seen = true;
                set(ctxt, key, &mut pk, key_attrs(ctxt, key, input)?);
            }
            "sk" if local => {
                sk_seen = true;
                set(ctxt, key, &mut sk, vec![key_attr(ctxt, key, input)?]);
            }
            "sk" => {
                sk_seen = true;
                set(ctxt, key, &mut sk, key_attrs(ctxt, key, input)?);
            }
            "projection" => set(ctxt, key, &mut projection, read_projection(ctxt, input)?),
            _ => return Err(unknown(key, attr, if local { LSI } else { GSI })),
        }
        Ok(())
    });
    let at = name.as_ref().map_or(span, LitStr::span);
    if local && !sk_seen {
        ctxt.error_at(at, "a local index has a sort key of its own: write `sk = \"LSI1SK\"`");
    }
    if !local && !pk_seen {
        ctxt.error_at(at, "a global index has a partition key: write `pk = \"GSI1PK\"`");
    }
    Some(IndexDecl {
        name: name?,
        local,
        pk: pk.unwrap_or_default(),
        sk: sk.unwrap_or_default(),
        projection: projection.unwrap_or(Projection::All),
    })
}

fn read_projection(ctxt: &Ctxt, input: ParseStream<'_>) -> syn::Result<Projection> {
    input.parse::<Token![=]>()?;
    let key: Ident = input.parse()?;
    match key.to_string().as_str() {
        "all" => Ok(Projection::All),
        "keys_only" => Ok(Projection::KeysOnly),
        "include" => include(ctxt, &key, input).map(Projection::Include),
        other => {
            let problem = format!("unknown projection `{other}`");
            let valid = ["all", "keys_only", "include"];
            Err(Error::new(
                key.span(),
                names::suggest(&problem, other, "the projections are", &valid),
            ))
        }
    }
}

fn include(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    if !input.peek(token::Paren) {
        return Err(Error::new(
            key.span(),
            "`include` lists attributes: write `projection = include(\"name\", ..)`",
        ));
    }
    let content;
    parenthesized!(content in input);
    let mut names: Vec<LitStr> = Vec::new();
    let before = ctxt.len();
    each(ctxt, &content, |input| {
        let name = text_item(ctxt, key, input)?;
        if names.contains(&name) {
            ctxt.error(&name, format_args!("`{}` is included twice", name.value()));
        }
        names.push(name);
        Ok(())
    });
    if names.is_empty() && ctxt.len() == before {
        ctxt.error(
            key,
            "`include` names at least one attribute: write `include(\"name\")`, or `keys_only`",
        );
    }
    Ok(names)
}
