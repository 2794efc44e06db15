//! Checks a record against its `WARC-Block-Digest`.
//!
//! Without gzip, only this digest reveals damage. Crawlers write SHA-1 (`sha1:` and 32 characters of
//! base32, rarely 40 of hexadecimal); digests by other functions are not checked. Payload digests are
//! not checked, because writers disagree on whether chunks belong to the payload.

use sha1_smol::Sha1;

const SHA1_BYTES: usize = 20;

/// The SHA-1 digest in a record's header.
pub(super) struct BlockDigest([u8; SHA1_BYTES]);

/// A digest being computed, and its expected value.
pub(super) struct Check<'d> {
    computed: Sha1,
    expected: &'d BlockDigest,
}

impl BlockDigest {
    /// Parses `sha1:…`; `None` for other functions.
    pub(super) fn parse(value: &str) -> Option<Self> {
        let (function, digest) = value.split_once(':')?;
        if !function.trim().eq_ignore_ascii_case("sha1") {
            return None;
        }
        let digest = digest.trim();
        let (bits_per_letter, alphabet): (u32, &[u8]) = match digest.len() {
            32 => (5, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"),
            40 => (4, b"0123456789ABCDEF"),
            _ => return None,
        };
        let mut bytes = Vec::with_capacity(SHA1_BYTES);
        let (mut bits, mut n_bits) = (0_u32, 0);
        for letter in digest.bytes() {
            let value = alphabet.iter().position(|known| *known == letter.to_ascii_uppercase())?;
            bits = bits << bits_per_letter | value as u32;
            n_bits += bits_per_letter;
            if n_bits >= 8 {
                n_bits -= 8;
                bytes.push((bits >> n_bits) as u8);
                bits &= (1 << n_bits) - 1;
            }
        }
        bytes.try_into().ok().map(Self)
    }

    /// Starts a computation.
    pub(super) fn check(&self) -> Check<'_> {
        Check { computed: Sha1::new(), expected: self }
    }
}

impl Check<'_> {
    /// Adds bytes of the block.
    pub(super) fn update(&mut self, bytes: &[u8]) {
        self.computed.update(bytes);
    }

    /// Whether the bytes so far match the digest.
    pub(super) fn is_met(&self) -> bool {
        self.computed.digest().bytes() == self.expected.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_met(digest: &str, bytes: &[u8]) -> Option<bool> {
        let digest = BlockDigest::parse(digest)?;
        let mut check = digest.check();
        bytes.chunks(3).for_each(|part| check.update(part));
        Some(check.is_met())
    }

    /// `abc` is the example of FIPS 180; base32 by RFC 4648.
    #[test]
    fn digests_are_read_in_both_forms() {
        for digest in [
            "sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5",
            "SHA1: vgmt4nsha2awvor6evyxqugcnsonbwe5 ",
            "sha1:a9993e364706816aba3e25717850c26c9cd0d89d",
        ] {
            assert_eq!(is_met(digest, b"abc"), Some(true), "{digest}");
            assert_eq!(is_met(digest, b"abd"), Some(false), "{digest}");
        }
        assert_eq!(is_met("sha1:3I42H3S6NNFQ2MSVX7XZKYAYSCX5QBYJ", b""), Some(true));
        for unknown in ["", "sha1", "md5:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE5", "sha1:VGMT", "sha1:é"]
        {
            assert_eq!(is_met(unknown, b"abc"), None, "{unknown}");
        }
        assert_eq!(is_met("sha1:VGMT4NSHA2AWVOR6EVYXQUGCNSONBWE1", b"abc"), None);
    }
}
