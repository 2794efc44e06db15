//! The browser's worker; see the library of the same name.

fn main() {
    crawl_worker::start();
}
