//! The serde attributes that decide about stored names and values. All others are serde's own
//! business.

use proc_macro2::{Ident, Span, TokenStream};
use syn::ext::IdentExt;
use syn::meta::ParseNestedMeta;
use syn::spanned::Spanned;
use syn::{Attribute, Expr, ExprPath, LitStr, Token, parenthesized, token};

use crate::ctxt::Ctxt;
use crate::names;

/// What serde's attributes on a struct or an enum say.
#[derive(Debug, Default)]
pub(crate) struct Container {
    rename_all: Both<RenameRule>,
    /// The first of `transparent`, `from`, `try_from`, `into`: the value is not stored as a map of
    /// its fields.
    pub(crate) not_a_map: Option<(&'static str, Span)>,
    /// The attribute that holds the struct's name.
    pub(crate) tag: Option<LitStr>,
}

/// What serde's attributes on a field or a variant say.
#[derive(Debug, Default)]
pub(crate) struct Member {
    rename: Both<LitStr>,
    pub(crate) skip_serializing: bool,
    pub(crate) skip_deserializing: bool,
    pub(crate) flatten: bool,
    /// Serde reads it under other names too.
    pub(crate) alias: bool,
    pub(crate) serialize_with: Option<ExprPath>,
    pub(crate) deserialize_with: Option<ExprPath>,
}

/// Something that serde may spell differently for writing and for reading.
#[derive(Debug)]
struct Both<T> {
    serialize: Option<T>,
    deserialize: Option<T>,
}

/// A value of `rename_all`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RenameRule {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// What a stored name belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Named {
    Field,
    Variant,
}

impl Container {
    pub(crate) fn read(ctxt: &Ctxt, attrs: &[Attribute]) -> Self {
        let mut container = Self::default();
        each(ctxt, attrs, |key, meta| {
            match key {
                "rename_all" => container.rename_all.read(meta, |name| RenameRule::parse(&name))?,
                "tag" => container.tag = Some(meta.value()?.parse()?),
                "transparent" => container.converted("transparent", meta),
                "from" => container.converted("from", meta),
                "try_from" => container.converted("try_from", meta),
                "into" => container.converted("into", meta),
                _ => {}
            }
            Ok(())
        });
        container
    }

    /// The one name under which serde writes and reads `ident`.
    pub(crate) fn stored_name(
        &self,
        ctxt: &Ctxt,
        member: &Member,
        ident: &Ident,
        named: Named,
    ) -> String {
        let plain = ident.unraw().to_string();
        let name = |rename: &Option<LitStr>, rule: Option<RenameRule>| match (rename, rule) {
            (Some(name), _) => name.value(),
            (None, Some(rule)) => rule.apply(&plain, named),
            (None, None) => plain.clone(),
        };
        let written = name(&member.rename.serialize, self.rename_all.serialize);
        let read = name(&member.rename.deserialize, self.rename_all.deserialize);
        if written != read {
            let what = match named {
                Named::Field => "an attribute",
                Named::Variant => "a key part",
            };
            let rename = member.rename.serialize.as_ref().or(member.rename.deserialize.as_ref());
            ctxt.error_at(
                rename.map_or_else(|| ident.span(), LitStr::span),
                format_args!(
                    "{what} has one stored name, but serde writes `{written}` and reads `{read}`: \
                     write `#[serde(rename = \"{written}\")]`"
                ),
            );
        }
        written
    }

    /// The name under which serde reads `ident`, whatever it writes.
    pub(crate) fn read_name(&self, member: &Member, ident: &Ident) -> String {
        let plain = ident.unraw().to_string();
        match (&member.rename.deserialize, self.rename_all.deserialize) {
            (Some(name), _) => name.value(),
            (None, Some(rule)) => rule.apply(&plain, Named::Field),
            (None, None) => plain,
        }
    }

    fn converted(&mut self, key: &'static str, meta: &ParseNestedMeta<'_>) {
        self.not_a_map.get_or_insert((key, meta.path.span()));
    }
}

