//! Scripts: a command a line, words between blanks. Worker targets read their input as one, so that
//! seeds stay readable and outlive changes of the messages.

/// The words of a line, taken one by one; what is missing reads as 0 or empty.
pub struct Words<'a> {
    rest: &'a str,
}

impl<'a> Words<'a> {
    /// The words of a line.
    pub fn of(line: &'a str) -> Self {
        Self { rest: line.trim() }
    }

    /// The next word.
    pub fn word(&mut self) -> &'a str {
        let (word, rest) = self.rest.split_once(' ').unwrap_or((self.rest, ""));
        self.rest = rest.trim_start();
        word
    }

    /// The next word as a whole number; numbers too large wrap.
    pub fn whole(&mut self) -> u32 {
        let word = self.word();
        word.parse().unwrap_or_else(|_| word.parse::<f64>().unwrap_or(0.0) as i64 as u32)
    }

    /// The next word as a number, which may be infinite or none.
    pub fn number(&mut self) -> f64 {
        self.word().parse().unwrap_or(0.0)
    }

    /// All that is left.
    pub fn rest(self) -> &'a str {
        self.rest
    }
}

/// A text in which `\n`, `\t`, `\\` and `\0` stand for what cannot stand in a line.
pub fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        plain.push(match letter {
            '\\' => match letters.next() {
                Some('n') => '\n',
                Some('t') => '\t',
                Some('0') => '\0',
                Some(other) => other,
                None => '\\',
            },
            other => other,
        });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_taken_one_by_one() {
        let mut words = Words::of("  show 7 -1 NaN  the  rest ");
        assert_eq!((words.word(), words.whole(), words.whole()), ("show", 7, u32::MAX));
        assert!(words.number().is_nan());
        assert_eq!(words.rest(), "the  rest");
        assert_eq!(Words::of("").whole(), 0);
    }

    #[test]
    fn lines_can_hold_other_lines() {
        assert_eq!(unescaped(r"a\n\tb\\\0\x\"), "a\n\tb\\\0x\\");
    }
}
