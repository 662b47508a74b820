use super::operation::Operation;

/// The attributes that every note has.
const NOTE: &str = r#""PK":{"S":"NOTE#n1"},"SK":{"S":"NOTE"},"id":{"S":"n1"}"#;

/// Attributes of a note, in the words of a corpus: each stands behind the others.
const ATTRIBUTES: &[&str] = &[
    r#""s":{"S":"plain"}"#,
    r#""s":{"S":""}"#,
    r#""s":{"S":"\"\\\/\b\f\n\r\t"}"#,
    r#""s":{"S":"\u00e9\u20AC\u0000\u001f\u007f"}"#,
    r#""s":{"S":"\ud83d\ude00\uD83D\uDE00 😀"}"#,
    r#""s":{"S":"\ud83d"}"#,
    r#""s":{"S":"\ude00"}"#,
    r#""s":{"S":"\ud83d\ud83d"}"#,
    r#""s":{"S":"\ud83dx"}"#,
    r#""s":{"S":"\ud83d\n"}"#,
    r#""s":{"S":"\u12"}"#,
    r#""s":{"S":"\u+123"}"#,
    r#""s":{"S":"\u12g4"}"#,
    r#""s":{"S":"\x41"}"#,
    r#""s":{"S":"\'"}"#,
    r#""\u0073":{"S":"x"}"#,
    r#""s":{"\u0053":"x"}"#,
    r#""n":{"N":"12345678901234567890123456789012345678"}"#,
    r#""n":{"N":"123456789012345678901234567890123456789"}"#,
    r#""n":{"N":"1E125"}"#,
    r#""n":{"N":"9.9999999999999999999999999999999999999E125"}"#,
    r#""n":{"N":"1E126"}"#,
    r#""n":{"N":"1E-130"}"#,
    r#""n":{"N":"1E-131"}"#,
    r#""n":{"N":"-0"}"#,
    r#""n":{"N":"+1"}"#,
    r#""n":{"N":""}"#,
    r#""n":{"N":"NaN"}"#,
    r#""n":{"N":"\u0031"}"#,
    r#""n":{"N":1}"#,
    r#""n":{"S":"1"}"#,
    r#""i":{"N":"170141183460469231731687303715884105727"}"#,
    r#""i":{"N":"170141183460469231731687303715884105728"}"#,
    r#""i":{"N":"1E38"}"#,
    r#""i":{"N":"1.50"}"#,
    r#""i":{"N":"5.00"}"#,
    r#""f":{"N":"1e400"}"#,
    r#""f":{"N":"-1E400"}"#,
    r#""f":{"N":"1e308"}"#,
    r#""f":{"N":"1e-400"}"#,
    r#""f":{"N":"-0"}"#,
    r#""f":{"N":"inf"}"#,
    r#""f":{"N":"0.1000000000000000055511151231257827021181583404541015625"}"#,
    r#""small":{"N":"1e39"}"#,
    r#""small":{"N":"16777217"}"#,
    r#""b":{"B":""}"#,
    r#""b":{"B":"AAH/"}"#,
    r#""b":{"B":"AAH\/"}"#,
    r#""b":{"B":"AA\u003d\u003d"}"#,
    r#""b":{"B":"AA"}"#,
    r#""b":{"B":"AAH_"}"#,
    r#""b":{"B":"A A="}"#,
    r#""b":{"L":[{"N":"1"},{"N":"2"}]}"#,
    r#""on":{"BOOL":true}"#,
    r#""on":{"BOOL":tru}"#,
    r#""on":{"BOOL":truey}"#,
    r#""on":{"BOOL":"true"}"#,
    r#""on":{"BOOL":null}"#,
    r#""on":{"NULL":true}"#,
    r#""nil":{"NULL":true}"#,
    r#""nil":{"NULL":false}"#,
    r#""nil":{"NULL":null}"#,
    r#""s":null"#,
    r#""s":{}"#,
    r#""s":"x""#,
    r#""s":["S","x"]"#,
    r#""s":{"S":null}"#,
    r#""s":{"X":"x"}"#,
    r#""s":{"s":"x"}"#,
    r#""s":{"S":"x","S":"y"}"#,
    r#""s":{"S":"x","N":"1"}"#,
    r#""s":{"S":"x","N":null}"#,
    r#""s":{"N":null,"S":"x"}"#,
    r#""s":{"S":"x","__type":"y"}"#,
    r#""s":{"__type":{"a":[1,{"b":2}]},"S":"x"}"#,
    r#""__type":"x""#,
    r#""__type":{"S":"x"}"#,
    r#""list":{"L":[]}"#,
    r#""list":{"L":[{"N":"1"},{"N":"255"}]}"#,
    r#""list":{"L":[{"N":"1"},{"N":"256"}]}"#,
    r#""list":{"L":[{"N":"1"},]}"#,
    r#""list":{"L":[,{"N":"1"}]}"#,
    r#""list":{"L":[{"N":"1"}{"N":"2"}]}"#,
    r#""list":{"L":[null]}"#,
    r#""list":{"L":[1]}"#,
    r#""list":{"L":{}}"#,
    r#""list":{"NS":["1","2"]}"#,
    r#""list":{"NS":["1",2]}"#,
    r#""list":{"NS":null}"#,
    r#""map":{"M":{}}"#,
    r#""map":{"M":{"a":{"S":"1"},"\u0062":{"S":"2"}}}"#,
    r#""map":{"M":{"a":{"S":"1"},}}"#,
    r#""map":{"M":{"a":{"S":"1"}"b":{"S":"2"}}}"#,
    r#""map":{"M":{"a" "S"}}"#,
    r#""map":{"M":{a:{"S":"1"}}}"#,
    r#""map":{"M":{"a":{"N":"1"}}}"#,
    r#""map":{"M":[]}"#,
    r#""set":{"SS":["b","a"]}"#,
    r#""set":{"SS":["a","a"]}"#,
    r#""set":{"SS":[]}"#,
    r#""set":{"SS":["a",null]}"#,
    r#""set":{"L":[{"S":"a"}]}"#,
    r#""set":{"NULL":true}"#,
    r#""event":{"M":{"t":{"S":"Sent"},"c":{"N":"1"}}}"#,
    r#""event":{"M":{"c":{"N":"1"},"t":{"S":"Sent"}}}"#,
    r#""event":{"M":{"c":{"M":{"by":{"S":"x"},"z":{"S":"y"}}},"x":{"S":"y"},"t":{"S":"Read"}}}"#,
    r#""event":{"M":{"c":{"M":{"c":{"N":"1"},"t":{"S":"Sent"}}},"t":{"S":"Read"}}}"#,
    r#""event":{"M":{"t":{"S":"Lost"},"c":{"N":"1"}}}"#,
    r#""event":{"M":{"c":{"N":"1"}}}"#,
    r#""any":{"M":{"a":{"L":[{"N":"1.5"},{"N":"18446744073709551615"},{"NULL":true}]}}}"#,
    r#""any":{"N":"18446744073709551616"}"#,
    r#""any":{"N":"12345678901234567.5"}"#,
    r#""unknown":{"M":{"a":{"L":[{"BS":["AA=="]},{"SS":["x"]}]}}}"#,
    r#""unknown":{"BS":["A"]}"#,
    r#""unknown":{"S":"x"#,
    r#""unknown":{"S":"x"}}"#,
    "\"s\":{\"S\":\"a\tb\"}",
    "\"s\":{\"S\":\"a\u{0}b\"}",
    "\"s\":{\"S\":\"a\u{7f}\u{85}\u{2028}\u{feff}\u{fffd}\u{10ffff}\"}",
    "\"s\" \t\r\n: \t\r\n{ \t\r\n\"S\" \t\r\n: \t\r\n\"x\" \t\r\n} \t\r\n",
    "\"s\"\u{a0}:{\"S\":\"x\"}",
    "\"s\":\u{b}{\"S\":\"x\"}",
];

