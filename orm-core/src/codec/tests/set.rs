use super::*;

#[derive(Debug, PartialEq, Serialize, Deserialize)]
struct Marked {
    #[serde(with = "serde_dynamo::string_set")]
    names: Vec<String>,
    #[serde(with = "serde_dynamo::number_set")]
    sizes: Vec<f64>,
    #[serde(with = "serde_dynamo::binary_set")]
    blobs: Vec<Bytes>,
}

#[test]
fn sets() {
    let marked = Marked {
        names: vec!["b".into(), "a".into()],
        sizes: vec![1.0, 0.5],
        blobs: vec![Bytes::from([1])],
    };
    let stored: HashMap<String, AttributeValue> = serde_dynamo::to_item(&marked).expect("an item");
    assert_eq!(to_item(&marked, &[]).as_ref(), Ok(&stored));
    assert_eq!(from_item(stored), Ok(marked));
    let twice = serde_dynamo::number_set::NumberSet([1.0, 2.0, 1.0]);
    assert_eq!(to_value(&twice), Ok(Ns(vec!["1".into(), "2".into()])));

    let numbers = Set::from(
        ["1".parse::<Number>(), "1.0".parse(), "1E1".parse()].map(Result::unwrap_or_default),
    );
    same(numbers, Ns(vec!["1".into(), "10".into()]));
    assert_eq!(from_value(L(vec![n("2"), n("1"), n("2")])), Ok(Set::from([1, 2])));
    let json = serde_json::to_string(&Set::from([2, 1])).expect("JSON");
    assert_eq!(json, "[1,2]");
    assert_eq!(serde_json::from_str::<Set<u8>>(&json).ok(), Some(Set::from([1, 2])));

    unwritten(
        [Set::<u8>::new()],
        "attribute `[0]`: DynamoDB has no empty set; an empty set is only left out of a struct field",
    );
    unwritten(
        Set::<u8>::new(),
        "DynamoDB has no empty set; an empty set is only left out of a struct field",
    );
    unwritten(
        serde_dynamo::string_set::StringSet([1]),
        "attribute `[0]`: expected a string in a set, found N",
    );
    unwritten(serde_dynamo::string_set::StringSet(1), "expected a sequence for a set, found N");
    unread::<Set<String>>(Ns(vec!["1".into()]), "attribute `[0]`: expected a string, found N");
    unread::<Set<String>>(s("x"), "expected a set, found S");
}
