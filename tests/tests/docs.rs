//! What the documents state is true: stored forms, versions, features, attributes, messages, links.
//!
//! The Rust blocks of the README are doc tests of this package, see `src/readme.rs`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use aws_sdk_dynamodb::types::AttributeValue;
use chrono::{DateTime, NaiveDate, Utc};
use monotable::{Entity, KeyPart, Table};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

const README: &str = include_str!("../../README.md");
const DESIGN: &str = include_str!("../../orm-core/DESIGN.md");
const DOCUMENTS: &[&str] = &[
    "README.md",
    "CHANGELOG.md",
    "orm-core/DESIGN.md",
    "orm-core/src/docs/crate.md",
    "orm-core/src/docs/query.md",
    "orm-core/src/docs/capacity.md",
    "orm-core/src/docs/compile_errors.md",
    "orm-derive/src/docs/table.md",
    "orm-derive/src/docs/entity.md",
    "orm-derive/src/docs/key_part.md",
    "orm-derive/src/docs/collection.md",
    "orm-derive/src/docs/projection.md",
    ".github/CONTRIBUTING.md",
];

/// A row of a table of stored forms: half, Rust type, template, value, stored text.
type Row = [String; 5];

const HEADER: &str = "| half | type | template | value | stored text |";

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
struct Samples;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, KeyPart)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
enum Status {
    OnHold,
}

/// Rows from the library: each template is that of an index, where lossy specs round down. The
/// value stands in the documents as it stands here.
macro_rules! samples {
    (@sort $item:ident $ty:ty, $field:ident, $template:literal) => {
        #[derive(Serialize, Deserialize, Entity)]
        #[entity(table = Samples, pk = "ID#<id>", sk = "SAMPLE")]
        #[index(gsi1, pk = "ID#<id>", sk = $template, name = "by_sample")]
        struct $item {
            id: u8,
            $field: $ty,
        }
    };
    (@partition $item:ident $ty:ty, $field:ident, $template:literal) => {
        #[derive(Serialize, Deserialize, Entity)]
        #[entity(table = Samples, pk = "ID#<id>", sk = "SAMPLE")]
        #[index(gsi1, pk = $template, sk = "ID#<id:3>", name = "by_sample",
                allow(hot_partition = "a sample"))]
        struct $item {
            id: u8,
            $field: $ty,
        }
    };
    ($($half:ident, $ty:ty, $field:ident, $template:literal, $value:literal;)*) => {
        vec![$({
            samples!(@$half Sample $ty, $field, $template);
            let sample = Sample { id: 1, $field: Sampled::sampled($value) };
            let attribute = if stringify!($half) == "sort" { "GSI1SK" } else { "GSI1PK" };
            let item = sample.to_item().expect("a value that the template takes");
            let stored = match &item[attribute] {
                AttributeValue::S(text) => text.clone(),
                other => panic!("{other:?} is no text"),
            };
            [stringify!($half), stringify!($ty), $template, $value, &stored].map(str::to_owned)
        }),*]
    };
}

/// A value from its text in a document.
trait Sampled {
    fn sampled(text: &str) -> Self;
}

macro_rules! sampled {
    ($($ty:ty: |$text:ident| $value:expr;)*) => {$(
        impl Sampled for $ty {
            fn sampled($text: &str) -> Self {
                $value
            }
        }
    )*};
}

sampled! {
    String: |text| text.to_owned();
    u8: |text| text.parse().expect("a number");
    u32: |text| text.parse().expect("a number");
    u64: |text| text.parse().expect("a number");
    i32: |text| text.parse().expect("a number");
    i64: |text| text.parse().expect("a number");
    bool: |text| text.parse().expect("a bool");
    Status: |text| if text == "OnHold" { Status::OnHold } else { panic!("unknown {text}") };
    NaiveDate: |text| text.parse().expect("a date");
    DateTime<Utc>: |text| text.parse().expect("a timestamp");
    Uuid: |text| text.parse().expect("a UUID");
}

impl<T: Sampled> Sampled for Option<T> {
    fn sampled(text: &str) -> Self {
        (text != "None").then(|| T::sampled(text))
    }
}

