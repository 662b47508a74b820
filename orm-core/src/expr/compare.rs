//! The methods of a path that make conditions.

use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::condition::{AttributeType, Condition, Node, Operand};
use super::document::HasInner;
use super::kind::CanRead;
use super::path::{DocumentPath, FieldCodec, Path, Segment};
use super::value::{Container, HasText, ListField, MapField, ValueArg};
use crate::codec;
use crate::error::Error;
use crate::key::KeyValue;

fn refused(error: Error) -> Condition {
    Condition(Node::Refused(error))
}

/// Whether the two ends of a range are of one type that has an order, and in order.
fn in_order(low: &AttributeValue, high: &AttributeValue) -> Option<bool> {
    let (low, high) = (KeyValue::from_attribute(low)?, KeyValue::from_attribute(high)?);
    (low.type_name() == high.type_name()).then(|| low.order(&high).is_le())
}

// The bounds of a method stand at the method, so that its message is theirs.
impl<T, K, M> Path<T, K, M> {
    /// Equal to `value`; with `None`, [absent or NULL](Self::is_none).
    pub fn eq(&self, value: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        match self.encode(&value.into_value()) {
            Ok(value) => Condition(Node::equals(self.at.clone(), value)),
            Err(error) => refused(error),
        }
    }

    /// Not equal to `value`; also where there is no such attribute. With `None`,
    /// [there and not NULL](Self::is_some).
    pub fn ne(&self, value: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        match self.encode(&value.into_value()) {
            Ok(None | Some(AttributeValue::Null(true))) => !Condition(Node::none(&self.at)),
            Ok(Some(value)) => {
                Condition(Node::Compare(Operand::Path(self.at.clone()), "<>", value))
            }
            Err(error) => refused(error),
        }
    }

    /// Less than `value`, as DynamoDB compares what is stored: numbers by value, text and binary
    /// data by bytes. Nothing is less or greater where the attribute is absent.
    pub fn lt(&self, value: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        self.compare("<", value)
    }

    /// Less than or equal to `value`; see [`lt`](Self::lt).
    pub fn le(&self, value: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        self.compare("<=", value)
    }

    /// Greater than `value`; see [`lt`](Self::lt).
    pub fn gt(&self, value: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        self.compare(">", value)
    }

    /// Greater than or equal to `value`; see [`lt`](Self::lt).
    pub fn ge(&self, value: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        self.compare(">=", value)
    }

