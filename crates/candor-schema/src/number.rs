//! Two JSON values to whether they are the same, and two numbers to which is greater.
//!
//! JSON Schema compares by mathematical value: `1` and `1.0` are one number. A whole number of up
//! to 64 bits is compared exactly, also with a fraction; one beyond that was rounded to the
//! nearest double when the JSON was read, and is compared as that.

use std::cmp::Ordering;

use serde_json::{Number, Value};

/// No whole number of 64 bits is as far from zero as this.
const BEYOND: f64 = 36_893_488_147_419_103_232.0;

pub(crate) fn order(one: &Number, other: &Number) -> Ordering {
    match (whole(one), whole(other)) {
        (Some(one), Some(other)) => one.cmp(&other),
        (Some(one), None) => with_double(one, double(other)),
        (None, Some(other)) => with_double(other, double(one)).reverse(),
        (None, None) => double(one).partial_cmp(&double(other)).unwrap_or(Ordering::Equal),
    }
}

/// Is it a whole number, however it is written?
pub(crate) fn is_whole(number: &Number) -> bool {
    whole(number).is_some() || double(number).fract() == 0.0
}

/// The number as a whole one, if it fits into 64 bits.
pub(crate) fn whole(number: &Number) -> Option<i128> {
    number.as_i64().map(i128::from).or_else(|| number.as_u64().map(i128::from))
}

/// Every double from 2⁶³ on is whole.
pub(crate) fn whole_beyond_64_bits(number: &Number) -> bool {
    double(number).abs() >= 9_223_372_036_854_775_808.0
}

/// The number as a whole one, if it is one, however large.
pub(crate) fn exact(number: &Number) -> Option<i128> {
    let double = double(number);
    whole(number)
        .or_else(|| (double.fract() == 0.0 && double.abs() < BEYOND).then(|| truncated(double)))
}

pub(crate) fn double(number: &Number) -> f64 {
    number.as_f64().unwrap_or_default()
}

/// A double as a JSON number, without `.0` where it is whole.
pub(crate) fn from_double(double: f64) -> Option<Number> {
    if double.fract() == 0.0 && double.abs() < 9_007_199_254_740_992.0 {
        return Some(truncated(double)).and_then(|whole| i64::try_from(whole).ok()).map(Into::into);
    }
    Number::from_f64(double)
}

fn with_double(whole: i128, double: f64) -> Ordering {
    if double >= BEYOND {
        Ordering::Less
    } else if double <= -BEYOND {
        Ordering::Greater
    } else {
        whole
            .cmp(&truncated(double))
            .then_with(|| 0.0.partial_cmp(&double.fract()).unwrap_or(Ordering::Equal))
    }
}

#[expect(clippy::cast_possible_truncation, reason = "the fraction is meant to be dropped")]
const fn truncated(double: f64) -> i128 {
    double as i128
}

/// Equality as JSON Schema means it.
pub(crate) fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => order(one, other).is_eq(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(name, one)| other.get(name).is_some_and(|it| same(one, it)))
        }
        _ => one == other,
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::{Equal, Greater, Less};

    use serde_json::json;

    use super::{order, same};

    #[test]
    fn numbers_are_ordered_by_their_value() {
        let of = |one: &str, other: &str| {
            order(&serde_json::from_str(one).unwrap(), &serde_json::from_str(other).unwrap())
        };
        assert_eq!(of("1", "1.0"), Equal);
        assert_eq!(of("1", "1.5"), Less);
        assert_eq!(of("-1", "-1.5"), Greater);
        assert_eq!(of("9007199254740993", "9007199254740992.0"), Greater);
        assert_eq!(of("18446744073709551615", "18446744073709551616"), Less);
        assert_eq!(of("-1e300", "-9223372036854775808"), Less);
        assert_eq!(of("1e300", "1e299"), Greater);
    }

    #[test]
    fn values_are_the_same_however_their_numbers_are_written() {
        assert!(same(&json!({"a": [1, {"b": 2.0}]}), &json!({"a": [1.0, {"b": 2}]})));
        assert!(!same(&json!({"a": 1}), &json!({"a": 1, "b": 1})));
        assert!(!same(&json!(1), &json!(true)));
    }
}
