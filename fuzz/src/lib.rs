//! The targets of `crawl-fuzz-targets` as libFuzzer programs: one line each.

#[doc(hidden)]
pub use {crawl_fuzz_targets, libfuzzer_sys};

/// The libFuzzer program of the target of that name.
#[macro_export]
macro_rules! fuzz {
    ($name:literal) => {
        $crate::libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
            let target = $crate::crawl_fuzz_targets::find($name).expect("a target of that name");
            (target.run)(bytes);
        });
    };
}
