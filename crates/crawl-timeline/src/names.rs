//! URLs shortened to the width of a row.

/// The shared end of all hosts seen so far, which short names omit.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Hosts {
    /// Shared end of all hosts; `None` before the first.
    shared: Option<String>,
    /// Whether there is only one host.
    is_one: bool,
}

impl Hosts {
    /// Adds the host of a URL.
    pub fn see(&mut self, url: &str) {
        let (host, _) = parts(url);
        match &mut self.shared {
            None => (self.shared, self.is_one) = (Some(host.to_owned()), true),
            Some(shared) if shared != host => {
                let common = common_end(shared, host).to_owned();
                self.is_one &= common == host && common == *shared;
                *shared = common;
            }
            Some(_) => {}
        }
    }

    /// The URL without the shared end of the host.
    pub fn short(&self, url: &str) -> String {
        let (host, path) = parts(url);
        if host == "graph.invalid" {
            return path.trim_start_matches('/').to_owned();
        }
        let shared = self.shared.as_deref().unwrap_or_default();
        if self.is_one {
            let bare = path.trim_matches('/');
            return if bare.is_empty() { host.to_owned() } else { bare.to_owned() };
        }
        let own = host.strip_suffix(shared).unwrap_or(host);
        let own = if own.is_empty() { host } else { own };
        format!("{own}{}", if path == "/" { "" } else { path })
    }
}

/// Host and path of a URL.
fn parts(url: &str) -> (&str, &str) {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()))
}

/// Longest shared suffix of whole labels, with its leading dot; empty if it is only a top-level
/// domain.
fn common_end<'a>(a: &'a str, b: &str) -> &'a str {
    if a == b {
        return a;
    }
    let mut end = a.len();
    for (at, _) in a.rmatch_indices('.') {
        if !b.ends_with(&a[at..]) {
            break;
        }
        end = at;
    }
    // Keep `.example`.
    if a[end..].matches('.').count() > 1 { &a[end..] } else { "" }
}

/// Cuts a text in the middle to fit a width; keeps more of the end.
///
/// `width` measures a text.
pub fn fit(text: &str, room: f64, width: impl Fn(&str) -> f64) -> String {
    let whole = width(text);
    if whole <= room {
        return text.to_owned();
    }
    let letters: Vec<char> = text.chars().collect();
    // Start from the mean letter width, then remove letters one by one.
    let mut kept = (letters.len() as f64 * room / whole) as usize;
    while kept > 1 {
        let head = kept * 2 / 5;
        let mut cut: String = letters[..head].iter().collect();
        cut.push('…');
        cut.extend(&letters[letters.len() - (kept - head - 1)..]);
        if width(&cut) <= room {
            return cut;
        }
        kept -= 1;
    }
    String::new()
}

/// Cuts a URL to fit a width: keeps the last path segment and as much of the start as fits.
pub fn fit_url(url: &str, room: f64, width: impl Fn(&str) -> f64) -> String {
    if width(url) <= room {
        return url.to_owned();
    }
    let last = url.trim_end_matches('/').rfind('/').map_or("", |at| &url[at..]);
    let head = &url[..url.len() - last.len()];
    let letters: Vec<char> = head.chars().collect();
    let cut = |kept: usize| letters[..kept].iter().collect::<String>() + "…" + last;
    let shortest = cut(0);
    if last.is_empty() || width(&shortest) > room {
        let bare = if last.is_empty() { url } else { last.trim_start_matches('/') };
        return fit_query(bare, room, &width).unwrap_or_else(|| fit(bare, room, &width));
    }
    // At least two letters of the start.
    let kept = (2..letters.len()).rev().find(|kept| width(&cut(*kept)) <= room);
    kept.map_or(shortest, cut)
}

/// Cuts the query of a URL: keeps the path and the end of the query.
fn fit_query(text: &str, room: f64, width: impl Fn(&str) -> f64) -> Option<String> {
    let (page, question) = text.split_once('?')?;
    let letters: Vec<char> = question.chars().collect();
    let cut = |kept: usize| {
        let end: String = letters[letters.len() - kept..].iter().collect();
        format!("{page}?…{end}")
    };
    // From an upper bound downwards, one by one.
    let most = (room / width("…").max(1.0) * 2.0) as usize;
    (0..letters.len().min(most)).rev().map(cut).find(|cut| width(cut) <= room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_all_hosts_share_is_left_out() {
        let mut hosts = Hosts::default();
        let see = |hosts: &mut Hosts, urls: &[&str]| urls.iter().for_each(|url| hosts.see(url));
        see(&mut hosts, &["http://news.example/p1", "http://news.example/"]);
        assert_eq!(hosts.short("http://news.example/a/p1"), "a/p1");
        assert_eq!(hosts.short("http://news.example/"), "news.example");
        see(&mut hosts, &["http://weather.example/p6"]);
        assert_eq!(hosts.short("http://news.example/p1"), "news.example/p1");

        let mut campus = Hosts::default();
        see(&mut campus, &["http://cs.campus.example/x", "http://art.campus.example/"]);
        assert_eq!(campus.short("http://cs.campus.example/x"), "cs/x");
        assert_eq!(campus.short("http://art.campus.example/"), "art");
        see(&mut campus, &["http://campus.example/"]);
        assert_eq!(campus.short("http://cs.campus.example/x"), "cs.campus.example/x");
        assert_eq!(campus.short("http://graph.invalid/17"), "17");
    }

    #[test]
    fn long_names_keep_their_ends() {
        let width = |text: &str| text.chars().count() as f64;
        assert_eq!(fit("courses/notes-36", 20.0, width), "courses/notes-36");
        assert_eq!(fit("courses/algorithms/notes-36", 12.0, width), "cour…otes-36");
        for room in 0..20 {
            assert!(
                width(&fit("äöüabcdefghijklmnopqrs", f64::from(room), width)) <= f64::from(room)
            );
        }
    }

    #[test]
    fn urls_keep_their_last_part() {
        let width = |text: &str| text.chars().count() as f64;
        let fit = |room: f64| fit_url("news/sport/results/story-8", room, width);
        assert_eq!(fit(30.0), "news/sport/results/story-8");
        assert_eq!(fit(16.0), "news/sp…/story-8");
        assert_eq!(fit(10.0), "…/story-8");
        assert_eq!(fit(8.0), "story-8");
        assert_eq!(fit(5.0), "st…-8");
        assert_eq!(fit_url("story", 3.0, width), "s…y");
        let asked = |room: f64| fit_url("a/b/page-8?session=0123456789", room, width);
        assert_eq!(asked(13.0), "page-8?…56789");
        assert_eq!(asked(8.0), "page-8?…");
        assert_eq!(asked(5.0), "pa…89");
    }
}
