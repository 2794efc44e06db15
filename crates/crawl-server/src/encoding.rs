//! Which compressed copy a browser takes, by its Accept-Encoding.

/// How a body is encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Brotli, the smallest.
    Brotli,
    /// gzip.
    Gzip,
}

impl Encoding {
    /// All of them, the best first.
    pub const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Its name in headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// What a copy's file name ends in.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    /// Whether a header accepts it.
    pub fn is_accepted(self, header: &str) -> bool {
        header.split(',').any(|item| {
            let mut parts = item.split(';').map(str::trim);
            let named = parts.next().is_some_and(|name| name.eq_ignore_ascii_case(self.name()));
            let refused = parts.any(|part| {
                part.strip_prefix("q=").and_then(|q| q.parse::<f32>().ok()) == Some(0.0)
            });
            named && !refused
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_sent_only_where_it_is_accepted() {
        let accepts = |header: &str| Encoding::ALL.map(|e| e.is_accepted(header));
        assert_eq!(accepts("gzip, deflate, br, zstd"), [true, true]);
        assert_eq!(accepts("gzip;q=0.5, br;q=0"), [false, true]);
        assert_eq!(accepts("BR"), [true, false]);
        assert_eq!(accepts("brotli, x-gzip"), [false, false]);
        assert_eq!(accepts(""), [false, false]);
    }
}