fn body(operation: Operation, items: &str) -> String {
    let (before, after) = operation.around();
    format!("{before}{items}{after}")
}

fn note(attributes: &str) -> String {
    format!("{{{NOTE},{attributes}}}")
}

#[tokio::test]
async fn attributes() {
    for operation in Operation::ALL {
        let mut is_read = 0;
        for attribute in ATTRIBUTES {
            for item in [note(attribute), format!("{{{attribute},{NOTE}}}")] {
                is_read += usize::from(operation.agrees(body(*operation, &item).as_bytes()).await);
                if operation.holds_lists() {
                    let items =
                        format!("{},{item},{}", note(r#""s":{"S":"1"}"#), note(r#""s":{"S":"3"}"#));
                    // Of the batch one item was asked for.
                    if *operation != Operation::BatchGet {
                        operation.agrees(body(*operation, &items).as_bytes()).await;
                    }
                }
            }
        }
        assert!(is_read > ATTRIBUTES.len() / 2, "{operation:?}: {is_read}");
    }
}

#[tokio::test]
async fn nesting() {
    let lists = |levels: usize| {
        format!("{}{{\"N\":\"1\"}}{}", "{\"L\":[".repeat(levels), "]}".repeat(levels))
    };
    let maps = |levels: usize| {
        format!("{}{{\"N\":\"1\"}}{}", "{\"M\":{\"a\":".repeat(levels), "}}".repeat(levels))
    };
    for operation in Operation::ALL {
        let levels = [1, 30, 31, 32, 33, 58, 59, 60, 61, 62, 63, 64, 65, 126, 127, 128, 200];
        for (level, nested) in
            levels.into_iter().flat_map(|level| [(level, lists(level)), (level, maps(level))])
        {
            for name in ["any", "unknown"] {
                let item = note(&format!("\"{name}\":{nested}"));
                let is_read = operation.agrees(body(*operation, &item).as_bytes()).await;
                assert!(is_read || level > 32, "{operation:?}, {level} levels");
            }
        }
    }
}

/// Around the items.
#[tokio::test]
async fn envelopes() {
    let one = note(r#""s":{"S":"x\u0041"},"list":{"L":[{"N":"1"}]}"#);
    for operation in Operation::ALL {
        let plain = body(*operation, &one);
        let members = &plain[1..plain.len() - 1];
        let (member, _) = members.split_once(':').unwrap();
        let mut bodies = vec![
            String::new(),
            " ".to_owned(),
            "{}".to_owned(),
            "{} ".to_owned(),
            "[]".to_owned(),
            "null".to_owned(),
            "\"x\"".to_owned(),
            "<html>".to_owned(),
            "{".to_owned(),
            "}".to_owned(),
            format!("\u{feff}{plain}"),
            format!(" \t\r\n{plain} \t\r\n"),
            format!("{plain}x"),
            format!("{plain}}}"),
            format!("{plain}{plain}"),
            format!("{plain},"),
            format!("{plain}\0"),
            format!("{{{members},}}"),
            format!("{{,{members}}}"),
            format!("{{\"X\":[1,{{\"a\":null}},\"]}}\"],{members},\"Y\":-1.5e+3}}"),
            format!("{{\"X\":[1}},{members}}}"),
            format!("{{\"X\":tru,{members}}}"),
            format!("{{\"X\":01,{members}}}"),
            format!("{{\"X\":\"\\ud83d\",{members}}}"),
            format!("{{\"X\":\"\t\",{members}}}"),
            format!("{{\"X\":{}1{},{members}}}", "[".repeat(300), "]".repeat(300)),
            format!("{{\"__type\":\"x\",{members}}}"),
            format!(
                "{{\"ConsumedCapacity\":{{\"TableName\":\"notes\",\"CapacityUnits\":0.5}},{members}}}"
            ),
            format!("{{{members},\"ConsumedCapacity\":7}}"),
            body(*operation, "{}"),
            body(*operation, ""),
            body(*operation, "null"),
            body(*operation, "[]"),
            body(*operation, "1"),
            body(*operation, "{} "),
            body(*operation, "{\"PK\":{\"S\":\"NOTE#n1\"}}"),
            body(*operation, &format!(" \n{one}\n ")),
            plain.replacen(member, &member.replacen('e', "\\u0065", 1), 1),
            plain.replacen(member, &member.to_lowercase(), 1),
        ];
        for null in ["Item", "Items", "Attributes", "Responses", "Count"] {
            bodies.push(format!("{{\"{null}\":null}}"));
            bodies.push(format!("{{\"{null}\":null,{members}}}"));
            bodies.push(format!("{{{members},\"{null}\":null}}"));
            bodies.push(format!("{{\"{null}\":[]}}"));
            bodies.push(format!("{{\"{null}\":{{}}}}"));
            bodies.push(format!("{{\"{null}\":{{}},{members}}}"));
            bodies.push(format!("{{{members},\"{null}\":[]}}"));
        }
        if *operation != Operation::TransactGet {
            bodies.push(format!("{{{members},{members}}}"));
        }
        for body in bodies {
            operation.agrees(body.as_bytes()).await;
        }
        assert!(operation.agrees(plain.as_bytes()).await, "{operation:?}");
    }
}

#[tokio::test]
async fn pages() {
    let one = note(r#""s":{"S":"x"}"#);
    let last = r#""LastEvaluatedKey":{"PK":{"S":"NOTE#n1"},"SK":{"S":"NOTE"}}"#;
    let mut bodies = Vec::new();
    for count in [
        "0",
        "1",
        "2",
        "-1",
        "2147483647",
        "2147483648",
        "99999999999999999999",
        "1.5",
        "1e3",
        "\"1\"",
        "null",
        "01",
        "[]",
    ] {
        bodies.push(format!("{{\"Count\":{count},\"Items\":[{one}]}}"));
        bodies.push(format!("{{\"Items\":[{one}],\"Count\":{count}}}"));
        bodies.push(format!(
            "{{\"Count\":{count},\"Items\":[{one},{one},{one}],\"ScannedCount\":{count}}}"
        ));
        bodies.push(format!("{{\"ScannedCount\":{count},\"Count\":{count}}}"));
    }
    bodies.extend([
        format!("{{{last},\"Items\":[{one}],\"Count\":1}}"),
        format!("{{\"Items\":[{one}],{last}}}"),
        format!("{{{last},\"Items\":[]}}"),
        format!("{{{last}}}"),
        format!("{{\"LastEvaluatedKey\":{{}},\"Items\":[{one}]}}"),
        format!("{{\"LastEvaluatedKey\":null,\"Items\":[{one}]}}"),
        format!("{{\"LastEvaluatedKey\":{{\"PK\":{{\"S\":\"x\"\"}}}},\"Items\":[{one}]}}"),
        format!("{{\"Items\":[{one}],\"Items\":[]}}"),
        format!("{{\"Items\":[],\"Items\":[{one}]}}"),
        format!("{{\"Items\":null,\"Items\":[{one}]}}"),
        format!("{{\"Items\":[{one},]}}"),
        format!("{{\"Items\":[,{one}]}}"),
        format!("{{\"Items\":[{one}{one}]}}"),
        format!("{{\"Items\":[{one},null]}}"),
        format!("{{\"Items\":[{one}}}"),
        format!("{{\"Items\":{{\"a\":{one}}}}}"),
    ]);
    for operation in [Operation::Query, Operation::Scan, Operation::ScanOfOne] {
        let mut is_read = 0;
        for body in &bodies {
            is_read += usize::from(operation.agrees(body.as_bytes()).await);
        }
        assert!(is_read > bodies.len() / 3, "{operation:?}: {is_read}");
    }
}

#[tokio::test]
async fn lists_of_answers() {
    let one = note(r#""s":{"S":"x"}"#);
    let batches = [
        format!("{{\"Responses\":{{\"other name\":[{one}]}}}}"),
        format!("{{\"Responses\":{{\"a\":[],\"notes\":[{one}],\"z\":[]}}}}"),
        format!("{{\"Responses\":{{\"notes\":[{one}],\"notes\":[]}}}}"),
        format!("{{\"Responses\":{{\"notes\":[],\"notes\":[{one}]}}}}"),
        format!("{{\"Responses\":{{\"notes\":null,\"a\":[{one}]}}}}"),
        format!("{{\"Responses\":{{\"notes\":{{}},\"a\":[{one}]}}}}"),
        format!("{{\"Responses\":{{}},\"Responses\":{{\"notes\":[{one}]}}}}"),
        format!("{{\"Responses\":{{\"notes\":[{one}]}},\"Responses\":{{}}}}"),
        format!(
            "{{\"UnprocessedKeys\":{{\"notes\":{{\"Keys\":[]}}}},\"Responses\":{{\"notes\":[{one}]}}}}"
        ),
    ];
    for body in batches {
        Operation::BatchGet.agrees(body.as_bytes()).await;
    }
    let answers = [
        "{\"Responses\":[]}".to_owned(),
        "{\"Responses\":[{}]}".to_owned(),
        "{\"Responses\":[null]}".to_owned(),
        "{\"Responses\":[{},{}]}".to_owned(),
        "{\"Responses\":[{\"Item\":null}]}".to_owned(),
        format!("{{\"Responses\":[{{\"Item\":{one}}},{{}}]}}"),
        format!("{{\"Responses\":[{{\"X\":1,\"Item\":{one}}}]}}"),
        format!("{{\"Responses\":[{{\"Item\":{one},\"X\":1}}]}}"),
        format!("{{\"Responses\":[{{\"Item\":{{}},\"Item\":{one}}}]}}"),
        format!("{{\"Responses\":[{{\"Item\":{one},\"Item\":{{}}}}]}}"),
        format!("{{\"Responses\":[{{\"Item\":{one},\"Item\":null}}]}}"),
        format!("{{\"Responses\":[],\"Responses\":[{{\"Item\":{one}}}]}}"),
        format!("{{\"Responses\":[{{\"Item\":{one}}}],\"Responses\":[{{}}]}}"),
    ];
    for body in answers {
        Operation::TransactGet.agrees(body.as_bytes()).await;
    }
}

#[tokio::test]
async fn every_cut_and_every_wrong_byte() {
    let one = note(
        r#""s":{"S":"x\u0041é"},"f":{"N":"1.5"},"b":{"B":"AA=="},"on":{"BOOL":true},
           "map":{"M":{"a":{"S":"1"}}},"set":{"SS":["a"]},"event":{"M":{"c":{"N":"1"},"t":{"S":"Sent"}}}"#,
    );
    for operation in Operation::ALL {
        let body = body(*operation, &one).into_bytes();
        assert!(operation.agrees(&body).await);
        for end in 0..body.len() {
            operation.agrees(&body[..end]).await;
        }
        // Requests in memory are not for nothing.
        let wrong = match operation {
            Operation::Get | Operation::Query => 0..body.len(),
            _ => 0..0,
        };
        for at in wrong {
            for wrong in [0xff, b'"', b'}'] {
                let mut body = body.clone();
                body[at] = wrong;
                // Not what batches ask for, nor a key.
                if !is_in_key(&body) {
                    operation.agrees(&body).await;
                }
            }
        }
    }
}

fn is_in_key(body: &[u8]) -> bool {
    !String::from_utf8_lossy(body).contains(NOTE)
}
