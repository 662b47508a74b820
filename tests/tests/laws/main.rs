//! The laws of keys, as property tests over type × spec × position × delimiter.
//!
//! `MONOTABLE_CASES` is the number of cases of each law in each group (10 000 else; those of laws 4 to
//! 6 hold twenty items), and of the engine's queries for each entity (300 else).

// Rows are made by macros, which derive for items that nothing else names.
#![allow(
    clippy::unwrap_used,
    missing_debug_implementations,
    missing_docs,
    unreachable_pub,
    unused_parens
)]

#[macro_use]
mod shape;
mod condition;
mod engine;
mod kind;
mod law;
mod seeds;
mod template;

use tests::tape;

macro_rules! group {
    ($group:ident: $($line:ident = $shape:ident!($($arguments:tt)*);)*) => {
        mod $group {
            use crate::law::{Laws, check};

            $(pub mod $line {
                #[allow(unused_imports)]
                use crate::kind::*;
                #[allow(unused_imports)]
                use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
                #[allow(unused_imports)]
                use jiff::{Timestamp, civil::Date};
                $shape!($($arguments)*);
            })*

            fn all() -> Vec<Laws> {
                let mut all = Vec::new();
                $(all.extend($line::laws());)*
                all
            }

            #[test]
            fn law_1_injective() {
                check(&all(), |laws| Some(laws.injective), 40, 10_000);
            }
            #[test]
            fn law_2_parse_back() {
                check(&all(), |laws| Some(laws.parse_back), 40, 10_000);
            }
            #[test]
            fn law_3_order() {
                check(&all(), |laws| laws.order, 30, 10_000);
            }
            #[test]
            fn law_4_prefix() {
                check(&all(), |laws| laws.prefix, 320, 10_000);
            }
            #[test]
            fn law_5_exact_ranges() {
                check(&all(), |laws| laws.exact_ranges, 360, 10_000);
            }
            #[test]
            fn law_6_once() {
                check(&all(), |laws| Some(laws.once), 20, 10_000);
            }
        }
    };
}

/// Partition keys have no order, prefixes or ranges.
macro_rules! partition_group {
    ($($line:ident = $shape:ident!($($arguments:tt)*);)*) => {
        mod partition {
            use crate::law::{Laws, check};

            $(pub mod $line {
                #[allow(unused_imports)]
                use crate::kind::*;
                #[allow(unused_imports)]
                use chrono::{DateTime, FixedOffset, NaiveDate, Utc};
                #[allow(unused_imports)]
                use jiff::{Timestamp, civil::Date};
                $shape!($($arguments)*);
            })*

            fn all() -> Vec<Laws> {
                let mut all = Vec::new();
                $(all.extend($line::laws());)*
                all
            }

            #[test]
            fn law_1_injective() {
                check(&all(), |laws| Some(laws.injective), 40, 10_000);
            }
            #[test]
            fn law_2_parse_back() {
                check(&all(), |laws| Some(laws.parse_back), 40, 10_000);
            }
            #[test]
            fn law_6_once() {
                check(&all(), |laws| Some(laws.once), 20, 10_000);
            }
        }
    };
}

