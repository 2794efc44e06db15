//! A small mutator: the same seed gives the same inputs on every machine.

use crawl_world::Rng;

/// Longest input that is made, in bytes.
pub const MAX_BYTES: usize = 1 << 14;
/// Most changes of one input.
const MAX_CHANGES: u32 = 5;

/// Numbers at the edges of types and ranges, as text.
const NUMBERS: &[&str] = &[
    "0",
    "1",
    "-1",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967295",
    "4294967296",
    "9007199254740993",
    "9223372036854775807",
    "-9223372036854775808",
    "18446744073709551616",
    "0.0000001",
    "1e-320",
    "1e300",
    "1e400",
    "-0",
    "NaN",
    "inf",
];

/// Makes inputs from seeds, other seeds and a dictionary.
pub struct Mutator<'a> {
    rng: Rng,
    seeds: &'a [Vec<u8>],
    words: &'a [Vec<u8>],
}

impl<'a> Mutator<'a> {
    /// A mutator whose choices depend on `name` alone.
    pub fn new(name: &str, seeds: &'a [Vec<u8>], words: &'a [Vec<u8>]) -> Self {
        Self { rng: Rng::new(1, name), seeds, words }
    }

    /// The next input: a seed with a few changes.
    pub fn next_input(&mut self) -> Vec<u8> {
        let mut input = self.seed().to_vec();
        for _ in 0..self.rng.between(1, MAX_CHANGES) {
            self.change(&mut input);
            input.truncate(MAX_BYTES);
        }
        input
    }

    fn seed(&mut self) -> &'a [u8] {
        let seeds = self.seeds;
        if seeds.is_empty() { &[] } else { self.rng.pick(seeds).as_slice() }
    }

    fn change(&mut self, input: &mut Vec<u8>) {
        match self.rng.below(10) {
            0 => {
                if let Some(at) = self.place(input) {
                    input[at] ^= 1 << self.rng.below(8);
                }
            }
            1 => {
                if let Some(at) = self.place(input) {
                    input[at] = self.byte();
                }
            }
            2 => {
                let byte = self.byte();
                let at = self.gap(input);
                input.insert(at, byte);
            }
            3 | 4 => {
                let words = self.words;
                if !words.is_empty() {
                    let word = self.rng.pick(words);
                    let at = self.gap(input);
                    input.splice(at..at, word.iter().copied());
                }
            }
            5 => {
                let (from, to) = self.range(input);
                input.drain(from..to);
            }
            6 => {
                let (from, to) = self.range(input);
                let copy = input[from..to].to_vec();
                let at = self.gap(input);
                input.splice(at..at, copy);
            }
            7 => {
                // What another seed has from some place on.
                let other = self.seed();
                let cut = self.gap(input);
                let from = self.gap(other);
                input.truncate(cut);
                input.extend_from_slice(&other[from..]);
            }
            8 => {
                let at = self.gap(input);
                input.truncate(at);
            }
            _ => self.change_number(input),
        }
    }

    /// Puts an odd number in place of one of the input's.
    fn change_number(&mut self, input: &mut Vec<u8>) {
        let is_start = |at: &usize| {
            input[*at].is_ascii_digit() && (*at == 0 || !input[*at - 1].is_ascii_digit())
        };
        let starts: Vec<usize> = (0..input.len()).filter(is_start).collect();
        if starts.is_empty() {
            return;
        }
        let from = *self.rng.pick(&starts);
        let n_digits = input[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = *self.rng.pick(NUMBERS);
        input.splice(from..from + n_digits, number.bytes());
    }

    fn byte(&mut self) -> u8 {
        let odd = [0, 1, 0x7f, 0x80, 0xff, b'\n', b'\r', b'\t', b' ', b'"', b'%', b'\''];
        if self.rng.chance(0.3) { *self.rng.pick(&odd) } else { self.rng.below(256) as u8 }
    }

    /// A byte of the input.
    fn place(&mut self, input: &[u8]) -> Option<usize> {
        (!input.is_empty()).then(|| self.rng.below(input.len() as u32) as usize)
    }

    /// A place between two bytes, before the first or after the last.
    fn gap(&mut self, input: &[u8]) -> usize {
        self.rng.below(input.len() as u32 + 1) as usize
    }

    /// A stretch of the input, more often short than long.
    fn range(&mut self, input: &[u8]) -> (usize, usize) {
        let from = self.gap(input);
        let most = if self.rng.chance(0.5) { 8 } else { MAX_BYTES };
        let rest = (input.len() - from).min(most);
        (from, from + self.rng.below(rest as u32 + 1) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn inputs_are_many_short_and_the_same_again() {
        let seeds = [b"a(b:12,c:'x')".to_vec(), vec![7; MAX_BYTES], Vec::new()];
        let words = [b"word".to_vec()];
        let inputs = || {
            let mut mutator = Mutator::new("test", &seeds, &words);
            (0..1000).map(|_| mutator.next_input()).collect::<Vec<_>>()
        };
        let made = inputs();
        assert_eq!(made, inputs());
        assert!(made.iter().all(|input| input.len() <= MAX_BYTES));
        let distinct: BTreeSet<&Vec<u8>> = made.iter().collect();
        assert!(distinct.len() > 700, "{}", distinct.len());
        let holds = |part: &[u8]| made.iter().any(|i| i.windows(part.len()).any(|w| w == part));
        assert!(holds(b"word") && holds(b"b:4294967296,"), "no word, or no odd number");
    }

    #[test]
    fn without_seeds_inputs_are_made_of_words() {
        let words = [b"word".to_vec()];
        let mut mutator = Mutator::new("test", &[], &words);
        assert!((0..100).any(|_| mutator.next_input().starts_with(b"word")));
    }
}
