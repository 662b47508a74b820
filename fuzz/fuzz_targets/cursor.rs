//! A text is a cursor or an error, and a cursor prints as the text that it was read from.

#![no_main]

use libfuzzer_sys::fuzz_target;
use monotable::Cursor;
use monotable::fuzzing::sealed;

fn check(text: &str) {
    if let Ok(cursor) = text.parse::<Cursor>() {
        assert_eq!(cursor.to_string(), text);
    }
}

fuzz_target!(|bytes: &[u8]| {
    // As it is, and with the checksum that gets bytes past the first door.
    check(&String::from_utf8_lossy(bytes));
    check(&sealed(bytes));
});
