//! Shops: home → department → category → lists → product.
//!
//! The targets of a focused crawl are product pages, for example phones. Most of them are behind
//! links that do not name them: lists are reached by "Show all", "Next" or a brand that makes
//! everything, and products by a brand, a series and a number. Only experience with such links
//! tells where they lead: delayed benefit. With `benefit:direct` links name their targets; pages,
//! URLs and links are the same, so any gain from indirect evidence must vanish.

use super::site::{self, Mentions, Menu, Site};
use super::words::{GOODS, Topic, capital, slug};
use super::{RNG, WorldEntry};
use crate::{BuildError, Link, PageId, Rng, World};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};
use std::borrow::Cow;

const PARAMS: &[Param] = &[
    Param::integer("pages", 2_400, 600, 50_000, "Number of pages."),
    Param::integer("shops", 6, 1, 12, "Number of shops."),
    Param::choice(
        "benefit",
        "delayed",
        &[Cow::Borrowed("delayed"), Cow::Borrowed("direct")],
        "delayed: most links do not name their targets; direct: links name them.",
    ),
    Param::choice(
        "home",
        "departments",
        &[Cow::Borrowed("departments"), Cow::Borrowed("categories")],
        "Links of home pages: departments, or departments and categories. Departments sell several \
         kinds of goods, so a focused crawl for one kind drops most of them with all pages behind.",
    ),
    Param::number("broken", 0.02, 0.0, 0.2, "Share of products with status 404."),
    Param::number("moved", 0.015, 0.0, 0.2, "Share of products whose page has moved."),
    RNG,
];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "shop",
        "Shops",
        EntryTexts {
            family: "Generated",
            source: "(ours), after the setting of Zhang, Li, Yu & Zhang 2010",
            summary: "Shops with phones, cameras, laptops and more, behind links that do not name them",
            description: "Several shops and a review site. Each shop has departments, categories, \
                paginated lists, lists by brand, and a page per product. Product pages are labelled \
                'phones', 'cameras', 'laptops', 'kitchen' and so on; other pages about them \
                'phones-related' and so on. With benefit:delayed most products are behind links \
                whose text does not name them; benefit:direct is the same graph with links that do. \
                Seeds are the shops' home pages.",
            formula: "home → department → category → list → … → list → product",
            params: PARAMS,
        },
    ),
    n_links: super::few_links,
    build,
};

const NAMES: [&str; 12] = [
    "alderbay",
    "bluebasket",
    "cornerstone",
    "dapplegate",
    "elmtrade",
    "fernhill",
    "goldenfair",
    "harbourside",
    "ivorylane",
    "junction",
    "kestrel",
    "larkmart",
];
/// Brands and series of all kinds of goods, so that they carry no information.
const BRANDS: [&str; 6] = ["Norvik", "Talmar", "Okeda", "Brisol", "Quenda", "Hastel"];
const SERIES: [&str; 8] = ["Aria", "Delto", "Lumo", "Nova", "Pico", "Terra", "Sola", "Vento"];
/// Categories of each department, as indices into [`GOODS`].
const DEPARTMENTS: [(&str, std::ops::Range<usize>); 3] =
    [("Electronics", 0..3), ("Home and garden", 3..6), ("Leisure", 6..9)];
const HELP: [&str; 4] = ["Delivery", "Returns", "Contact", "Terms"];

const PER_LIST: usize = 12;
/// Number of pages of a shop without products, plus a few.
const SMALLEST_SHOP: u32 = 30;
const REVIEWS: f64 = 0.06;
/// Share of products whose name says what they are, with delayed and direct benefit.
const NAMED_DELAYED: f64 = 0.12;
const NAMED_DIRECT: f64 = 0.9;

fn build(params: &Params) -> Result<World, BuildError> {
    let mut rng = Rng::new(params.integer("rng").into(), "shop");
    let n_pages = params.integer("pages");
    let n_reviews = (f64::from(n_pages) * REVIEWS) as u32;
    let n_shops = params.integer("shops");
    let weights: Vec<f64> = (0..n_shops).map(|_| 1.0 + 2.0 * rng.fraction()).collect();
    let total: f64 = weights.iter().sum();
    let spare = n_pages - n_reviews - n_shops * SMALLEST_SHOP;
    let mut market = Market {
        site: Site::new("Shops", rng),
        is_direct: params.text("benefit") == "direct",
        names_categories: params.text("home") == "categories",
        broken: params.number("broken"),
        moved: params.number("moved"),
        talked_about: GOODS.iter().map(|_| Mentions::default()).collect(),
    };
    let reviews = market.site.page(&format!("{REVIEW_URL}/"), "Thing diary", &site::HOME, &[])?;
    let mut weight = 0.0;
    let mut given = 0;
    for (name, own) in NAMES.iter().zip(&weights) {
        weight += own;
        let until = (f64::from(spare) * (weight / total)).round() as u32;
        market.open_shop(name, SMALLEST_SHOP + until - given, reviews)?;
        given = until;
    }
    market.link_sisters(n_shops as usize);
    market.write_reviews(reviews, n_pages)?;
    market.site.finish()
}

