use uuid::Uuid;

use super::{KeyPart, PartError, PartKind, PartValue};

impl KeyPart for Uuid {
    const KIND: PartKind = PartKind::Uuid;
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        Ok(PartValue::Uuid(self.as_u128()))
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Uuid(number) => Ok(Uuid::from_u128(number)),
            _ => Err(PartError::new("is not a UUID")),
        }
    }
}
