//! A text as a QR code.

use crawl_protocol::world::Code;
use fast_qr::{ECL, Mode, QRBuilder};
use std::fmt::Write;

/// Longest text whose code a phone reads from a lecture hall's seats, in bytes.
const MAX_BYTES: usize = 700;

/// The code, or an empty one where the text is too long.
pub(super) fn code(text: String) -> Code {
    if text.len() > MAX_BYTES {
        return Code { text, ..Code::default() };
    }
    let Ok(code) = QRBuilder::new(text.as_str()).ecl(ECL::M).mode(Mode::Byte).build() else {
        return Code { text, ..Code::default() };
    };
    let mut path = String::new();
    for y in 0..code.size {
        for x in 0..code.size {
            if code[y][x].value() {
                // Writing to a string does not fail.
                let _ = write!(path, "M{x} {y}h1v1h-1z");
            }
        }
    }
    Code { text, size: code.size as u32, path }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_texts_have_a_code_and_long_ones_say_so() {
        let short = code("http://127.0.0.1/#v=1&world=campus&run=opic".to_owned());
        assert_eq!(short.size % 4, 1);
        // The finders in three corners.
        for corner in [(0, 0), (short.size - 1, 0), (0, short.size - 1)] {
            assert!(short.path.contains(&format!("M{} {}h1", corner.0, corner.1)));
        }
        let long = code("a".repeat(MAX_BYTES + 1));
        assert_eq!((long.size, long.path.as_str(), long.text.len()), (0, "", MAX_BYTES + 1));
    }
}
