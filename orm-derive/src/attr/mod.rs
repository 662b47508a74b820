//! Reads the attributes of each derive into its model. A mistake in one setting is reported and the
//! next one is read.

mod collection;
mod document;
mod entity;
mod fields;
mod index;
mod key_part;
mod projection;
mod table;

use proc_macro2::{Ident, Span, TokenTree};
use syn::ext::IdentExt;
use syn::parse::{Parse, ParseStream};
use syn::{
    Attribute, DeriveInput, Error, LitStr, Meta, Path, Token, bracketed, parenthesized,
    parse_quote, token,
};

use crate::ctxt::Ctxt;
use crate::model::{Allow, Template};
use crate::names;

/// The attributes that a derive cannot do without: one without parentheses counts as missing.
const REQUIRED: [&str; 4] = ["table", "entity", "collection", "projection"];

/// Reads the inside of every `#[name(..)]` among `attrs` with `read` and gives their number.
fn read(
    ctxt: &Ctxt,
    attrs: &[Attribute],
    name: &str,
    mut read: impl FnMut(ParseStream<'_>) -> syn::Result<()>,
) -> usize {
    let mut found = 0;
    for attr in attrs.iter().filter(|attr| attr.path().is_ident(name)) {
        if matches!(attr.meta, Meta::Path(_)) && REQUIRED.contains(&name) {
            continue;
        }
        found += 1;
        let before = ctxt.len();
        // After a reported mistake syn also complains of what was left unread.
        if let Err(error) = attr.parse_args_with(&mut read)
            && ctxt.len() == before
        {
            ctxt.push(error);
        }
    }
    found
}

/// Reads values separated by commas; after a mistake it goes on behind the next comma.
fn each(
    ctxt: &Ctxt,
    input: ParseStream<'_>,
    mut read: impl FnMut(ParseStream<'_>) -> syn::Result<()>,
) {
    while !input.is_empty() {
        if let Err(error) = read(input) {
            ctxt.push(error);
            skip(input);
        }
        if !input.is_empty()
            && let Err(error) = input.parse::<Token![,]>()
        {
            ctxt.push(error);
            skip(input);
            input.parse::<Option<Token![,]>>().ok();
        }
    }
}

/// Reads settings, `key = value` or `key(..)`, separated by commas. `setting` reads what follows
/// the key.
fn settings(
    ctxt: &Ctxt,
    input: ParseStream<'_>,
    mut setting: impl FnMut(&Ident, ParseStream<'_>) -> syn::Result<()>,
) {
    each(ctxt, input, |input| {
        let key = Ident::parse_any(input).map_err(|error| {
            Error::new(error.span(), "expected a setting, as in `name = \"value\"`")
        })?;
        setting(&key, input)
    });
}

/// Reads `(a, b, ..)`, the list behind `key`, which must not be empty.
fn list<T>(
    ctxt: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
    mut item: impl FnMut(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    if !input.peek(token::Paren) {
        return Err(input.error(format_args!("`{key}` takes a list: write `{key}(..)`")));
    }
    let content;
    parenthesized!(content in input);
    let mut items = Vec::new();
    let before = ctxt.len();
    each(ctxt, &content, |input| {
        items.push(item(input)?);
        Ok(())
    });
    if items.is_empty() && ctxt.len() == before {
        ctxt.error(key, format_args!("`{key}` lists nothing: name at least one, or leave it out"));
    }
    Ok(items)
}

fn skip(input: ParseStream<'_>) {
    while !input.is_empty() && !input.peek(Token![,]) && input.parse::<TokenTree>().is_ok() {}
}

/// Reads `[a, b, ..]`, the list behind `key =`, which must not be empty.
fn bracketed<T>(
    ctxt: &Ctxt,
    key: &Ident,
    input: ParseStream<'_>,
    mut item: impl FnMut(ParseStream<'_>) -> syn::Result<T>,
) -> syn::Result<Vec<T>> {
    let content;
    bracketed!(content in input);
    let mut items = Vec::new();
    let before = ctxt.len();
    each(ctxt, &content, |input| {
        items.push(item(input)?);
        Ok(())
    });
    if items.is_empty() && ctxt.len() == before {
        ctxt.error(key, format_args!("`{key}` lists nothing: name at least one attribute"));
    }
    Ok(items)
}

/// Fills `slot`, which `key` fills once.
fn set<T>(ctxt: &Ctxt, key: &Ident, slot: &mut Option<T>, value: T) {
    if slot.is_some() {
        ctxt.error(key, format_args!("`{key}` is given twice: leave one out"));
    }
    *slot = Some(value);
}

/// Reads `= value`.
fn value<T: Parse>(input: ParseStream<'_>) -> syn::Result<T> {
    input.parse::<Token![=]>()?;
    input.parse()
}

/// Reads `= "text"`, which must not be empty.
fn text(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    let text = value(input)?;
    not_empty(ctxt, key, &text);
    Ok(text)
}

/// Reads `"text"`, which must not be empty: an item of the list behind `key`.
fn text_item(ctxt: &Ctxt, key: &Ident, input: ParseStream<'_>) -> syn::Result<LitStr> {
    let text = input.parse()?;
    not_empty(ctxt, key, &text);
    Ok(text)
}

fn not_empty(ctxt: &Ctxt, key: &Ident, text: &LitStr) {
    if text.value().is_empty() {
        ctxt.error(text, format_args!("`{key}` cannot be empty"));
    }
}

/// Reads `= Shop`, the type of a table.
fn table(input: ParseStream<'_>) -> syn::Result<Path> {
    input.parse::<Token![=]>()?;
    input.call(Path::parse_mod_style).map_err(|error| {
        Error::new(error.span(), "expected the type with `#[derive(Table)]`: write `table = Shop`")
    })
}

/// Whether an unknown `key` is a misspelling of `valid` rather than of `others`.
fn is_meant(key: &Ident, valid: &str, others: &[&str]) -> bool {
    names::nearest(&key.to_string(), others) == Some(valid)
}

/// Reads `= path` or, as serde spells it, `= "path"`.
fn krate(input: ParseStream<'_>) -> syn::Result<Path> {
    input.parse::<Token![=]>()?;
    if input.peek(LitStr) {
        input.parse::<LitStr>()?.parse_with(Path::parse_mod_style)
    } else {
        input.call(Path::parse_mod_style)
    }
}

/// The runtime crate where `crate = ..` does not name it.
fn default_krate() -> Path {
    parse_quote!(::monotable)
}

/// The name of an index, `by_status` or `"by-status"`, with which `#[attr(..)]` begins.
fn index_name(ctxt: &Ctxt, attr: &str, input: ParseStream<'_>) -> Option<LitStr> {
    let named = input.peek(LitStr) || input.peek(syn::Ident::peek_any) && !input.peek2(Token![=]);
    if !named {
        ctxt.error_at(
            input.span(),
            format_args!(
                "an index has a name: write `#[{attr}(by_status, ..)]` or \
            `#[{attr}(\"by-status\", ..)]`"
            ),
        );
        return None;
    }
    let name = if input.peek(LitStr) {
        input.parse().ok()
    } else {
        Ident::parse_any(input)
            .ok()
            .map(|ident| LitStr::new(&ident.unraw().to_string(), ident.span()))
    };
    if !input.is_empty()
        && let Err(error) = input.parse::<Token![,]>()
    {
        ctxt.push(error);
        skip(input);
        input.parse::<Option<Token![,]>>().ok();
    }
    name
}

/// Reads the inside of `allow(..)`; `overlap` is for entities only.
fn allow(ctxt: &Ctxt, input: ParseStream<'_>, with_overlap: bool) -> syn::Result<Allow> {
    let content;
    parenthesized!(content in input);
    let (mut hot_partition, mut overlap, mut unlisted, mut expired) = (None, None, None, None);
    settings(ctxt, &content, |key, input| {
        match key.to_string().as_str() {
            "hot_partition" if input.peek(Token![=]) => {
                set(ctxt, key, &mut hot_partition, text(ctxt, key, input)?);
            }
            "hot_partition" => {
                return Err(Error::new(
                    key.span(),
                    "`hot_partition` needs a reason: write `hot_partition = \"why this is fine\"`",
                ));
            }
            "overlap" if with_overlap => {
                set(ctxt, key, &mut overlap, list(ctxt, key, input, Path::parse_mod_style)?);
            }
            "unlisted" if with_overlap => set(ctxt, key, &mut unlisted, ()),
            "expired" if !with_overlap => set(ctxt, key, &mut expired, ()),
            _ if with_overlap => {
                return Err(unknown(key, "allow", &["hot_partition", "overlap", "unlisted"]));
            }
            _ => return Err(unknown(key, "allow", &["hot_partition", "expired"])),
        }
        Ok(())
    });
    Ok(Allow {
        hot_partition,
        overlap: overlap.unwrap_or_default(),
        unlisted: unlisted.is_some(),
        expired: expired.is_some(),
    })
}

fn unknown(key: &Ident, attr: &str, valid: &[&str]) -> Error {
    let heading = format!("the attributes of `{attr}` are");
    Error::new(
        key.span(),
        names::suggest(&format!("unknown attribute `{key}`"), &key.to_string(), &heading, valid),
    )
}

/// The name of a pattern's function: as given, or `by_` and the fields of the partition key's
/// templates.
fn pattern(ctxt: &Ctxt, given: Option<&LitStr>, pk: &[Template]) -> Option<Ident> {
    if let Some(given) = given {
        return given_pattern(ctxt, given);
    }
    let span = pk.first()?.lit.span();
    let mut fields: Vec<&str> = Vec::new();
    for component in pk.iter().flat_map(Template::components) {
        if !fields.contains(&component.name.as_str()) {
            fields.push(&component.name);
        }
    }
    if fields.is_empty() {
        if !pk.iter().any(|template| template.is_damaged) {
            ctxt.error_at(
                span,
                "the pattern takes its name from the fields of the partition key, and here are \
                none: name it, as in `name = \"by_status\"`",
            );
        }
        return None;
    }
    names::identifier(&format!("by_{}", fields.join("_and_")), span)
}

fn given_pattern(ctxt: &Ctxt, given: &LitStr) -> Option<Ident> {
    let text = given.value();
    let ident = names::identifier(&text, given.span());
    if ident.is_none() && !text.is_empty() {
        ctxt.error(
            given,
            format_args!(
                "`{text}` cannot name a function: write a Rust identifier, as in `name = \
            \"by_status\"`"
            ),
        );
    }
    ident
}

/// Refuses type parameters, lifetimes and constants on a `what`.
fn no_generics(ctxt: &Ctxt, input: &DeriveInput, what: &str) {
    if !input.generics.params.is_empty() {
        ctxt.error(
            &input.generics,
            format_args!("{what} cannot be generic: remove the parameters"),
        );
    }
}

/// Reports that `#[attr(example)]` is missing on a struct, or lacks what `example` shows.
fn missing(ctxt: &Ctxt, span: Span, found: usize, attr: &str, key: &str, example: &str) {
    if found == 0 {
        ctxt.error_at(
            span,
            format_args!("`#[{attr}(..)]` is missing: write `#[{attr}({example})]`"),
        );
    } else {
        ctxt.error_at(
            span,
            format_args!("`#[{attr}(..)]` has no `{key}`: write `#[{attr}({example})]`"),
        );
    }
}

#[cfg(test)]
mod tests;