fn samples() -> Vec<Row> {
    samples! {
        partition, String, sku, "<sku>#X", "KB-104";
        partition, String, sku, "<sku>#X", "a#b $5 100%";
        partition, String, sku, "<sku>/X", "a/b#c";
        partition, String, sku, "<sku>", "Zoë ~ 東京";
        partition, String, sku, "<sku:raw>#X", "a$b%c";
        partition, String, sku, "<sku:lower>", "Ana@Shop.Example";
        partition, u32, n, "USER#<n>", "42";
        partition, u32, n, "USER#<n:6>", "42";
        partition, i32, n, "SLOT#<n>", "-42";
        partition, bool, open, "OPEN#<open>", "true";
        partition, Status, status, "STATUS#<status>", "OnHold";
        partition, NaiveDate, date, "DAY#<date>", "2026-09-30";
        partition, NaiveDate, date, "MONTH#<date:month>", "2026-09-30";
        partition, DateTime<Utc>, at, "AT#<at:s>", "2026-10-01T09:14:00.25Z";
        partition, DateTime<Utc>, at, "HOUR#<at:hour>", "2026-10-01T09:14:00.25Z";
        partition, Uuid, token, "<token>", "67e55044-10b1-426f-9247-bb680e5fe0c8";
        sort, String, name, "<name>", "a#b";
        sort, String, name, "<name:ordered>#X", "Ana Ruiz";
        sort, String, name, "<name:lower:ordered>#X", "Ana Ruiz";
        sort, String, path, "FILE#<path:rest>", "docs/a#b%.md";
        sort, u8, line, "LINE#<line:2>", "7";
        sort, u64, n, "<n:20>", "18446744073709551615";
        sort, u32, n, "<n:plain>#X", "42";
        sort, u32, n, "<n:6:desc>", "42";
        sort, i64, n, "<n:6>", "42";
        sort, i64, n, "<n:6>", "0";
        sort, i64, n, "<n:6>", "-1";
        sort, i64, n, "<n:6>", "-42";
        sort, i64, n, "<n:6:desc>", "-42";
        sort, bool, open, "<open>", "false";
        sort, Status, status, "<status>", "OnHold";
        sort, NaiveDate, date, "<date>", "2026-09-30";
        sort, NaiveDate, date, "<date>", "0000-01-01";
        sort, NaiveDate, date, "<date:desc>", "2026-09-30";
        sort, NaiveDate, date, "<date:month>", "2026-09-30";
        sort, NaiveDate, date, "<date:year:desc>", "2026-09-30";
        sort, DateTime<Utc>, at, "<at:s>", "2026-10-01T11:14:00+02:00";
        sort, DateTime<Utc>, at, "<at:s>", "1969-12-31T23:59:59.9Z";
        sort, DateTime<Utc>, at, "<at:ms>", "2026-10-01T09:14:00.25Z";
        sort, DateTime<Utc>, at, "<at:us>", "2026-10-01T09:14:00.25Z";
        sort, DateTime<Utc>, at, "<at:ns>", "2026-10-01T09:14:00.25Z";
        sort, DateTime<Utc>, at, "<at:s:desc>", "2026-10-01T09:14:00Z";
        sort, DateTime<Utc>, at, "<at:epoch_s>", "2026-10-01T09:14:00.25Z";
        sort, DateTime<Utc>, at, "<at:epoch_ms>", "2026-10-01T09:14:00.25Z";
        sort, DateTime<Utc>, at, "<at:day>", "2026-10-01T09:14:00.25Z";
        sort, DateTime<Utc>, at, "<at:hour>", "2026-10-01T09:14:00.25Z";
        sort, Uuid, token, "<token>", "67e55044-10b1-426f-9247-bb680e5fe0c8";
        sort, Option<NaiveDate>, due, "<due:none_first>#X", "2026-09-30";
        sort, Option<NaiveDate>, due, "<due:none_first>#X", "None";
        sort, Option<NaiveDate>, due, "<due:none_last>", "None";
        sort, Option<u32>, n, "N#<n:6:desc:none_last>", "42";
        sort, Option<String>, name, "<name:none_first>", "~!";
    }
}

