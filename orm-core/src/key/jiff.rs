use jiff::civil::Date;
use jiff::tz::TimeZone;
use jiff::{Timestamp, ZonedDateTime};

use super::{KeyPart, PartError, PartKind, PartValue};

impl KeyPart for Date {
    const KIND: PartKind = PartKind::Date;
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        super::part::date(
            i32::from(self.year()),
            self.month().unsigned_abs().into(),
            self.day().unsigned_abs().into(),
        )
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        let PartValue::Date { year, month, day } = value else {
            return Err(PartError::new("is not a date"));
        };
        let narrow = |number: u8| i8::try_from(number).ok();
        let date = i16::try_from(year).ok().zip(narrow(month)).zip(narrow(day));
        date.and_then(|((year, month), day)| Date::new(year, month, day).ok())
            .ok_or(PartError::new("is not a date of the calendar"))
    }
}

impl KeyPart for Timestamp {
    const KIND: PartKind = PartKind::Timestamp;
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        // jiff counts the fraction towards zero, keys count it upwards.
        let nanos = self.as_nanosecond();
        let fields = (nanos.div_euclid(1_000_000_000), nanos.rem_euclid(1_000_000_000));
        match (i64::try_from(fields.0), u32::try_from(fields.1)) {
            (Ok(seconds), Ok(nanos)) => Ok(PartValue::Timestamp { seconds, nanos }),
            _ => Err(PartError::new("is outside the range of timestamps")),
        }
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        let PartValue::Timestamp { seconds, nanos } = value else {
            return Err(PartError::new("is not a timestamp"));
        };
        Timestamp::from_nanosecond(i128::from(seconds) * 1_000_000_000 + i128::from(nanos))
            .map_err(|_| PartError::new("is outside the range of `jiff::Timestamp`"))
    }
}

/// A zoned time becomes its instant in UTC: one instant has one key, whatever its zone.
impl KeyPart for ZonedDateTime {
    const KIND: PartKind = PartKind::Timestamp;
    fn to_value(&self) -> Result<PartValue<'_>, PartError> {
        match self.timestamp().to_value()? {
            PartValue::Timestamp { seconds, nanos } => Ok(PartValue::Timestamp { seconds, nanos }),
            _ => Err(PartError::new("is not a timestamp")),
        }
    }
    fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
        Timestamp::from_value(value).map(|instant| instant.to_zoned_datetime(TimeZone::UTC))
    }
}
