//! Number formats: counts, percentages, scores, times, sizes.

use crate::english;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;

/// Separators and unit symbols of a language.
pub struct Format {
    /// Separator between groups of three digits.
    pub thousands: &'static str,
    /// Decimal separator.
    pub decimal: &'static str,
    /// Symbol of seconds.
    pub second: &'static str,
    /// Symbol of minutes.
    pub minute: &'static str,
    /// Symbol of hours.
    pub hour: &'static str,
    /// Symbol of days.
    pub day: &'static str,
}

/// The number format of the current language.
pub fn number_format() -> &'static Format {
    &english::number::ENGLISH
}

/// A count: `12,345`.
pub fn count_text(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + 4);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push_str(number_format().thousands);
        }
        out.push(digit);
    }
    out
}

/// A number and its unit, which stay on one line.
fn with_unit(number: &str, unit: &str) -> String {
    format!("{number}\u{202f}{unit}")
}

/// A number with the decimal separator and the minus sign of the language.
fn decimal(number: &str) -> String {
    number.replace('.', number_format().decimal).replace('-', "−")
}

/// A share as a percentage with one decimal: `51.4 %`.
pub fn percent_text(share: f64) -> String {
    with_unit(&decimal(&format!("{:.1}", share * 100.0)), "%")
}

/// A share as a percentage with at most one decimal: `51.4 %`, `50 %`.
pub fn short_percent_text(share: f64) -> String {
    let number = format!("{:.1}", share * 100.0);
    with_unit(&decimal(number.strip_suffix(".0").unwrap_or(&number)), "%")
}

/// A share as a percentage without decimals: `51 %`.
pub fn whole_percent_text(share: f64) -> String {
    with_unit(&decimal(&format!("{:.0}", share * 100.0)), "%")
}

/// A score or another value with about three digits: `126`, `−4.2`, `0.00521`, `3.1·10⁻⁷`.
pub fn score_text(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        "0".to_owned()
    } else if !value.is_finite() {
        "–".to_owned()
    } else if size.fract() == 0.0 && size < 1e15 {
        let sign = if value < 0.0 { "−" } else { "" };
        format!("{sign}{}", count_text(size as u64))
    } else if (1000.0..1e15).contains(&size) {
        decimal(&format!("{value:.0}"))
    } else if (0.01..1000.0).contains(&size) {
        let digits = if size >= 100.0 {
            1
        } else if size >= 10.0 {
            2
        } else {
            3
        };
        decimal(&format!("{value:.digits$}"))
    } else if (1e-4..0.01).contains(&size) {
        // No exponent: readers compare the numbers of a list by eye.
        let digits = if size >= 1e-3 { 5 } else { 6 };
        decimal(&format!("{value:.digits$}"))
    } else {
        let (mut mantissa, mut exponent) = (value, 0);
        // 0.995 and more is written 1.0; multiplied again it would be written 10.0.
        while mantissa.abs() < 0.995 {
            mantissa *= 10.0;
            exponent -= 1;
        }
        format!("{}·10{}", decimal(&format!("{mantissa:.1}")), superscript(exponent))
    }
}

/// A whole number in superscript digits: `⁻¹²`.
pub fn superscript(number: i32) -> String {
    let up = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + (c as u32 - '0' as u32)).unwrap_or(c),
        other => other,
    };
    number.to_string().chars().map(up).collect()
}

/// Simulated time: `4.2 s`, `12:05`, `3:12:05`, `2 d 3:12:05`.
pub fn seconds_text(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match whole {
        0..60 => with_unit(&decimal(&format!("{seconds:.1}")), number_format().second),
        60..3600 => format!("{}:{:02}", whole / 60, whole % 60),
        _ => moment_text(seconds),
    }
}

/// A point in time to the second: `0:12:05`, `2 d 3:12:05`.
pub fn moment_text(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    let clock = format!("{}:{:02}:{:02}", whole / 3600 % 24, whole / 60 % 60, whole % 60);
    match whole / DAY as u64 {
        0 => clock,
        days => format!("{} {clock}", days_text(days)),
    }
}

/// A number of days: `17 d`.
pub fn days_text(days: u64) -> String {
    with_unit(&count_text(days), number_format().day)
}