const REVIEW_URL: &str = "http://www.thingdiary.example";

struct Market {
    site: Site,
    is_direct: bool,
    names_categories: bool,
    broken: f64,
    moved: f64,
    /// For each kind of goods, the products that reviews mention.
    talked_about: Vec<Mentions>,
}

struct Shop {
    url: String,
    menu: Menu,
    categories: Vec<Category>,
}

#[derive(Default)]
struct Category {
    page: PageId,
    id: u32,
    weight: f64,
    things: Vec<Thing>,
    lists: Vec<PageId>,
    /// Lists by brand, as (index into [`BRANDS`], page).
    by_brand: Vec<(usize, PageId)>,
}

struct Thing {
    page: PageId,
    /// Text of links to it.
    name: String,
    brand: usize,
    price: u32,
    is_there: bool,
}

impl Market {
    /// Adds a shop of `n_pages` pages.
    fn open_shop(&mut self, name: &str, n_pages: u32, press: PageId) -> Result<(), BuildError> {
        let end = self.site.n_pages() + n_pages;
        let url = format!("http://www.{name}.example");
        let site = &mut self.site;
        let home = site.page(&format!("{url}/"), &capital(name), &site::HOME, &[])?;
        site.builder.seed(home);
        let help = site.page(&format!("{url}/help/"), "Help", &site::LIST, &[])?;
        let basket = site.page(&format!("{url}/basket"), "Basket", &site::LIST, &[])?;
        let mut items = vec![(home, "Home")];
        let mut categories = Vec::new();
        for (i, (department, goods)) in DEPARTMENTS.iter().enumerate() {
            let about: Vec<&Topic> = GOODS[goods.clone()].iter().collect();
            let page = format!("{url}/d/{}/", i + 1);
            let page = site.page(&page, department, &site::LIST, &about)?;
            items.push((page, department));
            for (goods, topic) in goods.clone().zip(about) {
                let id = 100 * (i as u32 + 1) + 10 * goods as u32 + site.rng.below(10);
                let title = capital(topic.name);
                let category =
                    site.page(&format!("{url}/c/{id}/"), &title, &site::LIST, &[topic])?;
                site.label(category, &[&related(topic)]);
                site.link(page, category, &title);
                let weight = 0.4 + site.rng.fraction();
                categories.push(Category { page: category, id, weight, ..Category::default() });
            }
        }
        items.push((help, "Help"));
        let menu = Menu::new(&items);
        for (page, _) in &items {
            site.menu(*page, &menu);
        }
        for title in HELP {
            let page = format!("{url}/help/{}", slug(title));
            let page = site.page(&page, title, &site::ARTICLE, &[])?;
            site.list(help, page);
            site.menu(page, &menu);
        }
        site.link(help, press, "Press");
        let to_basket = Link { anchor: "Basket", context: "Basket", nofollow: true };
        site.builder.link_with(home, basket, to_basket);
        site.menu(basket, &menu);
        let robots = "User-agent: *\nAllow: /\nDisallow: /basket\n";
        site.builder.set_host(&format!("www.{name}.example"), Some(robots), None)?;
        let mut shop = Shop { url, menu, categories };
        self.stock(&mut shop, end)?;
        self.link_shop(home, &shop);
        Ok(())
    }

    /// Links each home page to those of the next two shops, in a ring.
    fn link_sisters(&mut self, n_shops: usize) {
        let url = |shop: usize| format!("http://www.{}.example/", NAMES[shop % n_shops]);
        for shop in 0..n_shops {
            for sister in [shop + 1, shop + 2] {
                let pages = [shop, sister].map(|shop| self.site.builder.find(&url(shop)));
                if let [Some(from), Some(to)] = pages {
                    let context = "Our other shops";
                    let anchor = self.site.title(to).to_owned();
                    self.site.link_in(from, to, &anchor, context);
                }
            }
        }
    }

