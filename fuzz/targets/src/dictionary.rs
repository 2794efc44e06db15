//! Dictionaries in libFuzzer's format: `"word"` or `name="word"` a line, `\xAB` for a byte.

/// The words of a dictionary.
///
/// # Errors
/// The number of the first line that is neither empty, a comment nor a word in quotes.
pub fn parse(text: &str) -> Result<Vec<Vec<u8>>, usize> {
    let mut words = Vec::new();
    for (line, number) in text.lines().zip(1_usize..) {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            words.push(word(line).ok_or(number)?);
        }
    }
    Ok(words)
}

fn word(line: &str) -> Option<Vec<u8>> {
    let quoted = &line[line.find('"')?..];
    let inner = quoted.strip_prefix('"')?.strip_suffix('"')?;
    let mut word = Vec::new();
    let mut rest = inner.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        rest = after;
        if *byte != b'\\' {
            word.push(*byte);
            continue;
        }
        let (escaped, after) = rest.split_first()?;
        rest = after;
        match escaped {
            b'\\' | b'"' => word.push(*escaped),
            b'x' => {
                let digits = std::str::from_utf8(rest.get(..2)?).ok()?;
                word.push(u8::from_str_radix(digits, 16).ok()?);
                rest = &rest[2..];
            }
            _ => return None,
        }
    }
    (!word.is_empty()).then_some(word)
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn words_are_unescaped() {
        let text = "# comment\n\nname=\"a\\\"b\\\\\"\n\"\\x00\\xfFz\"\n";
        assert_eq!(parse(text).unwrap(), [b"a\"b\\".to_vec(), b"\0\xffz".to_vec()]);
    }

    #[test]
    fn a_bad_line_is_named() {
        for bad in ["word", "\"open", "\"\\x0\"", "\"\\q\"", "\"\""] {
            assert_eq!(parse(&format!("\"good\"\n{bad}\n")), Err(2), "{bad}");
        }
    }
}
