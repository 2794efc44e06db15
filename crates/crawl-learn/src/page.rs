//! Features that separate detail pages from pages of links (Zhang et al. 2010, section 3.1).
//!
//! The support vector machine classifies a page by ⟨TextDegree, LinkDegree, Aggregation⟩:
//!
//! - TextDegree = log₂(words outside links / k): large for detail pages;
//! - LinkDegree = log₂(links / words): large for pages of links;
//! - Aggregation = log₂(1 + Σ s² / Σ s) over the text blocks' sizes s in words: large for text in
//!   few large blocks. The paper gives no formula, only that it uses the number and the sizes of
//!   text blocks. Our choice: Σ s² / Σ s is the block size of an average word, so scattered menu
//!   words hardly change it.
//!
//! A count of 0 is replaced by ½ (our choice), which keeps the logarithms finite.

use libm::log2;

/// k of TextDegree. The paper gives no value; 100 words is our choice.
pub const SHORT_TEXT_WORDS: f64 = 100.0;

/// Word, link and block counts of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageCounts<'a> {
    /// Words in the whole page.
    pub n_words: usize,
    /// Words inside links.
    pub n_link_words: usize,
    /// Number of links.
    pub n_links: usize,
    /// Words outside links in each block of text.
    pub blocks: &'a [usize],
}

/// The three features of a page; always finite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PageFeatures {
    /// log₂(words outside links / k).
    pub text_degree: f64,
    /// log₂(links / words).
    pub link_degree: f64,
    /// log₂(1 + size of an average word's block).
    pub aggregation: f64,
}

impl PageFeatures {
    /// Computes the features from a page's counts.
    pub fn of(counts: &PageCounts<'_>) -> Self {
        let above_zero = |n: usize| if n == 0 { 0.5 } else { n as f64 };
        let plain = counts.n_words.saturating_sub(counts.n_link_words);
        // 64-bit floats: a hostile page's squares could overflow any integer.
        let total: f64 = counts.blocks.iter().map(|&size| size as f64).sum();
        let squares: f64 = counts.blocks.iter().map(|&size| size as f64 * size as f64).sum();
        let typical = if total > 0.0 { squares / total } else { 0.0 };
        Self {
            text_degree: log2(above_zero(plain) / SHORT_TEXT_WORDS),
            link_degree: log2(above_zero(counts.n_links) / above_zero(counts.n_words)),
            aggregation: log2(1.0 + typical),
        }
    }

    /// The features as an array, for a classifier.
    pub fn point(&self) -> [f64; 3] {
        [self.text_degree, self.link_degree, self.aggregation]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn features(n_words: usize, n_link_words: usize, n_links: usize, blocks: &[usize]) -> [f64; 3] {
        PageFeatures::of(&PageCounts { n_words, n_link_words, n_links, blocks }).point()
    }

    #[test]
    fn the_formulas() {
        assert_eq!(features(512, 112, 64, &[]), [2.0, -3.0, 0.0]);
        assert_eq!(features(512, 112, 64, &[7, 7])[2], 3.0);
        // Ten blocks of 31 words: an average word is in a block of 31.
        assert_eq!(features(1, 0, 1, &[31; 10])[2], 5.0);
    }

    #[test]
    fn text_in_larger_blocks_is_more_aggregated() {
        let whole = features(100, 0, 1, &[100])[2];
        let halves = features(100, 0, 1, &[50, 50])[2];
        let menu_beside = features(110, 0, 1, &[100, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1])[2];
        let scattered = features(100, 0, 1, &[1; 100])[2];
        assert!(whole > menu_beside && menu_beside > halves && halves > scattered);
    }

    #[test]
    fn pages_without_words_or_links_have_finite_features() {
        let empty = features(0, 0, 0, &[]);
        assert_eq!(empty, [log2(0.005), 0.0, 0.0]);
        assert_eq!(features(0, 0, 8, &[0, 0])[1], 4.0);
        assert_eq!(features(8, 0, 0, &[8])[1], -4.0);
        // Zero words rank below one word.
        assert!(empty[0] < features(1, 0, 0, &[1])[0]);
        // A hostile page may claim more link words than words.
        assert!(features(3, 9, 1, &[usize::MAX; 9]).iter().all(|f| f.is_finite()));
    }
}
