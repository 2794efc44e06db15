//! Writes Content-Security-Policy and build id into the page.

use anyhow::{Context, Result};

/// The Content-Security-Policy: only resources of the same origin, nothing inline.
///
/// Workers are created from blobs, which inherit it (`www/boot.js`). `frame-ancestors` does not work
/// in a `meta` element and is not wanted: experiments are embedded in other pages.
pub const POLICY: &str = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; \
    style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; \
    worker-src 'self' blob:; manifest-src 'self'; media-src blob:; base-uri 'none'; \
    form-action 'none'";

/// The page with policy and build id.
pub fn finish(page: &str, build: &str) -> Result<String> {
    let charset = "<meta charset=\"utf-8\">";
    let (before, after) = page
        .split_once(charset)
        .with_context(|| format!("index.html has no {charset} to put the policy after"))?;
    Ok(format!(
        "{before}{charset}\n    \
         <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n    \
         <meta name=\"crawlscope-build\" content=\"{build}\">{after}"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_comes_before_anything_it_governs() {
        let page = "<head><meta charset=\"utf-8\"><script src=a></script>";
        let page = finish(page, "0123").unwrap();
        let at = |text: &str| page.find(text).unwrap();
        assert!(at("Content-Security-Policy") < at("<script"), "{page}");
        assert!(at("content=\"0123\"") < at("<script"), "{page}");
        assert!(finish("<head>", "").is_err());
    }

    #[test]
    fn the_policy_allows_no_inline_and_no_other_host() {
        for loose in ["unsafe-inline", "'unsafe-eval'", "http", "*", "  "] {
            assert!(!POLICY.contains(loose), "{loose}");
        }
        assert!(!POLICY.contains('"'));
    }
}
