use chrono::{DateTime, Datelike, FixedOffset, NaiveDate, Utc};

use super::{KeyPart, PartError, PartKind, PartValue};

impl KeyPart for NaiveDate {
    const KIND: PartKind = PartKind::Date;
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        super::part::date(self.year(), self.month(), self.day())
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        match value {
            PartValue::Date { year, month, day } => {
                NaiveDate::from_ymd_opt(year, u32::from(month), u32::from(day))
                    .ok_or(PartError::new("is not a date of the calendar"))
            }
            _ => Err(PartError::new("is not a date")),
        }
    }
}

/// Zoned instants become UTC: one instant has one key, whatever its offset.
macro_rules! instants {
    ($($zone:ty => $to:expr),*) => {$(
        impl KeyPart for DateTime<$zone> {
            const KIND: PartKind = PartKind::Timestamp;
            fn to_value(&self) -> Result<PartValue<'_>, PartError> {
                Ok(PartValue::Timestamp {
                    seconds: self.timestamp(),
                    nanos: self.timestamp_subsec_nanos(),
                })
            }
            fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
                match value {
                    PartValue::Timestamp { seconds, nanos } => DateTime::from_timestamp(seconds, nanos)
                        .map($to)
                        .ok_or(PartError::new("is outside the range of `chrono::DateTime`")),
                    _ => Err(PartError::new("is not a timestamp")),
                }
            }
        }
    )*};
}

instants!(
    Utc => |instant| instant,
    FixedOffset => |instant| instant.fixed_offset()
);
