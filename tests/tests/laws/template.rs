//! A template read from its text, for the parser that recognises stored keys.

use monotable::key::PartKind;
use monotable::private::{Follow, NoneOrder, Part, Segment, Spec, Template, TextForm, Unit, Width};

/// `kind_of` knows the fields; templates of tests are few and live as long as the process.
pub fn template(text: &'static str, kind_of: impl Fn(&str) -> PartKind) -> Template {
    let mut segments = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        if let Some(inside) = rest.strip_prefix('<') {
            let (inside, tail) = inside.split_once('>').unwrap();
            let follow = match tail.bytes().next() {
                None => Follow::End,
                Some(b'<') => Follow::Component,
                Some(byte) => Follow::Literal(byte),
            };
            let (field, words) = inside.split_once(':').unwrap_or((inside, ""));
            let (kind, spec) = (kind_of(field), spec(words));
            segments.push(Segment::Part(Part { field, kind, spec, follow, optional: false }));
            rest = tail;
        } else {
            let (literal, tail) = rest.split_at(rest.find('<').unwrap_or(rest.len()));
            segments.push(Segment::Literal(literal));
            rest = tail;
        }
    }
    Template { text, segments: segments.leak() }
}

fn spec(words: &str) -> Spec {
    let mut spec = Spec::NONE;
    for word in words.split(':').filter(|word| !word.is_empty()) {
        match word {
            "plain" => spec.width = Some(Width::Plain),
            "ordered" => spec.text = TextForm::Ordered,
            "raw" => spec.text = TextForm::Raw,
            "rest" => spec.text = TextForm::Rest,
            "lower" => spec.lower = true,
            "desc" => spec.desc = true,
            "none_first" => spec.none = Some(NoneOrder::First),
            "none_last" => spec.none = Some(NoneOrder::Last),
            "s" => spec.unit = Some(Unit::Second),
            "ms" => spec.unit = Some(Unit::Milli),
            "us" => spec.unit = Some(Unit::Micro),
            "ns" => spec.unit = Some(Unit::Nano),
            "epoch_s" => spec.unit = Some(Unit::EpochSecond),
            "epoch_ms" => spec.unit = Some(Unit::EpochMilli),
            "year" => spec.unit = Some(Unit::Year),
            "month" => spec.unit = Some(Unit::Month),
            "day" => spec.unit = Some(Unit::Day),
            "hour" => spec.unit = Some(Unit::Hour),
            digits => spec.width = Some(Width::Digits(digits.parse().unwrap())),
        }
    }
    spec
}
