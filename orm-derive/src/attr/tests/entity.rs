use quote::ToTokens;
use syn::{Pat, parse_quote};

use super::{bad, good};
use crate::model::EntityModel;

#[test]
fn an_entity() {
    let model = good(
        EntityModel::from_input,
        &parse_quote! {
            #[entity(table = Shop, pk = "ORDER#<order_id>", sk = "META", type_name = "order", type_alias("o"),
                attributes("v" = "1"), null(note), allow(hot_partition = "few", overlap(Line, a::Other)))]
            #[index(gsi1, pk = "STATUS#<status>#<shard>", sk = "<placed_at:s>#<order_id>",
                shard(by = order_id, count = 10), only_when(status = Status::Pending | Status::Packed, r#type = Some(_)))]
            #[index("by-date", sk = "<placed_at:s:desc>", name = "latest", allow(hot_partition = "why"))]
            #[index(gsi2, pk = "T#<type>#<status>")]
            #[serde(rename_all = "camelCase", deny_unknown_fields)]
            pub struct Order<T> {
                order_id: String,
                status: Status,
                #[serde(rename = "at", with = "iso::seconds", skip_serializing_if = "Option::is_none")]
                placed_at: DateTime<Utc>,
                r#type: Option<String>,
                #[serde(skip)]
                cache: u8,
                #[serde(flatten)]
                rest: T,
                note: Option<String>,
            }
        },
    );
    let attributes: Vec<_> = model.fields.iter().map(|field| field.attribute.as_deref()).collect();
    assert_eq!(
        attributes,
        [Some("orderId"), Some("status"), Some("at"), Some("type"), None, None, Some("note")]
    );
    let with = model.fields[2].serialize_with.to_token_stream().to_string();
    assert_eq!(with, "iso :: seconds :: serialize");
    assert_eq!(model.pattern, "by_order_id");
    assert_eq!((model.nulls, model.allow.overlap.len()), (vec![6], 2));
    let patterns: Vec<_> =
        model.indexes.iter().flat_map(|index| &index.pattern).map(ToString::to_string).collect();
    assert_eq!(patterns, ["by_status", "latest", "by_type_and_status"]);
    let gsi1 = &model.indexes[0];
    let shard = gsi1.shard.as_ref().expect("shards");
    assert_eq!((&shard.by, shard.count, shard.read), (&vec![0], 10, 10));
    assert_eq!(gsi1.only_when.iter().map(|condition| condition.field).collect::<Vec<_>>(), [1, 3]);
    assert!(matches!(gsi1.only_when[0].pat, Pat::Or(_)));
    assert_eq!(model.indexes[1].index.value(), "by-date");
}

