//! `#[index(..)]` on an entity.

use proc_macro2::Ident;
use syn::ext::IdentExt;
use syn::parse::ParseStream;
use syn::{Error, LitInt, LitStr, Pat, Token, parenthesized, token};

use super::{
    allow, bracketed, fields, given_pattern, index_name, list, pattern, set, settings, text,
    unknown, value,
};
use crate::check;
use crate::ctxt::Ctxt;
use crate::model::{Allow, Condition, Field, IndexUse, Shard, Template};
use crate::template::Scope;

const INDEX: &[&str] = &["pk", "sk", "name", "shard", "only_when", "allow"];

/// The attribute before its names are looked up among the fields.
#[derive(Default)]
pub(super) struct IndexAttr {
    index: Option<LitStr>,
    pk: Option<Vec<LitStr>>,
    sk: Option<Vec<LitStr>>,
    name: Option<LitStr>,
    shard: Option<ShardAttr>,
    only_when: Option<Vec<(Ident, Pat)>>,
    allow: Option<Allow>,
    /// A template is there but could not be read.
    unreadable: bool,
}

#[derive(Default)]
struct ShardAttr {
    by: Vec<Ident>,
    count: u32,
    read: Option<u32>,
}

impl IndexAttr {
    pub(super) fn read(ctxt: &Ctxt, input: ParseStream<'_>) -> Option<Self> {
        let mut attr = Self { index: index_name(ctxt, "index", input), ..Self::default() };
        settings(ctxt, input, |key, input| {
            match key.to_string().as_str() {
                "pk" | "sk" => {
                    let before = ctxt.len();
                    let lits = templates(ctxt, key, input);
                    attr.unreadable |= lits.is_err() || ctxt.len() != before;
                    set(ctxt, key, if key == "pk" { &mut attr.pk } else { &mut attr.sk }, lits?);
                }
                "name" => set(ctxt, key, &mut attr.name, text(ctxt, key, input)?),
                "shard" => {
                    set(ctxt, key, &mut attr.shard, ShardAttr::default());
                    if let Some(shard) = &mut attr.shard {
                        shard.read(ctxt, key, input)?;
                    }
                }
                "only_when" => {
                    let conditions = list(ctxt, key, input, |input| {
                        let field = Ident::parse_any(input)?;
                        input.parse::<Token![=]>()?;
                        Ok((field, Pat::parse_multi_with_leading_vert(input)?))
                    })?;
                    set(ctxt, key, &mut attr.only_when, conditions);
                }
                "allow" => set(ctxt, key, &mut attr.allow, allow(ctxt, input, false)?),
                _ => return Err(unknown(key, "index", INDEX)),
            }
            Ok(())
        });
        attr.index.is_some().then_some(attr)
    }

    /// Looks the names up among the fields; `primary` are the templates of the primary key.
    pub(super) fn resolve(
        self,
        ctxt: &Ctxt,
        fields: &[Field],
        primary: [Option<&Template>; 2],
    ) -> Option<IndexUse> {
        let index = self.index?;
        let scope = Scope { fields: Some(fields), sharded: self.shard.is_some() };
        let parsed = |lits: Option<Vec<LitStr>>| -> Vec<Template> {
            lits.iter().flatten().map(|lit| Template::parse(ctxt, lit, scope)).collect()
        };
        let (pk, sk) = (parsed(self.pk), parsed(self.sk));
        if !self.unreadable {
            check::index_has_template(ctxt, &index, &pk, &sk);
        }
        let pattern = match (&pk[..], &self.name) {
            (&[], Some(name)) => given_pattern(ctxt, name),
            (pk @ [_, ..], name) => pattern(ctxt, name.as_ref(), pk),
            (&[], None) => {
                if !sk.is_empty() && !self.unreadable {
                    let name = index.value();
                    ctxt.error(
                        &index,
                        format_args!(
                            "index `{name}` has no `pk` template to name the pattern \
                            by: write `name = \"by_..\"`"
                        ),
                    );
                }
                None
            }
        };
        Some(IndexUse {
            pk,
            sk,
            pattern,
            shard: self.shard.map(|shard| shard.resolve(ctxt, fields, primary)),
            only_when: conditions(ctxt, fields, self.only_when.unwrap_or_default()),
            allow: self.allow.unwrap_or_default(),
            index,
        })
    }
}

