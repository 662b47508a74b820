use std::collections::{BTreeMap, BTreeSet};

use fastrand::Rng;
use rust_decimal::Decimal;

use crate::codec::{Bytes, Number, Set, SetElement};

/// A type with values at random, of which those at the edges are not rare.
pub(super) trait Random: Sized {
    fn random(rng: &mut Rng) -> Self;
}

/// Elements of a collection, few of them.
pub(super) fn few<T: Random, C: FromIterator<T>>(rng: &mut Rng) -> C {
    (0..rng.u8(0..4)).map(|_| T::random(rng)).collect()
}

macro_rules! integers {
    ($($ty:ident)*) => {$(
        impl Random for $ty {
            fn random(rng: &mut Rng) -> Self {
                match rng.u8(0..6) {
                    0 => $ty::MIN,
                    1 => $ty::MAX,
                    2 => rng.$ty(0..10),
                    3 => 1_u8.into(),
                    _ => rng.$ty(..),
                }
            }
        }
    )*};
}

integers!(i16 i32 i64 i128 u8 u16 u32 u64 u128);

impl Random for i8 {
    fn random(rng: &mut Rng) -> Self {
        rng.i8(..)
    }
}

macro_rules! floats {
    ($($ty:ident $exponents:expr;)*) => {$(
        impl Random for $ty {
            fn random(rng: &mut Rng) -> Self {
                let mantissa = match rng.u8(0..4) {
                    0 => return -0.0,
                    1 => rng.i32(-9..10).to_string(),
                    _ => rng.i64(..).to_string(),
                };
                format!("{mantissa}e{}", rng.i32($exponents)).parse().unwrap_or(1.5)
            }
        }
    )*};
}

floats! { f32 -50..25; f64 -140..120; }

impl Random for Number {
    fn random(rng: &mut Rng) -> Self {
        let digits: String = (0..rng.u8(1..39)).map(|_| rng.digit(10)).collect();
        let sign = if rng.bool() { "-" } else { "" };
        let exponent = if rng.bool() { 0 } else { rng.i32(-150..120) };
        format!("{sign}{digits}E{exponent}").parse().unwrap_or_default()
    }
}

impl Random for Decimal {
    fn random(rng: &mut Rng) -> Self {
        Decimal::from_i128_with_scale(rng.i128(-(1 << 95)..1 << 95), rng.u32(0..29))
    }
}

impl Random for bool {
    fn random(rng: &mut Rng) -> Self {
        rng.bool()
    }
}

impl Random for () {
    fn random(_: &mut Rng) -> Self {}
}

impl Random for char {
    fn random(rng: &mut Rng) -> Self {
        const ODD: &[char] = &[
            '"',
            '\\',
            '/',
            '\0',
            '\u{1f}',
            '\n',
            '\u{7f}',
            'ß',
            '\u{7ff}',
            '\u{800}',
            '\u{2028}',
            '\u{ffff}',
            '\u{10000}',
            '😀',
            '\u{10ffff}',
            '}',
            ']',
            ',',
            ':',
            '\u{feff}',
        ];
        if rng.bool() { ODD[rng.usize(..ODD.len())] } else { rng.char(..) }
    }
}

impl Random for String {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(0..4) {
            0 => String::new(),
            1 => (0..rng.u8(1..30)).map(|_| rng.alphanumeric()).collect(),
            _ => (0..rng.u8(1..20)).map(|_| char::random(rng)).collect(),
        }
    }
}

impl Random for Bytes {
    fn random(rng: &mut Rng) -> Self {
        few::<u8, Vec<u8>>(rng).into()
    }
}

impl<T: Random> Random for Option<T> {
    fn random(rng: &mut Rng) -> Self {
        rng.bool().then(|| T::random(rng))
    }
}

impl<T: Random> Random for Box<T> {
    fn random(rng: &mut Rng) -> Self {
        Box::new(T::random(rng))
    }
}

impl<T: Random> Random for Vec<T> {
    fn random(rng: &mut Rng) -> Self {
        few(rng)
    }
}

impl<T: Random + Ord> Random for BTreeSet<T> {
    fn random(rng: &mut Rng) -> Self {
        few(rng)
    }
}

impl<T: Random + SetElement> Random for Set<T> {
    fn random(rng: &mut Rng) -> Self {
        few(rng)
    }
}

impl<K: Random + Ord, V: Random> Random for BTreeMap<K, V> {
    fn random(rng: &mut Rng) -> Self {
        few(rng)
    }
}

impl<T: Random, const LEN: usize> Random for [T; LEN] {
    fn random(rng: &mut Rng) -> Self {
        std::array::from_fn(|_| T::random(rng))
    }
}

macro_rules! tuples {
    ($(($($ty:ident)*))*) => {$(
        impl<$($ty: Random),*> Random for ($($ty,)*) {
            fn random(rng: &mut Rng) -> Self {
                ($($ty::random(rng),)*)
            }
        }
    )*};
}

tuples!((A)(A B)(A B C));
