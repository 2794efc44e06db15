#![no_main]
crawl_fuzz::fuzz!("adjacency_text");
