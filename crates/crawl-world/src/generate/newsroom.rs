//! A newsroom: pages that change at every pace, and in every way that pages change.
//!
//! - **news** (Poisson): a story is corrected about once an hour on its day, as in table 1 of
//!   document C, and ever less as it ages: λ = u/(1 + age in days)^1.5, u from 0.8 to 1.2.
//! - **fronts** (Poisson): a section's front and the lists of older stories behind it change when a
//!   story comes, so at the rate of stories; the home page shows all sections, so its rate is their
//!   sum. A front's changes are drawn apart from its stories' (ours).
//! - **bulletins** (periodic): each section's at eight in the morning, the headlines on the hour.
//! - **live** (bursty): a ticker rests for half a day or so; then something happens, and it changes
//!   every minute or two for an hour or two.
//! - **weather** (Poisson): a place's forecast every eight to twelve hours, as in table 1.
//! - **coming** stories are news that are not there yet: they come while the crawl runs, at the rate
//!   of stories and whenever (a Poisson process a section), and from then on stand on their
//!   section's front, which keeps them all (ours). Each changes as on its first day and does not
//!   slow down within a run (ours): λ = u.
//! - **archive** and **static** (never): stories of earlier years, and what is said about the house.

use super::site::{self, Mentions, Menu, Purpose, Site};
use super::words::{GOODS, SUBJECTS, Topic, capital};
use super::{RNG, WorldEntry};
use crate::{BuildError, PageId, Rhythm, Rng, World};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};

const PARAMS: &[Param] = &[
    Param::integer("pages", 1_500, 200, 100_000, "How many pages."),
    Param::integer("coming", 0, 0, 5_000, "How many further stories come while the crawl runs."),
    RNG,
];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "newsroom",
        "Newsroom",
        EntryTexts {
            family: "Generated",
            source: "(ours), after the setting of Wen & Lu 2004 (C)",
            summary: "Fast news, slow weather, an archive that never changes",
            description: "Hosts www, weather and archive under newsroom.example. Six sections with \
                fronts, stories, a bulletin and a live ticker each. Pages are labelled with how \
                they change: 'front' (when news come), 'news' (hourly at first, less as they age), \
                'bulletin' (daily at eight, or on the hour), 'live' (in bursts), 'weather' (every \
                eight to twelve hours), 'archive' and 'static' (never); those of a section also \
                with its subject. The seed is the home page. Stories that come while the crawl runs \
                ('coming') are news that nobody links to before; they change as on their first day.",
            formula: "λ(story) = u/(1 + age in days)^1.5, u from 0.8 to 1.2 an hour",
            params: PARAMS,
        },
    ),
    n_links: super::few_links,
    build,
};

const WWW: &str = "http://www.newsroom.example";
const WEATHER: &str = "http://weather.newsroom.example";
const ARCHIVE: &str = "http://archive.newsroom.example";
const ABOUT: [&str; 4] = ["About us", "Contact", "Imprint", "Privacy"];
/// Shares of the pages; the archive is the rest.
const NEWS_SHARE: f64 = 0.4;
const WEATHER_SHARE: f64 = 0.15;
/// Stories of so many days are news, those before are in the archive.
const DAYS: f64 = 14.0;
const PER_LIST: usize = 20;
const PER_REGION: usize = 12;
const PER_MONTH: usize = 30;
const DAY_S: f64 = 86_400.0;
const AT_EIGHT: Rhythm = Rhythm::Periodic { period_s: DAY_S, phase_s: 8.0 * 3600.0 };
const ON_THE_HOUR: Rhythm = Rhythm::Periodic { period_s: 3600.0, phase_s: 0.0 };
const FORECAST: Purpose = Purpose { words: 60, bytes: 9_000, changes_per_hour: 0.1, clicked: 0.1 };

fn build(params: &Params) -> Result<World, BuildError> {
    let n_pages = params.integer("pages");
    let part = |share: f64| (f64::from(n_pages) * share) as u32;
    let rng = Rng::new(params.integer("rng").into(), "newsroom");
    let mut newsroom = Newsroom::open(rng, part(NEWS_SHARE))?;
    newsroom.report(part(NEWS_SHARE))?;
    newsroom.forecast(part(WEATHER_SHARE))?;
    newsroom.keep(n_pages)?;
    newsroom.mention();
    // After all else, so that what is there from the start is the same however much comes.
    newsroom.expect(params.integer("coming"))?;
    newsroom.site.finish()
}

