//! DynamoDB names each attribute once. A body that does not is refused or read as the SDK reads it,
//! where the last value counts.

use super::operation::Operation;

#[tokio::test]
async fn an_attribute_twice() {
    let key = r#""PK":{"S":"NOTE#n1"},"SK":{"S":"NOTE"},"id":{"S":"n1"}"#;
    let items = [
        format!(r#"{{{key},"s":{{"S":"1"}},"s":{{"S":"2"}}}}"#),
        format!(r#"{{{key},"id":{{"S":"n1"}}}}"#),
        format!(r#"{{"PK":{{"S":"NOTE#n2"}},{key}}}"#),
        format!(r#"{{"SK":{{"S":"OTHER"}},{key}}}"#),
        format!(r#"{{"PK":{{"N":"1"}},{key}}}"#),
        format!(r#"{{{key},"PK":{{"S":"NOTE#n1"}}}}"#),
        format!(r#"{{{key},"map":{{"M":{{"a":{{"S":"1"}},"a":{{"S":"2"}}}}}}}}"#),
        format!(r#"{{{key},"any":{{"M":{{"a":{{"S":"1"}},"a":{{"S":"2"}}}}}}}}"#),
        format!(r#"{{{key},"unknown":{{"S":"1"}},"unknown":{{"S":"2"}}}}"#),
        format!(
            r#"{{{key},"event":{{"M":{{"c":{{"N":"1"}},"t":{{"S":"Sent"}},"c":{{"N":"2"}}}}}}}}"#
        ),
        format!(
            r#"{{{key},"event":{{"M":{{"c":{{"N":"1"}},"t":{{"S":"Read"}},"t":{{"S":"Sent"}}}}}}}}"#
        ),
    ];
    for operation in Operation::ALL {
        let (before, after) = operation.around();
        let mut is_read = 0;
        for item in &items {
            let body = format!("{before}{item}{after}");
            is_read += usize::from(operation.agrees(body.as_bytes()).await);
        }
        assert!(is_read > 0, "{operation:?}");
    }
}
