use std::fmt;

/// A key that cannot be built, or a stored key that is none of this entity's.
///
/// Cheap to clone: keys and patterns carry it until an operation reports it, before any request.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct KeyError {
    pub(crate) entity: &'static str,
    pub(crate) place: String,
    pub(crate) problem: String,
}

impl KeyError {
    /// `place` reads like "field `date`" or "attribute `PK`".
    pub(crate) fn new(
        entity: &'static str,
        place: impl Into<String>,
        problem: impl fmt::Display,
    ) -> Self {
        KeyError { entity, place: place.into(), problem: problem.to_string() }
    }
}

impl fmt::Display for KeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "invalid key of `{}`: {} {}", self.entity, self.place, self.problem)
    }
}

impl std::error::Error for KeyError {}
