/// What stands behind the colon in `<field:spec>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Spec {
    /// `:4` or `:plain`.
    pub width: Option<Width>,
    /// `:ordered`, `:raw`, `:rest`.
    pub text: TextForm,
    /// `:lower`.
    pub lower: bool,
    /// `:s`, `:month`, …
    pub unit: Option<Unit>,
    /// `:desc`.
    pub desc: bool,
    /// `:sparse`.
    pub sparse: bool,
    /// `:none_first`, `:none_last`.
    pub none: Option<NoneOrder>,
}

impl Spec {
    /// No spec at all.
    pub const NONE: Spec = Spec {
        width: None,
        text: TextForm::Encoded,
        lower: false,
        unit: None,
        desc: false,
        sparse: false,
        none: None,
    };
}

/// Where an index keeps the items without a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NoneOrder {
    /// In front of all values.
    First,
    /// Behind all values.
    Last,
}

/// The form of a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Width {
    /// `:N`, zero-padded.
    Digits(u8),
    /// `:plain`, as many digits as it needs; without ranges.
    Plain,
}

/// How text is made safe between delimiters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TextForm {
    /// `#`, `$`, `%` and the delimiter percent-encoded.
    Encoded,
    /// Every byte 0x00–0x25 percent-encoded, which keeps the order in front of other components.
    Ordered,
    /// Verbatim; the delimiter is refused.
    Raw,
    /// Verbatim and last; anything goes.
    Rest,
}

/// The unit of a date or timestamp.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// `:s`
    Second,
    /// `:ms`
    Milli,
    /// `:us`
    Micro,
    /// `:ns`
    Nano,
    /// `:epoch_s`
    EpochSecond,
    /// `:epoch_ms`
    EpochMilli,
    /// `:year`
    Year,
    /// `:month`
    Month,
    /// `:day`
    Day,
    /// `:hour`
    Hour,
}

impl Unit {
    /// `:year`, `:month`, `:day` and `:hour` gather many values under one text.
    pub const fn is_bucket(self) -> bool {
        matches!(self, Unit::Year | Unit::Month | Unit::Day | Unit::Hour)
    }
}
