//! Number formatting for the command line and HTML.

use crate::report::{Cell, Unit};

/// A share in percent, with one decimal.
pub fn percent(share: f64) -> String {
    let text = format!("{:.1} %", share * 100.0);
    // Values that round to 0 have no sign.
    match text.strip_prefix('-') {
        Some(rest) if rest.starts_with("0.0 ") => rest.to_owned(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A number with `digits` significant digits; integers in full.
pub fn number(x: f64, digits: usize) -> String {
    let text = if x.fract() == 0.0 && x.abs() < 1e15 {
        grouped(x.abs() as u64)
    } else {
        fraction(x.abs(), digits.max(1))
    };
    let sign = if x < 0.0 { "−" } else { "" };
    format!("{sign}{text}")
}

/// With thousands separators.
fn grouped(n: u64) -> String {
    let digits = n.to_string();
    let groups = digits.as_bytes().rchunks(3).rev();
    let groups: Vec<String> = groups.map(|g| g.iter().map(|b| char::from(*b)).collect()).collect();
    groups.join(",")
}

/// A non-negative number with `digits` significant digits.
pub fn fraction(x: f64, digits: usize) -> String {
    let scientific = format!("{x:.*e}", digits - 1);
    let exponent =
        scientific.split_once('e').and_then(|(_, exponent)| exponent.parse::<i32>().ok());
    match exponent {
        Some(exponent @ -4..=8) => {
            let after_point = (digits as i32 - 1 - exponent).max(0) as usize;
            format!("{x:.after_point$}")
        }
        _ => scientific,
    }
}

/// A table cell with its 95 % interval.
pub fn cell(cell: Cell, unit: Unit) -> String {
    let write = |x: f64| match unit {
        Unit::Share => percent(x),
        Unit::Number => number(x, 3),
        Unit::Ratio => format!("{x:.3}"),
        Unit::Fine => format!("{x:.4}").replace('-', "−"),
    };
    match cell.half_width {
        half if half > 0.0 => format!("{} ± {}", write(cell.mean), write(half)),
        _ => write(cell.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(percent(0.7234), "72.3 %");
        assert_eq!(percent(-0.031), "−3.1 %");
        assert_eq!(percent(-0.0001), "0.0 %");
        assert_eq!(number(1234.0, 4), "1,234");
        assert_eq!(number(1_002_003.0, 4), "1,002,003");
        assert_eq!(number(-0.012_345_6, 4), "−0.01235");
        assert_eq!(number(0.000_001_234_56, 4), "1.235e-6");
        assert_eq!(number(3.5, 4), "3.500");
        assert_eq!(number(f64::INFINITY, 4), "inf");
    }

    #[test]
    fn counts_of_a_table_have_no_decimals() {
        let one = |mean: f64, unit| cell(Cell { mean, half_width: 0.0 }, unit);
        assert_eq!(one(250.0, Unit::Number), "250");
        assert_eq!(one(0.0, Unit::Number), "0");
        assert_eq!(one(3.05e-7, Unit::Number), "3.05e-7");
        assert_eq!(one(-0.25, Unit::Fine), "−0.2500");
        let both = Cell { mean: 2.5, half_width: 0.125 };
        assert_eq!(cell(both, Unit::Number), "2.50 ± 0.125");
    }
}
