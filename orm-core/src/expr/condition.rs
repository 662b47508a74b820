use aws_sdk_dynamodb::types::AttributeValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::kind::CanRead;
use super::path::{DocumentPath, FieldCodec, Path, Segment};
use super::value::{Container, HasText, ListField, MapField, ValueArg};
use crate::codec;
use crate::error::Error;
use crate::key::KeyValue;

/// What must hold of an item: for a write to happen, or for a read to return it.
///
/// Made by the methods of [`Path`], joined by `&`, `|`, `!`, [`all`] and [`any`].
#[derive(Debug, Clone)]
#[must_use = "a condition does nothing until an operation gets it"]
pub struct Condition(pub(crate) Node);

/// A condition, as a tree.
#[derive(Debug, Clone)]
pub(crate) enum Node {
    Compare(Operand, &'static str, AttributeValue),
    Between(Operand, AttributeValue, AttributeValue),
    In(DocumentPath, Vec<AttributeValue>),
    /// `begins_with`, `contains` and `attribute_type`.
    Call(&'static str, DocumentPath, AttributeValue),
    Exists(DocumentPath),
    Missing(DocumentPath),
    All(Vec<Node>),
    Any(Vec<Node>),
    Not(Box<Node>),
    Raw(RawCondition),
    /// A value that cannot be stored.
    Refused(Error),
}

/// What is compared.
#[derive(Debug, Clone)]
pub(crate) enum Operand {
    Path(DocumentPath),
    Size(DocumentPath),
}

/// The type of an attribute, for [`Path::has_type`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AttributeType {
    /// Text.
    S,
    /// Number.
    N,
    /// Binary.
    B,
    /// Boolean.
    Bool,
    /// NULL.
    Null,
    /// Map.
    M,
    /// List.
    L,
    /// Set of text.
    Ss,
    /// Set of numbers.
    Ns,
    /// Set of binary data.
    Bs,
}

impl AttributeType {
    /// The name in DynamoDB's JSON.
    pub fn name(self) -> &'static str {
        match self {
            AttributeType::S => "S",
            AttributeType::N => "N",
            AttributeType::B => "B",
            AttributeType::Bool => "BOOL",
            AttributeType::Null => "NULL",
            AttributeType::M => "M",
            AttributeType::L => "L",
            AttributeType::Ss => "SS",
            AttributeType::Ns => "NS",
            AttributeType::Bs => "BS",
        }
    }
}

/// Every one of them; with none, nothing is asked.
pub fn all(conditions: impl IntoIterator<Item = Condition>) -> Condition {
    Condition(Node::All(conditions.into_iter().map(|condition| condition.0).collect()))
}

/// At least one of them; with none, nothing fits.
pub fn any(conditions: impl IntoIterator<Item = Condition>) -> Condition {
    Condition(Node::Any(conditions.into_iter().map(|condition| condition.0).collect()))
}

/// Text of a condition that is sent as it is, with the placeholders that it uses: for what this
/// library does not know. Nothing of it is checked here.
///
/// ```
/// use monotable::aws_sdk_dynamodb::types::AttributeValue;
/// use monotable::expr::raw_condition;
///
/// let heavy = raw_condition("#raw_weight > :raw_limit")
///     .name("#raw_weight", "weight")
///     .value(":raw_limit", AttributeValue::N("5".into()));
/// ```
pub fn raw_condition(text: impl Into<String>) -> RawCondition {
    RawCondition { text: text.into(), names: Vec::new(), values: Vec::new() }
}

/// Made by [`raw_condition`].
#[derive(Debug, Clone)]
#[must_use = "a condition does nothing until an operation gets it"]
pub struct RawCondition {
    pub(crate) text: String,
    pub(crate) names: Vec<(String, String)>,
    pub(crate) values: Vec<(String, AttributeValue)>,
}

impl RawCondition {
    /// Defines a placeholder for a name. It begins with `#raw`.
    pub fn name(mut self, placeholder: impl Into<String>, attribute: impl Into<String>) -> Self {
        self.names.push((placeholder.into(), attribute.into()));
        self
    }

    /// Defines a placeholder for a value. It begins with `:raw`.
    pub fn value(mut self, placeholder: impl Into<String>, value: AttributeValue) -> Self {
        self.values.push((placeholder.into(), value));
        self
    }
}

impl From<RawCondition> for Condition {
    fn from(raw: RawCondition) -> Self {
        Condition(Node::Raw(raw))
    }
}

/// What a closure of `condition` or `filter` returns: one condition, or several that must all hold
/// as a tuple, an `Option` or a `Vec`.
#[diagnostic::on_unimplemented(
    message = "this closure returns no condition",
    label = "expected what a path's methods make, as in `o.total.gt(5)`",
    note = "several conditions are joined by `&` and `|`, or given as a tuple, an `Option` or a `Vec`"
)]
pub trait IntoCondition {
    /// The condition.
    fn into_condition(self) -> Condition;
}

#[diagnostic::do_not_recommend]
impl IntoCondition for Condition {
    fn into_condition(self) -> Condition {
        self
    }
}

