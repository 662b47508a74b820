use std::fmt;

use aws_sdk_dynamodb::types::AttributeValue;

use crate::entity::Item;
use crate::item;
use crate::key::KeyValue;
use crate::schema::Schema;

/// What a table's declaration makes of a stored item: the first step of adopting a table that
/// exists. `Shop::inspect(&item)` returns it.
///
/// `Display` gives one line an attribute, ready to read.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Inspection {
    /// The entity; `None` if no entity of `entities(..)` claims the item.
    pub entity: Option<&'static str>,
    /// Every key attribute of the entity: as stored, and as a fresh put would write it.
    pub keys: Vec<KeyReport>,
    /// Why the item is none of the declared entities, cannot be decoded, or is stored otherwise.
    pub problems: Vec<String>,
    /// Attributes that the entity does not write; a put would lose them.
    pub unknown: Vec<String>,
    /// Attributes that a put would write otherwise: a set that comes back as a list, another
    /// spelling of the type, a NULL that is left out.
    pub changed: Vec<String>,
}

/// One key attribute of an [`Inspection`].
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct KeyReport {
    /// The attribute's name.
    pub attribute: &'static str,
    /// As stored.
    pub stored: Option<KeyValue>,
    /// As a fresh put would write it.
    pub rendered: Option<KeyValue>,
}

impl Inspection {
    /// Whether the item is a declared entity and a put of it, as it is read, would store exactly
    /// what is stored.
    pub fn is_faithful(&self) -> bool {
        self.entity.is_some()
            && self.problems.is_empty()
            && self.unknown.is_empty()
            && self.changed.is_empty()
    }
}

/// Inspects an item of a table of schema `T`.
pub(crate) fn inspect<T: Schema>(found: &Item) -> Inspection {
    let table = T::TABLE;
    let by_type =
        |schema| item::type_name(table, found).is_some() && item::is_of(table, schema, found);
    let by_key = |schema| item::has_keys(table, schema, found);
    let entries = T::entities();
    let entry = entries
        .iter()
        .find(|entry| by_type(entry.schema))
        .or_else(|| entries.iter().find(|entry| by_key(entry.schema)));
    let mut report = Inspection {
        entity: None,
        keys: Vec::new(),
        problems: Vec::new(),
        unknown: Vec::new(),
        changed: Vec::new(),
    };
    if let Some(name) = item::type_name(table, found)
        && !entries.iter().any(|entry| by_type(entry.schema))
    {
        report.problems.push(format!(
            "the type attribute is `{name}`, which no entity has; add it as `type_name` or `type_alias`"
        ));
    }
    if item::is_guard(table, found) {
        report.problems = vec![
            "it is a guard of a unique field, which the library writes with the item that has the value"
                .to_owned(),
        ];
        return report;
    }
    let Some(entry) = entry else {
        if report.problems.is_empty() {
            report.problems.push(no_entity::<T>(found));
        }
        return report;
    };
    let schema = entry.schema;
    report.entity = Some(schema.name);
    let rendered = match (entry.rendered)(found.clone()) {
        Ok(rendered) => rendered,
        Err(error) => {
            report.problems.push(error.to_string());
            Item::new()
        }
    };
    for slot in schema.slots() {
        let attribute = slot.attribute.name;
        let stored = found.get(attribute).and_then(KeyValue::from_attribute);
        let fresh = rendered.get(attribute).and_then(KeyValue::from_attribute);
        if !rendered.is_empty() && stored != fresh {
            let text = |value: &Option<KeyValue>| match value {
                Some(value) => format!("`{value}` ({})", value.type_name()),
                None => "absent".to_owned(),
            };
            report.problems.push(format!(
                "`{attribute}` is stored as {}, and the template `{}` writes {}",
                text(&stored),
                slot.template.text,
                text(&fresh)
            ));
        }
        report.keys.push(KeyReport { attribute, stored, rendered: fresh });
    }
    if !rendered.is_empty() {
        let is_key = |name: &str| schema.slots().iter().any(|slot| slot.attribute.name == name);
        for (name, value) in found.iter().filter(|(name, _)| !is_key(name)) {
            match rendered.get(name) {
                Some(fresh) if fresh == value => {}
                // Absent and NULL read alike.
                None if !matches!(value, AttributeValue::Null(_)) => {
                    report.unknown.push(name.clone());
                }
                _ => report.changed.push(name.clone()),
            }
        }
        let added = rendered.keys().filter(|name| !is_key(name) && !found.contains_key(*name));
        report.changed.extend(added.cloned());
        report.unknown.sort();
        report.changed.sort();
    }
    report
}

fn no_entity<T: Schema>(found: &Item) -> String {
    let Some(key) = crate::entity::KeyParts::of_item(T::TABLE, found) else {
        return "the item does not have the key attributes of the table".to_owned();
    };
    let templates: Vec<_> = T::entities()
        .iter()
        .map(|entry| match &entry.schema.sk {
            Some(sk) => format!("`{}` + `{}`", entry.schema.pk.template.text, sk.template.text),
            None => format!("`{}`", entry.schema.pk.template.text),
        })
        .collect();
    format!("the key `{key}` fits none of the templates {}", templates.join(", "))
}

impl fmt::Display for Inspection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entity: {}", self.entity.unwrap_or("none"))?;
        for key in &self.keys {
            let text = |value: &Option<KeyValue>| {
                value.as_ref().map_or_else(|| "-".to_owned(), KeyValue::to_string)
            };
            let same = if key.stored == key.rendered { "=" } else { "≠" };
            write!(
                f,
                "\n  {}: {} {same} {}",
                key.attribute,
                text(&key.stored),
                text(&key.rendered)
            )?;
        }
        for (label, names) in
            [("lost by a put", &self.unknown), ("changed by a put", &self.changed)]
        {
            if !names.is_empty() {
                write!(f, "\n  {label}: {}", names.join(", "))?;
            }
        }
        for problem in &self.problems {
            write!(f, "\n  problem: {problem}")?;
        }
        Ok(())
    }
}
