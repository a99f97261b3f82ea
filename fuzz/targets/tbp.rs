//! Feeds the fuzzer's inputs to [`tetrion_fuzz::tbp`].
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    tetrion_fuzz::count(tetrion_fuzz::tbp(data));
});