struct Newsroom {
    site: Site,
    menu: Menu,
    /// The menu of the hosts beside.
    short_menu: Menu,
    sections: Vec<Section>,
    /// Every story with its section, the newest first.
    stories: Vec<(PageId, usize)>,
    weather: PageId,
    archive: PageId,
    /// Stories a day in each section.
    stories_a_day: f64,
}

struct Section {
    topic: &'static Topic,
    url: String,
    front: PageId,
    live: PageId,
    n_stories: usize,
    /// Its front, and the lists behind it.
    lists: Vec<PageId>,
    mentions: Mentions,
}

/// How a page changes, and what it is called for it.
enum Class {
    Front(f64),
    News(f64),
    Weather(f64),
    Bulletin(Rhythm),
    Live(Rhythm),
    Archive,
    Static,
}

impl Newsroom {
    /// The house: what every page leads to.
    fn open(rng: Rng, n_news: u32) -> Result<Self, BuildError> {
        let topics = || SUBJECTS[6..9].iter().chain([&SUBJECTS[0], &SUBJECTS[11], &GOODS[8]]);
        let n_sections = topics().count() as f64;
        let stories_a_day = (f64::from(n_news) / n_sections / DAYS).max(1.0);
        let per_hour = stories_a_day / 24.0;
        let mut newsroom = Self {
            site: Site::new("Newsroom", rng),
            menu: Menu::default(),
            short_menu: Menu::default(),
            sections: Vec::new(),
            stories: Vec::new(),
            weather: PageId(0),
            archive: PageId(0),
            stories_a_day,
        };
        let home = Class::Front(per_hour * n_sections);
        let home = newsroom.page(&format!("{WWW}/"), "Newsroom", &site::HOME, &[], &home)?;
        newsroom.site.builder.seed(home);
        let mut items = vec![(home, "Newsroom".to_owned())];
        for topic in topics() {
            let url = format!("{WWW}/{}", topic.name);
            let title = capital(topic.name);
            let front = Class::Front(per_hour);
            let front =
                newsroom.page(&format!("{url}/"), &title, &site::NEWS_LIST, &[topic], &front)?;
            items.push((front, title));
            newsroom.sections.push(Section {
                topic,
                url,
                front,
                live: front,
                n_stories: 0,
                lists: vec![front],
                mentions: Mentions::default(),
            });
        }
        let headlines = format!("{WWW}/headlines");
        let class = Class::Bulletin(ON_THE_HOUR);
        let headlines = newsroom.page(&headlines, "Headlines", &site::LIST, &[], &class)?;
        let weather = format!("{WEATHER}/");
        newsroom.weather =
            newsroom.page(&weather, "Weather", &site::LIST, &[], &Class::Weather(0.1))?;
        let archive = format!("{ARCHIVE}/");
        newsroom.archive = newsroom.page(&archive, "Archive", &site::LIST, &[], &Class::Archive)?;
        items.push((headlines, "Headlines".to_owned()));
        items.push((newsroom.weather, "Weather".to_owned()));
        items.push((newsroom.archive, "Archive".to_owned()));
        for title in ABOUT {
            let url = format!("{WWW}/{}", super::words::slug(title));
            let page = newsroom.page(&url, title, &site::ARTICLE, &[], &Class::Static)?;
            newsroom.site.link(home, page, title);
            items.push((page, String::new()));
        }
        let in_menu: Vec<(PageId, &str)> = items
            .iter()
            .filter(|(_, anchor)| !anchor.is_empty())
            .map(|(page, anchor)| (*page, anchor.as_str()))
            .collect();
        newsroom.menu = Menu::new(&in_menu);
        newsroom.short_menu = Menu::new(&[(home, "Newsroom")]);
        for (page, _) in &items {
            newsroom.site.menu(*page, &newsroom.menu);
        }
        newsroom.go_on_air()?;
        Ok(newsroom)
    }

    /// A bulletin and a live ticker for each section.
    fn go_on_air(&mut self) -> Result<(), BuildError> {
        for at in 0..self.sections.len() {
            let Section { topic, front, .. } = self.sections[at];
            let url = self.sections[at].url.clone();
            let title = format!("{} at eight", capital(topic.name));
            let class = Class::Bulletin(AT_EIGHT);
            let bulletin =
                self.page(&format!("{url}/bulletin"), &title, &site::NEWS, &[topic], &class)?;
            let rng = &mut self.site.rng;
            let class = Class::Live(Rhythm::Bursty {
                bursts_per_hour: 1.0 / (8.0 + 8.0 * rng.fraction()),
                changes_per_hour: 30.0 + 30.0 * rng.fraction(),
                burst_s: 3600.0 * (1.0 + rng.fraction()),
            });
            let title = format!("{}, live", capital(topic.name));
            let live = self.page(&format!("{url}/live"), &title, &site::NEWS, &[topic], &class)?;
            for page in [bulletin, live] {
                self.site.label(page, &[topic.name]);
                self.site.list(front, page);
                self.site.menu(page, &self.menu);
            }
            self.site.label(front, &[topic.name]);
            self.sections[at].live = live;
        }
        Ok(())
    }

