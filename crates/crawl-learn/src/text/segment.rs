//! Where words begin and end.

use unicode_segmentation::UnicodeSegmentation as _;

use super::MOST_CHARACTERS;

/// Calls `take` with every word of a text; pairs of characters where no spaces are written.
pub(super) fn each(text: &str, take: &mut dyn FnMut(&str)) {
    // Unicode's rules cut such scripts into single characters; neighbours are joined again.
    let mut run = 0..0;
    for (at, piece) in text.split_word_bound_indices() {
        let end = at + piece.len();
        if piece.starts_with(is_unspaced) && piece.contains(char::is_alphanumeric) {
            if run.end != at {
                pairs(&text[run], take);
                run = at..at;
            }
            run.end = end;
        } else if piece.contains(char::is_alphanumeric) {
            pairs(&text[std::mem::take(&mut run)], take);
            // A mark that stands after a space belongs to the space by Unicode's rules.
            take(cut(piece.trim_start()));
        }
    }
    pairs(&text[run], take);
}

/// Overlapping pairs of the characters of a run; a single character is a word.
fn pairs(run: &str, take: &mut dyn FnMut(&str)) {
    let mut characters = run.grapheme_indices(true).map(|(at, text)| at..at + text.len());
    let Some(mut before) = characters.next() else { return };
    if before.end == run.len() {
        take(cut(run));
    }
    for character in characters {
        take(cut(&run[before.start..character.end]));
        before = character;
    }
}

fn cut(word: &str) -> &str {
    word.char_indices().nth(MOST_CHARACTERS).map_or(word, |(end, _)| &word[..end])
}

/// Whether a character belongs to a script that writes no spaces between words: Thai, Lao,
/// Burmese, Khmer, and the Han characters and syllables of Chinese and Japanese.
fn is_unspaced(c: char) -> bool {
    matches!(c,
        '\u{e01}'..='\u{eff}'
        | '\u{1000}'..='\u{109f}'
        | '\u{1780}'..='\u{17ff}'
        | '\u{2e80}'..='\u{2fdf}'
        | '\u{3005}'..='\u{3007}'
        | '\u{3041}'..='\u{30fa}'
        | '\u{30fc}'..='\u{312f}'
        | '\u{31a0}'..='\u{31bf}'
        | '\u{31f0}'..='\u{31ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{3ffff}')
}
