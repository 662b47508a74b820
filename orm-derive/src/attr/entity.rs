//! `#[entity(..)]`.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{DeriveInput, Error, LitStr, Path, Token, token};

use super::index::IndexAttr;
use super::{
    allow, default_krate, fields, is_meant, krate, list, missing, pattern, read, set, settings,
    table, text, text_item, unknown, value,
};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::{Allow, Component, EntityModel, Field, Segment, Spec, Template, Unique};
use crate::template::Scope;

const ENTITY: &[&str] = &[
    "table",
    "pk",
    "sk",
    "name",
    "type_name",
    "type_alias",
    "attributes",
    "key_only",
    "null",
    "version",
    "ttl",
    "unique",
    "allow",
    "crate",
];
const EXAMPLE: &str = "table = Shop, pk = \"ORDER#<order_id>\"";

impl EntityModel {
    pub(crate) fn from_input(ctxt: &Ctxt, input: &DeriveInput) -> Option<Self> {
        let (fields, tag) = fields::of_entity(ctxt, input)?;
        let mut attr = EntityAttr::default();
        let found = read(ctxt, &input.attrs, "entity", |input| {
            attr.read(ctxt, input);
            Ok(())
        });
        let mut index_attrs = Vec::new();
        read(ctxt, &input.attrs, "index", |input| {
            index_attrs.extend(IndexAttr::read(ctxt, input));
            Ok(())
        });

        let has_table = attr.table.is_some();
        let span = input.ident.span();
        if !attr.table_seen {
            missing(ctxt, span, found, "entity", "table", EXAMPLE);
        }
        if !attr.pk_seen && found > 0 {
            missing(ctxt, span, found, "entity", "pk", EXAMPLE);
        }

        let scope = Scope { fields: Some(&fields), sharded: false };
        let pk = match &attr.pk {
            Some(pk) => Template::parse(ctxt, pk, scope),
            None => Template::missing(span),
        };
        let sk = attr.sk.as_ref().map(|sk| Template::parse(ctxt, sk, scope));
        let indexes = index_attrs
            .into_iter()
            .filter_map(|index| index.resolve(ctxt, &fields, [Some(&pk), sk.as_ref()]))
            .collect();
        let krate = attr.krate.unwrap_or_else(default_krate);
        let type_name = match &attr.type_name {
            Some(name) => name.value(),
            None => input.ident.unraw().to_string(),
        };
        let model = Self {
            ident: input.ident.clone(),
            vis: input.vis.clone(),
            generics: input.generics.clone(),
            table: attr.table.unwrap_or_else(|| krate.clone()),
            krate,
            pattern: pattern(ctxt, attr.name.as_ref(), std::slice::from_ref(&pk))
                .unwrap_or_else(|| Ident::new("unnamed", span)),
            pk,
            sk,
            type_name: attr.type_name,
            type_aliases: attr.type_alias.unwrap_or_default(),
            attributes: attr.attributes.unwrap_or_default(),
            key_only: key_only(ctxt, &fields, attr.key_only.unwrap_or_default()),
            nulls: nulls(ctxt, &fields, &attr.null.unwrap_or_default()),
            version: attr.version.and_then(|field| fields::find(ctxt, &fields, &field)),
            ttl: attr.ttl.and_then(|field| fields::find(ctxt, &fields, &field)),
            unique: unique(ctxt, &type_name, &fields, &attr.unique.unwrap_or_default()),
            allow: attr.allow.unwrap_or_default(),
            fields,
            tag,
            indexes,
        };
        check::entity(ctxt, &model);
        has_table.then_some(model)
    }
}

#[derive(Default)]
struct EntityAttr {
    table: Option<Path>,
    /// `table` is there, readable or not.
    table_seen: bool,
    pk: Option<LitStr>,
    /// `pk` is there, readable or not.
    pk_seen: bool,
    sk: Option<LitStr>,
    name: Option<LitStr>,
    type_name: Option<LitStr>,
    type_alias: Option<Vec<LitStr>>,
    attributes: Option<Vec<(LitStr, LitStr)>>,
    key_only: Option<Vec<Ident>>,
    null: Option<Vec<Ident>>,
    version: Option<Ident>,
    ttl: Option<Ident>,
    unique: Option<Vec<Ident>>,
    allow: Option<Allow>,
    krate: Option<Path>,
}

