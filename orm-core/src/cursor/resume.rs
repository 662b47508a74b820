//! From a cursor to where a read goes on.

use super::{Cursor, KeyOrder, Position};
use crate::error::Error;
use crate::key::condition::KeyRange;

impl Cursor {
    /// The positions, against the ranges as they are now. A bound may have moved past a position:
    /// where the position lies in front of its range, all of the range is left, and where it lies
    /// behind, nothing. One position at least must lie inside.
    ///
    /// `descending`: the direction of the read.
    pub(crate) fn positions(
        &self,
        scope: u64,
        keys: &KeyOrder,
        ranges: &[KeyRange],
        descending: bool,
    ) -> Result<Vec<Position>, Error> {
        self.belongs(scope, ranges.len())?;
        let (mut is_inside, mut is_in_front, mut is_behind) = (false, false, false);
        let mut checked = Vec::with_capacity(ranges.len());
        for (range, position) in ranges.iter().zip(&self.positions) {
            let (values, fits) = match position {
                Position::After(values) => (values, keys.is_position(values)),
                Position::From(values) | Position::Past(values) => (values, keys.is_sort(values)),
                Position::Start | Position::End => {
                    checked.push(position.clone());
                    continue;
                }
            };
            if !fits {
                return Err(Error::cursor(
                    "is damaged: its values are no keys of what the query reads",
                ));
            }
            let side = keys.side(range, values);
            let side = if descending { side.reverse() } else { side };
            // The place of an item of another range may lie outside of this one from the beginning.
            let is_own = matches!(position, Position::After(_));
            checked.push(match (range.is_empty(), side.is_eq(), side.is_lt()) {
                (false, true, _) => {
                    is_inside = true;
                    position.clone()
                }
                (false, _, true) => {
                    is_in_front |= is_own;
                    Position::Start
                }
                _ => {
                    is_behind |= is_own;
                    Position::End
                }
            });
        }
        let problem = match (is_inside, is_in_front, is_behind) {
            (true, ..) | (false, false, false) => return Ok(checked),
            (false, true, _) => {
                "lies in front of the range that the query reads now: the bounds have moved past it, so begin again without it"
            }
            (false, false, true) => {
                "lies behind the range that the query reads now: the bounds have moved past it, so nothing is left, and this is the end of the pages"
            }
        };
        Err(Error::cursor(problem))
    }

    fn belongs(&self, scope: u64, ranges: usize) -> Result<(), Error> {
        if self.positions.len() != ranges {
            return Err(Error::cursor(format!(
                "was made by a query of {} partitions, and this one reads {ranges}: the shards or the patterns are others now, so begin again without it",
                self.positions.len()
            )));
        }
        if self.scope != scope {
            return Err(Error::cursor(
                "belongs to another query: of another table, entity, index, partition or direction",
            ));
        }
        Ok(())
    }
}
