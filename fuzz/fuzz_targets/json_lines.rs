#![no_main]
crawl_fuzz::fuzz!("json_lines");
