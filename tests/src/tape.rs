//! Random choices on a tape of words, so that proptest shrinks a failure by shortening the tape and
//! by making words 0, and 0 is always the plainest choice.

use std::ops::Bound;

/// How many cases a law has: `MONOTABLE_CASES`, else `usual`.
pub fn cases(usual: u32) -> u32 {
    std::env::var("MONOTABLE_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

/// Words that are read one after the other.
#[derive(Debug)]
pub struct Tape<'a>(std::slice::Iter<'a, u32>);

impl<'a> Tape<'a> {
    pub fn new(words: &'a [u32]) -> Self {
        Tape(words.iter())
    }

    /// 0 where the tape has ended.
    pub fn word(&mut self) -> u32 {
        self.0.next().copied().unwrap_or(0)
    }

    pub fn below(&mut self, end: usize) -> usize {
        self.word() as usize % end
    }

    pub fn pick<T: Clone>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())].clone()
    }

    /// Once in `times`.
    pub fn rarely(&mut self, times: u32) -> bool {
        self.word() % times == times - 1
    }

    pub fn wide(&mut self) -> u128 {
        (0..4).fold(0, |wide, _| wide << 32 | u128::from(self.word()))
    }

    /// One to four pieces of text made of what breaks keys. Half of the texts come from eight
    /// pieces only, so that equal texts and common prefixes are frequent.
    pub fn text(&mut self) -> String {
        const FEW: [&str; 8] = ["a", "b", "#", "/", "%", "23", "$", "|"];
        const MANY: [&str; 32] = [
            "a",
            "B",
            "#",
            "$",
            "%",
            "/",
            "|",
            ":",
            ".",
            "~",
            "-",
            "!",
            "\"",
            "&",
            "\0",
            "\u{1}",
            "23",
            "25",
            "2F",
            "2f",
            "1",
            "10",
            " ",
            "é",
            "ß",
            "İ",
            "Σ",
            "日",
            "\u{7f}",
            "\u{d7ff}",
            "\u{e000}",
            "\u{10ffff}",
        ];
        let word = self.word() as usize;
        let (pieces, few) = (1 + (word >> 1) % 4, word & 1 == 0);
        let at = |piece: usize| word >> (3 + 5 * piece);
        (0..pieces)
            .map(|piece| if few { FEW[at(piece) % 8] } else { MANY[at(piece) % 32] })
            .collect()
    }

    pub fn bound<T>(&mut self, value: T) -> Bound<T> {
        match self.below(5) {
            0 | 1 => Bound::Included(value),
            2 | 3 => Bound::Excluded(value),
            _ => Bound::Unbounded,
        }
    }
}
