//! The laws of keys, as property tests over type × spec × position × delimiter.
//!
//! `MONOTABLE_CASES` is the number of cases of each law in each group (10 000), and of the engine's
//! queries for each entity (300).

#![allow(clippy::unwrap_used, missing_docs, unreachable_pub)]

#[macro_use]
mod shape;
mod condition;
mod kind;
mod law;
mod tape;
mod template;

macro_rules! group {
    ($group:ident: $($line:ident = $shape:ident!($($arguments:tt)*);)*) => {
        mod $group {
            use crate::law::{Laws, check};

            $(mod $line {
                #[allow(unused_imports)]
                use crate::kind::*;
                $shape!($($arguments)*);
            })*

            fn all() -> Vec<Laws> {
                let mut all = Vec::new();
                $(all.extend($line::laws());)*
                all
            }

            #[test]
            fn law_1_injective() {
                check(&all(), |laws| Some(laws.injective), 40);
            }
            #[test]
            fn law_2_parse_back() {
                check(&all(), |laws| Some(laws.parse_back), 40);
            }
            #[test]
            fn law_3_order() {
                check(&all(), |laws| laws.order, 30);
            }
            #[test]
            fn law_4_prefix() {
                check(&all(), |laws| laws.prefix, 320);
            }
            #[test]
            fn law_5_exact_ranges() {
                check(&all(), |laws| laws.exact_ranges, 360);
            }
            #[test]
            fn law_6_once() {
                check(&all(), |laws| Some(laws.once), 20);
            }
        }
    };
}

group! { text:
    hash = shapes!(table Text, text: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    slash = shapes!(table Text, text: "<x>/<b>" "K/<a:3>/<x>/<b>" "K/<a:3>/<x>" "K/<x>/END" "K/<s>/<x>/<b>");
    hash_index = shapes!(index Text, text: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    ordered = shapes!(table Text, ordered: "<x:ordered>#<b>" "K#<a:3>#<x:ordered>#<b>" "K#<a:3>#<x:ordered>" "K#<x:ordered>#END" "K#<s>#<x:ordered>#<b>");
}
