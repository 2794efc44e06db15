//! Media types and hashed names of files.

/// The Content-Type of a file.
pub fn media_type(name: &str) -> &'static str {
    let (_, extension) = name.rsplit_once('.').unwrap_or_default();
    match extension {
        "css" => "text/css; charset=utf-8",
        "csv" => "text/csv; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "jsonl" => "application/jsonl",
        "png" => "image/png",
        "svg" => "image/svg+xml",
        "txt" => "text/plain; charset=utf-8",
        "wasm" => "application/wasm",
        "webmanifest" => "application/manifest+json",
        _ => "application/octet-stream",
    }
}

/// Whether the name contains a content hash: `app-0123456789abcdef.css`.
pub fn is_named_by_content(name: &str) -> bool {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    stem.rsplit_once('-').is_some_and(|(_, digest)| {
        digest.len() == 16 && digest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_sent_so_that_browsers_compile_them_while_they_come() {
        assert_eq!(media_type("a-0123456789abcdef.wasm"), "application/wasm");
        assert_eq!(media_type("wasm"), "application/octet-stream");
    }

    #[test]
    fn only_a_whole_digest_makes_a_name_by_content() {
        assert!(is_named_by_content("styles/app-0123456789abcdef.css"));
        assert!(is_named_by_content("crawl-app_bg-0123456789abcdef.wasm"));
        for name in ["index.html", "app-0123.css", "app-0123456789abcdeg.css", "0123456789abcdef"] {
            assert!(!is_named_by_content(name), "{name}");
        }
    }
}
