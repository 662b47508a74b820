use proc_macro2::Span;
use syn::{ItemStruct, parse_quote};

use super::*;
use crate::model::{Unit, Width};

fn fields(names: &[&str]) -> Vec<Field> {
    let item: ItemStruct = parse_quote!(
        struct E {
            x: u8,
        }
    );
    let field = item.fields.iter().next().expect("one field");
    names
        .iter()
        .map(|name| Field {
            ident: syn::parse_str(name).expect("a field name"),
            name: (*name).trim_start_matches("r#").to_owned(),
            ty: field.ty.clone(),
            attribute: Some((*name).to_owned()),
            flatten: false,
            skip: false,
            unread: false,
            alias: false,
            serialize_with: None,
            deserialize_with: None,
        })
        .collect()
}

/// The template of `text` and the messages about it.
fn read(text: &str, names: &[&str], sharded: bool) -> (Template, Vec<String>) {
    let fields = fields(names);
    let ctxt = Ctxt::new();
    let scope = Scope { fields: Some(&fields), sharded };
    let template = Template::parse(&ctxt, &LitStr::new(text, Span::call_site()), scope);
    let messages =
        ctxt.check().err().into_iter().flatten().map(|error| error.to_string()).collect();
    (template, messages)
}

fn good(text: &str) -> Vec<Segment> {
    let (template, messages) = read(text, &["a", "b", "r#type"], false);
    assert_eq!(messages, [""; 0], "{text}");
    template.segments
}

fn component(field: usize, name: &str, spec: Spec) -> Segment {
    Segment::Component(Component { field, name: name.to_owned(), spec })
}

#[test]
fn literals_and_fields() {
    assert_eq!(good("PROFILE"), [Segment::Literal("PROFILE".into())]);
    assert_eq!(good("<a>"), [component(0, "a", Spec::default())]);
    assert_eq!(
        good("X#<a>#<type>"),
        [
            Segment::Literal("X#".into()),
            component(0, "a", Spec::default()),
            Segment::Literal("#".into()),
            component(2, "type", Spec::default()),
        ]
    );
}

#[test]
fn specs() {
    let spec = |source: &str| match good(&format!("<a:{source}>")).remove(0) {
        Segment::Component(component) => component.spec,
        other => panic!("{other:?}"),
    };
    let seconds = spec("s:desc");
    assert_eq!(
        (seconds.unit, seconds.desc, seconds.source.as_str()),
        (Some(Unit::Second), true, "s:desc")
    );
    assert_eq!(spec("4").width, Some(Width::Digits(4)));
    assert_eq!(spec("39:desc").width, Some(Width::Digits(39)));
    assert_eq!(spec("plain").width, Some(Width::Plain));
    let lower = spec("lower:ordered:sparse");
    assert_eq!((lower.text, lower.lower, lower.sparse), (Some(TextForm::Ordered), true, true));
    assert_eq!(spec("rest").text, Some(TextForm::Rest));
    assert_eq!(spec("epoch_ms").unit, Some(Unit::EpochMilli));
}

#[test]
fn the_shard_number() {
    let shard = |names: &[&str], sharded| {
        let (template, messages) = read("<shard>", names, sharded);
        assert_eq!(messages, [""; 0]);
        template.has_shard()
    };
    assert!(shard(&["a"], false));
    assert!(shard(&["a"], true));
    assert!(shard(&["shard"], true));
    assert!(!shard(&["shard"], false));
}

#[test]
fn mistakes() {
    for (text, expected) in [
        ("", "cannot be empty"),
        ("A#<a", "`<a` is not closed: write `<a>`"),
        ("A#<a<b>", "`<a` is not closed"),
        ("A#a>", "`>` without `<`"),
        ("<>", "`<>` names no field"),
        ("<:s>", "`<:s>` names no field"),
        ("<a:>", "empty spec"),
        ("<a:s:>", "empty spec"),
        ("<a:0>", "`:0` in `<a:0>` is no width"),
        ("<a:40>", "from `:1` to `:39`"),
        ("<a:04>", "is no width"),
        ("<a:999999999999999999999>", "is no width"),
        ("<a:spares>", "unknown spec `:spares` in `<a:spares>`, did you mean `sparse`?"),
        ("<a:none_first:sparse>", "`:none_first` and `:sparse` contradict each other"),
        ("<a:s:s>", "`:s` is given twice"),
        ("<a:s:ms>", "`:s` and `:ms` contradict each other"),
        ("<a:3:4>", "contradict"),
        ("<a:3:s>", "contradict"),
        ("<a:raw:ordered>", "contradict"),
        ("<a:rest:raw>", "contradict"),
        ("<a:lower:s>", "contradict"),
        ("<a:plain:desc>", "contradict"),
        ("<a:raw:desc>", "contradict"),
        ("<a>#<a:s>", "`<a>` is used twice"),
        ("<shard>#<shard>", "`<shard>` is used twice"),
        ("<shard:4>", "takes no spec"),
        ("<a:rest>#<b>", "`<a:rest>` takes the rest of the key"),
    ] {
        let (_, messages) = read(text, &["a", "b"], false);
        assert_eq!(messages.len(), 1, "{text}: {messages:?}");
        assert!(messages[0].contains(expected), "{text}: {messages:?}");
    }
}

#[test]
fn odd_text_does_not_panic() {
    for text in ["<ü>", "é<a>é", "<<<>>>", ">>", "<a:é>", "<a::::>", "<\0>", "日<本"] {
        read(text, &["a"], false);
    }
}

#[test]
fn unknown_names_are_kept() {
    let (template, _) = read("<c>", &["a"], false);
    assert_eq!(template.segments, [component(usize::MAX, "c", Spec::default())]);
}
