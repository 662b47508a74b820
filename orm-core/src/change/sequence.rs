use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

/// The sequence number of a stream record: 21 to 40 digits, greater for a later change of the same
/// item. Numbers of items in different shards say nothing about each other.
///
/// It orders as a number, which its text does not. To keep it in an item, where conditions compare
/// text, take [`padded`](Self::padded).
/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html>
///
/// # Examples
///
/// ```
/// use monotable::change::SequenceNumber;
///
/// let earlier: SequenceNumber = "999999999999999999999".parse()?;
/// let later: SequenceNumber = "1000000000000000000000".parse()?;
/// assert!(earlier < later);
/// assert!(earlier.to_string() > later.to_string());
/// assert!(earlier.padded() < later.padded());
/// assert_eq!(later.padded(), "0000000000000000001000000000000000000000");
/// assert_eq!(later.padded().parse::<SequenceNumber>()?, later);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SequenceNumber(String);

/// Text that is no sequence number.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSequence(String);

/// <https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_streams_StreamRecord.html>
const MOST_DIGITS: usize = 40;

impl SequenceNumber {
    /// The digits, with zeros in front of them to 40: these texts order as the numbers do.
    pub fn padded(&self) -> String {
        format!("{:0>MOST_DIGITS$}", self.0)
    }
}

impl FromStr for SequenceNumber {
    type Err = NoSequence;
    /// Zeros in front do not count.
    fn from_str(text: &str) -> Result<Self, NoSequence> {
        let digits = text.trim_start_matches('0');
        let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number || digits.len() > MOST_DIGITS {
            return Err(NoSequence(text.to_owned()));
        }
        Ok(SequenceNumber(if digits.is_empty() { "0" } else { digits }.to_owned()))
    }
}

impl Ord for SequenceNumber {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.len().cmp(&other.0.len()).then_with(|| self.0.cmp(&other.0))
    }
}

impl PartialOrd for SequenceNumber {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for SequenceNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Display for NoSequence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is no sequence number, which has at most {MOST_DIGITS} digits", self.0)
    }
}

impl std::error::Error for NoSequence {}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_digits_are_sequence_numbers() {
        for text in ["", "a", "-1", "+1", " 1", "1.0", "٣", &"9".repeat(41)] {
            let error = text.parse::<SequenceNumber>().unwrap_err().to_string();
            assert!(error.starts_with(&format!("`{text}` is no sequence number")), "{error}");
        }
        let zero: SequenceNumber = "000".parse().unwrap();
        assert_eq!((zero.to_string(), zero.padded()), ("0".to_owned(), "0".repeat(40)));
    }

    proptest! {
        #[test]
        fn text_and_numbers_order_alike(a in any::<u128>(), b in any::<u128>(), shift in 0_u32..128) {
            let (a, b) = (a, b >> shift);
            let [one, two] = [a, b].map(|n| n.to_string().parse::<SequenceNumber>().unwrap());
            prop_assert_eq!(one.cmp(&two), a.cmp(&b));
            prop_assert_eq!(one.padded().cmp(&two.padded()), a.cmp(&b));
            prop_assert_eq!(one.padded().parse::<SequenceNumber>(), Ok(one));
        }
    }
}
