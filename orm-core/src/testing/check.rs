use std::any::type_name;
use std::cmp::Ordering;
use std::fmt::Debug;

use super::sample::{belongs, samples};
use crate::key::{KeyPart, PartKind, PartValue};

/// Checks the contract of a [`KeyPart`] on some two thousand values of its kind, the same at
/// every call.
///
/// For every value that `from_value` accepts: `to_value` gives the value back exactly, so that two
/// texts never mean one value, and `from_value` of that gives an equal part. Values that it does
/// not accept are skipped; [`check_key_part_with`] takes values of your own.
///
/// # Panics
///
/// When a law does not hold, naming the type, the values and the law; and when `from_value`
/// accepts none of the values.
///
/// # Examples
///
/// ```
/// use monotable::key::{KeyPart, PartError, PartKind, PartValue};
///
/// /// A rating of one to five stars.
/// #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
/// struct Stars(u8);
///
/// impl KeyPart for Stars {
///     const KIND: PartKind = PartKind::Unsigned { max: 5 };
///     fn to_value(&self) -> Result<PartValue<'_>, PartError> {
///         Ok(PartValue::Unsigned(self.0.into()))
///     }
///     fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
///         match u8::from_value(value)? {
///             stars @ 1..=5 => Ok(Stars(stars)),
///             _ => Err(PartError::new("is not one to five stars")),
///         }
///     }
/// }
///
/// monotable::testing::check_key_part::<Stars>();
/// monotable::testing::check_key_part_order::<Stars>();
/// ```
#[track_caller]
pub fn check_key_part<T: KeyPart + PartialEq + Debug>() {
    let accepted = accepted::<T>();
    assert!(
        !accepted.is_empty(),
        "`{}` accepts none of the generated values of {:?}; write `check_key_part_with([..])` with samples",
        type_name::<T>(),
        T::KIND,
    );
    for (value, part) in &accepted {
        let stored = check_back(part);
        assert!(
            stored == *value,
            "`{}` accepts a value that is not canonical: `from_value({value:?})` is `{part:?}`, whose \
             `to_value` is `{stored:?}`; refuse the first with a `PartError`",
            type_name::<T>(),
        );
    }
}

/// Checks the contract of a [`KeyPart`] on samples: `from_value(to_value(x)) == x`, and `to_value`
/// returns the variant that belongs to [`KIND`](KeyPart::KIND).
///
/// For types that accept so few values of their kind that [`check_key_part`] meets none.
///
/// # Panics
///
/// When a law does not hold, naming the type, the values and the law; and when there are no
/// samples.
///
/// # Examples
///
/// ```
/// monotable::testing::check_key_part_with(["ES".to_owned(), "PT".to_owned()]);
/// ```
#[track_caller]
pub fn check_key_part_with<T: KeyPart + PartialEq + Debug>(samples: impl IntoIterator<Item = T>) {
    let mut any = false;
    for part in samples {
        check_back(&part);
        any = true;
    }
    assert!(any, "there are no samples of `{}`; give at least one", type_name::<T>());
}

/// Checks that the order of a [`KeyPart`] is the order of its values, and so of the keys: on all
/// pairs of some hundred values that `from_value` accepts.
///
/// # Panics
///
/// When the order differs, naming the type and the pair; when `from_value` accepts fewer than two
/// of the values; and for the kind [`PartKind::Name`], which has no ranges and so no order to
/// keep.
///
/// # Examples
///
/// ```
/// monotable::testing::check_key_part_order::<i64>();
/// ```
#[track_caller]
pub fn check_key_part_order<T: KeyPart + Ord + Debug>() {
    /// 300 values are 45 000 pairs.
    const MOST: usize = 300;
    assert!(
        !matches!(T::KIND, PartKind::Name(_)),
        "`{}` is of the kind `Name`, which has no ranges and no order to keep; write `check_key_part` alone",
        type_name::<T>(),
    );
    let mut accepted = accepted::<T>();
    accepted.truncate(MOST);
    assert!(
        accepted.len() > 1,
        "`{}` accepts {} of the generated values of {:?}, but an order needs two; compare values of your own",
        type_name::<T>(),
        accepted.len(),
        T::KIND,
    );
    for (at, (value, part)) in accepted.iter().enumerate() {
        for (other_value, other) in &accepted[at..] {
            let (parts, values) = (part.cmp(other), order(value, other_value));
            assert!(
                parts == values,
                "`{}` has another order than its keys: `{part:?}` is {} `{other:?}`, but `{value:?}` is {} \
                 `{other_value:?}`; change `Ord`, or `to_value` while no key is stored yet",
                type_name::<T>(),
                words(parts),
                words(values),
            );
        }
    }
}

fn accepted<T: KeyPart>() -> Vec<(PartValue<'static>, T)> {
    let parts = samples(T::KIND).into_iter();
    parts.filter_map(|value| Some((value.clone(), T::from_value(value).ok()?))).collect()
}

/// The value of `part`, after a check that it belongs to the kind and leads back to `part`.
#[track_caller]
fn check_back<T: KeyPart + PartialEq + Debug>(part: &T) -> PartValue<'_> {
    let name = type_name::<T>();
    let value = match part.to_value() {
        Ok(value) => value,
        Err(error) => panic!("`{name}` cannot store `{part:?}`: `to_value` says that it {error}"),
    };
    assert!(
        belongs(T::KIND, &value),
        "`{name}` is of the kind {:?}, but `to_value` of `{part:?}` is `{value:?}`",
        T::KIND,
    );
    match T::from_value(value.clone()) {
        Ok(back) => assert!(
            back == *part,
            "`{name}` does not come back: `to_value` of `{part:?}` is `{value:?}`, whose `from_value` is `{back:?}`",
        ),
        Err(error) => panic!(
            "`{name}` does not come back: `to_value` of `{part:?}` is `{value:?}`, of which `from_value` says \
             that it {error}"
        ),
    }
    value
}

