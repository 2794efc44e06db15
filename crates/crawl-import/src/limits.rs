//! Limits on imported files.

/// Limits of an import; exceeding one is an error.
///
/// The defaults suit a machine with a few gigabytes of free memory; browsers use smaller ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file after decompression.
    pub file_bytes: u64,
    /// Bytes of one line.
    pub line_bytes: usize,
    /// Number of pages.
    pub pages: u32,
    /// Number of links, including duplicates.
    pub links: u32,
    /// Items of one list: links, topics or change times of a page, seeds of a world.
    pub list_items: usize,
    /// Bytes of text: titles, texts, topics, robots.txt, distinct anchors, contexts and URLs.
    pub text_bytes: u64,
    /// Maximum compression ratio of a gzip file above [`Limits::free_gzip_bytes`].
    pub gzip_ratio: u64,
    /// Decompressed bytes up to which any ratio is allowed.
    pub free_gzip_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            file_bytes: 8 << 30,
            line_bytes: 32 << 20,
            pages: 1 << 25,
            links: 1 << 28,
            list_items: 1_000_000,
            text_bytes: 1 << 30,
            // Deflate reaches 1032; real graphs and pages stay below 50.
            gzip_ratio: 250,
            free_gzip_bytes: 64 << 20,
        }
    }
}
