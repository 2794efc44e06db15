//! Worlds as plain data, which tests can generate, modify and rebuild.

use crawl_world::{Link, PageId, Rng, World, WorldBuilder, web_address};

/// A world before it is built. Links may repeat and may point to their own page.
#[derive(Clone, Debug, PartialEq)]
pub struct Sketch {
    /// Hosts with robots.txt and delays.
    pub hosts: Vec<HostSketch>,
    /// The pages.
    pub pages: Vec<PageSketch>,
    /// Seeds.
    pub seeds: Vec<usize>,
}

/// A host's rules for crawlers.
#[derive(Clone, Debug, PartialEq)]
pub struct HostSketch {
    /// Its name.
    pub name: String,
    /// Its robots.txt.
    pub robots: Option<String>,
    /// Crawl delay declared outside robots.txt.
    pub crawl_delay_s: Option<f64>,
}

/// A page: its URL and its content.
#[derive(Clone, Debug, PartialEq)]
pub struct PageSketch {
    /// Its URL.
    pub url: String,
    /// What a crawler learns only by fetching the page.
    pub content: Content,
}

/// Everything about a page that a crawler learns only by fetching it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Content {
    /// Links to pages of the world, in page order.
    pub links: Vec<LinkSketch>,
    /// Links to pages outside the world.
    pub outside: Vec<String>,
    /// The HTTP status; 0 means 200.
    pub status: u16,
    /// Target of a redirect.
    pub location: Option<usize>,
    /// The title.
    pub title: String,
    /// The text.
    pub text: String,
    /// Size in bytes.
    pub bytes: u32,
    /// Response time.
    pub latency_ms: f64,
    /// Topic labels.
    pub topics: Vec<String>,
    /// Number of clicks.
    pub clicks: u32,
    /// Change rate.
    pub change_rate_per_hour: f64,
}

/// A link.
#[derive(Clone, Debug, PartialEq)]
pub struct LinkSketch {
    /// Target page.
    pub to: usize,
    /// Anchor text.
    pub anchor: String,
    /// Surrounding text.
    pub context: String,
    /// Whether it is marked rel=nofollow.
    pub nofollow: bool,
}

/// The features of a random world.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Richness {
    /// Numbered pages and links, some to pages outside the world.
    Graph,
    /// Also hosts, robots.txt, texts, redirects, errors and nofollow links.
    Everything,
}

const HOSTS: [&str; 7] = [
    "one.example",
    "www.one.example",
    "two.example",
    "a.two.example",
    "b.two.example",
    "three.co.uk",
    "www.three.co.uk",
];
/// Topics with their words; the first word is the label.
const THEMES: [[&str; 4]; 3] = [
    ["phone", "battery", "screen", "call"],
    ["camera", "lens", "zoom", "photo"],
    ["news", "today", "world", "report"],
];
/// Words of all pages.
const COMMON: [&str; 5] = ["help", "list", "detail", "price", "order"];

impl Sketch {
    /// A random world; may have several seeds and unreachable pages.
    pub fn random(rng: &mut Rng, n_pages: usize, richness: Richness) -> Self {
        let everything = richness == Richness::Everything;
        let n = n_pages as u32;
        let mut hosts = Vec::new();
        if everything {
            let n_hosts = rng.between(1, HOSTS.len() as u32) as usize;
            hosts.extend(HOSTS[..n_hosts].iter().map(|name| random_host(rng, name)));
        }
        let mut page = |i: usize| {
            let mut url = web_address::numbered(i as u32);
            // A few pages have no host, so that both kinds occur in one world.
            if everything && !rng.chance(0.1) {
                url = format!("http://{}{}", rng.pick(&hosts).name, random_path(rng, i));
            }
            PageSketch { url, content: Content::random(rng, n_pages, richness) }
        };
        let pages = (0..n_pages).map(&mut page).collect();
        let n_seeds = if rng.chance(0.5) { 1 } else { rng.between(1, 4) };
        let mut seeds = Vec::new();
        for _ in 0..n_seeds {
            let seed = rng.below(n) as usize;
            if !seeds.contains(&seed) {
                seeds.push(seed);
            }
        }
        let mut sketch = Self { hosts, pages, seeds };
        // Remove hosts without pages.
        let urls: Vec<String> = sketch.pages.iter().map(|p| p.url.clone()).collect();
        let used = |host: &HostSketch| urls.iter().any(|u| on_host(u, &host.name));
        sketch.hosts.retain(used);
        sketch
    }

