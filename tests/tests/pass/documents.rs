//! Documents inside of documents.

use monotable::{Document, Entity, Table};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::paths::table;

#[derive(Table)]
#[table(pk = "PK", entities(Tree, Envelope<Leaf>))]
struct Forest;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
struct Node {
    name: String,
    left: Option<Box<Self>>,
    boxed: Box<Leafless>,
    children: Vec<Self>,
    named: BTreeMap<String, Self>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
struct Leafless {
    name: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Forest, pk = "TREE#<id>")]
struct Tree {
    id: String,
    root: Node,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
struct Leaf {
    color: String,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
struct Wrapped<T>
where
    T: Clone,
{
    inner: T,
    count: u32,
    more: Vec<Self>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Entity)]
#[entity(table = Forest, pk = "ENVELOPE#<id>")]
struct Envelope<T: Clone> {
    id: String,
    body: T,
    replies: Vec<Self>,
    wrapped: Wrapped<T>,
}

mod inside {
    use monotable::Document;
    use serde::{Deserialize, Serialize};

    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
    #[document(crate = monotable)]
    pub(super) struct Hidden {
        pub(super) seen: u32,
        unseen: Private,
    }

    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, Document)]
    struct Private {
        deep: u32,
    }

    #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, monotable::Entity)]
    #[entity(table = super::Forest, pk = "HIDDEN#<id>", allow(unlisted))]
    pub(super) struct Holder {
        pub(super) id: String,
        pub(super) hidden: Hidden,
    }

    pub(super) fn deep(forest: &monotable::Table<super::Forest>) -> String {
        let update = forest.update(Holder::key("h")).change(|h| h.hidden.unseen.deep.add(1));
        format!("{update:?}")
    }
}

#[test]
fn they_may_be_recursive() {
    let forest = table::<Forest>();
    let update = forest
        .update(Tree::key("t"))
        .change(|t| t.root.children.at(0).boxed.name.set("leaf"))
        .change(|t| t.root.named.entry("a").name.set("leaf"))
        .condition(|t| t.root.left.left.name.eq("leaf") & t.root.left.exists())
        .condition(|t| {
            t.root.boxed.name.eq("root") & t.root.children.at(2).named.entry("b").missing()
        });
    assert!(update.explain().is_ok());
}

#[test]
fn they_may_have_type_parameters() {
    let forest = table::<Forest>();
    let update = forest
        .update(Envelope::<Leaf>::key("e"))
        .change(|e| (e.body.color.set("red"), e.wrapped.more.at(1).inner.color.set("red")))
        .change(|e| e.wrapped.count.add(1));
    assert!(update.explain().is_ok());
    let text = forest.update(Envelope::<u8>::key("e")).change(|e| e.body.add(1));
    assert!(text.explain().is_ok());
}

#[test]
fn they_may_be_private() {
    let forest = table::<Forest>();
    assert!(inside::deep(&forest).contains("deep"));
    let seen = forest.update(inside::Holder::key("h")).change(|h| h.hidden.seen.add(1));
    assert!(format!("{seen:?}").contains("seen"));
}
