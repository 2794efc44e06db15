//! A small site with spider traps.
//!
//! A town's museum and societies: a few sections with articles. Every page links to the calendar,
//! which is endless: each month links to the next and previous month, to the same month of the next
//! and previous year, and to its weeks. Archives have a broken relative link, `next/`, which makes
//! ever longer paths: `/news/archive/next/next/next/…`. Both traps are finite here, but much larger
//! than the useful part. Trap pages are labelled `trap`.
//!
//! robots.txt disallows the print versions of months and the search, but allows the search help.

use super::site::{self, Mentions, Menu, Site};
use super::words::{SUBJECTS, Topic, capital};
use super::{RNG, WorldEntry};
use crate::{BuildError, PageId, Rng, World};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};

const PARAMS: &[Param] = &[
    Param::integer("pages", 300, 60, 20_000, "Number of useful pages."),
    Param::integer("trap", 3_000, 100, 100_000, "Number of trap pages."),
    RNG,
];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "calendar",
        "Calendar",
        EntryTexts {
            family: "Generated",
            source: "(ours), after the endless calendars of Voronov, Mail.Ru",
            summary: "A small useful site with an endless calendar and ever longer paths",
            description: "One host with sections and articles, and two spider traps: a calendar that \
                continues for decades, and archives whose broken relative link 'next/' makes paths \
                such as /news/archive/next/next/next/. Trap pages are labelled 'trap' and make up \
                most of the world. robots.txt disallows print versions of months and the search. The \
                seed is the home page.",
            formula: "/archive/ → /archive/next/ → /archive/next/next/ → …",
            params: PARAMS,
        },
    ),
    n_links: super::few_links,
    build,
};

const HOST: &str = "www.riverton.example";
const ROBOTS: &str = "User-agent: *\nCrawl-delay: 1\nDisallow: /calendar/print/\nDisallow: /search\n\
    Allow: /search/help\n";
const SECTIONS: [&str; 6] = ["visit", "exhibitions", "societies", "news", "reports", "photos"];
/// Subjects of articles, as indices into [`SUBJECTS`].
const ABOUT: [usize; 4] = [3, 4, 8, 9];
const PER_YEAR: usize = 20;
/// Calendar's share of the traps; a month has itself, four weeks and a print version.
const CALENDAR: f64 = 0.6;
const PER_MONTH: u32 = 6;
const WEEKS: u32 = 4;
const LONGEST_PATH: u32 = 200;
/// The current month, counted from year 0.
const THIS_MONTH: i32 = 2024 * 12 + 5;

fn build(params: &Params) -> Result<World, BuildError> {
    let mut town = Town::new(params)?;
    town.write(params.integer("pages"))?;
    let n_trap = params.integer("trap");
    let n_months = ((f64::from(n_trap) * CALENDAR) as u32 / PER_MONTH).max(1);
    town.add_calendar(n_months)?;
    town.add_archives(n_trap - n_months * PER_MONTH)?;
    town.site.builder.set_host(HOST, Some(ROBOTS), None)?;
    town.site.finish()
}

struct Town {
    site: Site,
    menu: Menu,
    calendar: PageId,
    sections: Vec<Section>,
}

struct Section {
    page: PageId,
    archive: PageId,
    articles: Vec<PageId>,
}

impl Town {
    fn new(params: &Params) -> Result<Self, BuildError> {
        let rng = Rng::new(params.integer("rng").into(), "calendar");
        let mut site = Site::new("Calendar", rng);
        let home = site.page(&url(""), "Riverton", &site::HOME, &[])?;
        site.builder.seed(home);
        let calendar = site.page(&url("calendar/"), "Calendar", &site::NEWS_LIST, &[])?;
        let mut sections = Vec::new();
        for name in SECTIONS {
            let page = site.page(&url(&format!("{name}/")), &capital(name), &site::LIST, &[])?;
            let archive = url(&format!("{name}/archive/"));
            let archive = site.page(&archive, "Archive", &site::LIST, &[])?;
            sections.push(Section { page, archive, articles: Vec::new() });
        }
        let help = site.page(&url("search/help"), "How to search", &site::ARTICLE, &[])?;
        let names = SECTIONS.map(capital);
        let mut items = vec![(home, "Riverton")];
        items.extend(sections.iter().map(|s| s.page).zip(names.iter().map(String::as_str)));
        items.extend([(calendar, "Calendar"), (help, "Search")]);
        let menu = Menu::new(&items);
        for (page, _) in &items {
            site.menu(*page, &menu);
        }
        for section in &sections {
            site.list(section.page, section.archive);
            site.menu(section.archive, &menu);
        }
        for query in ["museum", "opening", "tickets", "parking"] {
            let page = url(&format!("search?q={query}"));
            let page = site.page(&page, &format!("Search: {query}"), &site::LIST, &[])?;
            site.link(help, page, query);
            site.menu(page, &menu);
        }
        Ok(Self { site, menu, calendar, sections })
    }

