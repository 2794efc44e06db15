//! How much a file may ask for.

/// Bounds on what is read; each is an error of its own when it is exceeded.
///
/// The defaults suit a machine with some gigabytes to spare; a browser passes smaller ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of a file once decompressed.
    pub file_bytes: u64,
    /// Bytes of one line.
    pub line_bytes: usize,
    /// Pages.
    pub pages: u32,
    /// Links, repeated ones included.
    pub links: u32,
    /// Items of one list: the links, topics or change times of a page, the seeds of a world.
    pub list_items: usize,
    /// Bytes of text: titles, texts, topics, robots.txt, distinct anchors, contexts and URLs.
    pub text_bytes: u64,
    /// How many times its own size a gzip file may grow to, once it has grown beyond
    /// [`Limits::free_gzip_bytes`].
    pub gzip_ratio: u64,
    /// Bytes up to which a gzip file may grow by any ratio.
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
            // Deflate reaches 1032; graphs and pages stay below 50.
            gzip_ratio: 250,
            free_gzip_bytes: 64 << 20,
        }
    }
}
