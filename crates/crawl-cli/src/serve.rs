//! `crawlscope serve`: serves the app on this machine.

use crate::args::ServeArgs;
use crate::failure::{Failure, Outcome};
use crate::terminal;
use crawl_server::{Options, Site, serve_until_interrupted};
use std::borrow::Cow;

/// Serves until interrupted.
pub fn run(args: &ServeArgs) -> Outcome {
    let site = match &args.dir {
        Some(folder) => Site::read(folder)?,
        None => Site::embedded().ok_or_else(|| {
            Failure::input(
                "this program was built without the app. `cargo xtask play` builds one with it; or build \
                 a folder with `cargo xtask dist` and serve it with `--dir dist`",
            )
        })?,
    };
    let options = Options {
        port: args.port,
        base: with_slashes(&args.base).into_owned(),
        allowed_hosts: args.allowed_hosts.clone(),
    };
    let mut printed = Ok(());
    serve_until_interrupted(site, &options, |address| {
        printed = terminal::print(&format!("Crawlscope is at {address}\nPress Ctrl-C to stop.\n"));
        if args.open && open::that_detached(address).is_err() {
            eprintln!("crawlscope: cannot start a browser; open the address yourself");
        }
    })?;
    Ok(printed?)
}

/// Adds missing slashes: `some/path` becomes `/some/path/`.
fn with_slashes(path: &str) -> Cow<'_, str> {
    match path.trim_matches('/') {
        "" => Cow::Borrowed("/"),
        inner => Cow::Owned(format!("/{inner}/")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slashes_may_be_left_out() {
        for path in ["a/b", "/a/b", "a/b/", "/a/b/"] {
            assert_eq!(with_slashes(path), "/a/b/");
        }
        assert_eq!(with_slashes(""), "/");
        assert_eq!(with_slashes("/"), "/");
    }
}