/// The rows of the tables of stored forms in a document; texts stand in backticks.
fn rows(document: &str) -> Vec<Row> {
    let mut rows = Vec::new();
    let mut lines = document.lines();
    while lines.by_ref().any(|line| line == HEADER) {
        lines.next();
        let table = lines.by_ref().take_while(|line| line.starts_with('|'));
        rows.extend(table.map(|line| {
            let cells: Vec<_> = line.trim_matches('|').split(" | ").map(str::trim).collect();
            let [half, ty, template, value, stored] = cells[..] else {
                panic!("a row of a table of stored forms has five cells: {line}");
            };
            [half, ty, template, value, stored].map(|cell| cell.trim_matches('`').to_owned())
        }));
    }
    rows
}

#[test]
fn stored_forms_are_what_the_library_renders() {
    let samples = samples();
    let printed: String = samples
        .iter()
        .map(|[half, ty, template, value, stored]| {
            format!("| {half} | `{ty}` | `{template}` | `{value}` | `{stored}` |\n")
        })
        .collect();
    for (name, document) in [("README.md", README), ("DESIGN.md", DESIGN)] {
        let rows = rows(document);
        assert!(!rows.is_empty(), "{name} has a table with the header {HEADER}");
        for row in &rows {
            assert!(samples.contains(row), "{name} has {row:?}; the library renders\n{printed}");
        }
    }
    let design = rows(DESIGN);
    for sample in &samples {
        assert!(design.contains(sample), "DESIGN.md lacks {sample:?}; the table is\n{printed}");
    }
}

#[test]
fn versions_are_those_of_the_manifest() {
    let manifest = read("Cargo.toml");
    let value = |key: &str| {
        let line = manifest.lines().find(|line| line.starts_with(&format!("{key} = ")));
        line.and_then(|line| line.split('"').nth(1)).expect("a setting of the workspace").to_owned()
    };
    let rust = value("rust-version");
    for document in ["README.md", ".github/CONTRIBUTING.md", ".github/workflows/ci.yml"] {
        assert!(read(document).contains(&rust), "{document} does not name Rust {rust}");
    }
    assert!(read("CHANGELOG.md").contains(&value("version")));
}

#[test]
fn features_are_those_of_the_crate() {
    let manifest = read("orm-core/Cargo.toml");
    let features = manifest.split("[features]").nth(1).expect("features");
    let features = features.split("\n[").next().expect("a section").lines();
    let names = features.filter_map(|line| line.split_once(" = ")).map(|(name, _)| name);
    for name in names.filter(|name| *name != "default" && !name.starts_with('#')) {
        for document in ["README.md", "orm-core/src/docs/crate.md"] {
            assert!(read(document).contains(&format!("`{name}`")), "{document} lacks {name}");
        }
    }
}

/// Every setting that a derive reads is in its reference.
#[test]
fn attributes_are_those_of_the_derives() {
    for (source, list, document) in [
        ("attr/table.rs", "TABLE", "table.md"),
        ("attr/table.rs", "GSI", "table.md"),
        ("attr/table.rs", "LSI", "table.md"),
        ("attr/entity.rs", "ENTITY", "entity.md"),
        ("attr/index.rs", "INDEX", "entity.md"),
        ("attr/collection.rs", "COLLECTION", "collection.md"),
        ("attr/projection.rs", "PROJECTION", "projection.md"),
    ] {
        let text = read(&format!("orm-derive/src/{source}"));
        let start = format!("const {list}: &[&str] = &[");
        let names = text.split(&start).nth(1).and_then(|rest| rest.split("];").next());
        let names = names.unwrap_or_else(|| panic!("{source} has `{start}`"));
        let reference = read(&format!("orm-derive/src/docs/{document}"));
        for name in names.split('"').skip(1).step_by(2) {
            let written = [format!("`{name} ="), format!("`{name}("), format!("`{name}`")];
            let has = written.iter().any(|form| reference.contains(form));
            assert!(has, "{document} lacks `{name}` of {list}");
        }
    }
}

