//! Numbers as people read them.

use crate::text::{fill, text};

/// 12345 as `12,345`.
pub fn count_text(n: u64) -> String {
    let digits = n.to_string();
    let mut out = String::with_capacity(digits.len() + 4);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push_str(text().thousands);
        }
        out.push(digit);
    }
    out
}

fn decimal(number: &str) -> String {
    number.replace('.', text().decimal).replace('-', "−")
}

/// 0.5138 as `51.4 %`.
pub fn percent_text(share: f64) -> String {
    format!("{}\u{202f}%", decimal(&format!("{:.1}", share * 100.0)))
}

/// A score or another value in about three digits: `126`, `−4.2`, `0.00521`, `3.1·10⁻⁷`.
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
        // No other unit: numbers that stand in one list are compared by eye.
        let digits = if size >= 1e-3 { 5 } else { 6 };
        decimal(&format!("{value:.digits$}"))
    } else {
        let (mut mantissa, mut exponent) = (value, 0);
        // What would be written as 10.0 has one place less.
        while mantissa.abs() < 0.995 {
            mantissa *= 10.0;
            exponent -= 1;
        }
        format!("{}·10{}", decimal(&format!("{mantissa:.1}")), raised(&exponent.to_string()))
    }
}

fn raised(exponent: &str) -> String {
    let up = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        '0' | '4'..='9' => char::from_u32('⁰' as u32 + (c as u32 - '0' as u32)).unwrap_or(c),
        other => other,
    };
    exponent.chars().map(up).collect()
}

/// Simulated time: `4.2 s`, `12:05`, `3:12:05`, `2 d 3:12:05`.
pub fn seconds_text(seconds: f64) -> String {
    let whole = seconds.max(0.0) as u64;
    match whole {
        0..60 => format!("{}\u{202f}s", decimal(&format!("{seconds:.1}"))),
        60..3600 => format!("{}:{:02}", whole / 60, whole % 60),
        _ => {
            let (days, hours) = (whole / 86_400, whole / 3600 % 24);
            let time = format!("{hours}:{:02}:{:02}", whole / 60 % 60, whole % 60);
            match days {
                0 => time,
                _ => fill(text().days_time, &[("days", &count_text(days)), ("time", &time)]),
            }
        }
    }
}

/// A size: `812 B`, `5.1 kB`, `12 MB`.
pub fn bytes_text(bytes: u64) -> String {
    let (size, unit) = match bytes {
        0..1000 => return format!("{bytes}\u{202f}B"),
        1000..1_000_000 => (bytes as f64 / 1e3, "kB"),
        1_000_000..1_000_000_000 => (bytes as f64 / 1e6, "MB"),
        _ => (bytes as f64 / 1e9, "GB"),
    };
    let digits = usize::from(size < 10.0);
    format!("{}\u{202f}{unit}", decimal(&format!("{size:.digits$}")))
}

/// A score without noughts at its end: what is worked with by heart.
pub fn plain_text(value: f64) -> String {
    let written = score_text(value);
    let decimal = text().decimal;
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
        assert_eq!(seconds_text(200_000.0), "2 d 7:33:20");
        assert_eq!(bytes_text(5120), "5.1\u{202f}kB");
        assert_eq!(bytes_text(812), "812\u{202f}B");
        assert_eq!(bytes_text(12_400_000), "12\u{202f}MB");
    }
}
