//! Porter's stemmer (M. F. Porter, "An algorithm for suffix stripping", Program 14(3), 1980).
//!
//! A word has the form `[C](VC)ᵐ[V]`, C a run of consonants, V a run of vowels; y after a consonant
//! is a vowel. m is the measure of a stem: most suffixes are removed only if the remaining stem's m
//! is large enough. Words of one or two letters are not changed.

/// Reduces a lower-case English word to its stem.
///
/// A possessive `'s` is removed first. Words with characters other than a–z are not changed.
pub fn stem(word: &mut String) {
    for possessive in ["'s", "'"] {
        if word.len() > possessive.len() && word.ends_with(possessive) {
            word.truncate(word.len() - possessive.len());
            break;
        }
    }
    if word.len() <= 2 || !word.bytes().all(|b| b.is_ascii_lowercase()) {
        return;
    }
    plurals(word);
    past_and_progressive(word);
    if word.ends_with('y') && has_vowel(&word[..word.len() - 1]) {
        replace(word, 1, "i");
    }
    replace_longest(word, DOUBLE_SUFFIXES, 0);
    replace_longest(word, SUFFIXES, 0);
    replace_longest(word, LAST_SUFFIXES, 1);
    final_e(word);
    if word.ends_with("ll") && measure(word) > 1 {
        replace(word, 1, "");
    }
}

