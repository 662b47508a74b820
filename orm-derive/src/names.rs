//! Names in messages: the nearest valid one, lists of valid ones, and what an identifier is.

use proc_macro2::{Ident, Span};
use syn::ext::IdentExt;

/// `problem`, then the name among `valid` nearest to `name` if one is near, then all of them after
/// `heading`: ``unknown field `dat`, did you mean `date`? the fields are `date`, `total` ``.
pub(crate) fn suggest(problem: &str, name: &str, heading: &str, valid: &[&str]) -> String {
    if valid.is_empty() {
        return problem.to_owned();
    }
    let list = list(valid);
    match nearest(name, valid) {
        Some(near) => format!("{problem}, did you mean `{near}`? {heading} {list}"),
        None => format!("{problem}; {heading} {list}"),
    }
}

/// `` `a`, `b` ``.
pub(crate) fn list(names: &[&str]) -> String {
    let quoted: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
    quoted.join(", ")
}

/// The candidate that `name` is most likely a misspelling of: at most a third of its letters
/// differ, or its case only. Single letters are no misspellings of each other.
pub(crate) fn nearest<'a>(name: &str, candidates: &[&'a str]) -> Option<&'a str> {
    let limit = name.chars().count().max(3) / 3;
    let lower = name.to_lowercase();
    candidates
        .iter()
        .map(|candidate| (distance(&lower, &candidate.to_lowercase()), *candidate))
        .filter(|(distance, candidate)| *distance <= limit && *distance < candidate.len())
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// `text` as an identifier at `span`; `None` if it is none, or a keyword.
pub(crate) fn identifier(text: &str, span: Span) -> Option<Ident> {
    if !is_word(text) {
        return None;
    }
    let mut ident = syn::parse_str::<Ident>(text).ok()?;
    ident.set_span(span);
    Some(ident)
}

/// `text` as a field at `span`, which may be a keyword (`r#type` is written `<type>`); `None` if it
/// is none.
pub(crate) fn field(text: &str, span: Span) -> Option<Ident> {
    let raw = || {
        let mut ident = syn::parse_str::<Ident>(&format!("r#{text}")).ok()?;
        ident.set_span(span);
        Some(ident)
    };
    identifier(text, span).or_else(|| is_word(text).then(raw).flatten())
}

/// Letters, digits and `_` alone, not starting with a digit: text that the lexer takes without
/// complaint.
fn is_word(text: &str) -> bool {
    text.chars().all(|c| c == '_' || c.is_alphanumeric()) && !text.starts_with(char::is_numeric)
}

/// The optimal string alignment distance: insertions, deletions, substitutions and swaps of
/// neighbours.
fn distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let substitution = last[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut best = substitution.min(last[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                let swap: usize = before[j - 2];
                best = best.min(swap + 1);
            }
            row.push(best);
        }
        before = last;
        last = row;
    }
    last[b.len()]
}

/// `by_status` of `Order` returns an `OrderByStatus`.
pub(crate) fn builder(entity: &Ident, pattern: &Ident) -> Ident {
    let camel: String = pattern
        .unraw()
        .to_string()
        .split('_')
        .flat_map(|word| {
            let mut letters = word.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters)
        })
        .collect();
    quote::format_ident!("{entity}{camel}", span = pattern.span())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances() {
        for (a, b, expected) in [
            ("", "", 0),
            ("", "abc", 3),
            ("date", "date", 0),
            ("date", "dat", 1),
            ("date", "adte", 1),
            ("sparse", "spares", 1),
            ("straße", "strase", 1),
        ] {
            assert_eq!(distance(a, b), expected, "{a} {b}");
            assert_eq!(distance(b, a), expected, "{b} {a}");
        }
    }

    #[test]
    fn nearest_names() {
        let fields = ["customer_id", "order_id", "date", "s"];
        assert_eq!(nearest("custmer_id", &fields), Some("customer_id"));
        assert_eq!(nearest("DATE", &fields), Some("date"));
        assert_eq!(nearest("dtae", &fields), Some("date"));
        assert_eq!(nearest("total", &fields), None);
        assert_eq!(nearest("date", &[]), None);
    }

    #[test]
    fn suggestions() {
        assert_eq!(
            suggest("unknown field `dat`", "dat", "the fields are", &["date", "total"]),
            "unknown field `dat`, did you mean `date`? the fields are `date`, `total`"
        );
        assert_eq!(
            suggest("unknown field `x`", "x", "the fields are", &["date"]),
            "unknown field `x`; the fields are `date`"
        );
        assert_eq!(suggest("unknown field `x`", "x", "the fields are", &[]), "unknown field `x`");
    }

    #[test]
    fn identifiers() {
        let span = Span::call_site();
        assert!(identifier("by_status", span).is_some());
        for text in ["", "_", "type", "1a", "a b", "a-b", "a/*c*/", "r#type", "a\"", "a "] {
            assert!(identifier(text, span).is_none(), "{text}");
        }
        let is_field = |text| field(text, span).is_some();
        assert!(["type", "a1"].into_iter().all(is_field));
        assert!(["", "a b", "self"].into_iter().all(|text| !is_field(text)));
    }
}