#[diagnostic::do_not_recommend]
impl IntoCondition for RawCondition {
    fn into_condition(self) -> Condition {
        self.into()
    }
}

#[diagnostic::do_not_recommend]
impl IntoCondition for () {
    fn into_condition(self) -> Condition {
        all([])
    }
}

#[diagnostic::do_not_recommend]
impl<C: IntoCondition> IntoCondition for Option<C> {
    fn into_condition(self) -> Condition {
        all(self.map(C::into_condition))
    }
}

#[diagnostic::do_not_recommend]
impl<C: IntoCondition> IntoCondition for Vec<C> {
    fn into_condition(self) -> Condition {
        all(self.into_iter().map(C::into_condition))
    }
}

macro_rules! tuples {
    ($($($name:ident)*;)*) => {$(
        #[diagnostic::do_not_recommend]
        impl<$($name: IntoCondition),*> IntoCondition for ($($name,)*) {
            fn into_condition(self) -> Condition {
                #[allow(non_snake_case)]
                let ($($name,)*) = self;
                all([$($name.into_condition()),*])
            }
        }
    )*};
}

tuples! {
    A; A B; A B C; A B C D; A B C D E; A B C D E F; A B C D E F G; A B C D E F G H;
    A B C D E F G H I; A B C D E F G H I J; A B C D E F G H I J K; A B C D E F G H I J K L;
}

impl std::ops::BitAnd for Condition {
    type Output = Condition;
    fn bitand(self, other: Condition) -> Condition {
        match self.0 {
            Node::All(mut nodes) => {
                nodes.push(other.0);
                Condition(Node::All(nodes))
            }
            node => Condition(Node::All(vec![node, other.0])),
        }
    }
}

impl std::ops::BitOr for Condition {
    type Output = Condition;
    fn bitor(self, other: Condition) -> Condition {
        match self.0 {
            Node::Any(mut nodes) => {
                nodes.push(other.0);
                Condition(Node::Any(nodes))
            }
            node => Condition(Node::Any(vec![node, other.0])),
        }
    }
}

impl std::ops::Not for Condition {
    type Output = Condition;
    fn not(self) -> Condition {
        Condition(Node::Not(Box::new(self.0)))
    }
}

impl Node {
    pub(crate) const ALWAYS: Node = Node::All(Vec::new());
    pub(crate) const NEVER: Node = Node::Any(Vec::new());

    /// Joins the conditions that an operation makes and gets.
    pub(crate) fn and(self, other: Node) -> Node {
        match (self, other) {
            (Node::All(nodes), other) | (other, Node::All(nodes)) if nodes.is_empty() => other,
            (Node::All(mut nodes), other) => {
                nodes.push(other);
                Node::All(nodes)
            }
            (node, other) => Node::All(vec![node, other]),
        }
    }

    /// The attributes that it speaks of; those of raw text are not known.
    pub(crate) fn attributes(&self) -> Vec<String> {
        match self {
            Node::Compare(Operand::Path(path) | Operand::Size(path), ..)
            | Node::Between(Operand::Path(path) | Operand::Size(path), ..)
            | Node::In(path, _)
            | Node::Call(_, path, _)
            | Node::Exists(path)
            | Node::Missing(path) => vec![path.root().to_owned()],
            Node::All(nodes) | Node::Any(nodes) => {
                nodes.iter().flat_map(Node::attributes).collect()
            }
            Node::Not(node) => node.attributes(),
            Node::Raw(raw) => raw.names.iter().map(|(_, name)| name.clone()).collect(),
            Node::Refused(_) => Vec::new(),
        }
    }

    /// `attribute_not_exists(a) OR a = NULL`: what reads as `None`.
    fn none(path: &DocumentPath) -> Node {
        Node::Any(vec![
            Node::Missing(path.clone()),
            Node::Compare(Operand::Path(path.clone()), "=", AttributeValue::Null(true)),
        ])
    }

    /// The attribute has this value, or, where it is absent, none.
    pub(crate) fn equals(path: DocumentPath, value: Option<AttributeValue>) -> Node {
        match value {
            None | Some(AttributeValue::Null(true)) => Node::none(&path),
            Some(value) => Node::Compare(Operand::Path(path), "=", value),
        }
    }
}

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
        match FieldCodec::<T::Element>::ELEMENT.stored(&element.into_value()) {
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
        K: super::document::HasInner,
    {
        Path::new(self.at.step(Segment::Index(position)), FieldCodec::ELEMENT)
    }

    /// The entry of a key.
    pub fn entry<V>(&self, key: impl Into<String>) -> Path<V, K::Element, M>
    where
        T: MapField<Value = V>,
        V: Serialize + DeserializeOwned,
        K: super::document::HasInner,
    {
        Path::new(self.at.step(Segment::Name(key.into().into())), FieldCodec::ELEMENT)
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

/// The attribute's own name as a path, for conditions that operations make.
pub(crate) fn attribute(name: &'static str) -> DocumentPath {
    DocumentPath(vec![Segment::Name(name.into())])
}
