//! JSON Lines worlds: a header is put before input that does not start like one, since random
//! input would hardly ever get past it.

#![no_main]

use crawl_fuzz::check_import;
use libfuzzer_sys::fuzz_target;

const HEADER: &[u8] = b"{\"format\":\"crawlscope-world\",\"version\":1}\n";

fuzz_target!(|bytes: &[u8]| {
    let format = Some("json-lines");
    if bytes.starts_with(b"{\"f") {
        check_import(bytes, None, format);
    } else {
        check_import(&[HEADER, bytes].concat(), None, format);
    }
});
