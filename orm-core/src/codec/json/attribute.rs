use std::collections::HashMap;

use aws_sdk_dynamodb::primitives::Blob;
use aws_sdk_dynamodb::types::AttributeValue;

use super::{Tag, Text, Unread};
use crate::key::KeyRef;

/// The attributes of an item, which is next in the text, as the SDK has them.
pub(crate) fn item(text: &mut Text<'_>) -> Result<HashMap<String, AttributeValue>, Unread> {
    text.enter(b'{')?;
    let (mut item, mut is_first) = (HashMap::new(), true);
    while let Some(name) = text.name(&mut is_first)? {
        item.insert(name.into_owned(), value(text)?);
    }
    Ok(item)
}

/// An attribute's value, which is next in the text.
pub(crate) fn value(text: &mut Text<'_>) -> Result<AttributeValue, Unread> {
    let tag = text.open()?;
    let value = match tag {
        Tag::S => AttributeValue::S(text.string()?.into_owned()),
        Tag::N => AttributeValue::N(text.string()?.into_owned()),
        Tag::B => AttributeValue::B(Blob::new(text.bytes()?)),
        Tag::Bool => AttributeValue::Bool(text.boolean()?),
        Tag::Null => AttributeValue::Null(text.boolean()?),
        Tag::M => AttributeValue::M(item(text)?),
        Tag::L => AttributeValue::L(list(text, value)?),
        Tag::Ss => AttributeValue::Ss(list(text, |text| Ok(text.string()?.into_owned()))?),
        Tag::Ns => AttributeValue::Ns(list(text, |text| Ok(text.string()?.into_owned()))?),
        Tag::Bs => AttributeValue::Bs(list(text, |text| Ok(Blob::new(text.bytes()?)))?),
    };
    text.close()?;
    Ok(value)
}

fn list<'a, T>(
    text: &mut Text<'a>,
    element: impl Fn(&mut Text<'a>) -> Result<T, Unread>,
) -> Result<Vec<T>, Unread> {
    text.enter(b'[')?;
    let (mut list, mut is_first) = (Vec::new(), true);
    while text.element(&mut is_first)? {
        list.push(element(text)?);
    }
    Ok(list)
}

/// An attribute's value, which is next in the text, if it is of a type that keys have.
pub(crate) fn key<'a>(text: &mut Text<'a>) -> Result<KeyRef<'a>, Unread> {
    match text.open()? {
        Tag::S => Ok(KeyRef::S(text.string()?)),
        Tag::N => Ok(KeyRef::N(text.string()?)),
        Tag::B => Ok(KeyRef::B(text.bytes()?.into())),
        _ => Err(Unread),
    }
}
