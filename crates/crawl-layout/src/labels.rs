//! Labels of nodes on the stage.

use crate::Picture;
use crawl_world::{PageId, World, order};

/// Maximum number of labels.
const MAX_LABELS: usize = 200;
/// Longest label, in characters.
const MAX_CHARS: usize = 28;

/// The hosts' names, and the labelled nodes, most important first.
pub(crate) fn labels(world: &World, picture: &Picture) -> (Vec<String>, Vec<(u32, String)>) {
    let hosts = host_names(world);
    let nodes = if hosts.len() > 1 { best_of_hosts(picture) } else { best_pages(picture) };
    let representatives = picture.representatives(world);
    let text = |node: u32| {
        let host = picture.host_of[node as usize] as usize;
        match hosts.get(host) {
            Some(name) if hosts.len() > 1 => name.clone(),
            _ => page_name(world, representatives[node as usize]),
        }
    };
    let named = nodes.into_iter().map(|node| (node, text(node)));
    let labels = named.filter(|(_, text)| !text.is_empty()).take(MAX_LABELS).collect();
    (hosts, labels)
}

/// The domain shared by all hosts; empty if there is none.
pub(crate) fn domain(world: &World) -> String {
    let names: Vec<&str> = world.hosts().iter().map(|host| host.name.as_str()).collect();
    shared_domain(&names).to_owned()
}

/// The hosts' names without the shared domain and without `www.`.
fn host_names(world: &World) -> Vec<String> {
    let names: Vec<&str> = world.hosts().iter().map(|host| host.name.as_str()).collect();
    let shared = shared_domain(&names);
    let short = |name: &&str| {
        let own = name.strip_suffix(shared).and_then(|own| own.strip_suffix('.'));
        let own = own.filter(|_| !shared.is_empty()).unwrap_or(name);
        own.strip_prefix("www.").unwrap_or(own).to_owned()
    };
    names.iter().map(short).collect()
}

/// The longest common domain suffix of the names; empty if there is none.
fn shared_domain<'a>(names: &[&'a str]) -> &'a str {
    let Some((first, others)) = names.split_first().filter(|(_, others)| !others.is_empty()) else {
        return "";
    };
    let mut shared = *first;
    for name in others {
        let within = |domain: &str| {
            *name == domain || name.strip_suffix(domain).is_some_and(|own| own.ends_with('.'))
        };
        while !within(shared) {
            match shared.split_once('.') {
                Some((_, parent)) => shared = parent,
                None => return "",
            }
        }
    }
    shared
}

/// The largest node of each host, hosts of the highest rank first.
fn best_of_hosts(picture: &Picture) -> Vec<u32> {
    let n_hosts = picture.host_of.iter().filter(|host| **host != u32::MAX).max();
    let mut best: Vec<Option<u32>> = vec![None; n_hosts.map_or(0, |most| *most as usize + 1)];
    let mut weight = vec![0.0_f32; best.len()];
    for (node, host) in picture.host_of.iter().enumerate() {
        let Some(best) = best.get_mut(*host as usize) else { continue };
        let size = picture.sizes[node];
        weight[*host as usize] += size * size;
        if best.is_none_or(|best| picture.sizes[best as usize] < size) {
            *best = Some(node as u32);
        }
    }
    let hosts = order::by_key(best.len(), |host| order::falling(weight[host].into()));
    hosts.into_iter().filter_map(|host| best[host as usize]).take(MAX_LABELS).collect()
}

/// The largest nodes, in order.
fn best_pages(picture: &Picture) -> Vec<u32> {
    let sizes = &picture.sizes;
    let mut nodes = order::by_key(sizes.len(), |node| order::falling(sizes[node].into()));
    nodes.truncate(MAX_LABELS);
    nodes
}

/// The last segment of a page's path, or its host.
fn page_name(world: &World, page: PageId) -> String {
    if page.0 == u32::MAX {
        return String::new();
    }
    if world.is_numbered() {
        return page.0.to_string();
    }
    let url = world.url(page);
    let rest = url.split_once("://").map_or(&*url, |(_, rest)| rest);
    let path = rest.split(['?', '#']).next().unwrap_or(rest);
    let part = path.rsplit('/').find(|part| !part.is_empty()).unwrap_or(path);
    match part.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{}…", &part[..at]),
        None => part.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_omit_the_shared_domain() {
        assert_eq!(shared_domain(&["www.campus.example", "cs.campus.example"]), "campus.example");
        assert_eq!(shared_domain(&["campus.example", "cs.campus.example"]), "campus.example");
        assert_eq!(shared_domain(&["a.com", "b.com"]), "com");
        assert_eq!(shared_domain(&["www.a.co.uk", "b.co.uk"]), "co.uk");
        assert_eq!(shared_domain(&["a.example", "b.test"]), "");
        assert_eq!(shared_domain(&["only.example"]), "");
        assert_eq!(shared_domain(&["xa.example", "a.example"]), "example");
    }
}
