//! Colours of the style sheet, and mixtures of them.

/// Colours as CSS values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Colours {
    /// Font family.
    pub font: String,
    /// Background.
    pub surface: String,
    /// Text.
    pub text: String,
    /// Secondary text.
    pub muted: String,
    /// Strong lines.
    pub faint: String,
    /// Faint lines.
    pub line: String,
    /// Play-head and changes.
    pub ink: String,
    /// Focus.
    pub focus: String,
    /// Hover.
    pub hover: String,
    /// Fresh copy.
    pub fresh: String,
    /// Stale copy.
    pub stale: String,
    /// Hatching of a stale copy.
    pub stale_line: String,
    /// Veil over the time after the play-head.
    pub veil: String,
    /// Lane colours, by mark.
    pub lanes: [String; 4],
}

impl Colours {
    /// Reads the colours from custom properties.
    pub fn read(read: impl Fn(&str) -> String) -> Self {
        let plain = |name: &str| read(name).trim().to_owned();
        let rgb = |name: &str| parse(&read(name)).unwrap_or([128.0; 3]);
        let surface = rgb("--surface");
        let mixed = |name: &str, share: f64| css(mix(surface, rgb(name), share));
        let [r, g, b] = surface.map(|part| part as u8);
        Self {
            font: plain("--font"),
            surface: plain("--surface"),
            text: plain("--text"),
            muted: plain("--muted"),
            faint: plain("--faint"),
            line: plain("--line"),
            ink: plain("--ink"),
            focus: plain("--focus"),
            hover: plain("--hover"),
            fresh: mixed("--good", 0.34),
            stale: mixed("--bad", 0.24),
            stale_line: mixed("--bad", 0.52),
            veil: format!("rgb({r} {g} {b} / 52%)"),
            lanes: [1, 2, 3, 4].map(|mark| plain(&format!("--lane-{mark}"))),
        }
    }

    /// The colour of a lane, by mark.
    pub fn lane(&self, mark: u8) -> &str {
        self.lanes.get(usize::from(mark)).unwrap_or(&self.text)
    }
}

fn mix(a: [f64; 3], b: [f64; 3], share: f64) -> [f64; 3] {
    [0, 1, 2].map(|at| a[at] + (b[at] - a[at]) * share)
}

fn css(rgb: [f64; 3]) -> String {
    let [r, g, b] = rgb.map(|part| libm::round(part) as u8);
    format!("rgb({r} {g} {b})")
}

/// Parses `#0072b2` or `#fff`.
fn parse(text: &str) -> Option<[f64; 3]> {
    let digits = text.trim().strip_prefix('#')?;
    let wide = digits.len() == 6;
    if !(wide || digits.len() == 3) || !digits.is_ascii() {
        return None;
    }
    let part = |at: usize| {
        let one = if wide { &digits[2 * at..2 * at + 2] } else { &digits[at..=at] };
        let value = u8::from_str_radix(one, 16).ok()?;
        Some(f64::from(if wide { value } else { value * 17 }))
    };
    Some([part(0)?, part(1)?, part(2)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_and_mixed() {
        assert_eq!(parse(" #0072b2"), Some([0.0, 114.0, 178.0]));
        assert_eq!(parse("#fff"), Some([255.0; 3]));
        for wrong in ["", "#12", "blue", "#12345g", "#1é34"] {
            assert_eq!(parse(wrong), None, "{wrong}");
        }
        let colours = Colours::read(|name| match name {
            "--surface" => "#fff".to_owned(),
            "--good" => "#000000".to_owned(),
            _ => " #102030 ".to_owned(),
        });
        assert_eq!(colours.fresh, "rgb(168 168 168)");
        assert_eq!(colours.lane(2), "#102030");
        assert_eq!(colours.lane(9), "#102030");
    }
}
