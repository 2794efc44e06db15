#![no_main]
crawl_fuzz::fuzz!("lane_worker");