impl EntityAttr {
    fn read(&mut self, ctxt: &Ctxt, input: ParseStream<'_>) {
        settings(ctxt, input, |key, input| {
            match key.to_string().as_str() {
                "table" => {
                    self.table_seen = true;
                    set(ctxt, key, &mut self.table, table(input)?);
                }
                "pk" => {
                    self.pk_seen = true;
                    set(ctxt, key, &mut self.pk, template(key, input)?);
                }
                "sk" => set(ctxt, key, &mut self.sk, template(key, input)?),
                "name" => set(ctxt, key, &mut self.name, text(ctxt, key, input)?),
                "type_name" => set(ctxt, key, &mut self.type_name, text(ctxt, key, input)?),
                "type_alias" => {
                    let aliases = list(ctxt, key, input, |input| text_item(ctxt, key, input))?;
                    set(ctxt, key, &mut self.type_alias, aliases);
                }
                "attributes" => {
                    let constants = list(ctxt, key, input, |input| {
                        Ok((text_item(ctxt, key, input)?, value(input)?))
                    })?;
                    set(ctxt, key, &mut self.attributes, constants);
                }
                "key_only" => {
                    let fields = list(ctxt, key, input, syn::ext::IdentExt::parse_any)?;
                    set(ctxt, key, &mut self.key_only, fields);
                }
                "null" => {
                    let fields = list(ctxt, key, input, syn::ext::IdentExt::parse_any)?;
                    set(ctxt, key, &mut self.null, fields);
                }
                "version" | "ttl" => {
                    input.parse::<Token![=]>()?;
                    let field = Ident::parse_any(input).map_err(|error| {
                        let text = format!("expected the name of a field: write `{key} = field`");
                        Error::new(error.span(), text)
                    })?;
                    let slot = if key == "version" { &mut self.version } else { &mut self.ttl };
                    set(ctxt, key, slot, field);
                }
                "unique" => {
                    let fields = list(ctxt, key, input, syn::ext::IdentExt::parse_any)?;
                    set(ctxt, key, &mut self.unique, fields);
                }
                "allow" => set(ctxt, key, &mut self.allow, allow(ctxt, input, true)?),
                "crate" => set(ctxt, key, &mut self.krate, krate(input)?),
                _ => {
                    self.table_seen |= is_meant(key, "table", ENTITY);
                    self.pk_seen |= is_meant(key, "pk", ENTITY);
                    return Err(unknown(key, "entity", ENTITY));
                }
            }
            Ok(())
        });
    }
}

/// Reads `= "template"`.
fn template(key: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    input.parse::<Token![=]>()?;
    if input.peek(token::Bracket) {
        return Err(input.error(format_args!(
            "the key of a table has one attribute in each half: write one template, as in `{key} = \
            \"ORDER#<order_id>\"`; lists are for `#[index(..)]`"
        )));
    }
    input.parse()
}

/// Each field with the templates of its guards: `$unique#User#email#<email>` and `$unique`. The names
/// are those that are stored, not those of the Rust source.
fn unique(ctxt: &Ctxt, type_name: &str, fields: &[Field], idents: &[Ident]) -> Vec<Unique> {
    let encoded = |name: &str| name.replace('%', "%25").replace('#', "%23");
    let mut found: Vec<Unique> = Vec::new();
    for ident in idents {
        let Some(field) = fields::find(ctxt, fields, ident) else { continue };
        if found.iter().any(|unique| unique.field == field) {
            ctxt.error(ident, format_args!("`{ident}` is given twice in `unique(..)`"));
            continue;
        }
        let name = &fields[field].name;
        let attribute = fields[field].attribute.as_deref().unwrap_or(name);
        let head = format!("$unique#{}#{}#", encoded(type_name), encoded(attribute));
        let component = Component { field, name: name.clone(), spec: Spec::default() };
        let template = |text: String, segments| Template {
            lit: LitStr::new(&text, ident.span()),
            segments,
            is_damaged: false,
        };
        found.push(Unique {
            field,
            pk: template(
                format!("{head}<{name}>"),
                vec![Segment::Literal(head), Segment::Component(component)],
            ),
            sk: template("$unique".to_owned(), vec![Segment::Literal("$unique".to_owned())]),
        });
    }
    found
}

fn key_only(ctxt: &Ctxt, fields: &[Field], idents: Vec<Ident>) -> Vec<(usize, Ident)> {
    let mut found: Vec<(usize, Ident)> = Vec::new();
    for ident in idents {
        let Some(field) = fields::find(ctxt, fields, &ident) else { continue };
        if found.iter().any(|(earlier, _)| *earlier == field) {
            ctxt.error(&ident, format_args!("`{ident}` is given twice in `key_only(..)`"));
            continue;
        }
        found.push((field, ident));
    }
    found
}

fn nulls(ctxt: &Ctxt, fields: &[Field], idents: &[Ident]) -> Vec<usize> {
    let mut nulls = Vec::new();
    for ident in idents {
        let Some(field) = fields::find(ctxt, fields, ident) else {
            continue;
        };
        if nulls.contains(&field) {
            ctxt.error(ident, format_args!("`{ident}` is given twice in `null(..)`"));
            continue;
        }
        if fields[field].attribute.is_none() {
            ctxt.error(
                ident,
                format_args!(
                    "`{ident}` has no attribute of its own to write NULL to: leave it out \
                of `null(..)`"
                ),
            );
        }
        nulls.push(field);
    }
    nulls
}