group! { text:
    hash = shapes!(table Text, text: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    slash = shapes!(index Text, text: "<x>/<b>" "K/<a:3>/<x>/<b>" "K/<a:3>/<x>" "K/<x>/END" "K/<s>/<x>/<b>");
    bar = shapes!(table Text, text: "<x>|<b>" "K|<a:3>|<x>|<b>" "K|<a:3>|<x>" "K|<x>|END" "K|<s>|<x>|<b>");
    colon = shapes!(index Text, text: "<x>:<b>" "K:<a:3>:<x>:<b>" "K:<a:3>:<x>" "K:<x>:END" "K:<s>:<x>:<b>");
    dot = shapes!(table Text, text: "<x>.<b>" "K.<a:3>.<x>.<b>" "K.<a:3>.<x>" "K.<x>.END" "K.<s>.<x>.<b>");
    dash = shapes!(index Text, text: "<x>-<b>" "K-<a:3>-<x>-<b>" "K-<a:3>-<x>" "K-<x>-END" "K-<s>-<x>-<b>");
    hash_index = shapes!(index Text, text: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    dollar = shapes!(table Text, text: "<x>$<b>" "K$<a:3>$<x>$<b>" "K$<a:3>$<x>" "K$<x>$END" "K$<s>$<x>$<b>");
}

group! { text_forms:
    ordered = shapes!(table Text, ordered: "<x:ordered>#<b>" "K#<a:3>#<x:ordered>#<b>" "K#<a:3>#<x:ordered>" "K#<x:ordered>#END" "K#<s>#<x:ordered>#<b>");
    ordered_quote = shapes!(index Text, ordered: "<x:ordered>\"<b>" "K\"<a:3>\"<x:ordered>\"<b>" "K\"<a:3>\"<x:ordered>" "K\"<x:ordered>\"END" "K\"<s>\"<x:ordered>\"<b>");
    ordered_bang = shapes!(table Text, ordered: "<x:ordered>!<b>" "K!<a:3>!<x:ordered>!<b>" "K!<a:3>!<x:ordered>" "K!<x:ordered>!END" "K!<s>!<x:ordered>!<b>");
    raw_hash = shapes!(table Raw<'#'>, text: "<x:raw>#<b>" "K#<a:3>#<x:raw>#<b>" "K#<a:3>#<x:raw>" "K#<x:raw>#END" "K#<s>#<x:raw>#<b>");
    raw_slash = shapes!(index Raw<'/'>, text: "<x:raw>/<b>" "K/<a:3>/<x:raw>/<b>" "K/<a:3>/<x:raw>" "K/<x:raw>/END" "K/<s>/<x:raw>/<b>");
    lower = shapes!(table Lower, text: "<x:lower>#<b>" "K#<a:3>#<x:lower>#<b>" "K#<a:3>#<x:lower>" "K#<x:lower>#END" "K#<s>#<x:lower>#<b>");
    lower_index = shapes!(index Lower, text: "<x:lower>.<b>" "K.<a:3>.<x:lower>.<b>" "K.<a:3>.<x:lower>" "K.<x:lower>.END" "K.<s>.<x:lower>.<b>");
    lower_ordered = shapes!(index Lower, ordered: "<x:lower:ordered>#<b>" "K#<a:3>#<x:lower:ordered>#<b>" "K#<a:3>#<x:lower:ordered>" "K#<x:lower:ordered>#END" "K#<s>#<x:lower:ordered>#<b>");
    newtype = shapes!(table Codes, text: "<x>|<b>" "K|<a:3>|<x>|<b>" "K|<a:3>|<x>" "K|<x>|END" "K|<s>|<x>|<b>");
    rest = ending!(table Text, text: "K#<a:3>#<x:rest>");
    rest_index = ending!(index Text, text: "<a:3>/<x:rest>");
    lower_rest = ending!(index Lower, text: "K:<a:3>:<x:lower:rest>");
}

group! { unsigned:
    u8_3 = shapes!(table Unsigned<u8, 3>, number: "<x:3>#<b>" "K#<a:3>#<x:3>#<b>" "K#<a:3>#<x:3>" "K#<x:3>#END" "K#<s>#<x:3>#<b>");
    u8_2 = shapes!(index Unsigned<u8, 2>, number: "<x:2>/<b>" "K/<a:3>/<x:2>/<b>" "K/<a:3>/<x:2>" "K/<x:2>/END" "K/<s>/<x:2>/<b>");
    u32_10 = shapes!(index Unsigned<u32, 10>, number: "<x:10>|<b>" "K|<a:3>|<x:10>|<b>" "K|<a:3>|<x:10>" "K|<x:10>|END" "K|<s>|<x:10>|<b>");
    u64_20 = shapes!(table Unsigned<u64, 20>, number: "<x:20>:<b>" "K:<a:3>:<x:20>:<b>" "K:<a:3>:<x:20>" "K:<x:20>:END" "K:<s>:<x:20>:<b>");
    u64_6 = shapes!(index Unsigned<u64, 6>, number: "<x:6>.<b>" "K.<a:3>.<x:6>.<b>" "K.<a:3>.<x:6>" "K.<x:6>.END" "K.<s>.<x:6>.<b>");
    u128_38 = shapes!(table Unsigned<u128, 38>, number: "<x:38>-<b>" "K-<a:3>-<x:38>-<b>" "K-<a:3>-<x:38>" "K-<x:38>-END" "K-<s>-<x:38>-<b>");
    level = shapes!(table Unsigned<Level, 5>, number: "<x:5>#<b>" "K#<a:3>#<x:5>#<b>" "K#<a:3>#<x:5>" "K#<x:5>#END" "K#<s>#<x:5>#<b>");
    descending = shapes!(table Unsigned<u32, 10, true>, number: "<x:10:desc>#<b>" "K#<a:3>#<x:10:desc>#<b>" "K#<a:3>#<x:10:desc>" "K#<x:10:desc>#END" "K#<s>#<x:10:desc>#<b>");
    descending_index = shapes!(index Unsigned<u64, 4, true>, number: "<x:4:desc>9<b>" "K9<a:3>9<x:4:desc>9<b>" "K9<a:3>9<x:4:desc>" "K9<x:4:desc>9END" "K#<s>#<x:4:desc>9<b>");
    u32_plain = shapes!(table Unsigned<u32, 0>, plain: "<x:plain>#<b>" "K#<a:3>#<x:plain>#<b>" "K#<a:3>#<x:plain>" "K#<x:plain>#END" "K#<s>#<x:plain>#<b>");
    u64_plain = shapes!(index Unsigned<u64, 0>, plain: "<x:plain>-<b>" "K-<a:3>-<x:plain>-<b>" "K-<a:3>-<x:plain>" "K-<x:plain>-END" "K-<s>-<x:plain>-<b>");
    touching = shapes!(table Unsigned<u32, 5>, number: "<x:5><b>" "K<a:3><x:5><b>" "K<a:3><x:5>" "K<x:5>0" "K#<s>#<x:5><b>");
}

group! { signed:
    i16_5 = shapes!(table Signed<i16, 5>, number: "<x:5>#<b>" "K#<a:3>#<x:5>#<b>" "K#<a:3>#<x:5>" "K#<x:5>#END" "K#<s>#<x:5>#<b>");
    i16_2 = shapes!(index Signed<i16, 2>, number: "<x:2>/<b>" "K/<a:3>/<x:2>/<b>" "K/<a:3>/<x:2>" "K/<x:2>/END" "K/<s>/<x:2>/<b>");
    i64_19 = shapes!(index Signed<i64, 19>, number: "<x:19>|<b>" "K|<a:3>|<x:19>|<b>" "K|<a:3>|<x:19>" "K|<x:19>|END" "K|<s>|<x:19>|<b>");
    i64_3 = shapes!(table Signed<i64, 3>, number: "<x:3>:<b>" "K:<a:3>:<x:3>:<b>" "K:<a:3>:<x:3>" "K:<x:3>:END" "K:<s>:<x:3>:<b>");
    i128_38 = shapes!(table Signed<i128, 38>, number: "<x:38>.<b>" "K.<a:3>.<x:38>.<b>" "K.<a:3>.<x:38>" "K.<x:38>.END" "K.<s>.<x:38>.<b>");
    descending = shapes!(table Signed<i64, 19, true>, number: "<x:19:desc>#<b>" "K#<a:3>#<x:19:desc>#<b>" "K#<a:3>#<x:19:desc>" "K#<x:19:desc>#END" "K#<s>#<x:19:desc>#<b>");
    descending_index = shapes!(index Signed<i16, 3, true>, number: "<x:3:desc>p<b>" "Kp<a:3>p<x:3:desc>p<b>" "Kp<a:3>p<x:3:desc>" "Kp<x:3:desc>pEND" "K#<s>#<x:3:desc>p<b>");
    i64_plain = shapes!(table Signed<i64, 0>, plain: "<x:plain>#<b>" "K#<a:3>#<x:plain>#<b>" "K#<a:3>#<x:plain>" "K#<x:plain>#END" "K#<s>#<x:plain>#<b>");
    i16_plain = shapes!(index Signed<i16, 0>, plain: "<x:plain>.<b>" "K.<a:3>.<x:plain>.<b>" "K.<a:3>.<x:plain>" "K.<x:plain>.END" "K.<s>.<x:plain>.<b>");
}

group! { names_and_uuids:
    uuid_hash = shapes!(table Uuids, number: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    uuid_dash = shapes!(index Uuids, number: "<x>-<b>" "K-<a:3>-<x>-<b>" "K-<a:3>-<x>" "K-<x>-END" "K-<s>-<x>-<b>");
    uuid_letter = shapes!(table Uuids, number: "<x>f<b>" "Kf<a:3>f<x>f<b>" "Kf<a:3>f<x>" "Kf<x>fEND" "K#<s>#<x>f<b>");
    bool_table = shapes!(table Names<bool>, name: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    bool_index = shapes!(index Names<bool>, name: "<x>/<b>" "K/<a:3>/<x>/<b>" "K/<a:3>/<x>" "K/<x>/END" "K/<s>/<x>/<b>");
    enum_table = shapes!(table Names<Status>, name: "<x>|<b>" "K|<a:3>|<x>|<b>" "K|<a:3>|<x>" "K|<x>|END" "K|<s>|<x>|<b>");
    enum_index = shapes!(index Names<Status>, name: "<x>.<b>" "K.<a:3>.<x>.<b>" "K.<a:3>.<x>" "K.<x>.END" "K.<s>.<x>.<b>");
}

group! { dates:
    chrono = shapes!(table Dates<NaiveDate, Day>, date: "<x>#<b>" "K#<a:3>#<x>#<b>" "K#<a:3>#<x>" "K#<x>#END" "K#<s>#<x>#<b>");
    chrono_dash = shapes!(index Dates<NaiveDate, Day>, date: "<x>-<b>" "K-<a:3>-<x>-<b>" "K-<a:3>-<x>" "K-<x>-END" "K-<s>-<x>-<b>");
    jiff = shapes!(index Dates<Date, Day>, date: "<x>/<b>" "K/<a:3>/<x>/<b>" "K/<a:3>/<x>" "K/<x>/END" "K/<s>/<x>/<b>");
    jiff_letter = shapes!(table Dates<Date, Day>, date: "<x>é<b>" "Ké<a:3>é<x>é<b>" "Ké<a:3>é<x>" "Ké<x>éEND" "K#<s>#<x>é<b>");
    year = shapes!(index Dates<NaiveDate, Year>, date: "<x:year>#<b>" "K#<a:3>#<x:year>#<b>" "K#<a:3>#<x:year>" "K#<x:year>#END" "K#<s>#<x:year>#<b>");
    year_table = shapes!(table Dates<Date, Year>, date: "<x:year>0<b>" "K0<a:3>0<x:year>0<b>" "K0<a:3>0<x:year>" "K0<x:year>0END" "K#<s>#<x:year>0<b>");
    month = shapes!(index Dates<Date, Month>, date: "<x:month>:<b>" "K:<a:3>:<x:month>:<b>" "K:<a:3>:<x:month>" "K:<x:month>:END" "K:<s>:<x:month>:<b>");
    month_table = shapes!(table Dates<NaiveDate, Month>, date: "<x:month>-<b>" "K-<a:3>-<x:month>-<b>" "K-<a:3>-<x:month>" "K-<x:month>-END" "K-<s>-<x:month>-<b>");
    day = shapes!(index Dates<NaiveDate, Day>, date: "<x:day>|<b>" "K|<a:3>|<x:day>|<b>" "K|<a:3>|<x:day>" "K|<x:day>|END" "K|<s>|<x:day>|<b>");
    descending = shapes!(table Dates<NaiveDate, Day, true>, date: "<x:desc>#<b>" "K#<a:3>#<x:desc>#<b>" "K#<a:3>#<x:desc>" "K#<x:desc>#END" "K#<s>#<x:desc>#<b>");
    month_descending = shapes!(index Dates<Date, Month, true>, date: "<x:month:desc>.<b>" "K.<a:3>.<x:month:desc>.<b>" "K.<a:3>.<x:month:desc>" "K.<x:month:desc>.END" "K.<s>.<x:month:desc>.<b>");
    touching = shapes!(index Dates<NaiveDate, Day>, date: "<x><b>" "K<a:3><x><b>" "K<a:3><x>" "K<x>END" "K#<s>#<x><b>");
}

group! { times:
    second = shapes!(index Times<DateTime<Utc>, Second>, number: "<x:s>#<b>" "K#<a:3>#<x:s>#<b>" "K#<a:3>#<x:s>" "K#<x:s>#END" "K#<s>#<x:s>#<b>");
    second_table = shapes!(table Times<DateTime<FixedOffset>, Second>, number: "<x:s>:<b>" "K:<a:3>:<x:s>:<b>" "K:<a:3>:<x:s>" "K:<x:s>:END" "K:<s>:<x:s>:<b>");
    milli = shapes!(index Times<DateTime<FixedOffset>, Milli>, number: "<x:ms>/<b>" "K/<a:3>/<x:ms>/<b>" "K/<a:3>/<x:ms>" "K/<x:ms>/END" "K/<s>/<x:ms>/<b>");
    milli_table = shapes!(table Times<DateTime<Utc>, Milli>, number: "<x:ms>.<b>" "K.<a:3>.<x:ms>.<b>" "K.<a:3>.<x:ms>" "K.<x:ms>.END" "K.<s>.<x:ms>.<b>");
    micro = shapes!(index Times<Timestamp, Micro>, number: "<x:us>|<b>" "K|<a:3>|<x:us>|<b>" "K|<a:3>|<x:us>" "K|<x:us>|END" "K|<s>|<x:us>|<b>");
    micro_table = shapes!(table Times<DateTime<Utc>, Micro>, number: "<x:us>Z<b>" "KZ<a:3>Z<x:us>Z<b>" "KZ<a:3>Z<x:us>" "KZ<x:us>ZEND" "K#<s>#<x:us>Z<b>");
    nano = shapes!(table Times<DateTime<Utc>, Nano>, number: "<x:ns>#<b>" "K#<a:3>#<x:ns>#<b>" "K#<a:3>#<x:ns>" "K#<x:ns>#END" "K#<s>#<x:ns>#<b>");
    nano_offset = shapes!(index Times<DateTime<FixedOffset>, Nano>, number: "<x:ns>-<b>" "K-<a:3>-<x:ns>-<b>" "K-<a:3>-<x:ns>" "K-<x:ns>-END" "K-<s>-<x:ns>-<b>");
    nano_jiff = shapes!(table Times<Timestamp, Nano>, number: "<x:ns>é<b>" "Ké<a:3>é<x:ns>é<b>" "Ké<a:3>é<x:ns>" "Ké<x:ns>éEND" "K#<s>#<x:ns>é<b>");
    second_jiff = shapes!(index Times<Timestamp, Second>, number: "<x:s>T<b>" "KT<a:3>T<x:s>T<b>" "KT<a:3>T<x:s>" "KT<x:s>TEND" "K#<s>#<x:s>T<b>");
    descending = shapes!(index Times<DateTime<Utc>, Second, true>, number: "<x:s:desc>#<b>" "K#<a:3>#<x:s:desc>#<b>" "K#<a:3>#<x:s:desc>" "K#<x:s:desc>#END" "K#<s>#<x:s:desc>#<b>");
    milli_descending = shapes!(table Times<DateTime<Utc>, Milli, true>, number: "<x:ms:desc>#<b>" "K#<a:3>#<x:ms:desc>#<b>" "K#<a:3>#<x:ms:desc>" "K#<x:ms:desc>#END" "K#<s>#<x:ms:desc>#<b>");
    nano_descending = shapes!(index Times<Timestamp, Nano, true>, number: "<x:ns:desc>/<b>" "K/<a:3>/<x:ns:desc>/<b>" "K/<a:3>/<x:ns:desc>" "K/<x:ns:desc>/END" "K/<s>/<x:ns:desc>/<b>");
}

group! { buckets:
    epoch_second = shapes!(index Times<DateTime<Utc>, EpochSecond>, number: "<x:epoch_s>#<b>" "K#<a:3>#<x:epoch_s>#<b>" "K#<a:3>#<x:epoch_s>" "K#<x:epoch_s>#END" "K#<s>#<x:epoch_s>#<b>");
    epoch_second_table = shapes!(table Times<Timestamp, EpochSecond>, number: "<x:epoch_s>0<b>" "K0<a:3>0<x:epoch_s>0<b>" "K0<a:3>0<x:epoch_s>" "K0<x:epoch_s>0END" "K#<s>#<x:epoch_s>0<b>");
    epoch_milli = shapes!(index Times<DateTime<FixedOffset>, EpochMilli>, number: "<x:epoch_ms>/<b>" "K/<a:3>/<x:epoch_ms>/<b>" "K/<a:3>/<x:epoch_ms>" "K/<x:epoch_ms>/END" "K/<s>/<x:epoch_ms>/<b>");
    epoch_milli_descending = shapes!(table Times<DateTime<Utc>, EpochMilli, true>, number: "<x:epoch_ms:desc>#<b>" "K#<a:3>#<x:epoch_ms:desc>#<b>" "K#<a:3>#<x:epoch_ms:desc>" "K#<x:epoch_ms:desc>#END" "K#<s>#<x:epoch_ms:desc>#<b>");
    year = shapes!(index Times<DateTime<Utc>, Year>, number: "<x:year>#<b>" "K#<a:3>#<x:year>#<b>" "K#<a:3>#<x:year>" "K#<x:year>#END" "K#<s>#<x:year>#<b>");
    month = shapes!(index Times<DateTime<FixedOffset>, Month>, number: "<x:month>-<b>" "K-<a:3>-<x:month>-<b>" "K-<a:3>-<x:month>" "K-<x:month>-END" "K-<s>-<x:month>-<b>");
    month_table = shapes!(table Times<Timestamp, Month>, number: "<x:month>|<b>" "K|<a:3>|<x:month>|<b>" "K|<a:3>|<x:month>" "K|<x:month>|END" "K|<s>|<x:month>|<b>");
    day = shapes!(index Times<Timestamp, Day>, number: "<x:day>:<b>" "K:<a:3>:<x:day>:<b>" "K:<a:3>:<x:day>" "K:<x:day>:END" "K:<s>:<x:day>:<b>");
    hour = shapes!(index Times<DateTime<Utc>, Hour>, number: "<x:hour>#<b>" "K#<a:3>#<x:hour>#<b>" "K#<a:3>#<x:hour>" "K#<x:hour>#END" "K#<s>#<x:hour>#<b>");
    hour_table = shapes!(table Times<DateTime<FixedOffset>, Hour>, number: "<x:hour>T<b>" "KT<a:3>T<x:hour>T<b>" "KT<a:3>T<x:hour>" "KT<x:hour>TEND" "K#<s>#<x:hour>T<b>");
    hour_descending = shapes!(index Times<DateTime<Utc>, Hour, true>, number: "<x:hour:desc>#<b>" "K#<a:3>#<x:hour:desc>#<b>" "K#<a:3>#<x:hour:desc>" "K#<x:hour:desc>#END" "K#<s>#<x:hour:desc>#<b>");
}

partition_group! {
    text = partitions!(Text: "<x>#<b>" "K#<s>#<x>#END");
    text_slash = partitions!(Text: "<x>/<b>" "K/<s>/<x>/END");
    raw = partitions!(Raw<'|'>: "<x:raw>|<b>" "K|<s>|<x:raw>|END");
    lower = partitions!(Lower: "<x:lower>:<b>" "K:<s>:<x:lower>:END");
    newtype = partitions!(Codes: "<x>.<b>" "K.<s>.<x>.END");
    u32_plain = partitions!(Unsigned<u32, 0>: "<x>#<b>" "K#<s>#<x>#END");
    u64_20 = partitions!(Unsigned<u64, 20>: "<x:20>/<b>" "K/<s>/<x:20>/END");
    i64_plain = partitions!(Signed<i64, 0>: "<x>#<b>" "K#<s>#<x>#END");
    i16_5 = partitions!(Signed<i16, 5>: "<x:5>:<b>" "K:<s>:<x:5>:END");
    flag = partitions!(Names<bool>: "<x>#<b>" "K#<s>#<x>#END");
    status = partitions!(Names<Status>: "<x>.<b>" "K.<s>.<x>.END");
    date = partitions!(Dates<NaiveDate, Day>: "<x>#<b>" "K#<s>#<x>#END");
    jiff_date = partitions!(Dates<Date, Day>: "<x>-<b>" "K-<s>-<x>-END");
    month = partitions!(Dates<NaiveDate, Month>: "<x:month>#<b>" "K#<s>#<x:month>#END");
    second = partitions!(Times<DateTime<Utc>, Second>: "<x:s>#<b>" "K#<s>#<x:s>#END");
    milli = partitions!(Times<DateTime<FixedOffset>, Milli>: "<x:ms>/<b>" "K/<s>/<x:ms>/END");
    nano = partitions!(Times<Timestamp, Nano>: "<x:ns>|<b>" "K|<s>|<x:ns>|END");
    day = partitions!(Times<DateTime<Utc>, Day>: "<x:day>:<b>" "K:<s>:<x:day>:END");
    hour = partitions!(Times<Timestamp, Hour>: "<x:hour>#<b>" "K#<s>#<x:hour>#END");
    uuid = partitions!(Uuids: "<x>#<b>" "K#<s>#<x>#END");
}
