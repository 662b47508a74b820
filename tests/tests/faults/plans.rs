//! The plans of faults, and what operations of one kind make of them.

use tests::faults::Fault::{
    self, Cut, LeftOver, LostAfter, Refused, ServerError, ServerErrorAfter, Slow, Throttle,
    WrongJson,
};

use super::outcomes::Outcome::{Done, Failed, Taken, Throttled, ThrottledUnknown, Unknown};
use super::outcomes::Stored::{Before, Once};
use super::outcomes::{Outcome, Stored};

/// The faults of the first requests, the outcome, the requests that were sent, and what is stored.
pub(super) type Cell = (&'static [Fault], Outcome, usize, Stored);

/// Every operation has a cell for each of these.
pub(super) const PLANS: &[&[Fault]] = &[
    &[Throttle],
    &[Throttle, Throttle, Throttle],
    &[LeftOver(1)],
    &[Refused],
    &[Refused, Refused, Refused],
    &[ServerError],
    &[ServerError, ServerError, ServerError],
    &[ServerErrorAfter],
    &[ServerErrorAfter, ServerErrorAfter, ServerErrorAfter],
    &[LostAfter],
    &[LostAfter, LostAfter, LostAfter],
    &[LostAfter, Throttle, Throttle],
    &[LostAfter, Refused, Refused],
    &[Throttle, LostAfter],
    &[Refused, LostAfter],
    &[Cut],
    &[Slow],
    &[WrongJson],
];

/// Writes that are sent again whatever became of the first attempt.
pub(super) const REPEATED: &[Cell] = &[
    (&[Throttle], Done, 2, Once),
    (&[Throttle, Throttle, Throttle], Throttled, 3, Before),
    (&[LeftOver(1)], Done, 1, Once),
    (&[Refused], Done, 2, Once),
    (&[Refused, Refused, Refused], Failed, 3, Before),
    (&[ServerError], Done, 2, Once),
    (&[ServerError, ServerError, ServerError], Unknown, 3, Before),
    (&[ServerErrorAfter], Done, 2, Once),
    (&[ServerErrorAfter, ServerErrorAfter, ServerErrorAfter], Unknown, 3, Once),
    (&[LostAfter], Done, 2, Once),
    (&[LostAfter, LostAfter, LostAfter], Unknown, 3, Once),
    (&[LostAfter, Throttle, Throttle], ThrottledUnknown, 3, Once),
    (&[LostAfter, Refused, Refused], Unknown, 3, Once),
    (&[Throttle, LostAfter], Done, 3, Once),
    (&[Refused, LostAfter], Done, 3, Once),
    (&[Cut], Done, 2, Once),
    (&[Slow], Done, 2, Once),
    // The SDK takes it for an answer.
    (&[WrongJson], Unknown, 1, Once),
];

/// Writes that are sent again only after an attempt that surely had no effect.
pub(super) const SENT_ONCE: &[Cell] = &[
    (&[Throttle], Done, 2, Once),
    (&[Throttle, Throttle, Throttle], Throttled, 3, Before),
    (&[LeftOver(1)], Done, 1, Once),
    (&[Refused], Done, 2, Once),
    (&[Refused, Refused, Refused], Failed, 3, Before),
    (&[ServerError], Unknown, 1, Before),
    (&[ServerError, ServerError, ServerError], Unknown, 1, Before),
    (&[ServerErrorAfter], Unknown, 1, Once),
    (&[ServerErrorAfter, ServerErrorAfter, ServerErrorAfter], Unknown, 1, Once),
    (&[LostAfter], Unknown, 1, Once),
    (&[LostAfter, LostAfter, LostAfter], Unknown, 1, Once),
    (&[LostAfter, Throttle, Throttle], Unknown, 1, Once),
    (&[LostAfter, Refused, Refused], Unknown, 1, Once),
    (&[Throttle, LostAfter], Unknown, 2, Once),
    (&[Refused, LostAfter], Unknown, 2, Once),
    (&[Cut], Unknown, 1, Once),
    (&[Slow], Unknown, 1, Once),
    (&[WrongJson], Unknown, 1, Once),
];

/// Writes with a condition that their own effect breaks, sent again all the same.
pub(super) const CONDITION_REPEATED: &[Cell] = &[
    (&[Throttle], Done, 2, Once),
    (&[Throttle, Throttle, Throttle], Throttled, 3, Before),
    (&[LeftOver(1)], Done, 1, Once),
    (&[Refused], Done, 2, Once),
    (&[Refused, Refused, Refused], Failed, 3, Before),
    (&[ServerError], Done, 2, Once),
    (&[ServerError, ServerError, ServerError], Unknown, 3, Before),
    (&[ServerErrorAfter], Taken, 2, Once),
    (&[ServerErrorAfter, ServerErrorAfter, ServerErrorAfter], Unknown, 3, Once),
    (&[LostAfter], Taken, 2, Once),
    (&[LostAfter, LostAfter, LostAfter], Unknown, 3, Once),
    (&[LostAfter, Throttle, Throttle], ThrottledUnknown, 3, Once),
    (&[LostAfter, Refused, Refused], Unknown, 3, Once),
    (&[Throttle, LostAfter], Taken, 3, Once),
    (&[Refused, LostAfter], Taken, 3, Once),
    (&[Cut], Taken, 2, Once),
    (&[Slow], Taken, 2, Once),
    (&[WrongJson], Unknown, 1, Once),
];

pub(super) const READ: &[Cell] = &[
    (&[Throttle], Done, 2, Before),
    (&[Throttle, Throttle, Throttle], Throttled, 3, Before),
    (&[LeftOver(1)], Done, 1, Before),
    (&[Refused], Done, 2, Before),
    (&[Refused, Refused, Refused], Failed, 3, Before),
    (&[ServerError], Done, 2, Before),
    (&[ServerError, ServerError, ServerError], Failed, 3, Before),
    (&[ServerErrorAfter], Done, 2, Before),
    (&[ServerErrorAfter, ServerErrorAfter, ServerErrorAfter], Failed, 3, Before),
    (&[LostAfter], Done, 2, Before),
    (&[LostAfter, LostAfter, LostAfter], Failed, 3, Before),
    (&[LostAfter, Throttle, Throttle], Throttled, 3, Before),
    (&[LostAfter, Refused, Refused], Failed, 3, Before),
    (&[Throttle, LostAfter], Done, 3, Before),
    (&[Refused, LostAfter], Done, 3, Before),
    (&[Cut], Done, 2, Before),
    (&[Slow], Done, 2, Before),
    (&[WrongJson], Failed, 1, Before),
];
