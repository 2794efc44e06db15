#![no_main]
crawl_fuzz::fuzz!("import_any");
