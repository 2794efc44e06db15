//! Splits text into words: segmentation, lower case, stop words, stemming.
//!
//! Zhang et al. 2010 split texts into words and drop stop words (Algorithm 1, Definition 6)
//! without saying how. All choices here are ours:
//!
//! 1. **Segmentation** by Unicode's rules (UAX 29). Scripts written without spaces (Chinese,
//!    Japanese, Thai, Lao, Khmer, Burmese) become overlapping pairs of characters: 数码相机 gives
//!    数码, 码相, 相机. Pairs need no dictionary, and equal words give equal pairs. A single
//!    character is a word.
//! 2. **Lower case**, by Unicode; a typographic apostrophe becomes a plain one.
//! 3. **Stop words**: a short English list; for URLs also `www`, `com`, `html` and the like.
//! 4. **Stemming**: Porter 1980, for words of the letters a–z. Implemented here because
//!    `rust-stemmers` adds tables for 18 languages and serde, and is unmaintained since 2020.
//!
//! Time is linear in the text. To bound memory, text after [`MAX_TEXT_BYTES`] is ignored and words
//! are cut to [`MAX_WORD_CHARS`].

mod segment;
mod stem;
mod stop;
mod url;

pub use stem::stem;
pub use url::url_text;

/// Longest text that is read, in bytes; the rest is ignored.
pub const MAX_TEXT_BYTES: usize = 8 << 20;

/// Longest word, in characters; the rest is cut off.
pub const MAX_WORD_CHARS: usize = 64;

/// Configuration of the conversion from text to words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pipeline {
    /// Drop stop words.
    pub drop_stop_words: bool,
    /// Reduce words to their stems.
    pub stem: bool,
}

impl Default for Pipeline {
    fn default() -> Self {
        Self { drop_stop_words: true, stem: true }
    }
}

/// The intermediate results for one word of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordSteps {
    /// The word as segmented from the text.
    pub segmented: String,
    /// The word in lower case.
    pub lowered: String,
    /// Whether it is a stop word that was dropped.
    pub stopped: bool,
    /// The resulting word; `None` for a dropped stop word.
    pub word: Option<String>,
}

/// The kind of text; URLs have additional stop words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    Text,
    Url,
}

impl Pipeline {
    /// Calls `take` with every word of a text, in order.
    pub fn each_word(&self, text: &str, mut take: impl FnMut(&str)) {
        self.each(Source::Text, text, &mut take);
    }

    /// The words of a text, in order.
    pub fn words(&self, text: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each_word(text, |word| words.push(word.to_owned()));
        words
    }

    /// The words of a URL's host, path and query, percent-decoded.
    pub fn url_words(&self, url: &str) -> Vec<String> {
        let mut words = Vec::new();
        self.each(Source::Url, &url_text(url), &mut |word| words.push(word.to_owned()));
        words
    }

    /// The intermediate results for each word of a text.
    pub fn steps(&self, text: &str) -> Vec<WordSteps> {
        self.all_steps(Source::Text, text)
    }

    /// The intermediate results for each word of a URL.
    pub fn url_steps(&self, url: &str) -> Vec<WordSteps> {
        self.all_steps(Source::Url, &url_text(url))
    }

    fn each(&self, source: Source, text: &str, take: &mut dyn FnMut(&str)) {
        let mut word = String::new();
        segment::each(first_bytes(text), &mut |piece| {
            lower_into(piece, &mut word);
            if !self.stops(source, &word) {
                self.finish(&mut word);
                take(&word);
            }
        });
    }

    fn all_steps(&self, source: Source, text: &str) -> Vec<WordSteps> {
        let mut steps = Vec::new();
        segment::each(first_bytes(text), &mut |piece| {
            let mut lowered = String::new();
            lower_into(piece, &mut lowered);
            let stopped = self.stops(source, &lowered);
            let word = (!stopped).then(|| {
                let mut word = lowered.clone();
                self.finish(&mut word);
                word
            });
            steps.push(WordSteps { segmented: piece.to_owned(), lowered, stopped, word });
        });
        steps
    }

    fn stops(&self, source: Source, word: &str) -> bool {
        self.drop_stop_words
            && (stop::is_stop_word(word) || source == Source::Url && stop::is_url_stop_word(word))
    }

    fn finish(&self, word: &mut String) {
        if self.stem {
            stem(word);
        }
    }
}

/// Writes `piece` into `word` in lower case, with plain apostrophes.
fn lower_into(piece: &str, word: &mut String) {
    word.clear();
    if piece.is_ascii() {
        word.push_str(piece);
        word.make_ascii_lowercase();
    } else {
        word.push_str(&piece.to_lowercase());
        if word.contains('’') {
            *word = word.replace('’', "'");
        }
    }
}

