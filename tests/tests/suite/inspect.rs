use aws_sdk_dynamodb::types::AttributeValue;
use monotable::{Entity, Inspection};
use tests::models::library::{Library, Note, book};

fn text(text: &str) -> AttributeValue {
    AttributeValue::S(text.into())
}

fn inspect(change: impl FnOnce(&mut monotable::Item)) -> Inspection {
    let mut item = book(7, "Zen").to_item().unwrap();
    change(&mut item);
    Library::inspect(&item)
}

#[test]
fn what_a_put_writes_is_faithful() {
    let report = inspect(|_| ());
    assert!(report.is_faithful(), "{report}");
    assert_eq!(report.entity, Some("Book"));
    assert_eq!(report.keys[1].stored, report.keys[1].rendered);
}

#[test]
fn a_key_stored_otherwise_is_a_problem() {
    let report = inspect(|item| drop(item.insert("SK".into(), text("BOOK#7"))));
    assert!(!report.is_faithful());
    assert_eq!(report.entity, Some("Book"), "by the type attribute");
    let expected =
        "`SK` is stored as `BOOK#7` (S), and the template `BOOK#<id:6>` writes `BOOK#000007` (S)";
    assert_eq!(report.problems, [expected]);
}

#[test]
fn what_a_put_would_lose_or_change_is_named() {
    let report = inspect(|item| {
        item.insert("legacy".into(), text("x"));
        item.insert("isbn".into(), AttributeValue::Null(true));
        item.insert("GSI1PK".into(), text("DUE#north"));
        item.insert("empty".into(), AttributeValue::Null(true));
    });
    assert_eq!(report.unknown, ["GSI1PK", "legacy"]);
    assert_eq!(report.changed, ["empty"]);
    assert!(!report.is_faithful());
    let shown = report.to_string();
    assert!(shown.contains("lost by a put: GSI1PK, legacy"), "{shown}");

    let note = Note { branch: "north".into(), reader: "r1".into(), id: 7, text: "x".into() };
    let mut item = note.to_item().unwrap();
    item.insert("_et".into(), text("memo"));
    let report = Library::inspect(&item);
    assert_eq!((report.entity, &report.changed[..]), (Some("Note"), &["_et".to_owned()][..]));
}

#[test]
fn strangers_are_told_why() {
    let report = inspect(|item| drop(item.insert("_et".into(), text("Magazine"))));
    assert_eq!(report.entity, Some("Book"), "by its key");
    assert!(report.problems[0].contains("`Magazine`"), "{report}");
    let report = inspect(|item| {
        item.remove("_et");
        item.insert("SK".into(), text("MAGAZINE#7"));
    });
    assert_eq!(report.entity, None);
    assert!(report.problems[0].contains("`BRANCH#north + MAGAZINE#7`"), "{report}");
    let report = inspect(|item| drop(item.remove("title")));
    assert!(report.problems[0].contains("`title`"), "{report}");
    assert!(Library::inspect(&monotable::Item::new()).problems[0].contains("key attributes"));
}
