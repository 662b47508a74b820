//! What the parts of a transaction are about.

use std::cmp::Ordering;

use crate::entity::KeyParts;
use crate::error::Context;
use crate::wire::{Connection, Endpoint, Meters};

/// An item of a transaction.
#[derive(Debug, Clone)]
pub(super) struct Target {
    pub(super) table: String,
    pub(super) entity: &'static str,
    pub(super) key: KeyParts,
}

/// DynamoDB compares the key attributes one by one, numbers by their value.
fn is_same(a: (&str, &KeyParts), b: (&str, &KeyParts)) -> bool {
    let ((table, key), (other_table, other)) = (a, b);
    let same_sort_key = match (&key.sk, &other.sk) {
        (Some(a), Some(b)) => a.order(b) == Ordering::Equal,
        (a, b) => a.is_none() && b.is_none(),
    };
    table == other_table && same_sort_key && key.pk.order(&other.pk) == Ordering::Equal
}

/// The places of the first two, tables and keys, that are one item.
pub(super) fn repeated(targets: &[(&str, &KeyParts)]) -> Option<(usize, usize)> {
    targets.iter().enumerate().find_map(|(at, target)| {
        let before = targets[..at].iter().position(|before| is_same(*before, *target))?;
        Some((before, at))
    })
}

/// The tables of one request, for spans and errors.
#[derive(Debug)]
pub(super) struct Tables {
    connection: Connection,
    names: Vec<String>,
}

impl Tables {
    pub(super) fn new<'a>(
        connection: &Connection,
        targets: impl IntoIterator<Item = &'a Target>,
    ) -> Self {
        let mut names: Vec<String> = Vec::new();
        for target in targets {
            if !names.contains(&target.table) {
                names.push(target.table.clone());
            }
        }
        Tables { connection: connection.clone(), names }
    }

    /// The only table's name.
    pub(super) fn name(&self) -> Option<&str> {
        match &self.names[..] {
            [name] => Some(name),
            _ => None,
        }
    }

    pub(super) fn names(&self) -> String {
        self.names.join(",")
    }

    pub(super) fn endpoint(&self) -> &Endpoint {
        self.connection.endpoint()
    }

    pub(super) fn meters(&self) -> &Meters {
        self.connection.meters()
    }

    /// Entity and key, and the table where there are several.
    pub(super) fn label(&self, target: &Target) -> String {
        let Target { table, entity, key } = target;
        match self.name() {
            Some(_) => format!("`{entity}` ({key})"),
            None => format!("`{entity}` ({key}) in `{table}`"),
        }
    }

    /// With the item, if the transaction has but one.
    pub(super) fn context(&self, operation: &'static str, targets: &[Target]) -> Context {
        let (entity, target) = match targets {
            [Target { entity, key, .. }] => (*entity, key.to_string()),
            _ => ("", String::new()),
        };
        let word = if self.name().is_some() { "table" } else { "tables" };
        let table = self.connection.describe(&format!("{word} `{}`", self.names.join("`, `")));
        Context { operation, entity, target, table, is_write: false, is_lost: false }
    }
}