    /// Adds articles, listed by year, until there are `n_pages` pages.
    fn write(&mut self, n_pages: u32) -> Result<(), BuildError> {
        let mut mentions = Mentions::default();
        let mut year_pages: Vec<Vec<PageId>> = vec![Vec::new(); SECTIONS.len()];
        while self.site.n_pages() < n_pages {
            let which = self.site.rng.below(SECTIONS.len() as u32) as usize;
            let section = &mut self.sections[which];
            let n_articles = section.articles.len();
            let year = 2024 - n_articles / PER_YEAR;
            let years = &mut year_pages[which];
            if n_articles / PER_YEAR == years.len() {
                let page = url(&format!("{}/{year}/", SECTIONS[which]));
                let title = format!("{} {year}", capital(SECTIONS[which]));
                let page = self.site.page(&page, &title, &site::LIST, &[])?;
                self.site.menu(page, &self.menu);
                self.site.list(section.page, page);
                years.push(page);
                continue;
            }
            let topic: &Topic = &SUBJECTS[*self.site.rng.pick(&ABOUT)];
            let title = capital(&topic.phrase(&mut self.site.rng));
            let page = url(&format!("{}/{year}/{n_articles}.html", SECTIONS[which]));
            let page = self.site.page(&page, &title, &site::ARTICLE, &[topic])?;
            self.site.label(page, &[topic.name]);
            self.site.menu(page, &self.menu);
            let list = years[n_articles / PER_YEAR];
            self.site.list(list, page);
            self.site.list(page, list);
            for _ in 0..self.site.rng.below(4) {
                if let Some(to) = mentions.draw(&mut self.site.rng) {
                    self.site.mention(page, to, &[topic]);
                }
            }
            mentions.add(page);
            section.articles.push(page);
        }
        Ok(())
    }

    /// Adds months before and after this one, each with its weeks and its print version.
    fn add_calendar(&mut self, n_months: u32) -> Result<(), BuildError> {
        let first = THIS_MONTH - n_months as i32 / 2;
        let mut months: Vec<[PageId; PER_MONTH as usize]> = Vec::new();
        for i in 0..n_months as i32 {
            let (year, month) = ((first + i).div_euclid(12), (first + i).rem_euclid(12) + 1);
            let date = format!("{year:04}/{month:02}");
            let mut pages = [PageId(0); PER_MONTH as usize];
            pages[0] = self.trap(&format!("calendar/{date}/"), &format!("Events {date}"))?;
            for week in 1..=WEEKS {
                let path = format!("calendar/{date}/week-{week}");
                pages[week as usize] = self.trap(&path, &format!("Events {date}, week {week}"))?;
            }
            let path = format!("calendar/print/{date}/");
            pages[WEEKS as usize + 1] = self.trap(&path, &format!("Print {date}"))?;
            months.push(pages);
        }
        for (i, pages) in months.iter().enumerate() {
            let steps =
                [("Next month", 1), ("Previous month", -1), ("Next year", 12), ("Last year", -12)];
            for (step, by) in steps {
                let to = i.checked_add_signed(by).and_then(|to| months.get(to));
                if let Some(to) = to {
                    self.site.link(pages[0], to[0], step);
                }
            }
            for (week, page) in pages.iter().enumerate().skip(1).take(WEEKS as usize) {
                self.site.link(pages[0], *page, &format!("Week {week}"));
                self.site.link(*page, pages[0], "Whole month");
                let next = if week < WEEKS as usize { Some(pages[week + 1]) } else { None };
                let next = next.or_else(|| months.get(i + 1).map(|pages| pages[1]));
                if let Some(next) = next {
                    self.site.link(*page, next, "Next week");
                }
            }
            self.site.link(pages[0], pages[WEEKS as usize + 1], "Print");
            self.site.link(pages[WEEKS as usize + 1], pages[0], "Back");
        }
        let this_month = months[(THIS_MONTH - first) as usize][0];
        self.site.link(self.calendar, this_month, "This month");
        Ok(())
    }