    /// From `low` to `high`, both included. Nothing lies in a range whose ends are in the wrong
    /// order.
    pub fn between(&self, low: impl ValueArg<T>, high: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
    {
        match (self.ordered("BETWEEN", low), self.ordered("BETWEEN", high)) {
            (Ok(low), Ok(high)) => match in_order(&low, &high) {
                Some(false) => Condition(Node::NEVER),
                _ => Condition(Node::Between(Operand::Path(self.at.clone()), low, high)),
            },
            (Err(error), _) | (_, Err(error)) => refused(error),
        }
    }

    /// Equal to one of `values`; with none, nothing fits. DynamoDB takes 100 at once: more are
    /// several `IN`.
    pub fn in_<V: ValueArg<T>>(&self, values: impl IntoIterator<Item = V>) -> Condition
    where
        K: CanRead<M>,
    {
        let mut found = Vec::new();
        let mut or_none = false;
        for value in values {
            match self.encode(&value.into_value()) {
                Ok(None | Some(AttributeValue::Null(true))) => or_none = true,
                Ok(Some(value)) => found.push(value),
                Err(error) => return refused(error),
            }
        }
        let mut nodes: Vec<_> =
            found.chunks(100).map(|some| Node::In(self.at.clone(), some.to_vec())).collect();
        nodes.extend(or_none.then(|| Node::none(&self.at)));
        match nodes.len() {
            1 => Condition(nodes.remove(0)),
            _ => Condition(Node::Any(nodes)),
        }
    }

    /// The attribute is there, be it NULL: DynamoDB's `attribute_exists`.
    pub fn exists(&self) -> Condition
    where
        K: CanRead<M>,
    {
        Condition(Node::Exists(self.at.clone()))
    }

    /// There is no such attribute: DynamoDB's `attribute_not_exists`.
    pub fn missing(&self) -> Condition
    where
        K: CanRead<M>,
    {
        Condition(Node::Missing(self.at.clone()))
    }

    /// What reads as `None`: there is no such attribute, or it is NULL.
    pub fn is_none(&self) -> Condition
    where
        K: CanRead<M>,
    {
        Condition(Node::none(&self.at))
    }

    /// What reads as `Some`: the attribute is there and not NULL.
    pub fn is_some(&self) -> Condition
    where
        K: CanRead<M>,
    {
        !self.is_none()
    }

    /// The attribute is stored as this type.
    pub fn has_type(&self, ty: AttributeType) -> Condition
    where
        K: CanRead<M>,
    {
        let name = AttributeValue::S(ty.name().to_owned());
        Condition(Node::Call("attribute_type", self.at.clone(), name))
    }

    /// The size of the value: bytes of text and binary data, elements of lists, maps and sets.
    pub fn size(&self) -> Size
    where
        K: CanRead<M>,
    {
        Size(self.at.clone())
    }

    /// The text, or binary data, begins with `prefix`.
    pub fn begins_with(&self, prefix: impl ValueArg<T>) -> Condition
    where
        K: CanRead<M>,
        T: HasText,
    {
        match self.operand("begins_with", prefix) {
            Ok(prefix) => Condition(Node::Call("begins_with", self.at.clone(), prefix)),
            Err(error) => refused(error),
        }
    }

    /// The text has this part, or the set or list this element.
    pub fn contains(&self, element: impl ValueArg<T::Element>) -> Condition
    where
        K: CanRead<M>,
        T: Container,
    {
        let codec = FieldCodec::<T::Element>::ELEMENT.inside(self.codec.foreign);
        match codec.stored(&element.into_value()) {
            Ok(element) => {
                let element = element.unwrap_or(AttributeValue::Null(true));
                Condition(Node::Call("contains", self.at.clone(), element))
            }
            Err(error) => refused(self.at.refuse(error)),
        }
    }

    fn compare(&self, operator: &'static str, value: impl ValueArg<T>) -> Condition {
        match self.ordered(operator, value) {
            Ok(value) => Condition(Node::Compare(Operand::Path(self.at.clone()), operator, value)),
            Err(error) => refused(error),
        }
    }

    /// A value that has an order.
    fn ordered(&self, operator: &str, value: impl ValueArg<T>) -> Result<AttributeValue, Error> {
        let value = self.operand(operator, value)?;
        if KeyValue::from_attribute(&value).is_none() {
            return Err(Error::expression(format!(
                "`{}` is stored as {}, which has no order for `{operator}`: only text, numbers and binary data have",
                self.at,
                codec::type_name(&value)
            )));
        }
        Ok(value)
    }

    fn operand(&self, operator: &str, value: impl ValueArg<T>) -> Result<AttributeValue, Error> {
        self.encode(&value.into_value())?.ok_or_else(|| {
            Error::expression(format!(
                "`{}` cannot be compared with `None` by `{operator}`: use `is_none` or `is_some`",
                self.at
            ))
        })
    }
}

impl<T, K, M> Path<T, K, M> {
    /// The element at a position, from 0.
    pub fn at<V>(&self, position: usize) -> Path<V, K::Element, M>
    where
        T: ListField<Element = V>,
        V: Serialize + DeserializeOwned,
        K: HasInner,
    {
        let codec = FieldCodec::ELEMENT.inside(self.codec.foreign);
        Path::new(self.at.step(Segment::Index(position)), codec)
    }

    /// The entry of a key.
    pub fn entry<V>(&self, key: impl Into<String>) -> Path<V, K::Element, M>
    where
        T: MapField<Value = V>,
        V: Serialize + DeserializeOwned,
        K: HasInner,
    {
        let codec = FieldCodec::ELEMENT.inside(self.codec.foreign);
        Path::new(self.at.step(Segment::Name(key.into().into())), codec)
    }
}

/// The size of a value, by [`Path::size`].
#[derive(Debug, Clone)]
pub struct Size(DocumentPath);

impl Size {
    /// Equal to `n`.
    pub fn eq(&self, n: u64) -> Condition {
        self.compare("=", n)
    }

    /// Not equal to `n`.
    pub fn ne(&self, n: u64) -> Condition {
        self.compare("<>", n)
    }

    /// Less than `n`.
    pub fn lt(&self, n: u64) -> Condition {
        self.compare("<", n)
    }

    /// At most `n`.
    pub fn le(&self, n: u64) -> Condition {
        self.compare("<=", n)
    }

    /// Greater than `n`.
    pub fn gt(&self, n: u64) -> Condition {
        self.compare(">", n)
    }

    /// At least `n`.
    pub fn ge(&self, n: u64) -> Condition {
        self.compare(">=", n)
    }

    /// From `low` to `high`, both included.
    pub fn between(&self, low: u64, high: u64) -> Condition {
        if low > high {
            return Condition(Node::NEVER);
        }
        let number = |n: u64| AttributeValue::N(n.to_string());
        Condition(Node::Between(Operand::Size(self.0.clone()), number(low), number(high)))
    }

    fn compare(&self, operator: &'static str, n: u64) -> Condition {
        let value = AttributeValue::N(n.to_string());
        Condition(Node::Compare(Operand::Size(self.0.clone()), operator, value))
    }
}
