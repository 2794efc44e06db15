#![no_main]
crawl_fuzz::fuzz!("world_worker");