/// Step 2: double suffixes.
const DOUBLE_SUFFIXES: &[(&str, &str)] = &[
    ("ational", "ate"),
    ("ization", "ize"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("tional", "tion"),
    ("biliti", "ble"),
    ("entli", "ent"),
    ("ousli", "ous"),
    ("ation", "ate"),
    ("alism", "al"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("abli", "able"),
    ("alli", "al"),
    ("ator", "ate"),
    ("eli", "e"),
];

/// Step 3: suffixes.
const SUFFIXES: &[(&str, &str)] = &[
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ness", ""),
    ("ful", ""),
];

/// Step 4: last suffixes; `ion` is removed only after s or t.
const LAST_SUFFIXES: &[(&str, &str)] = &[
    ("ement", ""),
    ("ance", ""),
    ("ence", ""),
    ("able", ""),
    ("ible", ""),
    ("ment", ""),
    ("ant", ""),
    ("ent", ""),
    ("ion", ""),
    ("ism", ""),
    ("ate", ""),
    ("iti", ""),
    ("ous", ""),
    ("ive", ""),
    ("ize", ""),
    ("al", ""),
    ("er", ""),
    ("ic", ""),
    ("ou", ""),
];

/// Step 1a: removes plural endings.
fn plurals(word: &mut String) {
    if word.ends_with("sses") || word.ends_with("ies") {
        replace(word, 2, "");
    } else if word.ends_with('s') && !word.ends_with("ss") {
        replace(word, 1, "");
    }
}

/// Step 1b: removes -ed and -ing.
fn past_and_progressive(word: &mut String) {
    if let Some(before) = word.strip_suffix("eed") {
        if measure(before) > 0 {
            replace(word, 1, "");
        }
        return;
    }
    let ending = ["ed", "ing"].into_iter().find(|ending| word.ends_with(ending));
    let Some(ending) = ending.filter(|ending| has_vowel(&word[..word.len() - ending.len()])) else {
        return;
    };
    replace(word, ending.len(), "");
    if ["at", "bl", "iz"].iter().any(|end| word.ends_with(end)) {
        word.push('e');
    } else if ends_in_double_consonant(word) && !word.ends_with(['l', 's', 'z']) {
        replace(word, 1, "");
    } else if measure(word) == 1 && ends_short(word) {
        word.push('e');
    }
}

/// Step 5a: removes a final e.
fn final_e(word: &mut String) {
    if let Some(before) = word.strip_suffix('e') {
        let m = measure(before);
        if m > 1 || (m == 1 && !ends_short(before)) {
            replace(word, 1, "");
        }
    }
}

/// Replaces the longest matching suffix if the measure of the stem is greater than `above`.
///
/// Shorter suffixes are not tried. `suffixes` is sorted, longest first.
fn replace_longest(word: &mut String, suffixes: &[(&str, &str)], above: usize) {
    let Some((suffix, new)) = suffixes.iter().find(|(suffix, _)| word.ends_with(suffix)) else {
        return;
    };
    let before = &word[..word.len() - suffix.len()];
    if measure(before) > above && (*suffix != "ion" || before.ends_with(['s', 't'])) {
        replace(word, suffix.len(), new);
    }
}

fn replace(word: &mut String, cut: usize, new: &str) {
    word.truncate(word.len() - cut);
    word.push_str(new);
}

/// Whether each letter is a consonant.
fn consonants(word: &str) -> impl Iterator<Item = bool> + '_ {
    word.bytes().scan(false, |before, letter| {
        *before = match letter {
            b'a' | b'e' | b'i' | b'o' | b'u' => false,
            b'y' => !*before,
            _ => true,
        };
        Some(*before)
    })
}

/// The measure m of `[C](VC)ᵐ[V]`.
fn measure(word: &str) -> usize {
    let mut before = true;
    consonants(word)
        .filter(|&consonant| {
            let ends_vowels = consonant && !before;
            before = consonant;
            ends_vowels
        })
        .count()
}

fn has_vowel(word: &str) -> bool {
    consonants(word).any(|consonant| !consonant)
}

fn ends_in_double_consonant(word: &str) -> bool {
    let bytes = word.as_bytes();
    bytes.len() >= 2
        && bytes[bytes.len() - 1] == bytes[bytes.len() - 2]
        && consonants(word).last() == Some(true)
}

/// Whether a word ends consonant, vowel, consonant, and the last is not w, x or y.
fn ends_short(word: &str) -> bool {
    let n = word.len();
    n >= 3
        && consonants(word).skip(n - 3).eq([true, false, true])
        && !word.ends_with(['w', 'x', 'y'])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Words and their stems: the paper's examples and words from this project's topics.
    ///
    /// The stems come from `snowballstemmer.stemmer("porter").stemWord(word)` of snowballstemmer
    /// 3.1.1 (PyPI). On the 67,000 words of WebKB the two implementations differ only for words of
    /// two letters, which snowballstemmer stems, and for a double x.
    const STEMS: &str = "\
        caresses caress, ponies poni, ties ti, caress caress, cats cat, feed feed, \
        agreed agre, plastered plaster, bled bled, motoring motor, sing sing, \
        conflated conflat, troubled troubl, sized size, hopping hop, tanned tan, \
        falling fall, hissing hiss, fizzed fizz, failing fail, filing file, happy happi, \
        sky sky, relational relat, conditional condit, rational ration, valenci valenc, \
        hesitanci hesit, digitizer digit, conformabli conform, radicalli radic, \
        differentli differ, vileli vile, analogousli analog, vietnamization vietnam, \
        predication predic, operator oper, feudalism feudal, decisiveness decis, \
        hopefulness hope, callousness callous, formaliti formal, sensitiviti sensit, \
        sensibiliti sensibl, triplicate triplic, formative form, formalize formal, \
        electriciti electr, electrical electr, hopeful hope, goodness good, revival reviv, \
        allowance allow, inference infer, airliner airlin, gyroscopic gyroscop, \
        adjustable adjust, defensible defens, irritant irrit, replacement replac, \
        adjustment adjust, dependent depend, adoption adopt, homologou homolog, \
        communism commun, activate activ, angulariti angular, homologous homolog, \
        effective effect, bowdlerize bowdler, probate probat, rate rate, cease ceas, \
        controll control, roll roll, cameras camera, photography photographi, \
        photographer photograph, reviews review, prices price, universities univers, \
        faculty faculti, courses cours, computers comput, computation comput, yyy yyi, \
        syzygy syzygi, oed o, eed eed, ing ing, bing bing, generalizations gener, \
        oscillators oscil";

    #[test]
    fn stems_are_porters() {
        for pair in STEMS.split(", ") {
            let (word, expected) = pair.split_once(' ').unwrap();
            let mut stemmed = word.to_owned();
            stem(&mut stemmed);
            assert_eq!(stemmed, expected, "{word}");
        }
    }

    #[test]
    fn other_scripts_are_not_stemmed() {
        for word in ["", "a", "is", "'", "'s", "d90s", "naïves", "数码"] {
            let mut stemmed = word.to_owned();
            stem(&mut stemmed);
            assert_eq!(stemmed, word);
        }
    }
}
