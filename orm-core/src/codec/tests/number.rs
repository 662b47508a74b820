use super::*;

#[test]
fn floats() {
    let table: &[(f64, &str)] = &[
        (0.0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (0.1, "0.1"),
        (-12.5, "-12.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e21, "1000000000000000000000"),
        (1e39, &format!("1{}", "0".repeat(39))),
        (1.5e100, "1.5E100"),
        (9.99e125, "9.99E125"),
        (-2.5e-130, "-2.5E-130"),
    ];
    for &(float, text) in table {
        same(float, n(text));
    }
    same(0.1_f32, n("0.1"));
    same(16_777_216.0_f32, n("16777216"));
    unwritten([f64::NAN], "attribute `[0]`: a number cannot be NaN or infinite");
    for float in [1e126, 9.9e-131, f64::MAX, f64::MIN_POSITIVE] {
        unwritten(float, "a number is zero or between 1E-130 and 9.9…9E+125");
    }
    unread::<f32>(n("1E100"), "expected f32, found the number 1E100");
    unread::<f64>(n("NaN"), "expected f64, found the number NaN");
}

#[test]
fn integers_in_any_spelling() {
    assert_eq!(from_value(n("1E3")), Ok(1000_u16));
    assert_eq!(from_value(n("5.0")), Ok(5_i128));
    assert_eq!(from_value(n("-0")), Ok(0_u8));
    assert_eq!(from_value(n("3E38")), Ok(3 * 10_u128.pow(38)));
    unread::<u8>(n("256"), "expected u8, found the number 256");
    unread::<i64>(n("5.5"), "expected i64, found the number 5.5");
    unwritten(u128::MAX, "a number has at most 38 significant digits");
    unwritten(i128::MIN, "a number has at most 38 significant digits");
}

#[test]
fn untyped_numbers() {
    let read = |text: &str| from_value::<serde_json::Value>(n(text)).expect("a JSON number");
    assert_eq!(read("-5"), serde_json::json!(-5));
    assert_eq!(read("1E3"), serde_json::json!(1000));
    assert_eq!(read("18446744073709551615"), serde_json::json!(u64::MAX));
    assert_eq!(read("0.5"), serde_json::json!(0.5));
    assert_eq!(read("100000000000000000000"), serde_json::json!(1e20));
    assert_eq!(read("1E100"), serde_json::json!(1e100));
    unread::<serde_json::Value>(n("x"), "`x` is not a DynamoDB number");
}

#[test]
fn numbers() {
    let table = [
        ("0", "0"),
        ("-0.00", "0"),
        ("0E999999999999", "0"),
        ("+007.50", "7.5"),
        (".5", "0.5"),
        ("5.", "5"),
        ("1e3", "1000"),
        ("1200E-2", "12"),
        ("0.00001", "0.00001"),
        ("-1E-130", "-1E-130"),
        (
            "99999999999999999999999999999999999999E88",
            "9.9999999999999999999999999999999999999E125",
        ),
    ];
    for (text, canonical) in table {
        let number: Number = text.parse().expect(text);
        assert_eq!(number.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(number));
        same(number, n(canonical));
        let json = serde_json::to_string(&number).expect("JSON");
        assert_eq!(json, format!("\"{canonical}\""));
        assert_eq!(serde_json::from_str::<Number>(&json).ok(), Some(number));
    }
    for text in
        ["", "-", ".", "1E", "1E+", "1 ", "x", "1.2.3", "--1", "+-1", "inf", "NaN", "1e1e1", "٣"]
    {
        assert_eq!(text.parse::<Number>().expect_err(text).to_string(), "not a decimal number");
    }
    for text in ["1E126", "1E-131", "-1E99999999999999999999", "1E-9999999999"] {
        let message = "a number is zero or between 1E-130 and 9.9…9E+125";
        assert_eq!(text.parse::<Number>().expect_err(text).to_string(), message);
    }
    let long = format!("1{}1", "0".repeat(37));
    assert_eq!(
        long.parse::<Number>().expect_err("39").to_string(),
        "a number has at most 38 significant digits"
    );
    assert_eq!(
        u8::try_from(Number::from(256)).expect_err("u8").to_string(),
        "not a whole number in the range of `u8`"
    );
    assert_eq!(i64::try_from(Number::from(i64::MIN)), Ok(i64::MIN));
    assert_eq!(
        serde_json::from_str::<Vec<Number>>("[1, -2, 0.5]").ok(),
        Some(vec![1.into(), (-2).into(), Number::try_from(0.5).expect("a number")])
    );
    assert!(serde_json::from_str::<Number>("0.1234567890123456").is_err());
    unread::<Number>(s("1"), "expected a number, found S");
}

#[test]
fn buffered_numbers_are_exact_or_refused() {
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Priced {
        #[serde(flatten)]
        inner: Price,
    }
    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Price {
        price: Number,
    }
    let priced = |text: &str| {
        let price = text.parse().expect(text);
        Priced { inner: Price { price } }
    };
    for text in ["0.1", "-19.9", "123456789012.345", "18446744073709551615", "1E100"] {
        same(priced(text), item([("price", n(text))]));
    }
    for text in ["0.12345678901234567890", "123456789012345678901"] {
        let stored = to_item(&priced(text), &[]).expect("an item");
        assert!(from_item::<Priced>(stored).is_err());
    }
}

#[test]
fn decimals_of_other_crates_are_exact_or_refused() {
    use rust_decimal::Decimal;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Priced {
        #[serde(with = "crate::number")]
        total: Decimal,
        #[serde(default, with = "crate::number::option")]
        tip: Option<Decimal>,
    }

    #[derive(Debug, Deserialize)]
    struct Counted {
        #[serde(with = "crate::number")]
        #[expect(dead_code, reason = "read, never looked at")]
        total: u8,
    }

    for (text, stored) in [
        ("19.90", "19.9"),
        ("-0.1234567890123456789012345678", "-0.1234567890123456789012345678"),
        ("79228162514264337593543950335", "79228162514264337593543950335"),
        ("0.00", "0"),
    ] {
        same(Priced { total: text.parse().unwrap(), tip: None }, item([("total", n(stored))]));
    }

    let tip = "0.1234567890123456789012345678";
    same(
        Priced { total: Decimal::ONE, tip: Some(tip.parse().unwrap()) },
        item([("total", n("1")), ("tip", n(tip))]),
    );
    let null = from_value::<Priced>(item([("total", n("1")), ("tip", Null(true))]));
    assert_eq!(null, Ok(Priced { total: Decimal::ONE, tip: None }));

    let priced = |text| item([("total", n(text))]);
    unread::<Priced>(
        priced("0.12345678901234567890123456789"),
        "attribute `total`: the type of the field would read `0.12345678901234567890123456789` as \
         `0.1234567890123456789012345679`; a `monotable::Number` keeps every digit",
    );
    unread::<Counted>(priced("1.5"), "attribute `total`: `1.5`: invalid digit found in string");

    #[derive(Debug, Serialize)]
    struct Named {
        #[serde(with = "crate::number")]
        total: &'static str,
    }
    unwritten(Named { total: "much" }, "attribute `total`: `much`: not a decimal number");
}
