//! What DynamoDB asks of the placeholders of a request, and engines may not: each is defined once and
//! used, no map is empty, and every attribute name has one, since any may be a reserved word.

use serde_json::{Map, Value};

const EXPRESSIONS: &[&str] = &[
    "ConditionExpression",
    "FilterExpression",
    "KeyConditionExpression",
    "ProjectionExpression",
    "UpdateExpression",
];

const WORDS: &[&str] = &[
    "ADD",
    "AND",
    "BETWEEN",
    "DELETE",
    "IN",
    "NOT",
    "OR",
    "REMOVE",
    "SET",
    "attribute_exists",
    "attribute_not_exists",
    "attribute_type",
    "begins_with",
    "contains",
    "if_not_exists",
    "list_append",
    "size",
];

/// What is wrong in a request's body.
pub fn problems(body: &Value) -> Vec<String> {
    let mut problems = Vec::new();
    check(body, &mut problems);
    problems
}

fn check(body: &Value, problems: &mut Vec<String>) {
    match body {
        Value::Object(object) => {
            if object.keys().any(|key| key.contains("Expression")) {
                check_object(object, problems);
            }
            // Attributes may be called anything.
            let attributes = ["Item", "Key", "Keys", "ExclusiveStartKey"];
            let mut parts = object.iter().filter(|(key, _)| !attributes.contains(&key.as_str()));
            parts.by_ref().for_each(|(_, part)| check(part, problems));
        }
        Value::Array(parts) => parts.iter().for_each(|part| check(part, problems)),
        _ => {}
    }
}

fn check_object(object: &Map<String, Value>, problems: &mut Vec<String>) {
    let texts: Vec<&str> =
        EXPRESSIONS.iter().filter_map(|name| object.get(*name)?.as_str()).collect();
    let tokens: Vec<&str> = texts.iter().flat_map(|text| tokens(text)).collect();
    for (map, sign) in [("ExpressionAttributeNames", '#'), ("ExpressionAttributeValues", ':')] {
        let used = tokens.iter().filter(|token| token.starts_with(sign));
        let defined = object.get(map).and_then(Value::as_object);
        for token in used {
            if !defined.is_some_and(|defined| defined.contains_key(*token)) {
                problems.push(format!("`{token}` is not defined in {object:?}"));
            }
        }
        let Some(defined) = defined else { continue };
        if defined.is_empty() {
            problems.push(format!("`{map}` is empty in {object:?}"));
        }
        for (at, (placeholder, value)) in defined.iter().enumerate() {
            if !tokens.contains(&placeholder.as_str()) {
                problems.push(format!("`{placeholder}` is not used in {object:?}"));
            }
            // A value may have another placeholder in a key condition.
            let other = defined.iter().take(at).find(|(_, other)| *other == value);
            if let Some((other, _)) = other.filter(|_| sign == '#' && !is_chosen(placeholder)) {
                problems.push(format!("`{placeholder}` and `{other}` are one in {object:?}"));
            }
        }
    }
    for token in tokens {
        let is_number = token.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number && !token.starts_with(['#', ':']) && !WORDS.contains(&token) {
            problems.push(format!("`{token}` is written out in {texts:?}"));
        }
    }
}

/// Those of key conditions and raw conditions are not numbered.
fn is_chosen(placeholder: &str) -> bool {
    ["#pk", "#sk"].contains(&placeholder) || placeholder.starts_with("#raw")
}

fn tokens(text: &str) -> Vec<&str> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || "_#:".contains(c);
    text.split(|c| !is_part(c)).filter(|token| !token.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_rule_is_checked() {
        let with = |text: &str, names: Value, values: Value| {
            problems(&json!({
                "TransactItems": [{ "Update": {
                    "UpdateExpression": text,
                    "ExpressionAttributeNames": names,
                    "ExpressionAttributeValues": values,
                } }],
            }))
            .len()
        };
        let values = || json!({ ":a": { "N": "1" } });
        assert_eq!(with("SET #a = :a", json!({ "#a": "x" }), values()), 0);
        assert_eq!(with("SET #a = :a", json!({ "#a": "x", "#b": "y" }), values()), 1);
        assert_eq!(with("SET #a = :b", json!({ "#a": "x" }), values()), 2);
        assert_eq!(with("SET #aa = :a", json!({ "#a": "x" }), values()), 2);
        assert_eq!(with("REMOVE #a", json!({ "#a": "x" }), json!({})), 1);
        assert_eq!(with("SET #a = :a, #b = :a", json!({ "#a": "x", "#b": "x" }), values()), 1);
        assert_eq!(with("SET name = :a", json!({}), values()), 2);
    }
}
