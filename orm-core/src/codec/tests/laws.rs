use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Plain {
    text: String,
    on: bool,
    sizes: (i8, u64),
    ratio: f64,
    small: f32,
    days: BTreeMap<i32, Vec<char>>,
    inner: Vec<Plain>,
    shape: Shape,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Shape {
    Dot,
    Circle(u8),
    Line(i64, i64),
    Box { w: u32 },
}

fn shape() -> impl Strategy<Value = Shape> {
    prop_oneof![
        Just(Shape::Dot),
        any::<u8>().prop_map(Shape::Circle),
        any::<(i64, i64)>().prop_map(|(a, b)| Shape::Line(a, b)),
        any::<u32>().prop_map(|w| Shape::Box { w }),
    ]
}

/// Floats of a size that `serde_dynamo` writes without an exponent, as here.
fn plain() -> impl Strategy<Value = Plain> {
    let leaf = (".*", any::<bool>(), any::<(i8, u64)>(), -1e30..1e30, -1e9_f32..1e9, shape());
    let days =
        prop::collection::btree_map(any::<i32>(), prop::collection::vec(any::<char>(), 0..3), 0..3);
    let leaf = (leaf, days).prop_map(|((text, on, sizes, ratio, small, shape), days)| Plain {
        text,
        on,
        sizes,
        ratio,
        small,
        days,
        inner: vec![],
        shape,
    });
    leaf.prop_recursive(4, 16, 3, |inner| {
        (inner.clone(), prop::collection::vec(inner, 0..3))
            .prop_map(|(plain, inner)| Plain { inner, ..plain })
    })
}

prop_compose! {
    fn order()(
        id in ".*",
        nick in any::<Option<String>>(),
        lines in prop::collection::vec((".*", any::<(u32, Option<String>, Vec<String>)>()), 0..4),
        by_day in any::<BTreeMap<u8, Option<i8>>>(),
        sizes in prop::collection::vec(1 - 10_i128.pow(38)..10_i128.pow(38), 0..4),
    ) -> Order {
        let lines = lines.into_iter().map(|(sku, (qty, note, tags))| {
            let tags = tags.into_iter().collect();
            Line { sku, qty, note, tags }
        });
        Order { id, nick, lines: lines.collect(), by_day, sizes: sizes.into_iter().collect() }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn prop_agrees_with_serde_dynamo(plain in plain()) {
        let theirs: HashMap<_, _> = serde_dynamo::to_item(&plain).expect("an item");
        prop_assert_eq!(to_item(&plain, &[]), Ok(theirs.clone()));
        prop_assert_eq!(from_item::<Plain>(theirs), Ok(plain));
    }

    #[test]
    fn prop_orders_read_back(order in order()) {
        for nulls in [&[][..], &["nick"]] {
            let stored = to_item(&order, nulls).expect("an item");
            prop_assert_eq!(from_item::<Order>(stored), Ok(order.clone()));
        }
        for line in order.lines {
            let theirs: HashMap<_, _> = serde_dynamo::to_item(&line).expect("an item");
            prop_assert_eq!(from_item::<Line>(theirs), Ok(line));
        }
    }

    #[test]
    fn prop_numbers(
        negative: bool,
        digits in 0..10_u128.pow(38),
        exponent in -140..100,
        other in any::<i64>(),
    ) {
        let text = format!("{}{digits}E{exponent}", if negative { "-" } else { "" });
        if let Ok(number) = text.parse::<Number>() {
            prop_assert_eq!(number.to_string().parse(), Ok(number));
            prop_assert_eq!(to_value(&number).and_then(from_value::<Number>), Ok(number));
            let nearest: f64 = text.parse().expect("a float");
            prop_assert_eq!(f64::from(number).to_bits(), (nearest + 0.0).to_bits());
            if nearest != 0.0 && (nearest - other as f64).abs() > 1e4 {
                prop_assert_eq!(number.cmp(&other.into()), nearest.total_cmp(&(other as f64)));
            }
        }
    }

    #[test]
    fn prop_number_order_is_by_value(left: i64, right: i64, shift in 0_u32..19) {
        let right = right / 10_i64.pow(shift);
        prop_assert_eq!(Number::from(left).cmp(&right.into()), left.cmp(&right));
        prop_assert_eq!(Number::from(left).to_string(), left.to_string());
        prop_assert_eq!(i64::try_from(Number::from(left)), Ok(left));
    }

    #[test]
    fn prop_any_text_is_read_or_refused(text in "[-+]?[0-9.]{0,50}([eE][-+]?[0-9]{0,12})?") {
        let _ = text.parse::<Number>();
        let _ = from_value::<serde_json::Value>(n(&text));
        let _ = from_value::<i128>(n(&text));
    }

    #[test]
    fn prop_floats(bits in any::<u64>(), f32s in any::<f32>()) {
        for float in [f64::from_bits(bits), f64::from(f32s)] {
            match to_value(&float) {
                Ok(stored) => prop_assert_eq!(from_value::<f64>(stored), Ok(float)),
                Err(_) => prop_assert!(!(1e-130..1e126).contains(&float.abs())),
            }
        }
    }
}
