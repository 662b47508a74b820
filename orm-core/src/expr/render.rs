//! The text of expressions: the only place where any is written.

use std::collections::HashMap;
use std::fmt::Write;

use aws_sdk_dynamodb::types::AttributeValue;

use super::change::Action;
use super::condition::{Node, Operand, RawCondition, attribute};
use super::path::{DocumentPath, Segment};
use crate::entity::Item;
use crate::error::Error;
use crate::key::condition::{KeyRange, SortCondition};
use crate::schema::KeyAttribute;

/// The placeholders of one request: each name and each value is defined once, and used.
#[derive(Debug, Clone, Default)]
pub(crate) struct Aliases {
    names: Vec<(String, String)>,
    values: Vec<(String, AttributeValue)>,
}

/// The kinds of expression, as errors call them.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Expression {
    Condition,
    Filter,
    Update,
}

/// "Maximum length of any expression string: 4 KB", and 300 operators or functions, of which the `=`
/// of `SET a = :v` is none;
/// <https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/Constraints.html>.
const MAX_TEXT: usize = 4096;
const MAX_OPERATORS: usize = 300;

impl Aliases {
    /// The placeholder of an attribute name.
    pub(crate) fn name(&mut self, name: &str) -> String {
        if let Some((alias, _)) = self.names.iter().find(|(_, known)| known == name) {
            return alias.clone();
        }
        let alias = (self.names.len()..)
            .map(|at| format!("#{}", letters(at)))
            .find(|alias| self.names.iter().all(|(known, _)| known != alias));
        let alias = alias.unwrap_or_default();
        self.names.push((alias.clone(), name.to_owned()));
        alias
    }

    /// Defines a name by a placeholder of its own.
    pub(crate) fn define_name(&mut self, alias: &str, name: &str) {
        self.names.push((alias.to_owned(), name.to_owned()));
    }

    /// The placeholder of a value.
    pub(crate) fn value(&mut self, value: &AttributeValue) -> String {
        if let Some((alias, _)) = self.values.iter().find(|(_, known)| known == value) {
            return alias.clone();
        }
        let alias = (self.values.len()..)
            .map(|at| format!(":{}", letters(at)))
            .find(|alias| self.values.iter().all(|(known, _)| known != alias));
        let alias = alias.unwrap_or_default();
        self.values.push((alias.clone(), value.clone()));
        alias
    }

    /// Defines a value by a placeholder of its own.
    pub(crate) fn define_value(&mut self, alias: &str, value: AttributeValue) {
        self.values.push((alias.to_owned(), value));
    }

    /// Both, as [`names`](Self::names).
    pub(crate) fn into_maps(self) -> (Option<HashMap<String, String>>, Option<Item>) {
        let names = (!self.names.is_empty()).then(|| self.names.into_iter().collect());
        let values = (!self.values.is_empty()).then(|| self.values.into_iter().collect());
        (names, values)
    }

    /// For the SDK, which sends an empty map unless it gets none.
    pub(crate) fn names(&self) -> Option<HashMap<String, String>> {
        (!self.names.is_empty()).then(|| self.names.iter().cloned().collect())
    }

    /// As [`names`](Self::names).
    pub(crate) fn values(&self) -> Option<Item> {
        (!self.values.is_empty()).then(|| self.values.iter().cloned().collect())
    }

