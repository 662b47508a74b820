use std::fmt;

use monotable::Entity;
use monotable::expr::Change;

type InLibrary<F> = Box<dyn Fn(&F) -> Change>;

/// One change of an item: as the library takes it, and in plain Rust.
pub(super) struct Edit<E: Entity, M: 'static> {
    text: String,
    /// What it changes; DynamoDB takes no two changes of one place in one update.
    places: &'static [&'static str],
    pub(super) change: InLibrary<E::Fields<M>>,
    pub(super) apply: Box<dyn Fn(&mut E)>,
}

impl<E: Entity, M: 'static> Edit<E, M> {
    pub(super) fn new(
        text: String,
        places: &'static [&'static str],
        change: impl Fn(&E::Fields<M>) -> Change + 'static,
        apply: impl Fn(&mut E) + 'static,
    ) -> Self {
        Edit { text, places, change: Box::new(change), apply: Box::new(apply) }
    }

    fn overlaps(&self, other: &Self) -> bool {
        let inside = |a: &str, b: &str| a == b || a.starts_with(&format!("{b}."));
        self.places.iter().any(|a| other.places.iter().any(|b| inside(a, b) || inside(b, a)))
    }
}

/// Those that go into one update.
pub(super) fn apart<E: Entity, M: 'static>(edits: Vec<Edit<E, M>>) -> Vec<Edit<E, M>> {
    let mut kept: Vec<Edit<E, M>> = Vec::new();
    for edit in edits {
        if !kept.iter().any(|other| edit.overlaps(other)) {
            kept.push(edit);
        }
    }
    kept
}

impl<E: Entity, M: 'static> fmt::Debug for Edit<E, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// The changes of an entity: those of any update, and those of an update that knows the item. A line
/// is what it changes, how its value is drawn, the change, and the same in plain Rust.
macro_rules! edits {
    (
        any { $($any:tt)* }
        by_item { $($by_item:tt)* }
    ) => {
        fn by_key(tape: &mut tests::tape::Tape<'_>) -> Edit<Self, monotable::expr::ByKey> {
            let lines = edits!(@lines monotable::expr::ByKey, $($any)*);
            tape.pick(lines)(tape)
        }
        fn by_item(tape: &mut tests::tape::Tape<'_>) -> Edit<Self, monotable::expr::ByItem> {
            let lines = edits!(@lines monotable::expr::ByItem, $($any)* $($by_item)*);
            tape.pick(lines)(tape)
        }
    };
    (@lines $mode:ty, $(
        $($place:literal)+ : |$tape:ident| $draw:expr,
        |$o:ident, $v:pat_param| $change:expr,
        |$e:ident, $w:pat_param| $apply:expr;
    )*) => {{
        let lines: &[fn(&mut tests::tape::Tape<'_>) -> Edit<Self, $mode>] = &[$(
            |$tape| {
                let value = $draw;
                let other = value.clone();
                Edit::<Self, $mode>::new(
                    format!("{} with {value:?}", stringify!($change)),
                    &[$($place),+],
                    move |$o| {
                        let $v = value.clone();
                        $change
                    },
                    move |$e| {
                        let $w = other.clone();
                        $apply;
                    },
                )
            },
        )*];
        lines
    }};
}