    /// Adds archives whose pages link to `next/` below themselves.
    fn add_archives(&mut self, n_pages: u32) -> Result<(), BuildError> {
        let mut left = n_pages;
        let mut round = 0;
        while left > 0 {
            for (which, name) in SECTIONS.iter().enumerate() {
                let length = left.min(LONGEST_PATH);
                left -= length;
                let (mut path, mut before) = if round == 0 {
                    (format!("{name}/archive/"), self.sections[which].archive)
                } else {
                    (format!("{name}/archive/{round}/"), self.sections[which].archive)
                };
                for _ in 0..length {
                    path.push_str("next/");
                    let page = self.trap(&path, "Archive")?;
                    self.site.link(before, page, "Older");
                    let articles = &self.sections[which].articles;
                    if !articles.is_empty() {
                        let article = *self.site.rng.pick(articles);
                        self.site.list(page, article);
                    }
                    before = page;
                }
            }
            round += 1;
        }
        Ok(())
    }

    fn trap(&mut self, path: &str, title: &str) -> Result<PageId, BuildError> {
        let page = self.site.page(&url(path), title, &site::EMPTY, &[])?;
        self.site.label(page, &["trap"]);
        self.site.menu(page, &self.menu);
        Ok(page)
    }
}

fn url(path: &str) -> String {
    format!("http://{HOST}/{path}")
}

#[cfg(test)]
mod tests {
    use super::super::tests::made;
    use super::*;

    #[test]
    fn the_broken_link_is_what_a_browser_makes_of_it() {
        let world = made("calendar");
        let start = world.find(&url("news/archive/")).expect("it is there");
        let mut page = start;
        for _ in 0..50 {
            let here = url::Url::parse(&world.url(page)).expect("a URL");
            let next = here.join("next/").expect("a URL");
            let next = world.find(next.as_str()).expect("the trap goes on");
            assert!(world.links(page).contains(&next) && world.has_topic(next, "trap"));
            page = next;
        }
    }

    #[test]
    fn traps_are_as_large_as_asked_for_and_reachable() {
        for (spec, useful, trap) in [
            ("calendar", 300, 3_000),
            ("calendar(pages:60,trap:100)", 60, 100),
            ("calendar(pages:1000,trap:20001,rng:4)", 1_000, 20_001),
        ] {
            let world = made(spec);
            let n_trap = world.pages().filter(|p| world.has_topic(*p, "trap")).count();
            assert_eq!((world.n_pages() - n_trap as u32, n_trap), (useful, trap), "{spec}");
            let reach = world.reach(&world.seeds());
            assert_eq!(reach.n_pages(), world.n_pages(), "{spec}");
            // Useful pages are near; only traps are far.
            let far = |p: &PageId| reach.depth(*p) > Some(6);
            assert!(world.pages().filter(far).all(|p| world.has_topic(p, "trap")), "{spec}");
        }
    }

    #[test]
    fn robots_refuses_some_pages_of_each_kind() {
        let world = made("calendar");
        let robots = world.hosts()[0].robots.as_deref().expect("it has one");
        assert!(robots.contains("\nDisallow: /calendar/print/\n"), "{robots}");
        let with = |path: &str| {
            let start = url(path);
            world.pages().filter(|page| world.url(*page).starts_with(&start)).count()
        };
        assert_eq!((with("calendar/print/"), with("search?"), with("search/help")), (300, 4, 1));
    }
}