impl ShardAttr {
    fn read(&mut self, ctxt: &Ctxt, shard: &Ident, input: ParseStream<'_>) -> syn::Result<()> {
        if !input.peek(token::Paren) {
            return Err(Error::new(
                shard.span(),
                "write `shard(by = <a field of the primary key>, count = 10)`",
            ));
        }
        let content;
        parenthesized!(content in input);
        let (mut by, mut count, mut read) = (None, None, None);
        let before = ctxt.len();
        settings(ctxt, &content, |key, input| {
            match key.to_string().as_str() {
                "by" => set(ctxt, key, &mut by, fields_of(ctxt, key, input)?),
                "count" => set(ctxt, key, &mut count, number(ctxt, key, input)?),
                "read" => set(ctxt, key, &mut read, number(ctxt, key, input)?),
                _ => return Err(unknown(key, "shard", &["by", "count", "read"])),
            }
            Ok(())
        });
        if ctxt.len() == before {
            if by.is_none() {
                ctxt.error(
                    shard,
                    "`shard(..)` has no `by`: name the fields of the primary key to spread by",
                );
            }
            if count.is_none() {
                ctxt.error(
                    shard,
                    "`shard(..)` has no `count`: write the number of shards, as in `count = 10`",
                );
            }
        }
        *self = Self { by: by.unwrap_or_default(), count: count.unwrap_or(1), read };
        Ok(())
    }

    fn resolve(self, ctxt: &Ctxt, fields: &[Field], primary: [Option<&Template>; 2]) -> Shard {
        let mut by = Vec::new();
        for ident in &self.by {
            let Some(field) = fields::find(ctxt, fields, ident) else {
                continue;
            };
            if by.contains(&field) {
                ctxt.error(ident, format_args!("`{ident}` is given twice in `by`"));
                continue;
            }
            check::shards_by_primary_key(ctxt, ident, field, primary);
            by.push(field);
        }
        Shard { by, count: self.count, read: self.read.unwrap_or(self.count) }
    }
}

/// The most attributes of a half of a global index's key:
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/GSI.DesignPattern.MultiAttributeKeys.html>.
pub(super) const MOST_ATTRIBUTES: usize = 4;

/// Reads `= "template"` or `= ["template", ..]`.
fn templates(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<LitStr>> {
    input.parse::<Token![=]>()?;
    if !input.peek(token::Bracket) {
        return Ok(vec![input.parse()?]);
    }
    bracketed(ctxt, key, input, |input| input.parse())
}

/// Reads `= field` or `= (a, b)`.
fn fields_of(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<Vec<Ident>> {
    input.parse::<Token![=]>()?;
    if input.peek(token::Paren) {
        list(ctxt, key, input, Ident::parse_any)
    } else {
        Ok(vec![Ident::parse_any(input)?])
    }
}

const MOST_SHARDS: u32 = 1000;

fn number(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<u32> {
    let lit: LitInt = value(input)?;
    let number = lit.base10_parse()?;
    // Every read asks each of them.
    if number > MOST_SHARDS {
        ctxt.error(
            &lit,
            format_args!("an index has at most {MOST_SHARDS} shards, and a read asks each"),
        );
    }
    if number == 0 && key == "count" {
        ctxt.error(&lit, "an index has at least one shard: write `count = 1` or more");
    }
    Ok(number)
}

fn conditions(ctxt: &Ctxt, fields: &[Field], written: Vec<(Ident, Pat)>) -> Vec<Condition> {
    let mut conditions: Vec<Condition> = Vec::new();
    for (ident, pat) in written {
        let Some(field) = fields::find(ctxt, fields, &ident) else {
            continue;
        };
        if conditions.iter().any(|earlier| earlier.field == field) {
            ctxt.error(
                &ident,
                format_args!(
                    "`{ident}` is given twice in `only_when(..)`: join the patterns, as \
                    in `{ident} = A | B`"
                ),
            );
            continue;
        }
        conditions.push(Condition { field, pat });
    }
    conditions
}