    /// Converts a world to a sketch.
    pub fn of(world: &World) -> Self {
        let page = |page: PageId| PageSketch {
            url: world.url(page).into_owned(),
            content: Content::of(world, page),
        };
        let host = |host: &crawl_world::Host| HostSketch {
            name: host.name.clone(),
            robots: host.robots.clone(),
            crawl_delay_s: host.crawl_delay_s,
        };
        Self {
            hosts: world.hosts().iter().map(host).collect(),
            pages: world.pages().map(page).collect(),
            seeds: world.seeds().iter().map(|p| p.index()).collect(),
        }
    }

    /// Builds the world; page `i` of the sketch is page `i` of the world.
    pub fn world(&self) -> World {
        self.builder().finish().expect("a small world")
    }

    /// The world's builder, for further changes.
    pub fn builder(&self) -> WorldBuilder {
        let mut builder = WorldBuilder::new("sketch");
        for page in &self.pages {
            builder.page(&page.url).expect("its URL is new and valid");
        }
        for (i, page) in self.pages.iter().enumerate() {
            page.content.add(PageId(i as u32), self, &mut builder);
        }
        for host in &self.hosts {
            let robots = host.robots.as_deref();
            let found = builder.set_host(&host.name, robots, host.crawl_delay_s);
            assert_eq!(found, Ok(true), "{}", host.name);
        }
        for seed in &self.seeds {
            builder.seed(PageId(*seed as u32));
        }
        builder
    }

    /// The seeds as page ids of the world.
    pub fn seeds(&self) -> Vec<PageId> {
        self.seeds.iter().map(|i| PageId(*i as u32)).collect()
    }

    /// The same URLs with other content behind all pages except `fetched`.
    ///
    /// Contents are shuffled, and half of them are replaced by new random content.
    #[must_use]
    pub fn with_other_content(&self, fetched: &[PageId], rng: &mut Rng) -> Self {
        let mut other = self.clone();
        let unfetched: Vec<usize> =
            (0..self.pages.len()).filter(|i| !fetched.contains(&PageId(*i as u32))).collect();
        let mut dealt = unfetched.clone();
        rng.shuffle(&mut dealt);
        for (to, from) in unfetched.iter().zip(dealt) {
            other.pages[*to].content = if rng.chance(0.5) {
                self.pages[from].content.clone()
            } else {
                Content::random(rng, self.pages.len(), Richness::Everything)
            };
        }
        other
    }

    /// The links that a fetch of a page finds: distinct targets in order, without the page itself.
    ///
    /// A redirect gives its target, an error nothing.
    pub fn targets(&self, page: usize) -> Vec<usize> {
        let content = &self.pages[page].content;
        let found: Vec<usize> = match content.status {
            300..=399 => content.location.into_iter().collect(),
            400.. => Vec::new(),
            _ => content.links.iter().map(|link| link.to).collect(),
        };
        distinct(found.into_iter().filter(|to| *to != page))
    }

    /// O(i): the number of distinct targets of a page, including those outside the world.
    pub fn out_degree(&self, page: usize) -> usize {
        let content = &self.pages[page].content;
        let outside =
            if content.status < 300 { distinct(content.outside.iter().cloned()).len() } else { 0 };
        self.targets(page).len() + outside
    }

    /// Whether every link between two pages is nofollow.
    pub fn is_nofollow(&self, from: usize, to: usize) -> bool {
        let content = &self.pages[from].content;
        let mut links = content.links.iter().filter(|link| link.to == to).peekable();
        content.status < 300 && links.peek().is_some() && links.all(|link| link.nofollow)
    }
}