/// The order of two values of one kind, which fixed widths and `:ordered` give the keys too.
fn order(a: &PartValue<'_>, b: &PartValue<'_>) -> Ordering {
    match (a, b) {
        (PartValue::Text(a), PartValue::Text(b)) | (PartValue::Name(a), PartValue::Name(b)) => {
            a.as_bytes().cmp(b.as_bytes())
        }
        (PartValue::Unsigned(a), PartValue::Unsigned(b))
        | (PartValue::Uuid(a), PartValue::Uuid(b)) => a.cmp(b),
        (PartValue::Signed(a), PartValue::Signed(b)) => a.cmp(b),
        (
            PartValue::Date { year, month, day },
            PartValue::Date { year: other_year, month: other_month, day: other_day },
        ) => (year, month, day).cmp(&(other_year, other_month, other_day)),
        (
            PartValue::Timestamp { seconds, nanos },
            PartValue::Timestamp { seconds: other_seconds, nanos: other_nanos },
        ) => (seconds, nanos).cmp(&(other_seconds, other_nanos)),
        (PartValue::Bytes(a), PartValue::Bytes(b)) => a.cmp(b),
        _ => unreachable!("`samples` gives values of one kind"),
    }
}

fn words(order: Ordering) -> &'static str {
    match order {
        Ordering::Less => "less than",
        Ordering::Equal => "equal to",
        Ordering::Greater => "greater than",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::PartError;

    #[test]
    fn own_parts_keep_the_contract() {
        macro_rules! check {
            ($($ty:ty),*) => {$(
                check_key_part::<$ty>();
                check_key_part_order::<$ty>();
            )*};
        }
        check!(String, Box<str>, u8, u16, u32, u64, u128, i8, i16, i32, i64, i128, Vec<u8>);
        check_key_part::<bool>();
        #[cfg(feature = "chrono")]
        check!(chrono::NaiveDate, chrono::DateTime<chrono::Utc>);
        #[cfg(feature = "jiff")]
        check!(jiff::civil::Date, jiff::Timestamp, jiff::ZonedDateTime);
        #[cfg(feature = "uuid")]
        check!(uuid::Uuid);
    }

    /// A part over text whose three methods are closures' worth of code.
    macro_rules! text_part {
        ($name:ident, |$part:ident| $to:expr, |$text:ident| $from:expr) => {
            #[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
            struct $name(String);
            impl KeyPart for $name {
                const KIND: PartKind = PartKind::Text;
                fn to_value(&self) -> Result<PartValue<'_>, PartError> {
                    let $part = &self.0;
                    Ok($to)
                }
                fn from_value(value: PartValue<'_>) -> Result<Self, PartError> {
                    let $text = value.as_text()?;
                    $from.map($name)
                }
            }
        };
    }

    text_part!(Lower, |it| PartValue::Text(it.into()), |text| Ok(text.to_lowercase()));
    text_part!(Trimmed, |it| PartValue::Text(it.trim().into()), |text| Ok(text.to_owned()));
    text_part!(Wrong, |_it| PartValue::Unsigned(1), |text| Ok(text.to_owned()));
    text_part!(
        Backwards,
        |it| PartValue::Text(it.chars().rev().collect::<String>().into()),
        |text| Ok(text.chars().rev().collect())
    );
    text_part!(Code, |it| PartValue::Text(it.into()), |text| {
        match text.as_bytes() {
            [b'A'..=b'Z', b'A'..=b'Z'] => Ok(text.to_owned()),
            _ => Err(PartError::new("is not two upper-case letters")),
        }
    });
    text_part!(Nothing, |it| PartValue::Text(it.into()), |text| {
        match text {
            "one exact text" => Ok(text.to_owned()),
            _ => Err(PartError::new("is not that text")),
        }
    });

    #[test]
    fn few_accepted_values_are_enough() {
        check_key_part::<Code>();
        check_key_part_order::<Code>();
        check_key_part_with([Nothing("one exact text".to_owned())]);
    }

    #[test]
    #[should_panic(
        expected = "accepts a value that is not canonical: `from_value(Text(\"A\"))` is `Lower(\"a\")`"
    )]
    fn two_texts_for_one_value() {
        check_key_part::<Lower>();
    }

    #[test]
    #[should_panic(expected = "does not come back: `to_value` of `Trimmed(\" \")` is `Text(\"\")`")]
    fn one_text_for_two_values() {
        check_key_part::<Trimmed>();
    }

    #[test]
    #[should_panic(
        expected = "is of the kind Text, but `to_value` of `Wrong(\"\")` is `Unsigned(1)`"
    )]
    fn a_value_of_another_kind() {
        check_key_part::<Wrong>();
    }

    #[test]
    #[should_panic(expected = "has another order than its keys")]
    fn another_order() {
        check_key_part::<Backwards>();
        check_key_part_order::<Backwards>();
    }

    #[test]
    #[should_panic(expected = "write `check_key_part_with([..])` with samples")]
    fn nothing_accepted() {
        check_key_part::<Nothing>();
    }

    #[test]
    #[should_panic(
        expected = "`to_value` of `Nothing(\"another\")` is `Text(\"another\")`, of which `from_value` says"
    )]
    fn a_sample_that_does_not_come_back() {
        check_key_part_with([Nothing("another".to_owned())]);
    }

    #[test]
    #[should_panic(expected = "there are no samples")]
    fn no_samples() {
        check_key_part_with::<String>([]);
    }

    #[test]
    #[should_panic(expected = "has no ranges and no order to keep")]
    fn names_have_no_order() {
        check_key_part_order::<bool>();
    }
}
