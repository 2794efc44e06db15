//! Whatever the bytes are, the format found out from them, gzip included.

#![no_main]

use crawl_fuzz::check_import;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| check_import(bytes, None, None));