    /// Stories, the newest first, section by section in turn, until so many pages were added.
    fn report(&mut self, n_pages: u32) -> Result<(), BuildError> {
        let end = self.site.n_pages() + n_pages;
        while self.site.n_pages() < end {
            let at = self.site.rng.below(self.sections.len() as u32) as usize;
            let Section { topic, front, live, n_stories, .. } = self.sections[at];
            let list = n_stories / PER_LIST;
            let section_url = self.sections[at].url.clone();
            if list == self.sections[at].lists.len() {
                let url = format!("{section_url}/older/{list}");
                let class = Class::Front(self.stories_a_day / 24.0);
                let page = self.page(&url, "Older stories", &site::NEWS_LIST, &[topic], &class)?;
                self.site.label(page, &[topic.name]);
                self.site.menu(page, &self.menu);
                let before = self.sections[at].lists[list - 1];
                self.site.link(before, page, "Older stories");
                self.site.link(page, before, "Newer stories");
                self.sections[at].lists.push(page);
                continue;
            }
            let age_days = n_stories as f64 / self.stories_a_day;
            let rate = 0.8 + 0.4 * self.site.rng.fraction();
            let class = Class::News(rate / libm::pow(1.0 + age_days, 1.5));
            let url = format!("{section_url}/story/{}.html", 90_000 - n_stories);
            let title = capital(&topic.phrase(&mut self.site.rng));
            let story = self.page(&url, &title, &site::NEWS, &[topic], &class)?;
            self.site.label(story, &[topic.name]);
            self.site.menu(story, &self.menu);
            let list = self.sections[at].lists[list];
            self.site.list(list, story);
            if list != front {
                self.site.list(story, front);
            }
            if self.site.rng.chance(0.2) {
                self.site.list(story, live);
            }
            self.stories.push((story, at));
            self.sections[at].n_stories += 1;
        }
        Ok(())
    }

    /// Stories speak of older ones of their section, the archive's too.
    fn mention(&mut self) {
        for (story, at) in std::mem::take(&mut self.stories).into_iter().rev() {
            self.mention_from(story, at);
        }
    }

    fn mention_from(&mut self, story: PageId, at: usize) {
        let section = &mut self.sections[at];
        for _ in 0..self.site.rng.below(6) {
            if let Some(to) = section.mentions.draw(&mut self.site.rng) {
                self.site.mention(story, to, &[section.topic]);
            }
        }
        section.mentions.add(story);
    }

    /// So many stories that are yet to come, and what they speak of: what is there by then.
    ///
    /// Stories come to each section as a Poisson process; together these are one as well, whose
    /// events belong to a section by lot.
    fn expect(&mut self, n_stories: u32) -> Result<(), BuildError> {
        let n_sections = self.sections.len() as u32;
        let gap_s = DAY_S / (self.stories_a_day * f64::from(n_sections));
        let mut n_come = vec![0; self.sections.len()];
        let mut at_s = 0.0;
        for _ in 0..n_stories {
            at_s += self.site.rng.exponential(gap_s);
            let at = self.site.rng.below(n_sections) as usize;
            let Section { topic, front, live, .. } = self.sections[at];
            n_come[at] += 1;
            let url = format!("{}/story/{}.html", self.sections[at].url, 90_000 + n_come[at]);
            let class = Class::News(0.8 + 0.4 * self.site.rng.fraction());
            let title = capital(&topic.phrase(&mut self.site.rng));
            let story = self.page(&url, &title, &site::NEWS, &[topic], &class)?;
            self.site.builder.set_born(story, at_s)?;
            self.site.label(story, &[topic.name]);
            self.site.menu(story, &self.menu);
            self.site.list(front, story);
            if self.site.rng.chance(0.2) {
                self.site.list(story, live);
            }
            self.mention_from(story, at);
        }
        Ok(())
    }

