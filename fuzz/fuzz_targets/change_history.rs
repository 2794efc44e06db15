#![no_main]
crawl_fuzz::fuzz!("change_history");
