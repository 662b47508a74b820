//! The words behind a field of a template.

use syn::LitStr;

use crate::ctxt::Ctxt;
use crate::model::{NoneOrder, Spec, TextForm, Unit, Width};
use crate::names;

impl Spec {
    /// Reads `source`, the words of `<inside>` behind the field's name.
    pub(super) fn parse(ctxt: &Ctxt, lit: &LitStr, inside: &str, source: &str) -> Self {
        let mut spec = Self { source: source.to_owned(), ..Self::default() };
        let mut seen: Vec<(&str, Word)> = Vec::new();
        for text in source.split(':') {
            let word = match Word::parse(text, inside) {
                Ok(word) => word,
                Err(message) => {
                    ctxt.error(lit, message);
                    continue;
                }
            };
            if seen.iter().any(|(earlier, _)| *earlier == text) {
                ctxt.error(
                    lit,
                    format_args!("`:{text}` is given twice in `<{inside}>`: write it once"),
                );
            } else if let Some((earlier, _)) =
                seen.iter().find(|(_, earlier)| word.contradicts(*earlier))
            {
                ctxt.error(
                    lit,
                    format_args!(
                        "`:{earlier}` and `:{text}` contradict each other in \
                        `<{inside}>`: write one of them"
                    ),
                );
            } else {
                spec.add(word);
                seen.push((text, word));
            }
        }
        spec
    }

    fn add(&mut self, word: Word) {
        match word {
            Word::Width(width) => self.width = Some(width),
            Word::Text(form) => self.text = Some(form),
            Word::Lower => self.lower = true,
            Word::Unit(unit) => self.unit = Some(unit),
            Word::Desc => self.desc = true,
            Word::Sparse => self.sparse = true,
            Word::None(order) => self.none = Some(order),
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word {
    Width(Width),
    Text(TextForm),
    Lower,
    Unit(Unit),
    Desc,
    Sparse,
    None(NoneOrder),
}

impl Word {
    const ALL: [(&'static str, Self); 19] = [
        ("plain", Self::Width(Width::Plain)),
        ("ordered", Self::Text(TextForm::Ordered)),
        ("raw", Self::Text(TextForm::Raw)),
        ("rest", Self::Text(TextForm::Rest)),
        ("lower", Self::Lower),
        ("s", Self::Unit(Unit::Second)),
        ("ms", Self::Unit(Unit::Milli)),
        ("us", Self::Unit(Unit::Micro)),
        ("ns", Self::Unit(Unit::Nano)),
        ("epoch_s", Self::Unit(Unit::EpochSecond)),
        ("epoch_ms", Self::Unit(Unit::EpochMilli)),
        ("year", Self::Unit(Unit::Year)),
        ("month", Self::Unit(Unit::Month)),
        ("day", Self::Unit(Unit::Day)),
        ("hour", Self::Unit(Unit::Hour)),
        ("desc", Self::Desc),
        ("sparse", Self::Sparse),
        ("none_first", Self::None(NoneOrder::First)),
        ("none_last", Self::None(NoneOrder::Last)),
    ];

    fn parse(text: &str, inside: &str) -> Result<Self, String> {
        if let Some((_, word)) = Self::ALL.iter().find(|(name, _)| *name == text) {
            return Ok(*word);
        }
        if text.is_empty() {
            return Err(format!("`<{inside}>` has an empty spec: leave the `:` out"));
        }
        if text.bytes().all(|byte| byte.is_ascii_digit()) {
            return match text.parse::<u8>() {
                Ok(digits @ 1..=39) if !text.starts_with('0') => {
                    Ok(Self::Width(Width::Digits(digits)))
                }
                _ => Err(format!(
                    "`:{text}` in `<{inside}>` is no width: write the number of \
                        digits, from `:1` to `:39`"
                )),
            };
        }
        let problem = format!("unknown spec `:{text}` in `<{inside}>`");
        let valid = Self::ALL.map(|(name, _)| name);
        Err(names::suggest(&problem, text, "the specs are a number of digits,", &valid))
    }

    /// Whether no type could take both, or one would undo the other.
    ///
    /// Two words of one kind never go together. Widths belong to numbers, forms and `:lower` to
    /// text, units to dates and timestamps. `:desc` needs a fixed width, which neither text nor
    /// `:plain` has.
    fn contradicts(self, other: Self) -> bool {
        use Word::{Desc, Lower, Sparse, Text, Unit, Width};
        // What becomes of an item without a value.
        let missing = |word| matches!(word, Sparse | Word::None(_));
        match (self, other) {
            _ if missing(self) || missing(other) => missing(self) && missing(other),
            (Lower, Text(_)) | (Text(_), Lower) => false,
            (Desc, Unit(_)) | (Unit(_), Desc) => false,
            (Desc, Width(width)) | (Width(width), Desc) => width == crate::model::Width::Plain,
            _ => true,
        }
    }
}