    /// The text of a key condition, with placeholders of its own: `#pk` and `#sk`, and behind the
    /// first ones of several `#pk1`, `#pk2`, ….
    pub(crate) fn key_condition(
        &mut self,
        pk: &[KeyAttribute],
        sk: &[KeyAttribute],
        range: &KeyRange,
    ) -> String {
        let mut condition = String::new();
        let halves = [("pk", pk, &range.partition), ("sk", sk, &range.equal)];
        for (half, attributes, values) in halves {
            for (at, (attribute, value)) in attributes.iter().zip(values).enumerate() {
                let (name, placeholder) = (numbered("#", half, at), numbered(":", half, at));
                for part in [and(&condition), &name, " = ", &placeholder] {
                    condition.push_str(part);
                }
                self.names.push((name, attribute.name.to_owned()));
                self.values.push((placeholder, value.clone().into()));
            }
        }
        let at = range.equal.len();
        if let Some(attribute) = sk.get(at) {
            let name = numbered("", "sk", at);
            if let Some(text) = self.sort_condition(&name, &range.sort.condition) {
                self.names.push((numbered("#", "sk", at), attribute.name.to_owned()));
                condition.push_str(and(&condition));
                condition.push_str(&text);
            }
        }
        condition
    }

    /// `None` for the whole partition.
    fn sort_condition(&mut self, name: &str, condition: &SortCondition) -> Option<String> {
        let (operator, value) = match condition {
            SortCondition::All | SortCondition::Nothing => return None,
            SortCondition::Between(low, high) => {
                self.define_value(":lo", low.clone().into());
                self.define_value(":hi", high.clone().into());
                return Some(format!("#{name} BETWEEN :lo AND :hi"));
            }
            SortCondition::Equal(value) => ("=", value),
            SortCondition::BeginsWith(value) => ("", value),
            SortCondition::AtLeast(value) => (">=", value),
            SortCondition::AtMost(value) => ("<=", value),
            SortCondition::Above(value) => (">", value),
            SortCondition::Below(value) => ("<", value),
        };
        self.define_value(&format!(":{name}"), value.clone().into());
        Some(match operator {
            "" => format!("begins_with(#{name}, :{name})"),
            operator => format!("#{name} {operator} :{name}"),
        })
    }

    /// The text of a condition; `None` where nothing is asked.
    pub(crate) fn condition(
        &mut self,
        kind: Expression,
        node: &Node,
    ) -> Result<Option<String>, Error> {
        // Also in parts that need not be sent.
        if let Some(error) = refusal(node) {
            return Err(error);
        }
        if constant(node) == Some(true) {
            return Ok(None);
        }
        let mut text = Text { aliases: self, text: String::new(), operators: 0, unnamed: None };
        text.node(node, Level::Top)?;
        text.finish(kind).map(Some)
    }

    /// The text of an update; `None` where nothing changes.
    pub(crate) fn update(&mut self, actions: &[&Action]) -> Result<Option<String>, Error> {
        let mut text = Text { aliases: self, text: String::new(), operators: 0, unnamed: None };
        text.update(actions)?;
        if text.text.is_empty() {
            return Ok(None);
        }
        text.finish(Expression::Update).map(Some)
    }

    /// The text of a projection.
    pub(crate) fn projection<'a>(&mut self, names: impl IntoIterator<Item = &'a str>) -> String {
        let aliases: Vec<_> = names.into_iter().map(|name| self.name(name)).collect();
        aliases.join(", ")
    }
}

/// What stands in front of a further part of a key condition.
fn and(condition: &str) -> &'static str {
    if condition.is_empty() { "" } else { " AND " }
}

/// `#pk`, `#pk1`, `#pk2`, ….
fn numbered(sign: &str, half: &str, at: usize) -> String {
    match at {
        0 => [sign, half].concat(),
        at => format!("{sign}{half}{at}"),
    }
}

/// `a` to `z`, `aa`, …
fn letters(mut at: usize) -> String {
    let mut text = Vec::new();
    loop {
        text.push(b'a' + u8::try_from(at % 26).unwrap_or(0));
        match (at / 26).checked_sub(1) {
            Some(next) => at = next,
            None => break,
        }
    }
    text.iter().rev().map(|byte| char::from(*byte)).collect()
}

