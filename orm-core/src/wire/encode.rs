use std::sync::Arc;

use aws_sdk_dynamodb::error::BoxError;
use aws_smithy_runtime_api::client::orchestrator::HttpRequest;
use aws_smithy_types::body::SdkBody;

/// Items as JSON, for the body of a request whose input has empty ones in their places, in order.
#[derive(Debug, Default)]
pub(super) struct Bodies(pub(super) Vec<Arc<str>>);

/// An item of the input without attributes, as the SDK writes it. In a string the quotes would be
/// escaped, and the value of an attribute is never an empty object, so it stands nowhere else.
const PLACE: &[u8] = b"\"Item\":{}";
/// What of it stays in front of the item.
const NAME: usize = b"\"Item\":".len();

impl Bodies {
    pub(super) fn fill(&self, request: &mut HttpRequest) -> Result<(), BoxError> {
        if self.0.is_empty() {
            return Ok(());
        }
        let body = request.body().bytes().and_then(|body| self.filled(body));
        let body = body.ok_or("the request has not one place for each item")?;
        request.headers_mut().try_insert("content-length", body.len().to_string())?;
        *request.body_mut() = SdkBody::from(body);
        Ok(())
    }

    fn filled(&self, body: &[u8]) -> Option<Vec<u8>> {
        let size = self.0.iter().map(|item| item.len()).sum::<usize>();
        let mut filled = Vec::with_capacity(body.len() + size);
        let (mut items, mut rest) = (self.0.iter(), body);
        while let Some(at) = place(rest) {
            filled.extend_from_slice(&rest[..at + NAME]);
            filled.extend_from_slice(items.next()?.as_bytes());
            rest = &rest[at + PLACE.len()..];
        }
        filled.extend_from_slice(rest);
        items.next().is_none().then_some(filled)
    }
}

fn place(body: &[u8]) -> Option<usize> {
    body.windows(PLACE.len()).position(|window| window == PLACE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled(body: &str, items: &[&str]) -> Option<String> {
        let bodies = Bodies(items.iter().map(|item| Arc::from(*item)).collect());
        bodies.filled(body.as_bytes()).map(|body| String::from_utf8(body).unwrap())
    }

    #[test]
    fn each_place_gets_one_item() {
        let body = r#"[{"Item":{}},{"Key":{"Item":{"M":{}}}},{"Item":{}}]"#;
        let expected =
            r#"[{"Item":{"a":{"S":"\"Item\":{}"}}},{"Key":{"Item":{"M":{}}}},{"Item":{"b":1}}]"#;
        let items = [r#"{"a":{"S":"\"Item\":{}"}}"#, r#"{"b":1}"#];
        assert_eq!(filled(body, &items).as_deref(), Some(expected));
        assert_eq!(filled(body, &items[..1]), None);
        assert_eq!(filled(body, &[items[0], items[1], items[1]]), None);
        assert_eq!(filled("{}", &[]).as_deref(), Some("{}"));
    }
}
