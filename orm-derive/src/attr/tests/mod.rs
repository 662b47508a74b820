mod entity;

use syn::{DeriveInput, parse_quote};

use crate::ctxt::Ctxt;
use crate::model::{CollectionModel, KeyPartModel, KeyType, Projection, Segment, TableModel};

/// The model of `input` and the messages about it.
fn read<T>(
    from: fn(&Ctxt, &DeriveInput) -> Option<T>,
    input: &DeriveInput,
) -> (Option<T>, Vec<String>) {
    let ctxt = Ctxt::new();
    let model = from(&ctxt, input);
    (model, ctxt.check().err().into_iter().flatten().map(|error| error.to_string()).collect())
}

fn good<T>(from: fn(&Ctxt, &DeriveInput) -> Option<T>, input: &DeriveInput) -> T {
    let (model, messages) = read(from, input);
    assert_eq!(messages, [""; 0]);
    model.expect("a model")
}

/// Each of `expected` is in one message, and there are no others.
#[track_caller]
fn bad<T>(from: fn(&Ctxt, &DeriveInput) -> Option<T>, input: &DeriveInput, expected: &[&str]) {
    let (_, messages) = read(from, input);
    assert_eq!(messages.len(), expected.len(), "{messages:#?}");
    for expected in expected {
        assert!(
            messages.iter().any(|message| message.contains(expected)),
            "{expected}: {messages:#?}"
        );
    }
}

#[test]
fn a_table() {
    let model = good(
        TableModel::from_input,
        &parse_quote! {
            #[table(pk = "PK", sk = ("SK", N), entities(Order, a::Line<u8, u8>), type_attribute = "_et", ttl = "exp", crate = crate)]
            #[gsi(gsi1, pk = "A", sk = ("B", B), projection = include("x", "y"))]
            #[lsi("by-date", sk = "D", projection = keys_only)]
            #[gsi(inverted, pk = ("SK", N), sk = "PK")]
            pub struct Shop;
        },
    );
    assert_eq!(model.sk.map(|sk| sk.ty), Some(KeyType::N));
    assert_eq!(model.entities.len(), 2);
    let names: Vec<_> = model.indexes.iter().map(|index| index.name.value()).collect();
    assert_eq!(names, ["gsi1", "by-date", "inverted"]);
    assert!(matches!(&model.indexes[0].projection, Projection::Include(names) if names.len() == 2));
    assert!(model.indexes[1].local && model.indexes[1].pk.is_empty());
}

#[test]
fn mistakes_in_a_table() {
    let table = TableModel::from_input;
    bad(table, &parse_quote! { struct Shop; }, &["`#[table(..)]` is missing"]);
    bad(table, &parse_quote! { #[table] struct Shop; }, &["is missing"]);
    bad(table, &parse_quote! { #[table(sk = "SK")] struct Shop; }, &["has no `pk`"]);
    bad(
        table,
        &parse_quote! { #[table(pk = "PK", pk = "P", entity(A), sk = ("SK", X))] struct Shop<T> { x: T } },
        &[
            "a table is a unit struct",
            "a table cannot be generic",
            "`pk` is given twice",
            "unknown attribute `entity`",
            "unknown key type `X`",
        ],
    );
    bad(
        table,
        &parse_quote! {
            #[table(pk = "PK", entities(A, B, A), type_attribute = "PK", ttl = "")]
            #[gsi(g, pk = "PK", sk = "PK", projection = key_only)]
            #[gsi("by status", pk = ("PK", N))]
            #[lsi(lsi1, pk = "PK", sk = "X", projection = include())]
            #[lsi(lsi1)]
            #[gsi(pk = "PK")]
            struct Shop;
        },
        &[
            "`ttl` cannot be empty",
            "unknown projection `key_only`, did you mean `keys_only`?",
            "shares the table's partition key",
            "names at least one attribute",
            "a local index has a sort key of its own",
            "an index has a name",
            "3 to 255 characters",
            "only letters from a to z",
            "two indexes are called `lsi1`",
            "only a table with a sort key",
            "`PK` is the partition key already",
            "`PK` is of type `S` above and `N` here",
            "`PK` is a key attribute",
            "`A` is listed twice",
        ],
    );
}

#[test]
fn an_item_collection() {
    let input = parse_quote! {
        #[collection(table = Shop, pk = "ORDER#<order_id>#<type:lower>", crate = "a::b")]
        struct Page { order: Order, lines: Vec<Line> }
    };
    let model = good(CollectionModel::from_input, &input);
    assert_eq!(model.members.len(), 2);
    let partition = model.partition.unwrap();
    assert_eq!(partition.pattern, "by_order_id_and_type");
    assert!(
        matches!(&partition.pk.segments[1], Segment::Component(c) if c.field == usize::MAX && c.name == "order_id")
    );
    bad(
        CollectionModel::from_input,
        &parse_quote! { #[collection(table = Shop, pk = "O#<order id>", name = "type")] struct Page<'a> {} },
        &[
            "cannot be generic",
            "at least one member",
            "cannot be a field",
            "`type` cannot name a function",
        ],
    );
    bad(CollectionModel::from_input, &parse_quote! { struct Page { a: A } }, &["is missing"]);
    bad(
        CollectionModel::from_input,
        &parse_quote! { enum Page { A } },
        &["`A` holds nothing", "is missing"],
    );
}

#[test]
fn key_parts() {
    let model = good(
        KeyPartModel::from_input,
        &parse_quote! {
            #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
            enum Status { VeryNew, #[serde(rename = "gone")] Shipped, #[key(as = "10")] #[serde(rename = "x")] Ten }
        },
    );
    let KeyPartModel::Enum { variants, .. } = model else { panic!("{model:?}") };
    let names: Vec<_> = variants.iter().map(|(_, name)| name.as_str()).collect();
    assert_eq!(names, ["VERY_NEW", "gone", "10"]);

    let model = good(
        KeyPartModel::from_input,
        &parse_quote! { #[key(crate = crate)] struct Id<'a>(Cow<'a, str>); },
    );
    assert!(matches!(model, KeyPartModel::Newtype { member: syn::Member::Unnamed(_), .. }));

    let key = KeyPartModel::from_input;
    bad(key, &parse_quote! { struct Id; }, &["one field or an enum"]);
    bad(key, &parse_quote! { struct Id(u8, u8); }, &["one field or an enum"]);
    bad(key, &parse_quote! { enum Id {} }, &["at least one variant"]);
    bad(
        key,
        &parse_quote! {
            #[serde(rename_all = "snakecase")]
            enum Status<T> { A(T), #[key(as = "B")] X, B, #[key(as = "")] C, #[key(name = "D")] D, #[serde(rename(serialize = "e"))] E }
        },
        &[
            "unknown case `snakecase`, did you mean `snake_case`?",
            "cannot be generic",
            "unit variants only",
            "both stored as `B`",
            "`C` has an empty name",
            "unknown attribute `name`",
            "serde writes `e` and reads `E`",
        ],
    );
}
