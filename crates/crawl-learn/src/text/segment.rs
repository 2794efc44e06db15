//! Word segmentation.

use unicode_segmentation::UnicodeSegmentation as _;

use super::MAX_WORD_CHARS;

/// Calls `take` with every word of a text; pairs of characters in scripts without spaces.
pub(super) fn each(text: &str, take: &mut dyn FnMut(&str)) {
    // UAX 29 splits such scripts into single characters; consecutive ones form a run.
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
            // UAX 29 attaches a mark after a space to the space.
            take(cut(piece.trim_start()));
        }
    }
    pairs(&text[run], take);
}

/// Calls `take` with the overlapping character pairs of a run, or its single character.
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
    word.char_indices().nth(MAX_WORD_CHARS).map_or(word, |(end, _)| &word[..end])
}

/// Whether a character belongs to a script written without spaces between words.
///
/// These are Thai, Lao, Burmese, Khmer, and the characters of Chinese and Japanese.
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