    /// Fills a shop with products and lists until there are `end` pages in total.
    fn stock(&mut self, shop: &mut Shop, end: u32) -> Result<(), BuildError> {
        let total: f64 = shop.categories.iter().map(|c| c.weight).sum();
        while self.site.n_pages() < end {
            let mut at = self.site.rng.fraction() * total;
            let goods = shop.categories.iter().position(|c| {
                at -= c.weight;
                at < 0.0
            });
            let goods = goods.unwrap_or(0);
            let brand = self.site.rng.below(BRANDS.len() as u32) as usize;
            let category = &shop.categories[goods];
            let needs_list = category.things.len().is_multiple_of(PER_LIST);
            let n_of_brand = category.things.iter().filter(|t| t.brand == brand).count();
            let needs_brand = n_of_brand == 1;
            let needs = 1 + u32::from(needs_list) + u32::from(needs_brand);
            if self.site.n_pages() + needs > end {
                self.add_advice(shop)?;
                continue;
            }
            let topic = &GOODS[goods];
            let list_url = format!("{}/c/{}/items", shop.url, category.id);
            let noun = capital(topic.name);
            if needs_list {
                let number = category.lists.len() + 1;
                let url = match number {
                    1 => list_url.clone(),
                    _ => format!("{list_url}?page={number}"),
                };
                let title = format!("{noun}, page {number}");
                let list = self.list_page(&url, &title, topic)?;
                shop.categories[goods].lists.push(list);
            }
            if needs_brand {
                let url = format!("{list_url}?brand={}", slug(BRANDS[brand]));
                let title = format!("{noun} by {}", BRANDS[brand]);
                let list = self.list_page(&url, &title, topic)?;
                shop.categories[goods].by_brand.push((brand, list));
            }
            let thing = self.thing(shop, goods, brand)?;
            shop.categories[goods].things.push(thing);
        }
        Ok(())
    }

    fn list_page(
        &mut self,
        url: &str,
        title: &str,
        topic: &'static Topic,
    ) -> Result<PageId, BuildError> {
        let page = self.site.page(url, title, &site::LIST, &[topic])?;
        self.site.label(page, &[&related(topic)]);
        Ok(page)
    }

    /// Adds a help page, if there is no room for a product and its list.
    fn add_advice(&mut self, shop: &Shop) -> Result<(), BuildError> {
        let number = self.site.n_pages();
        let url = format!("{}/help/{number}", shop.url);
        let page = self.site.page(&url, &format!("Question {number}"), &site::ARTICLE, &[])?;
        self.site.menu(page, &shop.menu);
        let help = self.site.builder.find(&format!("{}/help/", shop.url));
        if let Some(help) = help {
            self.site.list(help, page);
        }
        Ok(())
    }

    fn thing(&mut self, shop: &Shop, goods: usize, brand: usize) -> Result<Thing, BuildError> {
        let topic = &GOODS[goods];
        let rng = &mut self.site.rng;
        let series = *rng.pick(&SERIES);
        let number = rng.between(2, 990);
        let price = rng.between(9, 1_400);
        // Goods of the three topics have one name; a kitchen holds many.
        let noun = if goods < 3 { topic.words[0] } else { *rng.pick(&topic.words[..6]) };
        let named = if self.is_direct { NAMED_DIRECT } else { NAMED_DELAYED };
        let is_named = rng.chance(named);
        let plain = format!("{} {series} {number}", BRANDS[brand]);
        let name = if is_named { format!("{plain} {noun}") } else { plain.clone() };
        let fate = rng.fraction();
        let url = format!("{}/item/{}", shop.url, 10_000 + self.site.n_pages());
        let things = &shop.categories[goods].things;
        let successor = things.iter().rev().find(|t| t.is_there).map(|t| t.page);
        let page = match successor {
            _ if fate < self.broken => self.site.gone(&url)?,
            Some(to) if fate < self.broken + self.moved => self.site.moved(&url, to)?,
            _ => {
                let title = format!("{plain} {noun}");
                let page = self.site.page(&url, &title, &site::PRODUCT, &[topic])?;
                self.site.label(page, &[topic.name]);
                self.talked_about[goods].add(page);
                return Ok(Thing { page, name, brand, price, is_there: true });
            }
        };
        Ok(Thing { page, name, brand, price, is_there: false })
    }

