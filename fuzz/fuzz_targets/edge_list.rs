#![no_main]
crawl_fuzz::fuzz!("edge_list");