/// The words behind a field's colon.
#[test]
fn specs_are_those_of_the_derive() {
    let source = read("orm-derive/src/template/spec.rs");
    let words = source.split("const ALL:").nth(1).and_then(|rest| rest.split("];").next());
    let words = words.expect("the words of specs");
    let reference = read("orm-derive/src/docs/entity.md");
    let mut seen = 0;
    for word in words.split("(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        seen += 1;
        assert!(reference.contains(&format!("`:{word}`")), "entity.md lacks `:{word}`");
    }
    assert!(seen > 10, "the words of specs were not found");
}

/// Messages in `text` blocks that begin with `error` are those of the compile-fail suite.
#[test]
fn messages_are_those_of_the_compiler() {
    let mut known = String::new();
    for folder in fs::read_dir(root().join("tests/ui")).expect("the compile-fail suite") {
        let folder = folder.expect("an entry").path();
        for file in fs::read_dir(folder).into_iter().flatten().flatten() {
            if file.path().extension().is_some_and(|it| it == "stderr") {
                known.push_str(&fs::read_to_string(file.path()).expect("text"));
            }
        }
    }
    for document in ["README.md", "orm-core/src/docs/compile_errors.md"] {
        let text = read(document);
        let blocks = text.split("```").skip(1).step_by(2);
        for line in blocks.flat_map(str::lines).filter(|line| line.starts_with("error")) {
            assert!(known.contains(line), "{document} shows a message that no test has: {line}");
        }
    }
}

/// The page about compile errors quotes texts of the sources.
#[test]
fn explained_messages_exist() {
    let sources = sources(&root().join("orm-core/src")) + &sources(&root().join("orm-derive/src"));
    let page = read("orm-core/src/docs/compile_errors.md");
    let rows =
        page.lines().filter(|line| line.starts_with("| ") && !line.contains("what to write"));
    // Those that rustc writes.
    let by_rustc = ["no method named", "no field", "binary operation"];
    for row in rows.filter(|row| !by_rustc.iter().any(|text| row.contains(text))) {
        let message = row.split(" | ").next().unwrap_or_default().trim_start_matches("| ");
        // What stands in backticks depends on the program.
        for text in message.split('`').step_by(2).flat_map(|text| text.split(['…', '?', ':'])) {
            let text = text.trim_matches([' ', ',', ';']);
            assert!(sources.contains(text), "no message has `{text}`, of `{message}`");
        }
    }
}

/// The text of all sources below a folder, string literals over several lines joined.
fn sources(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).expect("a folder of sources").flatten() {
        let path = entry.path();
        if path.is_dir() {
            all.push_str(&sources(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            let text = fs::read_to_string(&path).expect("text");
            let mut pieces = text.split("\\\n");
            all.push_str(pieces.next().unwrap_or_default());
            pieces.for_each(|piece| all.push_str(piece.trim_start()));
        }
    }
    all
}

#[test]
fn links_lead_somewhere() {
    let files = DOCUMENTS.iter().map(|name| (name, read(name)));
    for (name, text) in files {
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or_default();
            let elsewhere = target.contains("://") || target.contains("::") || path.is_empty();
            // A name without a slash or a dot is a link within the documentation.
            if elsewhere || !path.contains(['/', '.']) {
                continue;
            }
            let folder = root().join(name).parent().map(Path::to_owned).expect("a folder");
            assert!(folder.join(path).exists(), "{name} links to `{target}`, which is not there");
        }
    }
}

/// Anchors within a document are headings of it.
#[test]
fn anchors_are_headings() {
    for name in DOCUMENTS {
        let text = read(name);
        let headings: BTreeSet<String> = text
            .lines()
            .filter(|line| line.starts_with('#'))
            .map(|line| {
                let kept = line.trim_start_matches('#').trim().to_lowercase();
                let kept = kept.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
                kept.map(|c| if c == ' ' { '-' } else { c }).collect()
            })
            .collect();
        for anchor in text.split("](#").skip(1).filter_map(|rest| rest.split(')').next()) {
            assert!(headings.contains(anchor), "{name} links to `#{anchor}`");
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn read(path: &str) -> String {
    let file = root().join(path);
    fs::read_to_string(&file).unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}