impl Member {
    pub(crate) fn read(ctxt: &Ctxt, attrs: &[Attribute]) -> Self {
        let mut member = Self::default();
        each(ctxt, attrs, |key, meta| {
            match key {
                "rename" => member.rename.read(meta, Ok)?,
                "skip" => (member.skip_serializing, member.skip_deserializing) = (true, true),
                "skip_serializing" => member.skip_serializing = true,
                "skip_deserializing" => member.skip_deserializing = true,
                "flatten" => member.flatten = true,
                "alias" => member.alias = true,
                "with" => {
                    let module: ExprPath = path(meta)?;
                    member.serialize_with = Some(function(&module, "serialize"));
                    member.deserialize_with = Some(function(&module, "deserialize"));
                }
                "serialize_with" => member.serialize_with = Some(path(meta)?),
                "deserialize_with" => member.deserialize_with = Some(path(meta)?),
                _ => {}
            }
            Ok(())
        });
        member
    }
}

/// Calls `read` with each setting of `#[serde(..)]` and skips what it leaves unread.
fn each(
    ctxt: &Ctxt,
    attrs: &[Attribute],
    mut read: impl FnMut(&str, &ParseNestedMeta<'_>) -> syn::Result<()>,
) {
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("serde")) {
        let result = attr.parse_nested_meta(|meta| {
            let key = meta.path.get_ident().map(ToString::to_string).unwrap_or_default();
            read(&key, &meta)?;
            skip_value(&meta)
        });
        if let Err(error) = result {
            ctxt.push(error);
        }
    }
}

fn skip_value(meta: &ParseNestedMeta<'_>) -> syn::Result<()> {
    if meta.input.peek(Token![=]) {
        meta.value()?.parse::<Expr>()?;
    } else if meta.input.peek(token::Paren) {
        let content;
        parenthesized!(content in meta.input);
        content.parse::<TokenStream>()?;
    }
    Ok(())
}

fn path(meta: &ParseNestedMeta<'_>) -> syn::Result<ExprPath> {
    meta.value()?.parse::<LitStr>()?.parse()
}

/// `module::name`.
fn function(module: &ExprPath, name: &str) -> ExprPath {
    let mut function = module.clone();
    let span = module.path.segments.last().map_or_else(Span::call_site, |last| last.ident.span());
    function.path.segments.push(Ident::new(name, span).into());
    function
}

impl<T: Clone> Both<T> {
    /// Reads `= "x"` or `(serialize = "x", deserialize = "y")`.
    fn read(
        &mut self,
        meta: &ParseNestedMeta<'_>,
        value: impl Fn(LitStr) -> syn::Result<T>,
    ) -> syn::Result<()> {
        if meta.input.peek(Token![=]) {
            let both = value(meta.value()?.parse()?)?;
            self.serialize = Some(both.clone());
            self.deserialize = Some(both);
            return Ok(());
        }
        meta.parse_nested_meta(|side| {
            let slot = if side.path.is_ident("serialize") {
                &mut self.serialize
            } else if side.path.is_ident("deserialize") {
                &mut self.deserialize
            } else {
                return Err(side.error("expected `serialize` or `deserialize`"));
            };
            *slot = Some(value(side.value()?.parse()?)?);
            Ok(())
        })
    }
}

impl<T> Default for Both<T> {
    fn default() -> Self {
        Self { serialize: None, deserialize: None }
    }
}

