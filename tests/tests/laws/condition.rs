//! Evaluates the key condition of a Query as DynamoDB documents it, from the request's JSON.
//! <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Query.KeyConditionExpressions.html>

use monotable::Error;
use monotable::op::Explanation;
use serde_json::Value;

/// The parsed condition of one request.
#[derive(Debug)]
pub struct Condition {
    pub partition: String,
    pub index: Option<String>,
    sort: Sort,
}

#[derive(Debug)]
enum Sort {
    All,
    Equal(String),
    BeginsWith(String),
    Between(String, String),
    AtLeast(String),
    AtMost(String),
    Above(String),
    Below(String),
}

impl Condition {
    /// `None`: nothing is sent.
    pub fn of(explanation: Result<Explanation, Error>) -> Result<Option<Self>, Error> {
        let explanation = explanation?;
        let Some(request) = explanation.requests().first() else { return Ok(None) };
        assert_eq!((explanation.requests().len(), request.operation()), (1, "Query"));
        let body: Value = serde_json::from_str(&request.body()).unwrap();
        let value = |name: &str| {
            let value = body["ExpressionAttributeValues"][name]["S"].as_str();
            value.unwrap_or_else(|| panic!("no {name} in {body}")).to_owned()
        };
        let one = || value(":sk");
        let text = body["KeyConditionExpression"].as_str().unwrap();
        let (partition, sort) = text.split_once(" AND ").unwrap_or((text, ""));
        assert_eq!(partition, "#pk = :pk");
        let sort = match sort {
            "" => Sort::All,
            "#sk = :sk" => Sort::Equal(one()),
            "begins_with(#sk, :sk)" => Sort::BeginsWith(one()),
            "#sk BETWEEN :lo AND :hi" => Sort::Between(value(":lo"), value(":hi")),
            "#sk >= :sk" => Sort::AtLeast(one()),
            "#sk <= :sk" => Sort::AtMost(one()),
            "#sk > :sk" => Sort::Above(one()),
            "#sk < :sk" => Sort::Below(one()),
            other => panic!("not one sort-key condition: {other}"),
        };
        if let Sort::Between(low, high) = &sort {
            assert!(
                low.as_bytes() <= high.as_bytes(),
                "DynamoDB refuses BETWEEN {low:?} AND {high:?}"
            );
        }
        Ok(Some(Condition {
            partition: value(":pk"),
            index: body["IndexName"].as_str().map(str::to_owned),
            sort,
        }))
    }

    pub fn takes(&self, partition: &str, sort: &str) -> bool {
        let key = sort.as_bytes();
        partition == self.partition
            && match &self.sort {
                Sort::All => true,
                Sort::Equal(text) => sort == text,
                Sort::BeginsWith(text) => key.starts_with(text.as_bytes()),
                Sort::Between(low, high) => low.as_bytes() <= key && key <= high.as_bytes(),
                Sort::AtLeast(text) => key >= text.as_bytes(),
                Sort::AtMost(text) => key <= text.as_bytes(),
                Sort::Above(text) => key > text.as_bytes(),
                Sort::Below(text) => key < text.as_bytes(),
            }
    }

    pub fn equals(&self, key: &str) -> bool {
        matches!(&self.sort, Sort::Equal(text) if text == key)
    }
}
