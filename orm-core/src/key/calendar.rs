//! The proleptic Gregorian calendar, counted from 0000-01-01, which is day 0.

/// Days from 0000-01-01 to 1970-01-01.
pub(super) const EPOCH_DAYS: i64 = 719_528;
/// Days of the 400-year cycle.
const CYCLE: i64 = 146_097;

/// The day number of a date; the date must exist.
pub(super) fn day_number(year: i32, month: u8, day: u8) -> i64 {
    // Years begin in March, so that the leap day is the last of its year.
    let year = i64::from(year) - i64::from(month <= 2);
    let month = (i64::from(month) + 9) % 12;
    let leaps = year.div_euclid(4) - year.div_euclid(100) + year.div_euclid(400);
    year * 365 + leaps + (153 * month + 2) / 5 + i64::from(day) - 1 + 60
}

/// The date of a day number.
pub(super) fn date(day: i64) -> (i32, u8, u8) {
    let day = day - 60;
    let cycle = day.div_euclid(CYCLE);
    let of_cycle = day.rem_euclid(CYCLE);
    let of_years = (of_cycle - of_cycle / 1460 + of_cycle / 36_524 - of_cycle / (CYCLE - 1)) / 365;
    let of_year = of_cycle - (365 * of_years + of_years / 4 - of_years / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = of_years + cycle * 400 + i64::from(month <= 2);
    (narrow(year), narrow(month), narrow(day))
}

/// Whether the month has that day.
pub(super) fn exists(year: i32, month: u8, day: u8) -> bool {
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let length = match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if leap => 29,
        2 => 28,
        _ => 0,
    };
    (1..=length).contains(&day)
}

fn narrow<T: TryFrom<i64> + Default>(number: i64) -> T {
    T::try_from(number).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_days() {
        assert_eq!(day_number(0, 1, 1), 0);
        assert_eq!(day_number(1970, 1, 1), EPOCH_DAYS);
        assert_eq!(day_number(2000, 2, 29), 730_544);
        assert_eq!(day_number(9999, 12, 31), 3_652_424);
    }

    #[test]
    fn every_day_of_ten_thousand_years_round_trips() {
        let mut previous = (-1, 12, 31);
        for day in 0..=3_652_424 {
            let (y, m, d) = date(day);
            assert!(exists(y, m, d) && (y, m, d) > previous, "{y}-{m}-{d}");
            assert_eq!(day_number(y, m, d), day);
            previous = (y, m, d);
        }
    }
}
