//! Percent-encoding of URL fragments; not form-encoding.

/// Decodes; the error is the number of characters before an invalid sequence.
pub(crate) fn decode(text: &str) -> Result<String, usize> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('%') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let digits = rest.get(at + 1..at + 3).filter(|d| d.bytes().all(|b| b.is_ascii_hexdigit()));
        let Some(byte) = digits.and_then(|d| u8::from_str_radix(d, 16).ok()) else {
            return Err(text[..text.len() - rest.len() + at].chars().count());
        };
        bytes.push(byte);
        rest = &rest[at + 3..];
    }
    bytes.extend_from_slice(rest.as_bytes());
    String::from_utf8(bytes).map_err(|e| e.utf8_error().valid_up_to())
}

/// Encodes only characters that a fragment must not contain.
pub(crate) fn encode(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_graphic()
            && !matches!(c, '#' | '%' | '"' | '<' | '>' | '`' | '\\' | '^' | '{' | '|' | '}')
        {
            encoded.push(c);
            continue;
        }
        let mut buffer = [0; 4];
        for byte in c.encode_utf8(&mut buffer).bytes() {
            encoded.push('%');
            encoded.push(char::from(b"0123456789ABCDEF"[usize::from(byte >> 4)]));
            encoded.push(char::from(b"0123456789ABCDEF"[usize::from(byte & 15)]));
        }
    }
    encoded
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn faults_are_located() {
        assert_eq!(decode("a%2"), Err(1));
        assert_eq!(decode("é%zz"), Err(1));
        assert_eq!(decode("%+1"), Err(0));
        assert_eq!(decode("a%FFb"), Err(1));
        assert_eq!(decode("a+b%20c").as_deref(), Ok("a+b c"));
    }

    proptest! {
        #[test]
        fn decoding_undoes_encoding(text in ".{0,40}") {
            let encoded = encode(&text);
            prop_assert!(encoded.is_ascii());
            prop_assert_eq!(decode(&encoded), Ok(text));
        }

        #[test]
        fn nothing_makes_it_panic(text in "[%0-9a-fé]{0,20}") {
            let _ = decode(&text);
        }
    }
}