    /// Regions and their places, until so many pages were added.
    fn forecast(&mut self, n_pages: u32) -> Result<(), BuildError> {
        let end = self.site.n_pages() + n_pages;
        let geography = &SUBJECTS[9];
        let mut regions: Vec<PageId> = Vec::new();
        let mut places: Vec<PageId> = Vec::new();
        while self.site.n_pages() < end {
            let every_h = 8.0 + 4.0 * self.site.rng.fraction();
            let class = Class::Weather(1.0 / every_h);
            let number = places.len() / PER_REGION;
            if number == regions.len() {
                let (url, title) = (format!("{WEATHER}/{number}/"), format!("Region {number}"));
                let region = self.page(&url, &title, &FORECAST, &[geography], &class)?;
                self.site.menu(region, &self.short_menu);
                self.site.list(region, self.weather);
                self.site.list(self.weather, region);
                regions.push(region);
                continue;
            }
            let url = format!("{WEATHER}/{number}/{}", places.len());
            let title = capital(&geography.phrase(&mut self.site.rng));
            let place = self.page(&url, &title, &FORECAST, &[geography], &class)?;
            self.site.menu(place, &self.short_menu);
            self.site.list(place, self.weather);
            self.site.list(regions[number], place);
            self.site.list(place, regions[number]);
            if let Some(neighbour) = places.get(number * PER_REGION..).and_then(<[_]>::last) {
                self.site.list(place, *neighbour);
            }
            places.push(place);
        }
        Ok(())
    }

    /// Stories of earlier years, month by month, until there are so many pages in all.
    fn keep(&mut self, n_pages: u32) -> Result<(), BuildError> {
        let mut years: Vec<PageId> = Vec::new();
        let mut months: Vec<PageId> = Vec::new();
        let mut n_stories = 0;
        while self.site.n_pages() < n_pages {
            let (in_year, in_month) = (n_stories / PER_MONTH / 12, n_stories / PER_MONTH);
            let (year, month) = (2023 - in_year as i32, 12 - in_month % 12);
            if in_year == years.len() {
                let url = format!("{ARCHIVE}/{year}/");
                let page = self.list_in(self.archive, &url, &year.to_string())?;
                years.push(page);
                continue;
            }
            if in_month == months.len() {
                let url = format!("{ARCHIVE}/{year}/{month:02}/");
                let page = self.list_in(years[in_year], &url, &format!("{year}, {month}"))?;
                months.push(page);
                continue;
            }
            let at = self.site.rng.below(self.sections.len() as u32) as usize;
            let topic = self.sections[at].topic;
            let url = format!("{ARCHIVE}/{year}/{month:02}/{n_stories}.html");
            let title = capital(&topic.phrase(&mut self.site.rng));
            let story = self.page(&url, &title, &site::ARTICLE, &[topic], &Class::Archive)?;
            self.site.label(story, &[topic.name]);
            self.site.menu(story, &self.short_menu);
            self.site.list(story, self.archive);
            self.site.list(months[in_month], story);
            self.site.list(story, months[in_month]);
            self.stories.push((story, at));
            n_stories += 1;
        }
        Ok(())
    }

    /// A list of the archive, below another.
    fn list_in(&mut self, above: PageId, url: &str, title: &str) -> Result<PageId, BuildError> {
        let page = self.page(url, title, &site::LIST, &[], &Class::Archive)?;
        self.site.menu(page, &self.short_menu);
        self.site.list(page, above);
        self.site.list(above, page);
        Ok(page)
    }

    fn page(
        &mut self,
        url: &str,
        title: &str,
        purpose: &Purpose,
        topics: &[&Topic],
        class: &Class,
    ) -> Result<PageId, BuildError> {
        let page = self.site.page(url, title, purpose, topics)?;
        let (label, rate, rhythm) = match *class {
            Class::Front(rate) => ("front", rate, None),
            Class::News(rate) => ("news", rate, None),
            Class::Weather(rate) => ("weather", rate, None),
            Class::Bulletin(rhythm) => ("bulletin", rhythm.per_hour(), Some(rhythm)),
            Class::Live(rhythm) => ("live", rhythm.per_hour(), Some(rhythm)),
            Class::Archive => ("archive", 0.0, None),
            Class::Static => ("static", 0.0, None),
        };
        self.site.label(page, &[label]);
        self.site.builder.set_change_rate(page, rate)?;
        if let Some(rhythm) = rhythm {
            self.site.builder.set_rhythm(page, rhythm)?;
        }
        Ok(page)
    }
}

#[cfg(test)]
mod tests;