    fn link_shop(&mut self, home: PageId, shop: &Shop) {
        for category in shop.categories.iter().filter(|_| self.names_categories) {
            self.site.list(home, category.page);
        }
        for (goods, category) in shop.categories.iter().enumerate() {
            self.link_lists(shop, goods);
            let mut bought = Mentions::default();
            category.things.iter().for_each(|thing| bought.add(thing.page));
            for thing in category.things.iter().filter(|thing| thing.is_there) {
                self.site.menu(thing.page, &shop.menu);
                let back = self.says(goods, "Back to the list");
                self.site.link(thing.page, category.page, &back);
                for _ in 0..self.site.rng.between(1, 4) {
                    let bought = bought.draw(&mut self.site.rng);
                    let also = category.things.iter().find(|t| Some(t.page) == bought);
                    if let Some(also) = also {
                        self.offer(thing.page, also);
                    }
                }
            }
            if let Some(thing) = category.things.first() {
                self.offer(home, thing);
            }
        }
    }

    fn link_lists(&mut self, shop: &Shop, goods: usize) {
        let category = &shop.categories[goods];
        self.site.menu(category.page, &shop.menu);
        if let Some(first) = category.lists.first() {
            let all = self.says(goods, "Show all");
            self.site.link(category.page, *first, &all);
        }
        for (brand, page) in &category.by_brand {
            let brand_name = self.says(goods, BRANDS[*brand]);
            self.site.link(category.page, *page, &brand_name);
            self.site.menu(*page, &shop.menu);
            let back = self.says(goods, "Back");
            self.site.link(*page, category.page, &back);
            for thing in category.things.iter().filter(|t| t.brand == *brand) {
                self.offer(*page, thing);
            }
        }
        let n_lists = category.lists.len();
        for (i, page) in category.lists.iter().enumerate() {
            self.site.menu(*page, &shop.menu);
            let back = self.says(goods, "Back");
            self.site.link(*page, category.page, &back);
            for thing in category.things.iter().skip(i * PER_LIST).take(PER_LIST) {
                self.offer(*page, thing);
            }
            let pager = format!("Previous {} of {n_lists} Next", i + 1);
            let previous = i.checked_sub(1).map(|to| ("Previous".to_owned(), to));
            let next = [("Next".to_owned(), i + 1)];
            let numbers = (i + 2..i + 5).map(|to| ((to + 1).to_string(), to));
            for (step, to) in previous.into_iter().chain(next).chain(numbers) {
                if let Some(to) = category.lists.get(to) {
                    let step = self.says(goods, &step);
                    self.site.link_in(*page, *to, &step, &pager);
                }
            }
        }
    }

    /// Adds a link to a product with its price, on a list or elsewhere.
    fn offer(&mut self, from: PageId, thing: &Thing) {
        const NOTES: [&str; 4] =
            ["in stock, add to basket", "compare", "sent within two days", "last few left"];
        let note = self.site.rng.pick(&NOTES);
        let context = format!("{} {}.00 {note}", thing.name, thing.price);
        self.site.link_in(from, thing.page, &thing.name, &context);
    }

    /// Text of a link; with direct benefit it also names the goods.
    fn says(&self, goods: usize, text: &str) -> String {
        match self.is_direct {
            true => format!("{text}: {}", GOODS[goods].name),
            false => text.to_owned(),
        }
    }

    /// Adds reviews of products in all shops, by popularity, until there are `n_pages` in total.
    fn write_reviews(&mut self, home: PageId, n_pages: u32) -> Result<(), BuildError> {
        let mut tags = Vec::new();
        for topic in GOODS {
            let url = format!("{REVIEW_URL}/tag/{}/", topic.name);
            let tag = self.list_page(&url, &format!("All on {}", topic.name), topic)?;
            self.site.list(home, tag);
            self.site.link(tag, home, "Thing diary");
            tags.push(tag);
        }
        while self.site.n_pages() < n_pages {
            let number = self.site.n_pages();
            let goods = self.site.rng.below(GOODS.len() as u32) as usize;
            let topic = &GOODS[goods];
            let url = format!("{REVIEW_URL}/{}/{number}.html", 2015 + number % 10);
            let title = format!("{}, tried", capital(&topic.phrase(&mut self.site.rng)));
            let review = self.site.page(&url, &title, &site::NEWS, &[topic])?;
            self.site.label(review, &[&related(topic)]);
            self.site.list(tags[goods], review);
            self.site.link(review, home, "Thing diary");
            self.site.link(review, tags[goods], "More like this");
            for _ in 0..self.site.rng.between(1, 4) {
                let thing = self.talked_about[goods].draw(&mut self.site.rng);
                let here = self.says(goods, "Buy it here");
                if let Some(thing) = thing {
                    self.site.link(review, thing, &here);
                }
            }
        }
        Ok(())
    }
}

/// Label of pages about goods that are no product pages.
fn related(topic: &Topic) -> String {
    format!("{}-related", topic.name)
}

#[cfg(test)]
mod tests;
