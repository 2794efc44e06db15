//! Colours of the stage.

/// An sRGB colour, components 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rgb(pub [f32; 3]);

impl Rgb {
    /// Parses a CSS colour: `#rgb`, `#rrggbb`, `rgb(r, g, b)` or `rgb(r g b)`.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        let mut parts = [0.0; 3];
        if let Some(digits) = text.strip_prefix('#') {
            let n_digits = match digits.len() {
                3 => 1,
                6 => 2,
                _ => return None,
            };
            for (i, part) in parts.iter_mut().enumerate() {
                let digits = digits.get(i * n_digits..(i + 1) * n_digits)?;
                let most = if n_digits == 1 { 15.0 } else { 255.0 };
                *part = f32::from(u8::from_str_radix(digits, 16).ok()?) / most;
            }
            return Some(Self(parts));
        }
        let inside = text.strip_prefix("rgb(")?.strip_suffix(')')?;
        let mut numbers = inside.split([',', ' ']).filter(|number| !number.is_empty());
        for part in &mut parts {
            *part = numbers.next()?.parse::<f32>().ok()? / 255.0;
        }
        let is_in_range = parts.iter().all(|part| (0.0..=1.0).contains(part));
        (numbers.next().is_none() && is_in_range).then_some(Self(parts))
    }

    /// Interpolates linearly: `self` at share 0, `other` at 1.
    #[must_use]
    pub fn mix(self, other: Self, share: f32) -> Self {
        let mut parts = self.0;
        for (part, to) in parts.iter_mut().zip(other.0) {
            *part += (to - *part) * share;
        }
        Self(parts)
    }

    /// The CSS notation `#rrggbb`.
    pub fn css(self) -> String {
        let [r, g, b] = self.bytes();
        format!("#{r:02x}{g:02x}{b:02x}")
    }

    /// Components as 0 to 255.
    pub fn bytes(self) -> [u8; 3] {
        self.0.map(|part| (part.clamp(0.0, 1.0) * 255.0).round() as u8)
    }
}

/// The colours of a stage.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Theme {
    /// Background.
    pub background: Rgb,
    /// Undiscovered pages, and links.
    pub faint: Rgb,
    /// Outlines and secondary text.
    pub muted: Rgb,
    /// Current and selected page, and text.
    pub ink: Rgb,
    /// One colour per lane.
    pub lanes: [Rgb; 4],
}

impl Theme {
    /// Light theme.
    pub const LIGHT: Self = Self {
        background: rgb(0xff, 0xff, 0xff),
        faint: rgb(0xc9, 0xc8, 0xc2),
        muted: rgb(0x68, 0x67, 0x62),
        ink: rgb(0x1d, 0x1d, 0x1b),
        lanes: [
            rgb(0x00, 0x72, 0xb2),
            rgb(0xc4, 0x7f, 0x00),
            rgb(0x00, 0x80, 0x5d),
            rgb(0xc4, 0x4e, 0x00),
        ],
    };

    /// Dark theme.
    pub const DARK: Self = Self {
        background: rgb(0x1a, 0x1c, 0x1f),
        faint: rgb(0x4a, 0x4d, 0x53),
        muted: rgb(0xa3, 0xa2, 0x9c),
        ink: rgb(0xff, 0xff, 0xff),
        lanes: [
            rgb(0x56, 0xb4, 0xe9),
            rgb(0xe6, 0x9f, 0x00),
            rgb(0x2b, 0xbf, 0x93),
            rgb(0xf0, 0x80, 0x3c),
        ],
    };

    /// The colour of undiscovered nodes.
    pub fn unknown(&self) -> Rgb {
        self.background.mix(self.faint, 0.8)
    }

    /// The colour of a value (0 to 1): pale, the lane's colour, towards ink. Below 0 means none.
    pub fn ramp(&self, colour: Rgb, value: f32) -> Rgb {
        let low = self.background.mix(colour, 0.16);
        let high = colour.mix(self.ink, 0.72);
        match value {
            _ if value < 0.0 => self.background.mix(self.ink, 0.12),
            _ if value < 0.5 => low.mix(colour, 2.0 * value),
            _ => colour.mix(high, 2.0 * value - 1.0),
        }
    }

    /// The colour of a lane; dimmed lanes are closer to the background.
    pub fn lane(&self, lane: usize, muted: bool) -> Rgb {
        let colour = self.lanes.get(lane).copied().unwrap_or(self.muted);
        if muted { colour.mix(self.background, 0.7) } else { colour }
    }
}

impl Default for Theme {
    fn default() -> Self {
        Self::LIGHT
    }
}

const fn rgb(r: u8, g: u8, b: u8) -> Rgb {
    Rgb([r as f32 / 255.0, g as f32 / 255.0, b as f32 / 255.0])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_read_the_way_css_writes_them() {
        let blue = Some(rgb(0, 0x72, 0xb2));
        assert_eq!(Rgb::parse(" #0072b2"), blue);
        assert_eq!(Rgb::parse("rgb(0, 114, 178)"), blue);
        assert_eq!(Rgb::parse("rgb(0 114 178)"), blue);
        assert_eq!(Rgb::parse("#fff"), Some(rgb(255, 255, 255)));
        for wrong in
            ["", "#", "#12", "#12345g", "#1é34", "blue", "rgb(1,2)", "rgb(1,2,3,4)", "rgb(1,2,300)"]
        {
            assert_eq!(Rgb::parse(wrong), None, "{wrong}");
        }
        assert_eq!(rgb(0, 0x72, 0xb2).css(), "#0072b2");
    }
}
