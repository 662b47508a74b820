//! Text that is put together while compiling.

/// A message of up to 1000 bytes; a piece that does not fit is left out.
#[derive(Debug, Clone, Copy)]
pub struct Text {
    bytes: [u8; Self::CAPACITY],
    len: usize,
}

impl Text {
    const CAPACITY: usize = 1000;

    /// No text: nothing is wrong.
    pub const EMPTY: Text = Text { bytes: [0; Self::CAPACITY], len: 0 };

    /// The text of several pieces.
    pub const fn of(pieces: &[&str]) -> Text {
        let mut text = Text::EMPTY;
        let mut at = 0;
        while at < pieces.len() {
            text = text.push(pieces[at]);
            at += 1;
        }
        text
    }

    /// With one more piece.
    #[must_use]
    pub const fn push(mut self, piece: &str) -> Text {
        let piece = piece.as_bytes();
        if self.len + piece.len() <= Self::CAPACITY {
            let mut at = 0;
            while at < piece.len() {
                self.bytes[self.len + at] = piece[at];
                at += 1;
            }
            self.len += piece.len();
        }
        self
    }

    /// Whether there is nothing to say.
    pub const fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        match core::str::from_utf8(self.bytes.split_at(self.len).0) {
            Ok(text) => text,
            Err(_) => "",
        }
    }
}

/// `==` for texts in constants.
pub(crate) const fn equal(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    if a.len() != b.len() {
        return false;
    }
    let mut at = 0;
    while at < a.len() {
        if a[at] != b[at] {
            return false;
        }
        at += 1;
    }
    true
}

/// Whether `text` is one of `list`.
pub(crate) const fn is_among(text: &str, list: &[&str]) -> bool {
    let mut at = 0;
    while at < list.len() {
        if equal(text, list[at]) {
            return true;
        }
        at += 1;
    }
    false
}

/// The name in `list` that is `text` but for case, or but for one letter that is missing, too many,
/// another, or swapped with its neighbour; empty if there is none.
pub(crate) const fn nearest<'a>(text: &str, list: &[&'a str]) -> &'a str {
    let mut at = 0;
    while at < list.len() {
        if text.len() > 2 && is_near(text.as_bytes(), list[at].as_bytes()) {
            return list[at];
        }
        at += 1;
    }
    ""
}

const fn is_near(a: &[u8], b: &[u8]) -> bool {
    if a.len() > b.len() {
        return is_near(b, a);
    }
    let mut at = 0;
    while at < a.len() && a[at].eq_ignore_ascii_case(&b[at]) {
        at += 1;
    }
    let (left, right) = (a.len() - at, b.len() - at);
    if left != right {
        return right == left + 1 && ends_alike(a, b, left);
    }
    if left < 2 || ends_alike(a, b, left - 1) {
        return true;
    }
    a[at].eq_ignore_ascii_case(&b[at + 1])
        && a[at + 1].eq_ignore_ascii_case(&b[at])
        && ends_alike(a, b, left - 2)
}

/// Whether the last `count` letters are the same.
const fn ends_alike(a: &[u8], b: &[u8], count: usize) -> bool {
    let mut at = 1;
    while at <= count {
        if !a[a.len() - at].eq_ignore_ascii_case(&b[b.len() - at]) {
            return false;
        }
        at += 1;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_names() {
        let names = ["customer_id", "total", "id"];
        for near in ["totl", "Total", "tottal", "totla", "tutal", "otal", "totals"] {
            assert_eq!(nearest(near, &names), "total", "{near}");
        }
        for far in ["tl", "ttla", "totalled", "sum", "", "i", "xd"] {
            assert_eq!(nearest(far, &names), "", "{far}");
        }
        assert_eq!(nearest("customerid", &names), "customer_id");
    }
}
