//! A newsroom: pages with all change processes and many rates.
//!
//! - **news** (Poisson): a story changes about once per hour on its first day, as in table 1 of Wen
//!   & Lu 2004, and less as it ages: λ = u/(1 + age in days)^1.5, u from 0.8 to 1.2.
//! - **fronts** (Poisson): a section's front page and its lists of older stories change when a
//!   story is added, so at the rate of stories; the home page shows all sections, so its rate is
//!   their sum. A front's changes are drawn independently of its stories (our choice).
//! - **bulletins** (periodic): one per section at 8:00, the headlines every full hour.
//! - **live** (bursty): a ticker pauses for about half a day; then it changes every minute or two
//!   for an hour or two.
//! - **weather** (Poisson): a place's forecast every eight to twelve hours, as in table 1.
//! - **coming** stories are news that are born during the crawl, at the rate of stories (a Poisson
//!   process per section); from then on their section's front links to them, and never drops them
//!   (our choice). Each changes as on its first day, without slowing down (our choice): λ = u.
//! - **archive** and **static** (never): stories of earlier years, and pages about the newsroom.

use super::site::{self, Mentions, Menu, Purpose, Site};
use super::words::{GOODS, SUBJECTS, Topic, capital};
use super::{RNG, WorldEntry};
use crate::{BuildError, PageId, Rhythm, Rng, World};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};

const PARAMS: &[Param] = &[
    Param::integer("pages", 1_500, 200, 100_000, "Number of pages."),
    Param::integer("coming", 0, 0, 5_000, "Number of further stories born during the crawl."),
    RNG,
];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "newsroom",
        "Newsroom",
        EntryTexts {
            family: "Generated",
            source: "(ours), after the setting of Wen & Lu 2004",
            summary: "Fast news, slow weather, an archive that never changes",
            description: "Hosts www, weather and archive under newsroom.example. Six sections, each \
                with a front page, stories, a bulletin and a live ticker. Labels tell how pages \
                change: 'front' (when news arrive), 'news' (hourly at first, less with age), \
                'bulletin' (daily at 8:00, or every full hour), 'live' (in bursts), 'weather' (every \
                eight to twelve hours), 'archive' and 'static' (never); pages of a section are also \
                labelled with its subject. The seed is the home page. Stories born during the crawl \
                ('coming') have no links to them before; they change as on their first day.",
            formula: "λ(story) = u/(1 + age in days)^1.5, u from 0.8 to 1.2 per hour",
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
/// Shares of the pages; the rest is the archive.
const NEWS_SHARE: f64 = 0.4;
const WEATHER_SHARE: f64 = 0.15;
/// Stories up to this age are news, older ones are in the archive.
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
    // Last, so that the other pages do not depend on the number of coming stories.
    newsroom.expect(params.integer("coming"))?;
    newsroom.site.finish()
}

struct Newsroom {
    site: Site,
    menu: Menu,
    /// The menu of the other hosts.
    short_menu: Menu,
    sections: Vec<Section>,
    /// Every story with its section, the newest first.
    stories: Vec<(PageId, usize)>,
    weather: PageId,
    archive: PageId,
    /// Stories per day in each section.
    stories_a_day: f64,
}

struct Section {
    topic: &'static Topic,
    url: String,
    front: PageId,
    live: PageId,
    n_stories: usize,
    /// Its front page, and the lists behind it.
    lists: Vec<PageId>,
    mentions: Mentions,
}

/// Class of a page, which determines its change process and label.
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
    /// Adds the pages that every page links to.
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

    /// Adds a bulletin and a live ticker for each section.
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

    /// Adds stories, newest first, section by section in turn, until `n_pages` pages were added.
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

    /// Adds mentions of older stories of the same section, including the archive.
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

    /// Adds stories born during the crawl; they mention only stories that exist by then.
    ///
    /// Stories of each section form a Poisson process; their union is one as well, whose events
    /// belong to random sections.
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

    /// Adds regions and their places, until `n_pages` pages were added.
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

    /// Adds stories of earlier years, by month, until there are `n_pages` pages in total.
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

    /// Adds a list of the archive, below another.
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
