//! Converts URLs to text.

/// The host, path and query of a URL as text.
///
/// Percent-encoding is decoded, punctuation becomes spaces, and a space is inserted where a
/// lower-case letter precedes a capital, as in `ProductList`. Scheme, user name and port are left
/// out. Input that is not a URL is converted the same way. Punycode hosts stay encoded.
pub fn url_text(url: &str) -> String {
    let rest = match url.split_once("://") {
        Some((scheme, rest)) if scheme.chars().all(|c| c.is_ascii_alphanumeric()) => rest,
        _ => url.strip_prefix("//").unwrap_or(url),
    };
    let had_host = rest.len() < url.len();
    let end = rest.find(['/', '?', '#']).filter(|_| had_host).unwrap_or(if had_host {
        rest.len()
    } else {
        0
    });
    let (authority, path) = rest.split_at(end);
    let host = authority.rsplit('@').next().unwrap_or(authority);
    let host = match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    };
    let mut text = String::with_capacity(url.len());
    spread(host, &mut text);
    text.push(' ');
    spread(&percent_decoded(path), &mut text);
    text
}

/// Appends `part` with spaces for punctuation and before capitals within a word.
fn spread(part: &str, text: &mut String) {
    let mut before = ' ';
    for c in part.chars() {
        if before.is_lowercase() && c.is_uppercase() {
            text.push(' ');
        }
        text.push(if c.is_ascii() && !c.is_ascii_alphanumeric() { ' ' } else { c });
        before = c;
    }
}

/// Decodes percent-encoding; invalid UTF-8 becomes U+FFFD, which is not part of a word.
fn percent_decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let digit = |at: usize| bytes.get(at).and_then(|b| char::from(*b).to_digit(16));
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match (byte, digit(at + 1), digit(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                decoded.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scheme_user_and_port_are_dropped() {
        let words = |url| url_text(url).split_whitespace().map(str::to_owned).collect::<Vec<_>>();
        assert_eq!(words("http://me:secret@a.org:80/x"), ["a", "org", "x"]);
        assert_eq!(words("//a.org"), ["a", "org"]);
        assert_eq!(
            words("/list/ofPhones.php?id=7#top"),
            ["list", "of", "Phones", "php", "id", "7", "top"]
        );
        assert_eq!(words("a?u=http://b.org/"), ["a", "u", "http", "b", "org"]);
        assert_eq!(words("http://a/%41%zz%4"), ["a", "A", "zz", "4"]);
        assert_eq!(words("http://a/%ff%e6"), ["a", "\u{fffd}\u{fffd}"]);
        assert_eq!(words(""), Vec::<String>::new());
    }
}
