//! Templates as entities, and what laws ask of them.
//!
//! The component under test is `x`. Its neighbours are `s`, encoded text; `a`, a number of three
//! digits; and `b`, text at the end. The macros make an entity of a template on the table, or one
//! whose table key says nothing of `x` and whose template is on the index `gsi1`.

use std::cmp::Ordering;
use std::fmt::Debug;
use std::ops::Bound;
use std::sync::OnceLock;

use monotable::key::{KeyPart, PartKind, PartValue};
use monotable::testing::local_client;
use monotable::{Entity, Error, IntoPattern, Table};

pub use crate::condition::Condition;
use crate::kind::Kind;
use crate::tape::Tape;

#[derive(Table)]
#[table(pk = "PK", sk = "SK")]
#[gsi(gsi1, pk = "GSI1PK", sk = "GSI1SK")]
pub struct Laws;

/// A handle that sends nothing.
pub fn laws() -> &'static Table<Laws> {
    static TABLE: OnceLock<Table<Laws>> = OnceLock::new();
    TABLE.get_or_init(|| Laws::table(local_client("http://localhost:1").unwrap(), "laws"))
}

/// The values of one item.
#[derive(Debug, Clone, PartialEq)]
pub struct Fields<V> {
    pub p: &'static str,
    pub s: String,
    pub a: u8,
    pub x: V,
    pub b: String,
    /// The table's sort key of entities that are under test on the index.
    pub row: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    S,
    A,
    X,
    B,
}

/// A component as the oracle sees it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Seen<S> {
    Text(String),
    Number(u8),
    Tested(S),
}

pub type Value<S> = <<S as Keyed>::Kind as Kind>::Value;
pub type SeenOf<S> = Seen<<<S as Keyed>::Kind as Kind>::Seen>;

/// A template that renders.
pub trait Keyed:
    Entity<Table = Laws> + monotable::Unversioned + monotable::WithoutUnique + Debug + Clone + PartialEq
{
    type Kind: Kind;
    const TEMPLATE: &'static str;
    const FIELDS: &'static [Field];
    /// The table's key refuses what it would round.
    const PRIMARY: bool;

    fn of(fields: &Fields<Value<Self>>) -> Self;
    /// The stored text of the template's attribute.
    fn text(&self) -> Result<String, Error>;

    fn draw(tape: &mut Tape<'_>) -> Fields<Value<Self>> {
        let fields = Fields {
            p: tape.pick(&["p", "p", "p", "p", "p", "p", "p", "q"]),
            s: tape.text(),
            a: tape.pick(&[0, 1, 1, 2, 9, 10, 11, 99, 100, 255]),
            x: Self::Kind::draw(tape),
            b: tape.text(),
            row: 0,
        };
        Self::storable(fields)
    }

    /// With an `x` that the attribute can hold.
    fn storable(mut fields: Fields<Value<Self>>) -> Fields<Value<Self>> {
        if Self::PRIMARY {
            fields.x = Self::Kind::whole(fields.x);
        }
        fields
    }

    fn seen(fields: &Fields<Value<Self>>, field: Field) -> SeenOf<Self> {
        match field {
            Field::S => Seen::Text(fields.s.clone()),
            Field::A => Seen::Number(fields.a),
            Field::X => Seen::Tested(Self::Kind::seen(&fields.x, Self::PRIMARY)),
            Field::B => Seen::Text(fields.b.clone()),
        }
    }

    fn tuple(fields: &Fields<Value<Self>>) -> Vec<SeenOf<Self>> {
        Self::FIELDS.iter().map(|field| Self::seen(fields, *field)).collect()
    }

    /// The order of field tuples; `:desc` turns its component round.
    fn order(a: &Fields<Value<Self>>, b: &Fields<Value<Self>>) -> Ordering {
        let one = |field: &Field| {
            let order = Self::seen(a, *field).cmp(&Self::seen(b, *field));
            if *field == Field::X && Self::Kind::DESC { order.reverse() } else { order }
        };
        Self::FIELDS.iter().map(one).find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
    }

    fn kind_of(field: &str) -> PartKind {
        match field {
            "s" | "b" => String::KIND,
            "a" => u8::KIND,
            "x" => <Value<Self> as KeyPart>::KIND,
            other => panic!("no field {other}"),
        }
    }

    /// What the key says of the fields: `x` as the spec keeps it.
    fn values(fields: &Fields<Value<Self>>) -> Vec<PartValue<'static>> {
        let one = |field: &Field| match field {
            Field::S => PartValue::Text(fields.s.clone().into()),
            Field::A => PartValue::Unsigned(fields.a.into()),
            Field::X => owned(Self::Kind::whole(fields.x.clone()).to_value().unwrap()),
            Field::B => PartValue::Text(fields.b.clone().into()),
        };
        Self::FIELDS.iter().map(one).collect()
    }

    /// The inverse of `values`; what the key does not say is taken from `rest`.
    fn from_values(
        values: Vec<PartValue<'_>>,
        rest: &Fields<Value<Self>>,
    ) -> Option<Fields<Value<Self>>> {
        let mut fields = rest.clone();
        for (field, value) in Self::FIELDS.iter().zip(values) {
            match field {
                Field::S => fields.s = String::from_value(value).ok()?,
                Field::A => fields.a = u8::from_value(value).ok()?,
                Field::X => fields.x = KeyPart::from_value(value).ok()?,
                Field::B => fields.b = String::from_value(value).ok()?,
            }
        }
        Some(fields)
    }
}

