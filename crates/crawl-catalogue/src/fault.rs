//! Faults in texts that users type.

use crate::visible::is_hidden;
use serde::{Deserialize, Serialize};

/// A fault in a typed text, with its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("character {}: {message}", at + 1)]
pub struct Fault {
    /// The text.
    pub text: String,
    /// Position in characters.
    pub at: usize,
    /// What is wrong, and what is expected.
    pub message: String,
}

impl Fault {
    /// The text around the fault, at most `width` characters, and the position of the fault in it.
    pub fn window(&self, width: usize) -> (String, usize) {
        let n = self.text.chars().count();
        // Show some of the text after the fault, if there is any.
        let from = (self.at + width / 3).min(n + 1).saturating_sub(width).min(self.at);
        let shown = self.text.chars().skip(from).take(width);
        let plain = |c: char| if is_hidden(c) { ' ' } else { c };
        (shown.map(plain).collect(), self.at - from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &str, at: usize) -> Fault {
        Fault { text: text.to_owned(), at, message: "an odd sign".to_owned() }
    }

    #[test]
    fn the_caret_stands_under_the_fault() {
        assert_eq!(fault("1 + é$", 5).to_string(), "character 6: an odd sign");
        assert_eq!(fault("1 +\té$", 5).window(80), ("1 + é$".to_owned(), 5));
        let long: String = ('a'..='z').cycle().take(200).collect();
        for at in [0, 5, 100, 190, 200] {
            let (line, before) = fault(&long, at).window(30);
            assert!(line.chars().count() <= 30 && before <= 30, "{at}");
            assert_eq!(line.chars().nth(before), long.chars().nth(at), "{at}");
        }
    }
}
