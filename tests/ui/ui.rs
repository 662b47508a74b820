//! Each file in `<topic>/` has one mistake and is named after it; its `.stderr` is what the
//! compiler says. `rules.md` lists them by rule.
//!
//! `TRYBUILD=overwrite cargo test -p ui` writes the texts anew; `cargo test -p ui -- cases
//! trybuild=range` runs one topic. Both need the toolchain [`PINNED`].

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// The toolchain whose texts are compared: rustc words its part of a message anew now and then. On
/// any other one a case must fail to compile, whatever the text.
const PINNED: &str = "rustc 1.95.";

#[test]
fn cases() -> io::Result<()> {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc).arg("--version").output()?.stdout;
    if version.starts_with(PINNED.as_bytes()) {
        trybuild::TestCases::new().compile_fail("*/*.rs");
        return Ok(());
    }
    // Trybuild passes any text where it is told to write it: into a copy, for nobody to read.
    let copy = copy()?;
    let run = Command::new(env::current_exe()?)
        .args(["--ignored", "--exact", "cases_with_any_text"])
        .env("TRYBUILD", "overwrite")
        .env(COPY, copy)
        .status()?;
    assert!(run.success(), "a case compiles");
    Ok(())
}

const COPY: &str = "UI_COPY";

#[test]
#[ignore = "`cases` starts it"]
fn cases_with_any_text() {
    if let Ok(copy) = env::var(COPY) {
        trybuild::TestCases::new().compile_fail(format!("{copy}/*/*.rs"));
    }
}

/// The cases without their texts.
fn copy() -> io::Result<PathBuf> {
    let root = Path::new(env!("CARGO_TARGET_TMPDIR")).join("ui");
    if root.exists() {
        fs::remove_dir_all(&root)?;
    }
    for case in files()? {
        let copy = root.join(&case);
        fs::create_dir_all(copy.parent().unwrap_or(&root))?;
        fs::copy(here().join(case), copy)?;
    }
    Ok(root)
}

#[test]
fn every_case_belongs_to_one_rule() -> io::Result<()> {
    let rules = fs::read_to_string(here().join("rules.md"))?;
    let listed: Vec<&str> = rules.split('`').filter(|text| text.ends_with(".rs")).collect();
    let once: BTreeSet<String> = listed.iter().map(|file| (*file).to_owned()).collect();
    assert_eq!(listed.len(), once.len(), "a file is listed twice in rules.md");
    assert_eq!(once, files()?, "rules.md lists other files than there are");
    Ok(())
}

#[test]
fn every_case_is_short() -> io::Result<()> {
    for case in files()? {
        let lines = fs::read_to_string(here().join(&case))?.lines().count();
        assert!(lines <= 25, "{case} has {lines} lines: leave out what is not the mistake");
    }
    Ok(())
}

/// `<topic>/<mistake>.rs` of every case.
fn files() -> io::Result<BTreeSet<String>> {
    let mut files = BTreeSet::new();
    for topic in fs::read_dir(here())? {
        let topic = topic?.path();
        if !topic.is_dir() {
            continue;
        }
        for file in fs::read_dir(&topic)? {
            let file = file?.path();
            if file.extension().is_some_and(|extension| extension == "rs")
                && let Ok(relative) = file.strip_prefix(here())
            {
                files.insert(relative.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(files)
}

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