/// The part of a text that is read.
fn first_bytes(text: &str) -> &str {
    &text[..text.floor_char_boundary(MAX_TEXT_BYTES)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        Pipeline::default().words(text)
    }

    #[test]
    fn a_sentence_goes_through_every_step() {
        let steps = Pipeline::default().steps("The Camera’s lenses, reviewed: it isn't 3.5 mm!");
        let shown: Vec<(&str, &str, Option<&str>)> = steps
            .iter()
            .map(|s| (s.segmented.as_str(), s.lowered.as_str(), s.word.as_deref()))
            .collect();
        assert_eq!(
            shown,
            [
                ("The", "the", None),
                ("Camera’s", "camera's", Some("camera")),
                ("lenses", "lenses", Some("lens")),
                ("reviewed", "reviewed", Some("review")),
                ("it", "it", None),
                ("isn't", "isn't", None),
                ("3.5", "3.5", Some("3.5")),
                ("mm", "mm", Some("mm")),
            ]
        );
        assert!(steps.iter().all(|s| s.stopped == s.word.is_none()));
    }

    #[test]
    fn steps_can_be_left_out() {
        let plain = Pipeline { drop_stop_words: false, stem: false };
        assert_eq!(plain.words("The cameras"), ["the", "cameras"]);
        let unstemmed = Pipeline { stem: false, ..Pipeline::default() };
        assert_eq!(unstemmed.words("The cameras"), ["cameras"]);
    }

    #[test]
    fn a_mark_after_a_space_takes_no_space_into_the_word() {
        assert_eq!(words("a \u{6e4}b"), ["\u{6e4}", "b"]);
    }

    #[test]
    fn any_script_gives_words() {
        assert_eq!(words("数码相机 Nikon评测"), ["数码", "码相", "相机", "nikon", "评测"]);
        assert_eq!(words("カメラを買う"), ["カメ", "メラ", "ラを", "を買", "買う"]);
        assert_eq!(words("ФОТОАППАРАТЫ и Ёлка"), ["фотоаппараты", "и", "ёлка"]);
        assert_eq!(words("휴대폰 카메라"), ["휴대폰", "카메라"]);
        assert_eq!(words("دوربین عکاسی"), ["دوربین", "عکاسی"]);
        // A vowel sign stays with its consonant.
        assert_eq!(words("ที่นี่"), ["ที่นี่"]);
        assert_eq!(words("กล้อง"), ["กล้", "ล้อ", "อง"]);
        assert_eq!(words("的"), ["的"]);
        assert_eq!(words("数码,相机"), ["数码", "相机"]);
    }

    #[test]
    fn texts_without_words_give_no_words() {
        for text in ["", "  \n", "!!! — … ", "🎥📷", "\u{0}\u{7}", "\u{200d}\u{200d}"] {
            assert_eq!(words(text), Vec::<String>::new(), "{text:?}");
        }
    }

    #[test]
    fn urls_give_the_words_of_host_path_and_query() {
        let of = |url| Pipeline::default().url_words(url);
        assert_eq!(
            of("https://www.shop.example.com:8080/Digital-Cameras/nikonD90.html?page=2"),
            ["shop", "exampl", "digit", "camera", "nikon", "d90", "page", "2"]
        );
        assert_eq!(
            of("http://example.cn/%E6%95%B0%E7%A0%81%E7%9B%B8%E6%9C%BA/"),
            ["exampl", "cn", "数码", "码相", "相机"]
        );
    }

    #[test]
    fn long_words_are_cut_and_long_texts_read_up_to_the_limit() {
        let long = words(&"x".repeat(1000));
        assert_eq!(long.len(), 1);
        assert_eq!(long[0].len(), MAX_WORD_CHARS);
        let text = format!("{}数 last", "ab ".repeat(MAX_TEXT_BYTES / 3));
        let mut count = 0;
        let mut last = String::new();
        Pipeline::default().each_word(&text, |word| {
            count += 1;
            last = word.to_owned();
        });
        // A character that crosses the limit is dropped entirely.
        assert_eq!(count, MAX_TEXT_BYTES / 3);
        assert_eq!(last, "ab");
    }

    proptest! {
        #[test]
        fn steps_end_in_the_words(text in "\\PC{0,60}|[a-z' ’A-Z数码ก้0-9_.%:/]{0,60}") {
            let pipeline = Pipeline::default();
            let ends: Vec<String> =
                pipeline.steps(&text).into_iter().filter_map(|s| s.word).collect();
            prop_assert_eq!(&ends, &pipeline.words(&text));
            prop_assert!(ends.iter().all(|w| !w.is_empty()));
            let ends: Vec<String> =
                pipeline.url_steps(&text).into_iter().filter_map(|s| s.word).collect();
            prop_assert_eq!(ends, pipeline.url_words(&text));
        }
    }
}