/// Removes duplicates, keeping the first occurrence.
pub fn distinct<T: PartialEq>(items: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for item in items {
        if !seen.contains(&item) {
            seen.push(item);
        }
    }
    seen
}

fn on_host(url: &str, name: &str) -> bool {
    url.strip_prefix("http://")
        .and_then(|rest| rest.strip_prefix(name))
        .is_some_and(|path| path.starts_with('/'))
}

fn random_host(rng: &mut Rng, name: &str) -> HostSketch {
    let mut robots = String::from("User-agent: *\n");
    if rng.chance(0.5) {
        robots.push_str("Disallow: /private\nAllow: /private/open\n");
    }
    if rng.chance(0.5) {
        let delay = *rng.pick(&["0.5", "2", "7"]);
        robots.push_str(&format!("Crawl-delay: {delay}\n"));
    }
    HostSketch {
        name: name.to_owned(),
        robots: rng.chance(0.6).then_some(robots),
        crawl_delay_s: rng.chance(0.2).then(|| f64::from(rng.between(1, 5)) / 2.0),
    }
}

fn random_path(rng: &mut Rng, page: usize) -> String {
    match rng.below(8) {
        0 => format!("/private/{page}"),
        1 => format!("/private/open/{page}"),
        2 => format!("/{}{page}", "next/".repeat(rng.between(1, 4) as usize)),
        3 => format!("/a/b/a/{page}?a/a/a"),
        4 => format!("/{}/{page}", THEMES[rng.below(3) as usize][rng.below(4) as usize]),
        _ => format!("/{page}"),
    }
}

/// Random text: words of the theme, if any, mixed with common words.
fn random_text(rng: &mut Rng, theme: Option<&[&str]>, most: u32) -> String {
    let n = rng.below(most + 1);
    let word = |rng: &mut Rng| match theme {
        Some(theme) if rng.chance(0.6) => *rng.pick(theme),
        _ => *rng.pick(&COMMON),
    };
    let words: Vec<&str> = (0..n).map(|_| word(rng)).collect();
    words.join(" ")
}

/// A random theme, or none.
fn random_theme(rng: &mut Rng) -> Option<&'static [&'static str]> {
    rng.chance(0.7).then(|| rng.pick(&THEMES).as_slice())
}

impl Content {
    /// Random content.
    pub fn random(rng: &mut Rng, n_pages: usize, richness: Richness) -> Self {
        let mut content = Self::default();
        let n = n_pages as u32;
        let n_links = if rng.chance(0.3) { 0 } else { rng.below(9) };
        for _ in 0..n_links {
            // Pages with low numbers get more links, so that ranks differ.
            let below = if rng.chance(0.5) { rng.below(n) + 1 } else { n };
            content.links.push(LinkSketch {
                to: rng.below(below) as usize,
                anchor: String::new(),
                context: String::new(),
                nofollow: false,
            });
        }
        for _ in 0..rng.below(4).saturating_sub(1) {
            let outside = format!("http://elsewhere.example/{}", rng.below(5));
            content.outside.push(outside);
        }
        if richness == Richness::Graph {
            return content;
        }
        // Most links mention their page's theme; pages of single items have few links.
        let theme = random_theme(rng);
        let is_thing = rng.chance(0.5);
        if is_thing {
            content.links.truncate(3);
        }
        for link in &mut content.links {
            let said = if rng.chance(0.6) { theme } else { random_theme(rng) };
            link.anchor = random_text(rng, said, 3);
            link.context = format!("{} {}", link.anchor, random_text(rng, said, 6));
            link.nofollow = rng.chance(0.2);
        }
        match rng.below(20) {
            0 | 1 => content.status = *rng.pick(&[404, 500]),
            2 => {
                content.status = *rng.pick(&[301, 302]);
                content.location = Some(rng.below(n) as usize);
            }
            _ => {}
        }
        content.title = random_text(rng, theme, 3);
        let n_blocks = if is_thing { 4 } else { 1 };
        let blocks: Vec<String> = (0..n_blocks).map(|_| random_text(rng, theme, 12)).collect();
        content.text = blocks.join("\n").trim().to_owned();
        content.bytes = rng.below(3) * 40_000;
        content.latency_ms = f64::from(rng.below(5) * 50);
        // Labels need not agree with texts.
        let labelled = if rng.chance(0.9) { theme } else { random_theme(rng) };
        let label = |theme: &[&str]| {
            if is_thing { theme[0].to_owned() } else { format!("{}-related", theme[0]) }
        };
        let also = rng.chance(0.2).then(|| (*rng.pick(&COMMON)).to_owned());
        content.topics = distinct(labelled.map(label).into_iter().chain(also));
        content.clicks = rng.below(4);
        content.change_rate_per_hour = f64::from(rng.below(3));
        content
    }

