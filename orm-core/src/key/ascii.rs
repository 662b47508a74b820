//! Short text without an allocation.

/// The longest component of a fixed width is a sign and 39 digits.
const MOST: usize = 40;

/// At most 40 bytes of ASCII.
#[derive(Debug, Clone, Copy)]
pub(super) struct Ascii {
    bytes: [u8; MOST],
    len: usize,
}

impl Ascii {
    pub(super) const EMPTY: Ascii = Ascii { bytes: [0; MOST], len: 0 };

    /// A number in decimal digits.
    pub(super) fn number(number: u128) -> Self {
        let mut text = Ascii::EMPTY;
        text.unpadded(number);
        text
    }

    /// A number in decimal digits, behind a minus sign below zero.
    pub(super) fn signed(number: i128) -> Self {
        let mut text = Ascii::EMPTY;
        if number < 0 {
            text.push(b'-');
        }
        text.unpadded(number.unsigned_abs());
        text
    }

    pub(super) fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..self.len).unwrap_or_default();
        str::from_utf8(bytes).unwrap_or_default()
    }

    #[inline]
    pub(super) fn push(&mut self, byte: u8) {
        if let Some(place) = self.bytes.get_mut(self.len) {
            *place = byte;
            self.len += 1;
        }
    }

    #[inline]
    pub(super) fn extend(&mut self, text: &[u8]) {
        let places = self.places(text.len());
        if places.len() == text.len() {
            places.copy_from_slice(text);
        }
    }

    /// The number in `width` digits, which it must fit.
    #[inline]
    pub(super) fn padded(&mut self, number: impl Into<u64>, width: usize) {
        let mut number: u64 = number.into();
        for place in self.places(width).iter_mut().rev() {
            *place = b'0' + u8::try_from(number % 10).unwrap_or(0);
            number /= 10;
        }
    }

    /// The same for more digits than a `u64` has: the processor does not divide 128 bits.
    pub(super) fn padded_wide(&mut self, number: u128, width: usize) {
        const PART: u128 = 10_u128.pow(19);
        if let Ok(number) = u64::try_from(number) {
            return self.padded(number, width);
        }
        let low = u64::try_from(number % PART).unwrap_or(0);
        self.padded_wide(number / PART, width.saturating_sub(19));
        self.padded(low, 19);
    }

    /// Room for `width` bytes.
    #[inline]
    fn places(&mut self, width: usize) -> &mut [u8] {
        let start = self.len;
        self.len = (start + width).min(MOST);
        self.bytes.get_mut(start..self.len).unwrap_or_default()
    }

    fn unpadded(&mut self, number: u128) {
        let width = number.checked_ilog10().unwrap_or(0) as usize + 1;
        self.padded_wide(number, width);
    }

    /// A byte in two hexadecimal digits.
    pub(super) fn hexadecimal(&mut self, byte: u8) {
        const DIGITS: &[u8; 16] = b"0123456789abcdef";
        self.push(DIGITS[usize::from(byte >> 4)]);
        self.push(DIGITS[usize::from(byte & 15)]);
    }

    /// Descending text where it ascended.
    pub(super) fn complement(&mut self) {
        for byte in &mut self.bytes {
            *byte = complement_of(*byte);
        }
    }
}

/// Digits become their complement and signs change places: ascending text becomes descending.
pub(super) fn complement(text: &str) -> String {
    text.chars()
        .map(|ch| {
            if ch.is_ascii() {
                u8::try_from(ch).map_or(ch, |byte| complement_of(byte).into())
            } else {
                ch
            }
        })
        .collect()
}

const fn complement_of(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => b'9' - (byte - b'0'),
        b'n' => b'p',
        b'p' => b'n',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_display() {
        for number in [0, 9, 10, u128::from(u64::MAX), u128::from(u64::MAX) + 1, u128::MAX] {
            assert_eq!(Ascii::number(number).as_str(), number.to_string());
            let mut padded = Ascii::EMPTY;
            padded.padded_wide(number, 39);
            assert_eq!(padded.as_str(), format!("{number:039}"));
        }
        for number in [0, -1, 42, i128::MIN, i128::MAX] {
            assert_eq!(Ascii::signed(number).as_str(), number.to_string());
        }
    }

    #[test]
    fn a_complement_is_its_own_inverse() {
        let mut text = Ascii::EMPTY;
        text.push(b'n');
        text.padded(2026_u32, 6);
        text.hexadecimal(0xaf);
        let before = text;
        text.complement();
        assert_eq!(text.as_str(), "p997973af");
        assert_eq!(complement(text.as_str()), before.as_str());
        assert_eq!(complement("é9"), "é0");
    }
}