impl RenameRule {
    const ALL: [(&'static str, Self); 8] = [
        ("lowercase", Self::Lower),
        ("UPPERCASE", Self::Upper),
        ("PascalCase", Self::Pascal),
        ("camelCase", Self::Camel),
        ("snake_case", Self::Snake),
        ("SCREAMING_SNAKE_CASE", Self::ScreamingSnake),
        ("kebab-case", Self::Kebab),
        ("SCREAMING-KEBAB-CASE", Self::ScreamingKebab),
    ];

    fn parse(lit: &LitStr) -> syn::Result<Self> {
        let text = lit.value();
        if let Some((_, rule)) = Self::ALL.iter().find(|(name, _)| *name == text) {
            return Ok(*rule);
        }
        let problem = format!("unknown case `{text}`");
        let valid = Self::ALL.map(|(name, _)| name);
        Err(syn::Error::new(lit.span(), names::suggest(&problem, &text, "the cases are", &valid)))
    }

    fn apply(self, name: &str, named: Named) -> String {
        match named {
            Named::Field => self.apply_to_field(name),
            Named::Variant => self.apply_to_variant(name),
        }
    }

    /// From `snake_case`, as serde does it.
    fn apply_to_field(self, field: &str) -> String {
        match self {
            Self::Lower | Self::Snake => field.to_owned(),
            Self::Upper | Self::ScreamingSnake => field.to_ascii_uppercase(),
            Self::Pascal => {
                field.split('_').map(|word| with_first(word, char::to_ascii_uppercase)).collect()
            }
            Self::Camel => {
                with_first(&Self::Pascal.apply_to_field(field), char::to_ascii_lowercase)
            }
            Self::Kebab => field.replace('_', "-"),
            Self::ScreamingKebab => field.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// From `PascalCase`, as serde does it.
    fn apply_to_variant(self, variant: &str) -> String {
        match self {
            Self::Lower => variant.to_ascii_lowercase(),
            Self::Upper => variant.to_ascii_uppercase(),
            Self::Pascal => variant.to_owned(),
            Self::Camel => with_first(variant, char::to_ascii_lowercase),
            Self::Snake => {
                let mut snake = String::new();
                for (at, letter) in variant.char_indices() {
                    if at > 0 && letter.is_uppercase() {
                        snake.push('_');
                    }
                    snake.push(letter.to_ascii_lowercase());
                }
                snake
            }
            Self::ScreamingSnake => Self::Snake.apply_to_variant(variant).to_ascii_uppercase(),
            Self::Kebab => Self::Snake.apply_to_variant(variant).replace('_', "-"),
            Self::ScreamingKebab => {
                Self::ScreamingSnake.apply_to_variant(variant).replace('_', "-")
            }
        }
    }
}

fn with_first(word: &str, change: impl Fn(&char) -> char) -> String {
    let mut letters = word.chars();
    letters.next().iter().map(change).chain(letters).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table of serde's own tests: lower, upper, Pascal, camel, snake, SCREAMING, kebab,
    /// SCREAMING-KEBAB.
    #[test]
    fn cases_of_variants() {
        for (variant, expected) in [
            (
                "Outcome",
                [
                    "outcome", "OUTCOME", "Outcome", "outcome", "outcome", "OUTCOME", "outcome",
                    "OUTCOME",
                ],
            ),
            (
                "VeryTasty",
                [
                    "verytasty",
                    "VERYTASTY",
                    "VeryTasty",
                    "veryTasty",
                    "very_tasty",
                    "VERY_TASTY",
                    "very-tasty",
                    "VERY-TASTY",
                ],
            ),
            ("A", ["a", "A", "A", "a", "a", "A", "a", "A"]),
            ("Z42", ["z42", "Z42", "Z42", "z42", "z42", "Z42", "z42", "Z42"]),
        ] {
            assert_eq!(RenameRule::ALL.map(|(_, rule)| rule.apply_to_variant(variant)), expected);
        }
    }

    #[test]
    fn cases_of_fields() {
        for (field, expected) in [
            (
                "outcome",
                [
                    "outcome", "OUTCOME", "Outcome", "outcome", "outcome", "OUTCOME", "outcome",
                    "OUTCOME",
                ],
            ),
            (
                "very_tasty",
                [
                    "very_tasty",
                    "VERY_TASTY",
                    "VeryTasty",
                    "veryTasty",
                    "very_tasty",
                    "VERY_TASTY",
                    "very-tasty",
                    "VERY-TASTY",
                ],
            ),
            ("a", ["a", "A", "A", "a", "a", "A", "a", "A"]),
            ("_", ["_", "_", "", "", "_", "_", "-", "-"]),
        ] {
            assert_eq!(RenameRule::ALL.map(|(_, rule)| rule.apply_to_field(field)), expected);
        }
    }
}
