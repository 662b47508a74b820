use std::fmt::Write;

use super::{EntitySchema, KeyAttribute, Projection, Schema};
use crate::key::{Part, PartKind, Segment, Slot};

/// The stored layout of a table as text: every template with the kind and spec of each component,
/// enum spellings, shard rules, constants. For a snapshot in the user's own tests: what changes
/// here changes data on disk.
pub(crate) fn layout<T: Schema>() -> String {
    let mut out = String::new();
    // Writing to a String does not fail.
    let _ = write_layout::<T>(&mut out);
    out
}

fn write_layout<T: Schema>(out: &mut String) -> std::fmt::Result {
    let table = T::TABLE;
    writeln!(out, "table {}", table.name)?;
    writeln!(out, "  key {}", keys(&[table.pk], table.sk.as_slice()))?;
    if let Some(name) = table.type_attribute {
        writeln!(out, "  type attribute {name}")?;
    }
    if let Some(name) = table.ttl {
        writeln!(out, "  ttl {name}")?;
    }
    for index in table.indexes {
        let kind = if index.local { "lsi" } else { "gsi" };
        let projection = match index.projection {
            Projection::All => "all".to_owned(),
            Projection::KeysOnly => "keys_only".to_owned(),
            Projection::Include(names) => format!("include {}", names.join(" ")),
        };
        writeln!(out, "  {kind} {} {}, {projection}", index.name, keys(index.pk, index.sk))?;
    }
    for entry in T::entities() {
        write_entity(out, entry.schema, table.type_attribute.is_some())?;
    }
    Ok(())
}

fn write_entity(out: &mut String, entity: &EntitySchema, typed: bool) -> std::fmt::Result {
    write!(out, "entity {}", entity.name)?;
    if typed {
        write!(out, " = {:?}", entity.type_name)?;
        for alias in entity.type_aliases {
            write!(out, " | {alias:?}")?;
        }
    }
    writeln!(out)?;
    for slot in std::iter::once(&entity.pk).chain(&entity.sk) {
        write_slot(out, slot)?;
    }
    for index in entity.indexes {
        write!(out, "  index {}", index.name)?;
        if let Some(condition) = index.only_when {
            write!(out, " when {condition}")?;
        }
        if let Some(shards) = index.shards {
            write!(
                out,
                ", shard = xxh64({}) % {}, reads {}",
                shards.by,
                shards.count,
                shards.reads()
            )?;
        }
        writeln!(out)?;
        for slot in index.slots().filter(|slot| !slot.primary) {
            write_slot(out, slot)?;
        }
    }
    for (name, value) in entity.constants {
        writeln!(out, "  constant {name} = {value:?}")?;
    }
    for name in entity.key_only {
        writeln!(out, "  key only {name}")?;
    }
    for name in entity.nulls {
        writeln!(out, "  null {name}")?;
    }
    if let Some(name) = entity.version {
        writeln!(out, "  version {name}")?;
    }
    if let Some(name) = entity.ttl {
        writeln!(out, "  ttl from {name}")?;
    }
    for unique in entity.unique {
        writeln!(out, "  unique {}", unique.attribute)?;
        for slot in std::iter::once(&unique.pk).chain(&unique.sk) {
            write_slot(out, slot)?;
        }
    }
    Ok(())
}

fn write_slot(out: &mut String, slot: &Slot) -> std::fmt::Result {
    if slot.natural {
        return writeln!(out, "  {} = the field itself, as serde writes it", slot.attribute.name);
    }
    writeln!(out, "  {} = {}", slot.attribute.name, slot.template.text)?;
    for segment in slot.template.segments {
        if let Segment::Part(part) = segment {
            writeln!(out, "    {}: {}", part.field, describe(part))?;
        }
    }
    Ok(())
}

fn describe(part: &Part) -> String {
    let kind = match part.kind {
        PartKind::Text => "text".to_owned(),
        PartKind::Unsigned { .. } => "unsigned".to_owned(),
        PartKind::Signed { .. } => "signed".to_owned(),
        PartKind::Name(names) => format!("one of {}", names.join(" ")),
        PartKind::Date => "date".to_owned(),
        PartKind::Timestamp => "timestamp".to_owned(),
        PartKind::Uuid => "uuid".to_owned(),
        PartKind::Bytes => "binary".to_owned(),
    };
    match part.spec_text() {
        spec if spec.is_empty() => kind,
        spec => format!("{kind} :{spec}"),
    }
}

fn keys(pk: &[KeyAttribute], sk: &[KeyAttribute]) -> String {
    let half = |keys: &[KeyAttribute]| {
        let each = keys.iter().map(|key| format!("{} {}", key.name, key.ty.name()));
        each.collect::<Vec<_>>().join(", ")
    };
    if sk.is_empty() { half(pk) } else { format!("{} + {}", half(pk), half(sk)) }
}
