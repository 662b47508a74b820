use std::borrow::Cow;

use aws_sdk_dynamodb::types::AttributeValue;

use super::path::{DocumentPath, Segment};
use crate::error::Error;

/// What must hold of an item: for a write to happen, or for a read to return it.
///
/// Made by the methods of [`Path`](super::Path), joined by `&`, `|`, `!`, [`all`] and [`any`].
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

/// The type of an attribute, for [`Path::has_type`](super::Path::has_type).
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
        match self.0 {
            Node::Not(node) => Condition(*node),
            node => Condition(Node::Not(Box::new(node))),
        }
    }
}

impl Node {
    pub(crate) const ALWAYS: Node = Node::All(Vec::new());
    pub(crate) const NEVER: Node = Node::Any(Vec::new());

    /// Whether nothing is asked.
    pub(crate) fn is_always(&self) -> bool {
        matches!(self, Node::All(nodes) if nodes.iter().all(Node::is_always))
    }

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
    pub(super) fn none(path: &DocumentPath) -> Node {
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

/// The path of an attribute of the item.
pub(crate) fn attribute(name: impl Into<Cow<'static, str>>) -> DocumentPath {
    DocumentPath(vec![Segment::Name(name.into())])
}
