#![no_main]
crawl_fuzz::fuzz!("html");