#[test]
fn shapes_of_an_entity() {
    let entity = EntityModel::from_input;
    bad(entity, &parse_quote! { enum E { A } }, &["`E` is an enum"]);
    bad(entity, &parse_quote! { struct E(u8); }, &["`E` is a tuple struct"]);
    bad(entity, &parse_quote! { struct E { a: u8 } }, &["`#[entity(..)]` is missing"]);
    bad(entity, &parse_quote! { #[entity(table = T)] struct E { a: u8 } }, &["has no `pk`"]);
    bad(
        entity,
        &parse_quote! {
            #[entity(table = T, pk = "<a>#<b>")]
            #[serde(into = "X")]
            struct E<'a, T, const N: usize> { a: Vec<T>, b: u8, c: T }
        },
        &[
            "remove `#[serde(into)]`",
            "instead of a lifetime",
            "constant parameter",
            "cannot have a generic type",
        ],
    );
}

#[test]
fn mistakes_in_settings() {
    let entity = EntityModel::from_input;
    bad(
        entity,
        &parse_quote! {
            #[entity(table = T, pk = 5, verison = v, "x", name = "a b", null(), allow(hot_partition, other), type_name = "")]
            #[entity(table = U, attributes("a" = "1", "a" = "2", "b" "3"), type_alias("x" "y"))]
            #[index(i1, pk = 7, sk = "<b>")]
            #[index(i2, shard(by = z, count = 0), pk = "<b>#<shard>", only_when(z = 1, b = , b = 2, b = 3))]
            #[index(i3, shard(by = (a, b)), pk = "<b:lower>#<shard>", name = "i3")]
            struct E { a: u8, b: u8 }
        },
        &[
            "expected string literal",
            "unknown attribute `verison`",
            "expected a setting",
            "`null` lists nothing",
            "needs a reason",
            "unknown attribute `other`",
            "`type_name` cannot be empty",
            "`table` is given twice",
            "expected `=`",
            "expected `,`",
            "expected string literal",
            "unknown field `z`",
            "unknown field `z`",
            "at least one shard",
            "expected",
            "`b` is given twice in `only_when(..)`",
            "has no `count`",
            "`a` is not in the primary key",
            "`b` is not in the primary key",
            "`a b` cannot name a function",
            "`a` is given twice in `attributes(..)`",
            "attribute `a` is where field `a` is stored",
            "attribute `a` is where field `a` is stored",
        ],
    );
}

#[test]
fn rules_over_fields() {
    bad(
        EntityModel::from_input,
        &parse_quote! {
            #[entity(table = T, pk = "<custmer>#<skipped>#<flat>#<shard>", sk = "<unread:sparse>", null(due))]
            #[index(i1, pk = "<due:sparse>#<k:desc>#<r:rest>", sk = "<shard>")]
            struct E {
                customer: u8,
                #[serde(skip_serializing)] skipped: u8,
                #[serde(flatten)] flat: u8,
                #[serde(skip_deserializing)] unread: u8,
                due: Option<u8>, k: u8, r: u8,
                #[serde(rename = "k")] l: u8,
                #[serde(rename = "")] m: u8,
                #[serde(rename(serialize = "x", deserialize = "y"))] n: u8,
            }
        },
        &[
            "unknown field `custmer` in the partition key, did you mean `customer`?",
            "`skipped` is not written",
            "`flat` is flattened",
            "`unread` is not read back",
            "`<shard>` cannot stand in the partition key:",
            "`<shard>` cannot stand in the sort key of index `i1`",
            "cannot be sparse in the sort key",
            "always sparse",
            "without `:desc`",
            "`:rest` is for sort keys",
            "cannot be NULL",
            "both stored as attribute `k`",
            "empty attribute name",
            "one stored name, but serde writes `x` and reads `y`",
        ],
    );
}

#[test]
fn rules_over_indexes_and_patterns() {
    bad(
        EntityModel::from_input,
        &parse_quote! {
            #[entity(table = T, pk = "A#<a>", sk = "<d>#<d_range>#<erase>#<a>")]
            #[index(i1, pk = "B#<a>")]
            #[index(i1, pk = "C")]
            #[index(i2)]
            #[index(i3, sk = "<d>")]
            #[index(i4, pk = "<d>#<shard>", name = "key")]
            #[index(i5, pk = "<d>", shard(by = a, count = 3))]
            struct E { a: u8, d: u8, d_range: u8, erase: u8 }
        },
        &[
            "both need a method `d_range`",
            "needs a method `erase`",
            "two patterns are called `by_a`, that of the table and that of index `i1`",
            "index `i1` is given twice",
            "takes its name from the fields",
            "index `i2` has no template",
            "index `i3` has no `pk` template",
            "`<shard>` needs to know how many",
            "every entity has a function `key`",
            "needs a place in the partition key",
        ],
    );
}

#[test]
fn a_field_called_shard() {
    let model = good(
        EntityModel::from_input,
        &parse_quote! {
            #[entity(table = T, pk = "<shard>", sk = "<id>")]
            #[index(i1, pk = "<a>#<shard>", shard(by = (shard, id), count = 3, read = 7))]
            struct E { shard: u8, id: u8, a: u8 }
        },
    );
    assert!(!model.pk.has_shard());
    assert!(model.indexes[0].pk[0].has_shard());
    assert_eq!(model.indexes[0].shard.as_ref().map(|shard| shard.read), Some(7));
}
