//! Chooses a compressed copy by the Accept-Encoding header.

/// A content coding of compressed copies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// Brotli, the smallest.
    Brotli,
    /// gzip.
    Gzip,
}

impl Encoding {
    /// All codings, the smallest first.
    pub const ALL: [Self; 2] = [Self::Brotli, Self::Gzip];

    /// Name in HTTP headers.
    pub fn name(self) -> &'static str {
        match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
        }
    }

    /// File name extension of a copy.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Brotli => ".br",
            Self::Gzip => ".gz",
        }
    }

    /// Chooses the coding with the highest weight, the smallest among equals; `None` for identity.
    pub fn choose(accepted: &str, is_available: impl Fn(Self) -> bool) -> Option<Self> {
        let any = weight(accepted, "*").unwrap_or(0.0);
        let identity = weight(accepted, "identity").unwrap_or(0.0);
        let mut best = None;
        for encoding in Self::ALL.into_iter().filter(|encoding| is_available(*encoding)) {
            let weight = weight(accepted, encoding.name()).unwrap_or(any);
            let least = best.map_or(0.0, |(_, weight)| weight);
            if weight > least && weight >= identity {
                best = Some((encoding, weight));
            }
        }
        best.map(|(encoding, _)| encoding)
    }
}

/// The weight (0 to 1) of a coding in an Accept-Encoding header; invalid weights count as 0.
fn weight(header: &str, name: &str) -> Option<f32> {
    header.split(',').find_map(|item| {
        let mut parts = item.split(';').map(str::trim);
        if !parts.next()?.eq_ignore_ascii_case(name) {
            return None;
        }
        let q = parts.find_map(|part| part.strip_prefix("q=").or_else(|| part.strip_prefix("Q=")));
        let weight = q.map_or(1.0, |q| q.parse().unwrap_or(0.0));
        Some(if (0.0..=1.0).contains(&weight) { weight } else { 0.0 })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_sent_only_where_it_is_accepted() {
        let choose = |header: &str| Encoding::choose(header, |_| true);
        assert_eq!(choose("gzip, deflate, br, zstd"), Some(Encoding::Brotli));
        assert_eq!(choose("gzip;q=0.5, br;q=0"), Some(Encoding::Gzip));
        assert_eq!(choose("BR"), Some(Encoding::Brotli));
        for header in ["", "brotli, x-gzip", "br;q=0, gzip;Q=0.000", "*;q=0", "br;q=x, gzip;q=nan"]
        {
            assert_eq!(choose(header), None, "{header}");
        }
        assert_eq!(Encoding::choose("br, gzip", |e| e == Encoding::Gzip), Some(Encoding::Gzip));
    }

    #[test]
    fn weights_decide() {
        let choose = |header: &str| Encoding::choose(header, |_| true);
        assert_eq!(choose("br;q=0.5, gzip;q=0.8"), Some(Encoding::Gzip));
        assert_eq!(choose("br;q=0.8, gzip ; q=0.8"), Some(Encoding::Brotli));
        assert_eq!(choose("*"), Some(Encoding::Brotli));
        assert_eq!(choose("*;q=0.1, br;q=0"), Some(Encoding::Gzip));
        assert_eq!(choose("br;q=0.5, identity"), None);
        assert_eq!(choose("br;q=0.5, identity;q=0.5"), Some(Encoding::Brotli));
    }
}
