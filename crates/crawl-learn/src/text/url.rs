//! URLs as texts.

/// The host, path and query of a URL as a text: percent-encoding undone, punctuation turned into
/// blanks, and a blank where a small letter meets a capital, as in `ProductList`. The scheme, a
/// user name and the port are left out. Whatever is no URL is read the same way; hosts in punycode
/// stay as they are.
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

/// Appends `part` with blanks for punctuation and before capitals within a word.
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

/// Bytes that are no UTF-8 become the replacement character, which is no part of a word.
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
    fn only_what_speaks_of_the_page_is_left() {
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