/// A formatted number of hours: `1.6 h`.
pub fn hours_text(number: &str) -> String {
    with_unit(number, number_format().hour)
}

/// A duration in the unit that suits it: `40 s`, `12 min`, `1.6 h`, `3 d`.
pub fn duration_text(seconds: f64) -> String {
    let (value, unit) = match seconds {
        s if s < MINUTE => (s, number_format().second),
        s if s < HOUR => (s / MINUTE, number_format().minute),
        s if s < 2.0 * DAY => (s / HOUR, number_format().hour),
        s => (s / DAY, number_format().day),
    };
    let digits = usize::from(value < 10.0);
    let number = format!("{value:.digits$}");
    with_unit(&decimal(number.strip_suffix(".0").unwrap_or(&number)), unit)
}

/// A size in bytes with a decimal prefix: `812 B`, `5.1 kB`, `12 MB`.
pub fn bytes_text(bytes: u64) -> String {
    let (size, unit) = match bytes {
        0..1000 => return with_unit(&bytes.to_string(), "B"),
        1000..1_000_000 => (bytes as f64 / 1e3, "kB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    let digits = usize::from(size < 10.0);
    with_unit(&decimal(&format!("{size:.digits$}")), unit)
}

/// A score without trailing zeros, for sums that readers check: `0.9`.
pub fn plain_text(value: f64) -> String {
    let written = score_text(value);
    let decimal = number_format().decimal;
    match written.split_once(decimal) {
        Some((whole, fraction)) if fraction.bytes().all(|b| b.is_ascii_digit()) => {
            match fraction.trim_end_matches('0') {
                "" => whole.to_owned(),
                rest => format!("{whole}{decimal}{rest}"),
            }
        }
        _ => written,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_well() {
        assert_eq!(count_text(1_234_567), "1,234,567");
        assert_eq!(count_text(999), "999");
        assert_eq!(percent_text(0.5138), "51.4\u{202f}%");
        let cases = [
            (-126.0, "−126"),
            (0.0, "0"),
            (4.2, "4.200"),
            (0.00521, "0.00521"),
            (0.000_321, "0.000321"),
            (3.14e-7, "3.1·10⁻⁷"),
            (-9.96e-12, "−1.0·10⁻¹¹"),
            (f64::NAN, "–"),
            (1234.5, "1234"),
            (-0.25, "−0.250"),
        ];
        for (value, shown) in cases {
            assert_eq!(score_text(value), shown, "{value}");
        }
        assert_eq!(seconds_text(4.23), "4.2\u{202f}s");
        assert_eq!(seconds_text(725.0), "12:05");
        assert_eq!(seconds_text(11_525.0), "3:12:05");
        assert_eq!(seconds_text(200_000.0), "2\u{202f}d 7:33:20");
        assert_eq!(bytes_text(5120), "5.1\u{202f}kB");
        assert_eq!(bytes_text(812), "812\u{202f}B");
        assert_eq!(bytes_text(12_400_000), "12\u{202f}MB");
    }
    #[test]
    fn percentages_have_the_decimals_asked_for() {
        assert_eq!(short_percent_text(0.755), "75.5\u{202f}%");
        assert_eq!(short_percent_text(1.0), "100\u{202f}%");
        assert_eq!(whole_percent_text(0.755), "76\u{202f}%");
    }

    #[test]
    fn times_read_well() {
        assert_eq!(moment_text(725.0), "0:12:05");
        assert_eq!(moment_text(11_525.0), "3:12:05");
        assert_eq!(moment_text(2.0 * DAY + 60.0), "2\u{202f}d 0:01:00");
        assert_eq!(duration_text(40.0), "40\u{202f}s");
        assert_eq!(duration_text(5_760.0), "1.6\u{202f}h");
        assert_eq!(duration_text(3.0 * DAY), "3\u{202f}d");
        assert_eq!(duration_text(720.0), "12\u{202f}min");
    }

    #[test]
    fn superscripts_have_every_digit() {
        assert_eq!(superscript(-1_234_567_890), "⁻¹²³⁴⁵⁶⁷⁸⁹⁰");
    }
}
