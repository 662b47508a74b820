//! Reads key templates: literal text, `<field>`, `<field:spec>`, `<shard>`.

mod spec;

use syn::LitStr;

use crate::ctxt::Ctxt;
use crate::model::{Component, Field, Segment, Spec, Template, TextForm};
use crate::names;

/// What the names of a template mean.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Scope<'a> {
    /// The fields of the entity; `None` in a collection, whose members are not known here.
    pub(crate) fields: Option<&'a [Field]>,
    /// Whether the index has `shard(..)`: then `<shard>` is never a field.
    pub(crate) sharded: bool,
}

/// What stands between braces, as other template languages write a field: `{id}` and `${id}` would
/// be the same text in every key.
fn braced(text: &str) -> Option<&str> {
    let (_, behind) = text.split_once('{')?;
    let (inside, _) = behind.split_once('}')?;
    let name = inside.split(':').next().unwrap_or_default();
    names::field(name, proc_macro2::Span::call_site()).map(|_| name)
}

impl Template {
    /// Reads `lit`. Mistakes go to `ctxt`; the segments that could be read are kept.
    pub(crate) fn parse(ctxt: &Ctxt, lit: &LitStr, scope: Scope<'_>) -> Self {
        let text = lit.value();
        if text.is_empty() {
            ctxt.error(
                lit,
                "a key template cannot be empty: write text and fields, as in \
                `\"ORDER#<order_id>\"`",
            );
        }
        let mut template =
            Self { lit: lit.clone(), segments: Vec::new(), is_damaged: text.is_empty() };
        for piece in pieces(&text) {
            match piece {
                Ok(Piece::Literal(text)) => {
                    if let Some(name) = braced(text) {
                        template.is_damaged = true;
                        ctxt.error(
                            lit,
                            format_args!(
                                "`{{{name}}}` is literal text here: a field is written `<{name}>`"
                            ),
                        );
                    }
                    template.segments.push(Segment::Literal(text.to_owned()));
                }
                Ok(Piece::Field(inside)) => match segment(ctxt, lit, inside, scope) {
                    Some(segment) => template.segments.push(segment),
                    None => template.is_damaged = true,
                },
                Err(message) => {
                    template.is_damaged = true;
                    ctxt.error(lit, message);
                }
            }
        }
        template.used_once(ctxt);
        template.rest_is_last(ctxt);
        template
    }

    /// What stands in for a template that was not given; a mistake has been reported.
    pub(crate) fn missing(span: proc_macro2::Span) -> Self {
        Self { lit: LitStr::new("", span), segments: Vec::new(), is_damaged: true }
    }

    pub(crate) fn components(&self) -> impl Iterator<Item = &Component> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Component(component) => Some(component),
            Segment::Literal(_) | Segment::Shard => None,
        })
    }

    /// Whether a key of this partition half fixes the text of a component of the sort half: the
    /// same field, with nothing lost that the other would tell apart.
    pub(crate) fn fixes(&self, other: &Component) -> bool {
        self.components().any(|own| {
            let exact = own.spec.unit.is_none() && !own.spec.lower;
            let alike = own.spec.unit == other.spec.unit && own.spec.lower == other.spec.lower;
            own.name == other.name && (exact || alike)
        })
    }

    pub(crate) fn has_field(&self, field: usize) -> bool {
        self.components().any(|component| component.field == field)
    }

    /// Whether the key attribute may be the field itself: it stands alone and has no spec.
    pub(crate) fn is_field_alone(&self, field: usize) -> bool {
        matches!(
            &self.segments[..],
            [Segment::Component(only)] if only.field == field && only.spec.source.is_empty()
        )
    }

    pub(crate) fn has_shard(&self) -> bool {
        self.segments.contains(&Segment::Shard)
    }

    /// A value has one place in a key: a field, and the shard number, stand in a template once.
    fn used_once(&self, ctxt: &Ctxt) {
        let mut seen = Vec::new();
        for segment in &self.segments {
            let name = match segment {
                Segment::Literal(_) => continue,
                Segment::Component(component) => component.name.as_str(),
                Segment::Shard => "shard",
            };
            if seen.contains(&name) {
                ctxt.error(
                    &self.lit,
                    format_args!("`<{name}>` is used twice in one template: leave one out"),
                );
            }
            seen.push(name);
        }
    }

    /// `:rest` takes everything up to the end of the key, so nothing can follow it.
    fn rest_is_last(&self, ctxt: &Ctxt) {
        let Some((_, before)) = self.segments.split_last() else {
            return;
        };
        for segment in before {
            if let Segment::Component(component) = segment
                && component.spec.text == Some(TextForm::Rest)
            {
                let written = component.written();
                ctxt.error(
                    &self.lit,
                    format_args!(
                        "`{written}` takes the rest of the key: put it last, or write \
                        it without `:rest`"
                    ),
                );
            }
        }
    }
}

impl Component {
    /// As it stands in the template: `<field:spec>`.
    pub(crate) fn written(&self) -> String {
        if self.spec.source.is_empty() {
            format!("<{}>", self.name)
        } else {
            format!("<{}:{}>", self.name, self.spec.source)
        }
    }
}

enum Piece<'a> {
    Literal(&'a str),
    /// What stands between `<` and `>`.
    Field(&'a str),
}

fn pieces(text: &str) -> Vec<Result<Piece<'_>, String>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['<', '>']) {
        let (literal, bracket) = rest.split_at(at);
        if !literal.is_empty() {
            pieces.push(Ok(Piece::Literal(literal)));
        }
        let Some(body) = bracket.strip_prefix('<') else {
            pieces.push(Err(format!(
                "`>` without `<` in the template `{text}`: write fields as `<field>`"
            )));
            rest = &bracket[1..];
            continue;
        };
        let end = body.find(['<', '>']).unwrap_or(body.len());
        let (inside, after) = body.split_at(end);
        if let Some(after) = after.strip_prefix('>') {
            pieces.push(Ok(Piece::Field(inside)));
            rest = after;
        } else {
            pieces.push(Err(format!("`<{inside}` is not closed: write `<{inside}>`")));
            rest = after;
        }
    }
    if !rest.is_empty() {
        pieces.push(Ok(Piece::Literal(rest)));
    }
    pieces
}

fn segment(ctxt: &Ctxt, lit: &LitStr, inside: &str, scope: Scope<'_>) -> Option<Segment> {
    let (name, source) = match inside.split_once(':') {
        Some((name, source)) => (name, Some(source)),
        None => (inside, None),
    };
    if name.is_empty() {
        ctxt.error(
            lit,
            format_args!("`<{inside}>` names no field: write a field's name, as in `<order_id>`"),
        );
        return None;
    }
    let field = scope.fields.and_then(|fields| fields.iter().position(|field| field.name == name));
    if name == "shard" && scope.fields.is_some() && (scope.sharded || field.is_none()) {
        if source.is_some() {
            ctxt.error(
                lit,
                format_args!("`<{inside}>`: the shard number takes no spec: write `<shard>`"),
            );
        }
        return Some(Segment::Shard);
    }
    let spec = source.map_or_else(Spec::default, |source| Spec::parse(ctxt, lit, inside, source));
    Some(Segment::Component(Component {
        field: field.unwrap_or(usize::MAX),
        name: name.to_owned(),
        spec,
    }))
}

#[cfg(test)]
mod tests;