fn owned(value: PartValue<'_>) -> PartValue<'static> {
    match value {
        PartValue::Text(text) => PartValue::Text(text.into_owned().into()),
        PartValue::Name(name) => PartValue::Name(name.into_owned().into()),
        PartValue::Unsigned(number) => PartValue::Unsigned(number),
        PartValue::Signed(number) => PartValue::Signed(number),
        PartValue::Date { year, month, day } => PartValue::Date { year, month, day },
        PartValue::Timestamp { seconds, nanos } => PartValue::Timestamp { seconds, nanos },
        PartValue::Uuid(number) => PartValue::Uuid(number),
        other => panic!("{other:?} is in no template"),
    }
}

/// A sort-key template, which patterns read.
pub trait Subject: Keyed {
    type On: monotable::Holds<monotable::Whole> + Send + Sync + 'static;
    /// Whether every component keeps the order.
    const ORDERED: bool;
    /// Whether `x` has ranges.
    const RANGED: bool;

    /// The pattern that fixes the first `count` components.
    fn fixed(fields: &Fields<Value<Self>>, count: usize) -> Pattern<Self>;
    /// The range on one component behind fixed ones; `None` where there is no method.
    fn range(
        fields: &Fields<Value<Self>>,
        field: Field,
        low: Bound<&Fields<Value<Self>>>,
        high: Bound<&Fields<Value<Self>>>,
    ) -> Option<Pattern<Self>>;
    fn prefix(fields: &Fields<Value<Self>>, field: Field, prefix: &str) -> Option<Pattern<Self>>;
    /// The key from its fields.
    fn key_of(fields: &Fields<Value<Self>>) -> monotable::Key<Self>;

    /// The partition that patterns read.
    fn partition(p: &str) -> String {
        format!("{}#{p}", if Self::PRIMARY { "P" } else { "G" })
    }

    fn condition(pattern: Pattern<Self>) -> Result<Option<Condition>, Error> {
        Condition::of(laws().query(pattern).explain())
    }
}

pub type Pattern<S> = monotable::Pattern<S, <S as Subject>::On>;

/// For code that is generic over where a pattern reads.
pub fn erased<P: IntoPattern>(pattern: P) -> monotable::Pattern<P::Entity, P::Index> {
    pattern.into_pattern()
}

/// An entity whose template is on the table or on the index.
macro_rules! entity {
    (table $name:ident $kind:ty: $sk:tt { $($field:ident = $tag:ident: $ty:ty),* }) => {
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
        #[entity(table = Laws, pk = "P#<p>", sk = $sk, name = "pattern")]
        pub struct $name { pub p: String, $(pub $field: $ty),* }

        impl Keyed for $name {
            type Kind = $kind;
            const TEMPLATE: &'static str = $sk;
            const FIELDS: &'static [Field] = &[$(Field::$tag),*];
            const PRIMARY: bool = true;
            fn of(fields: &Fields<Value<Self>>) -> Self {
                $name { p: fields.p.to_owned(), $($field: fields.$field.clone()),* }
            }
            fn text(&self) -> Result<String, Error> {
                self.key().sort_key()
            }
        }
    };
    (index $name:ident $kind:ty: $sk:tt { $($field:ident = $tag:ident: $ty:ty),* }) => {
        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
        #[entity(table = Laws, pk = "P#<p>", sk = "ROW#<row:plain>", name = "by_row")]
        #[index(gsi1, pk = "G#<p>", sk = $sk, name = "pattern")]
        pub struct $name { pub p: String, pub row: u32, $(pub $field: $ty),* }

        impl Keyed for $name {
            type Kind = $kind;
            const TEMPLATE: &'static str = $sk;
            const FIELDS: &'static [Field] = &[$(Field::$tag),*];
            const PRIMARY: bool = false;
            fn of(fields: &Fields<Value<Self>>) -> Self {
                $name { p: fields.p.to_owned(), row: fields.row, $($field: fields.$field.clone()),* }
            }
            fn text(&self) -> Result<String, Error> {
                let item = self.to_item()?;
                Ok(item["GSI1SK"].as_s().unwrap().clone())
            }
        }
    };
}

macro_rules! key_of {
    (table, $fields:ident, $($argument:expr),*) => { Self::key($fields.p, $($argument),*) };
    (index, $fields:ident, $($argument:expr),*) => { Self::key($fields.p, $fields.row) };
}

macro_rules! on {
    (table) => {
        monotable::OnTable
    };
    (index) => {
        monotable::OnGlobalIndex
    };
}

/// Which methods `x` has, by class and by whether it stands at the end.
macro_rules! ranged {
    (name $place:ident $e:expr) => {
        None
    };
    (plain $place:ident $e:expr) => {
        None
    };
    (text inside $e:expr) => {
        None
    };
    ($class:ident $place:ident $e:expr) => {
        Some($e)
    };
}

macro_rules! prefixed {
    (text $e:expr) => {
        Some($e)
    };
    (ordered $e:expr) => {
        Some($e)
    };
    (date $e:expr) => {
        Some($e)
    };
    ($class:ident $e:expr) => {
        None
    };
}

macro_rules! subject {
    (
        $on:ident $name:ident $class:ident $place:ident, ordered $ordered:expr,
        |$fields:ident, $prefix:ident| key [$($argument:expr),*]
        fixed { $($count:pat => $fixed:expr),* }
        x { $before_x:expr }
        $(range { $($field:ident $method:ident $before:expr),* })?
        $(prefix { $pfield:ident $pmethod:ident $pbefore:expr })?
    ) => {
        impl Subject for $name {
            type On = on!($on);
            const RANGED: bool = {
                let range: Option<()> = ranged!($class $place ());
                range.is_some()
            };
            const ORDERED: bool = Self::RANGED && $ordered;

            fn fixed($fields: &Fields<Value<Self>>, count: usize) -> Pattern<Self> {
                match count { $($count => erased($fixed),)* _ => unreachable!("{count}") }
            }
            #[allow(unused_variables)]
            fn range(
                $fields: &Fields<Value<Self>>,
                field: Field,
                low: Bound<&Fields<Value<Self>>>,
                high: Bound<&Fields<Value<Self>>>,
            ) -> Option<Pattern<Self>> {
                match field {
                    Field::X => ranged!($class $place {
                        let ends = (low.map(|end| end.x.clone()), high.map(|end| end.x.clone()));
                        erased($before_x.x_range(ends))
                    }),
                    $($(Field::$field => {
                        let ends = (low.map(|end| end.$method()), high.map(|end| end.$method()));
                        Some(subject!(@range $before, $method, ends))
                    })*)?
                    #[allow(unreachable_patterns)]
                    _ => None,
                }
            }
            #[allow(unused_variables)]
            fn prefix(
                $fields: &Fields<Value<Self>>,
                field: Field,
                $prefix: &str,
            ) -> Option<Pattern<Self>> {
                match field {
                    Field::X => prefixed!($class erased($before_x.x_prefix($prefix))),
                    $(Field::$pfield => Some(erased($pbefore.$pmethod($prefix))),)?
                    _ => None,
                }
            }
            fn key_of($fields: &Fields<Value<Self>>) -> monotable::Key<Self> {
                key_of!($on, $fields, $($argument),*)
            }
        }
    };
    (@range $before:expr, a, $ends:ident) => { erased($before.a_range($ends)) };
    (@range $before:expr, b, $ends:ident) => { erased($before.b_range($ends)) };
}

impl<V> Fields<V> {
    pub fn a(&self) -> u8 {
        self.a
    }
    pub fn b(&self) -> String {
        self.b.clone()
    }
}

/// `x` first, in the middle, last, before a trailing literal, and between two texts.
macro_rules! shapes {
    ($on:ident $kind:ty, $class:ident: $first:tt $middle:tt $last:tt $literal:tt $texts:tt) => {
        use $crate::shape::*;
        use monotable::{Entity, Error};
        use serde::{Deserialize, Serialize};
        use std::ops::Bound;

        type X = <$kind as $crate::kind::Kind>::Value;

        entity!($on First $kind: $first { x = X: X, b = B: String });
        entity!($on Middle $kind: $middle { a = A: u8, x = X: X, b = B: String });
        entity!($on Last $kind: $last { a = A: u8, x = X: X });
        entity!($on Literal $kind: $literal { x = X: X });
        entity!($on Texts $kind: $texts { s = S: String, x = X: X, b = B: String });

        subject! {
            $on First $class inside, ordered true, |f, prefix|
            key [&f.x, &f.b]
            fixed {
                0 => Self::pattern(f.p),
                1 => Self::pattern(f.p).x(&f.x),
                2 => Self::pattern(f.p).x(&f.x).b(&f.b)
            }
            x { Self::pattern(f.p) }
            range { B b Self::pattern(f.p).x(&f.x) }
            prefix { B b_prefix Self::pattern(f.p).x(&f.x) }
        }
        subject! {
            $on Middle $class inside, ordered true, |f, prefix|
            key [f.a, &f.x, &f.b]
            fixed {
                0 => Self::pattern(f.p),
                1 => Self::pattern(f.p).a(f.a),
                2 => Self::pattern(f.p).a(f.a).x(&f.x),
                3 => Self::pattern(f.p).a(f.a).x(&f.x).b(&f.b)
            }
            x { Self::pattern(f.p).a(f.a) }
            range { A a Self::pattern(f.p), B b Self::pattern(f.p).a(f.a).x(&f.x) }
            prefix { B b_prefix Self::pattern(f.p).a(f.a).x(&f.x) }
        }
        subject! {
            $on Last $class last, ordered true, |f, prefix|
            key [f.a, &f.x]
            fixed {
                0 => Self::pattern(f.p),
                1 => Self::pattern(f.p).a(f.a),
                2 => Self::pattern(f.p).a(f.a).x(&f.x)
            }
            x { Self::pattern(f.p).a(f.a) }
            range { A a Self::pattern(f.p) }
        }
        subject! {
            $on Literal $class inside, ordered true, |f, prefix|
            key [&f.x]
            fixed { 0 => Self::pattern(f.p), 1 => Self::pattern(f.p).x(&f.x) }
            x { Self::pattern(f.p) }
        }
        subject! {
            $on Texts $class inside, ordered false, |f, prefix|
            key [&f.s, &f.x, &f.b]
            fixed {
                0 => Self::pattern(f.p),
                1 => Self::pattern(f.p).s(&f.s),
                2 => Self::pattern(f.p).s(&f.s).x(&f.x),
                3 => Self::pattern(f.p).s(&f.s).x(&f.x).b(&f.b)
            }
            x { Self::pattern(f.p).s(&f.s) }
            range { B b Self::pattern(f.p).s(&f.s).x(&f.x) }
            prefix { B b_prefix Self::pattern(f.p).s(&f.s).x(&f.x) }
        }

        pub fn laws() -> Vec<$crate::law::Laws> {
            use $crate::law::Laws;
            vec![
                Laws::of::<First>(), Laws::of::<Middle>(), Laws::of::<Last>(), Laws::of::<Literal>(),
                Laws::of::<Texts>(),
            ]
        }
    };
}

/// `x` at the end of a key, alone behind a literal; for `:rest`, which can stand nowhere else.
macro_rules! ending {
    ($on:ident $kind:ty, $class:ident: $last:tt) => {
        use $crate::shape::*;
        use monotable::{Entity, Error};
        use serde::{Deserialize, Serialize};
        use std::ops::Bound;

        type X = <$kind as $crate::kind::Kind>::Value;

        entity!($on Last $kind: $last { a = A: u8, x = X: X });
        subject! {
            $on Last $class last, ordered true, |f, prefix|
            key [f.a, &f.x]
            fixed {
                0 => Self::pattern(f.p),
                1 => Self::pattern(f.p).a(f.a),
                2 => Self::pattern(f.p).a(f.a).x(&f.x)
            }
            x { Self::pattern(f.p).a(f.a) }
            range { A a Self::pattern(f.p) }
        }

        pub fn laws() -> Vec<$crate::law::Laws> {
            vec![$crate::law::Laws::of::<Last>()]
        }
    };
}

/// Partition keys: of the table with `x` first, of the index with `x` between text and a literal.
macro_rules! partitions {
    ($kind:ty: $first:tt $middle:tt) => {
        use monotable::{Entity, Error};
        use serde::{Deserialize, Serialize};
        use $crate::shape::*;

        type X = <$kind as $crate::kind::Kind>::Value;

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
        #[entity(table = Laws, pk = $first, sk = "S", name = "pattern")]
        pub struct First {
            pub x: X,
            pub b: String,
        }

        #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, Entity)]
        #[entity(table = Laws, pk = "P#<p>", sk = "S", name = "by_row")]
        #[index(gsi1, pk = $middle, sk = "S", name = "pattern")]
        pub struct Middle {
            pub p: String,
            pub s: String,
            pub x: X,
        }

        impl Keyed for First {
            type Kind = $kind;
            const TEMPLATE: &'static str = $first;
            const FIELDS: &'static [Field] = &[Field::X, Field::B];
            const PRIMARY: bool = true;
            fn of(f: &Fields<Value<Self>>) -> Self {
                First { x: f.x.clone(), b: f.b.clone() }
            }
            fn text(&self) -> Result<String, Error> {
                self.key().partition_key()
            }
        }

        impl Keyed for Middle {
            type Kind = $kind;
            const TEMPLATE: &'static str = $middle;
            const FIELDS: &'static [Field] = &[Field::S, Field::X];
            const PRIMARY: bool = false;
            fn of(f: &Fields<Value<Self>>) -> Self {
                Middle { p: f.p.to_owned(), s: f.s.clone(), x: f.x.clone() }
            }
            fn text(&self) -> Result<String, Error> {
                let item = self.to_item()?;
                Ok(item["GSI1PK"].as_s().unwrap().clone())
            }
        }

        impl Partition for First {
            fn sought(f: &Fields<Value<Self>>) -> Condition {
                let explained = $crate::shape::laws().query(First::pattern(&f.x, &f.b)).explain();
                Condition::of(explained).unwrap().unwrap()
            }
        }

        impl Partition for Middle {
            fn sought(f: &Fields<Value<Self>>) -> Condition {
                let explained = $crate::shape::laws().query(Middle::pattern(&f.s, &f.x)).explain();
                Condition::of(explained).unwrap().unwrap()
            }
        }

        pub fn laws() -> Vec<$crate::law::Laws> {
            use $crate::law::Laws;
            vec![Laws::of_partition::<First>(), Laws::of_partition::<Middle>()]
        }
    };
}

/// A partition-key template.
pub trait Partition: Keyed {
    /// What a pattern with these values sends.
    fn sought(fields: &Fields<Value<Self>>) -> Condition;
}