    fn of(world: &World, page: PageId) -> Self {
        let status = world.status(page);
        let row = world.links(page).iter().zip(world.link_range(page));
        let link = |(to, at): (&PageId, usize)| LinkSketch {
            to: to.index(),
            anchor: world.anchor(at).to_owned(),
            context: world.context(at).to_owned(),
            nofollow: world.is_nofollow(at),
        };
        let links: Vec<LinkSketch> = row.map(link).collect();
        Self {
            location: world.find(world.location(page)).map(PageId::index),
            links,
            outside: world.outside_links(page).map(str::to_owned).collect(),
            status,
            title: world.title_of(page).to_owned(),
            text: world.page_text(page).to_owned(),
            bytes: world.bytes(page).unwrap_or(0),
            latency_ms: world.latency_ms(page).unwrap_or(0.0),
            topics: world.topics(page).map(str::to_owned).collect(),
            clicks: world.clicks(page),
            change_rate_per_hour: world.change_rate_per_hour(page),
        }
    }

    fn add(&self, page: PageId, sketch: &Sketch, builder: &mut WorldBuilder) {
        let good = "numbers of a sketch are valid";
        for link in &self.links {
            let texts =
                Link { anchor: &link.anchor, context: &link.context, nofollow: link.nofollow };
            builder.link_with(page, PageId(link.to as u32), texts);
        }
        for url in &self.outside {
            builder.link_outside(page, url);
        }
        if self.status > 0 {
            builder.set_status(page, self.status).expect(good);
        }
        if let Some(to) = self.location {
            let url = &sketch.pages[to].url;
            builder.set_location(page, url, Some(PageId(to as u32)));
        }
        builder.set_title(page, &self.title);
        builder.set_text(page, &self.text);
        for topic in &self.topics {
            builder.add_topic(page, topic);
        }
        builder.set_clicks(page, self.clicks);
        builder.set_change_rate(page, self.change_rate_per_hour).expect(good);
        builder.set_bytes(page, self.bytes);
        builder.set_latency_ms(page, self.latency_ms).expect(good);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_taken_apart_and_put_together_is_the_same() {
        for seed in 0..50 {
            let sketch = Sketch::random(&mut Rng::new(seed, "sketch"), 30, Richness::Everything);
            let world = sketch.world();
            let again = Sketch::of(&world).world();
            assert_eq!(again.digest(), world.digest(), "seed {seed}");
            for page in world.pages() {
                let targets: Vec<usize> = world.links(page).iter().map(|p| p.index()).collect();
                assert_eq!(targets, sketch.targets(page.index()));
                assert_eq!(world.out_degree(page) as usize, sketch.out_degree(page.index()));
            }
        }
    }

    #[test]
    fn other_content_leaves_urls_and_fetched_pages_alone() {
        let mut rng = Rng::new(1, "sketch");
        let sketch = Sketch::random(&mut rng, 40, Richness::Everything);
        let other = sketch.with_other_content(&[PageId(0), PageId(7)], &mut rng);
        let same = |i: &usize| sketch.pages[*i].content == other.pages[*i].content;
        assert!(same(&0) && same(&7));
        assert!((0..40).filter(same).count() < 20);
        assert!(sketch.pages.iter().zip(&other.pages).all(|(a, b)| a.url == b.url));
    }
}