/// Whether a condition holds for every item, or for none.
fn constant(node: &Node) -> Option<bool> {
    match node {
        Node::All(nodes) if nodes.iter().any(|node| constant(node) == Some(false)) => Some(false),
        Node::All(nodes) => nodes.iter().all(|node| constant(node) == Some(true)).then_some(true),
        Node::Any(nodes) if nodes.iter().any(|node| constant(node) == Some(true)) => Some(true),
        Node::Any(nodes) => nodes.iter().all(|node| constant(node) == Some(false)).then_some(false),
        Node::Not(node) => constant(node).map(|holds| !holds),
        _ => None,
    }
}

/// A value that cannot be stored, wherever it stands.
pub(super) fn refusal(node: &Node) -> Option<Error> {
    match node {
        Node::Refused(error) => Some(error.clone()),
        Node::All(nodes) | Node::Any(nodes) => nodes.iter().find_map(refusal),
        Node::Not(node) => refusal(node),
        _ => None,
    }
}

/// What stands around a condition, for parentheses.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Level {
    Top,
    Or,
    And,
    Not,
}

struct Text<'a> {
    aliases: &'a mut Aliases,
    text: String,
    operators: usize,
    /// A path with an entry whose name is empty.
    unnamed: Option<String>,
}

impl Text<'_> {
    fn finish(self, kind: Expression) -> Result<String, Error> {
        if let Some(path) = self.unnamed {
            return Err(Error::expression(format!(
                "the path `{path}` has an entry without a name, which has at least one byte"
            )));
        }
        let name = match kind {
            Expression::Condition => "condition",
            Expression::Filter => "filter",
            Expression::Update => "update",
        };
        let problem = if self.text.len() > MAX_TEXT {
            format!("{} bytes of text; DynamoDB allows {MAX_TEXT}", self.text.len())
        } else if self.operators > MAX_OPERATORS {
            format!("{} operators and functions; DynamoDB allows {MAX_OPERATORS}", self.operators)
        } else {
            return Ok(self.text);
        };
        Err(Error::expression(format!(
            "the {name} has {problem}: split it over several requests, or change a whole map or list instead of its parts"
        )))
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn operator(&mut self, text: &str) {
        self.operators += 1;
        self.text.push_str(text);
    }

    fn path(&mut self, path: &DocumentPath) {
        for (at, segment) in path.0.iter().enumerate() {
            match segment {
                Segment::Name(name) => {
                    if name.is_empty() {
                        self.unnamed = Some(path.to_string());
                    }
                    let alias = self.aliases.name(name);
                    self.push(if at == 0 { "" } else { "." });
                    self.push(&alias);
                }
                Segment::Index(index) => {
                    // Writing to a string does not fail.
                    let _ = write!(self.text, "[{index}]");
                }
            }
        }
    }

    fn value(&mut self, value: &AttributeValue) {
        let alias = self.aliases.value(value);
        self.push(&alias);
    }

    fn operand(&mut self, operand: &Operand) {
        match operand {
            Operand::Path(path) => self.path(path),
            Operand::Size(path) => self.call("size", path, None),
        }
    }

    fn call(&mut self, function: &str, path: &DocumentPath, value: Option<&AttributeValue>) {
        self.operator(function);
        self.push("(");
        self.path(path);
        if let Some(value) = value {
            self.push(", ");
            self.value(value);
        }
        self.push(")");
    }

    fn node(&mut self, node: &Node, level: Level) -> Result<(), Error> {
        if constant(node) == Some(false) {
            // No attribute is both there and not.
            let never = attribute("never");
            let parts = [Node::Exists(never.clone()), Node::Missing(never)];
            return self.joined(" AND ", parts.iter(), Level::And, level);
        }
        match node {
            Node::Compare(operand, operator, value) => {
                self.operand(operand);
                self.operator(&format!(" {operator} "));
                self.value(value);
            }
            Node::Between(operand, low, high) => {
                self.operand(operand);
                self.operator(" BETWEEN ");
                self.value(low);
                self.push(" AND ");
                self.value(high);
            }
            Node::In(path, values) => {
                self.path(path);
                self.operator(" IN (");
                for (at, value) in values.iter().enumerate() {
                    self.push(if at == 0 { "" } else { ", " });
                    self.value(value);
                }
                self.push(")");
            }
            Node::Call(function, path, value) => self.call(function, path, Some(value)),
            Node::Exists(path) => self.call("attribute_exists", path, None),
            Node::Missing(path) => self.call("attribute_not_exists", path, None),
            Node::All(nodes) => {
                let nodes = nodes.iter().filter(|node| constant(node) != Some(true));
                self.joined(" AND ", nodes, Level::And, level)?;
            }
            Node::Any(nodes) => {
                let nodes = nodes.iter().filter(|node| constant(node) != Some(false));
                self.joined(" OR ", nodes, Level::Or, level)?;
            }
            Node::Not(node) => {
                self.operator("NOT ");
                self.node(node, Level::Not)?;
            }
            Node::Raw(raw) => self.raw(raw)?,
            Node::Refused(error) => return Err(error.clone()),
        }
        Ok(())
    }

    fn joined<'n>(
        &mut self,
        operator: &str,
        nodes: impl Iterator<Item = &'n Node>,
        inner: Level,
        outer: Level,
    ) -> Result<(), Error> {
        let nodes: Vec<_> = nodes.collect();
        if let [node] = nodes[..] {
            return self.node(node, outer);
        }
        let is_closed = match outer {
            Level::Top => false,
            Level::Or => inner == Level::Or,
            Level::And | Level::Not => true,
        } && outer != inner;
        self.push(if is_closed { "(" } else { "" });
        for (at, node) in nodes.into_iter().enumerate() {
            if at > 0 {
                self.operator(operator);
            }
            self.node(node, inner)?;
        }
        self.push(if is_closed { ")" } else { "" });
        Ok(())
    }

    fn raw(&mut self, raw: &RawCondition) -> Result<(), Error> {
        let names = raw.names.iter().map(|(alias, _)| (alias, "#raw"));
        let values = raw.values.iter().map(|(alias, _)| (alias, ":raw"));
        for (alias, prefix) in names.chain(values) {
            if !alias.starts_with(prefix) {
                return Err(Error::expression(format!(
                    "the placeholder `{alias}` of a raw condition begins with `{prefix}`, so that it is not one of the library's"
                )));
            }
        }
        let taken = |alias: &str| {
            Error::expression(format!(
                "the placeholder `{alias}` of a raw condition is defined twice, with two meanings: give each its own"
            ))
        };
        for (alias, name) in &raw.names {
            match self.aliases.names.iter().find(|(known, _)| known == alias) {
                None => self.aliases.define_name(alias, name),
                Some((_, known)) if known == name => {}
                Some(_) => return Err(taken(alias)),
            }
        }
        for (alias, value) in &raw.values {
            match self.aliases.values.iter().find(|(known, _)| known == alias) {
                None => self.aliases.define_value(alias, value.clone()),
                Some((_, known)) if known == value => {}
                Some(_) => return Err(taken(alias)),
            }
        }
        self.push("(");
        self.push(&raw.text);
        self.push(")");
        Ok(())
    }

    fn update(&mut self, actions: &[&Action]) -> Result<(), Error> {
        let zero = AttributeValue::N("0".to_owned());
        let empty = AttributeValue::L(Vec::new());
        let mut clauses: [(&str, Vec<String>); 4] = [
            ("SET", Vec::new()),
            ("REMOVE", Vec::new()),
            ("ADD", Vec::new()),
            ("DELETE", Vec::new()),
        ];
        for action in actions {
            let start = self.text.len();
            let clause = match action {
                Action::Set { at, value: Some(value), .. } => {
                    self.path(at);
                    self.push(" = ");
                    self.value(value);
                    0
                }
                Action::Set { at, value: None, .. } => {
                    self.path(at);
                    1
                }
                Action::SetIfMissing { at, value } => {
                    self.path(at);
                    self.push(" = ");
                    self.call("if_not_exists", at, Some(value));
                    0
                }
                Action::Add { at, number, begin } => {
                    let number = AttributeValue::N(number.clone());
                    self.path(at);
                    if at.is_top_level() && begin.is_none() {
                        self.push(" ");
                        self.value(&number);
                        2
                    } else {
                        self.push(" = ");
                        self.call("if_not_exists", at, Some(begin.as_ref().unwrap_or(&zero)));
                        self.operator(" + ");
                        self.value(&number);
                        0
                    }
                }
                Action::Append { at, list, in_front, begin } => {
                    let begin = begin.as_ref().unwrap_or(&empty);
                    self.path(at);
                    self.push(" = ");
                    self.operator("list_append(");
                    if *in_front {
                        self.value(list);
                        self.push(", ");
                        self.call("if_not_exists", at, Some(begin));
                    } else {
                        self.call("if_not_exists", at, Some(begin));
                        self.push(", ");
                        self.value(list);
                    }
                    self.push(")");
                    0
                }
                Action::Insert { at, set } => {
                    self.path(at);
                    self.push(" ");
                    self.value(set);
                    2
                }
                Action::Delete { at, set } => {
                    self.path(at);
                    self.push(" ");
                    self.value(set);
                    3
                }
                Action::Refused(error) => return Err(error.clone()),
            };
            clauses[clause].1.push(self.text.split_off(start));
        }
        let clauses = clauses.iter().filter(|(_, parts)| !parts.is_empty());
        let clauses: Vec<_> =
            clauses.map(|(word, parts)| format!("{word} {}", parts.join(", "))).collect();
        self.text = clauses.join(" ");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::expr::path::{FieldCodec, Path};
    use crate::expr::{Attr, Condition, Reading, all, any};

    type Free = Attr<crate::expr::kind::Free, ()>;

    fn number(name: &'static str) -> Path<u32, Free, Reading> {
        Path::field(name, FieldCodec::PLAIN)
    }

    fn text(condition: &Condition) -> Option<String> {
        Aliases::default().condition(Expression::Condition, &condition.0).unwrap()
    }

    #[test]
    fn placeholders_go_on_behind_z() {
        let texts: Vec<_> = [0, 25, 26, 51, 52, 701, 702].map(letters).into();
        assert_eq!(texts, ["a", "z", "aa", "az", "ba", "zz", "aaa"]);
    }

    #[test]
    fn names_and_values_are_defined_once() {
        let mut aliases = Aliases::default();
        let condition = number("n").gt(1) & number("m").lt(1) & number("n").lt(2);
        let text = aliases.condition(Expression::Condition, &condition.0).unwrap();
        assert_eq!(text.as_deref(), Some("#a > :a AND #b < :a AND #a < :b"));
        assert_eq!(aliases.names().map(|names| names.len()), Some(2));
        assert_eq!(aliases.values().map(|values| values.len()), Some(2));
    }

    #[test]
    fn parentheses_stand_where_the_precedence_needs_them() {
        let [a, b, c] = ["a", "b", "c"].map(|name| number(name).exists());
        let [x, y, z] = ["#a", "#b", "#c"].map(|name| format!("attribute_exists({name})"));
        for (condition, expected) in [
            (a.clone() & b.clone() & c.clone(), format!("{x} AND {y} AND {z}")),
            (a.clone() & b.clone() | c.clone(), format!("{x} AND {y} OR {z}")),
            (a.clone() & (b.clone() | c.clone()), format!("{x} AND ({y} OR {z})")),
            ((a.clone() | b.clone()) & c.clone(), format!("({x} OR {y}) AND {z}")),
            (!a.clone() & b.clone(), format!("NOT {x} AND {y}")),
            (!(a.clone() & b.clone()), format!("NOT ({x} AND {y})")),
            (!!a.clone(), x.clone()),
            (all([any([a.clone(), b.clone()]), c.clone()]), format!("({x} OR {y}) AND {z}")),
            (any([all([a.clone(), b.clone()]), c.clone()]), format!("{x} AND {y} OR {z}")),
            (any([any([a.clone(), b]), c]), format!("{x} OR {y} OR {z}")),
            (all([any([a])]), x),
        ] {
            assert_eq!(text(&condition), Some(expected));
        }
    }

    #[test]
    fn what_always_or_never_holds() {
        let n = number("n").exists();
        for always in [all([]), !any([]), any([n.clone(), all([])]), all([all([])])] {
            assert_eq!(text(&always), None);
        }
        let contradiction = "attribute_exists(#a) AND attribute_not_exists(#a)";
        for never in [any([]), !all([]), all([n.clone(), any([])]), number("n").between(2, 1)] {
            assert_eq!(text(&never).as_deref(), Some(contradiction));
        }
        let left = n & all([]) & (number("m").exists() | any([]));
        assert_eq!(text(&left).as_deref(), Some("attribute_exists(#a) AND attribute_exists(#b)"));
    }

    #[test]
    fn a_value_that_cannot_be_stored_is_refused_even_where_it_does_not_matter() {
        let float = Path::<f64, Free, Reading>::field("f", FieldCodec::PLAIN);
        for condition in [float.gt(f64::NAN), any([all([]), float.eq(f64::INFINITY)])] {
            let refused = Aliases::default().condition(Expression::Filter, &condition.0);
            assert!(refused.unwrap_err().is_invalid_expression());
        }
    }

    #[test]
    fn two_raw_conditions_do_not_share_a_placeholder() {
        let raw = |name: &str| {
            let value = AttributeValue::N("1".to_owned());
            Condition::from(
                crate::expr::raw_condition("#raw = :raw").name("#raw", name).value(":raw", value),
            )
        };
        assert_eq!(
            text(&(raw("a") & raw("a"))).as_deref(),
            Some("(#raw = :raw) AND (#raw = :raw)")
        );
        let clash = raw("a") & raw("b");
        let refused = Aliases::default().condition(Expression::Condition, &clash.0).unwrap_err();
        assert!(refused.to_string().contains("`#raw`"), "{refused}");
    }

    #[test]
    fn more_than_100_values_are_several_in() {
        for (values, ins) in [(1, 1), (100, 1), (101, 2), (250, 3)] {
            let text = text(&number("n").in_(0..values)).unwrap();
            assert_eq!(text.matches(" IN (").count(), ins, "{values}");
            assert_eq!(text.matches(':').count(), usize::try_from(values).unwrap());
        }
    }

    #[test]
    fn the_limits_of_text_and_operators() {
        let operators = |count: usize| {
            let conditions = (0..count).map(|_| number("n").exists());
            Aliases::default().condition(Expression::Condition, &all(conditions).0)
        };
        // 100 times `attribute_exists(#a)`, joined by 99 times ` AND `.
        assert_eq!(operators(100).unwrap().map(|text| text.len()), Some(100 * 20 + 99 * 5));
        let error = operators(165).unwrap_err().to_string();
        assert!(error.contains("the condition has 4120 bytes of text"), "{error}");
        let error = operators(164).unwrap_err().to_string();
        assert!(error.contains("the condition has 327 operators"), "{error}");
        let small = |count: u32| {
            let conditions = (0..count).map(|at| number("n").gt(at % 3));
            Aliases::default().condition(Expression::Filter, &any(conditions).0)
        };
        // A comparison each, and one `OR` less.
        assert!(small(150).unwrap().is_some());
        let error = small(151).unwrap_err().to_string();
        assert!(error.contains("the filter has 301 operators"), "{error}");
    }
}
