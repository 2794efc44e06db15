//! A university: a central host, a host per department, a library, and personal pages.
//!
//! Departments have people, courses with lectures in sequence, research groups, publications
//! without links, and news. Every page has the navigation of its host; lists link to their items;
//! texts mention pages, mostly of their own subject, by preferential attachment. Department sizes
//! follow a power law. Some links are broken, and some pages have moved.

use super::site::{self, Mentions, Menu, Purpose, Site};
use super::words::{FAMILY_NAMES, FIRST_NAMES, SUBJECTS, Topic, capital, slug};
use super::{RNG, WorldEntry};
use crate::{BuildError, PageId, Rng, World};
use crawl_catalogue::{Entry, EntryTexts, Param, Params};

const PARAMS: &[Param] = &[
    Param::integer("pages", 1_200, 200, 20_000, "Number of pages."),
    Param::number("broken", 0.02, 0.0, 0.2, "Share of pages with status 404."),
    Param::number("moved", 0.015, 0.0, 0.2, "Share of pages that redirect to another."),
    RNG,
];

pub(super) static WORLD: WorldEntry = WorldEntry {
    entry: Entry::new(
        "campus",
        "Campus",
        EntryTexts {
            family: "Generated",
            source: "(ours)",
            summary: "A university: departments, courses, people, news",
            description: "Hosts under campus.example: www, one per department, the library, and \
                personal pages. Pages have texts, anchors and link contexts; they are labelled with \
                their subject ('computing', 'history', …) and their kind ('course', 'person', \
                'research', 'publication', 'news'). News changes hourly, courses weekly, \
                publications never. The seed is the university's home page.",
            formula: "P(mention p) ∝ 0.65 · times p was mentioned, else a page of the subject",
            params: PARAMS,
        },
    ),
    n_links: super::few_links,
    build,
};

fn build(params: &Params) -> Result<World, BuildError> {
    let mut campus = Campus::new(params)?;
    while campus.room() > 0 {
        campus.grow()?;
    }
    campus.mention();
    campus.site.finish()
}

struct Campus {
    site: Site,
    n_pages: u32,
    broken: f64,
    moved: f64,
    central: Central,
    departments: Vec<Department>,
    /// Cumulative growth weights of departments.
    weights: Vec<f64>,
    /// Pages whose texts mention others, with their department.
    texts: Vec<(PageId, usize)>,
}

struct Central {
    home: PageId,
    news: PageId,
    n_news: u32,
    library: PageId,
    menu: Menu,
}

struct Department {
    subject: &'static Topic,
    url: String,
    home: PageId,
    people: PageId,
    courses: PageId,
    research: PageId,
    publications: PageId,
    news: PageId,
    menu: Menu,
    /// All staff, groups and years of publications.
    staff: Vec<PageId>,
    groups: Vec<PageId>,
    years: Vec<PageId>,
    mentions: Mentions,
    n_made: u32,
}

impl Campus {
    fn new(params: &Params) -> Result<Self, BuildError> {
        let n_pages = params.integer("pages");
        let mut site = Site::new("Campus", Rng::new(params.integer("rng").into(), "campus"));
        let www = "http://www.campus.example";
        let central_page = |site: &mut Site, path: &str, title: &str, purpose: &Purpose| {
            site.page(&format!("{www}{path}"), title, purpose, &[])
        };
        let home = central_page(&mut site, "/", "Campus", &site::HOME)?;
        let about = central_page(&mut site, "/about/", "About us", &site::ARTICLE)?;
        let list = central_page(&mut site, "/departments/", "Departments", &site::LIST)?;
        let study = central_page(&mut site, "/study/", "Study here", &site::ARTICLE)?;
        let news = central_page(&mut site, "/news/", "News", &site::NEWS_LIST)?;
        let intranet = central_page(&mut site, "/intranet/", "Intranet", &site::LIST)?;
        let library_url = "http://library.campus.example/";
        let library = site.page(library_url, "Library", &site::HOME, &[])?;
        let menu = Menu::new(&[
            (home, "Campus"),
            (about, "About"),
            (list, "Departments"),
            (study, "Study"),
            (news, "News"),
            (library, "Library"),
        ]);
        for page in [home, about, list, study, news, library] {
            site.menu(page, &menu);
        }
        site.link(home, intranet, "For staff");
        site.link(intranet, home, "Campus");
        site.builder.seed(home);
        let mut campus = Self {
            site,
            n_pages,
            broken: params.number("broken"),
            moved: params.number("moved"),
            central: Central { home, news, n_news: 0, library, menu },
            departments: Vec::new(),
            weights: Vec::new(),
            texts: Vec::new(),
        };
        let n_departments = (n_pages as usize / 100).clamp(2, SUBJECTS.len());
        for subject in &SUBJECTS[..n_departments] {
            campus.found(subject, list, study)?;
        }
        campus.set_hosts()?;
        Ok(campus)
    }

    fn set_hosts(&mut self) -> Result<(), BuildError> {
        let robots = "User-agent: *\nDisallow: /intranet/\n";
        self.site.builder.set_host("www.campus.example", Some(robots), None)?;
        let robots = "User-agent: *\nCrawl-delay: 2\n";
        self.site.builder.set_host("library.campus.example", Some(robots), None)?;
        Ok(())
    }

    /// Adds a department: its home page, its sections, and its guides on other hosts.
    fn found(
        &mut self,
        subject: &'static Topic,
        list: PageId,
        study: PageId,
    ) -> Result<(), BuildError> {
        let name = capital(subject.name);
        let url = format!("http://{}.campus.example", subject.name);
        let site = &mut self.site;
        let mut section = |path: &str, title: &str, purpose: &Purpose| {
            let page = site.page(&format!("{url}{path}"), title, purpose, &[subject])?;
            site.label(page, &[subject.name]);
            Ok(page)
        };
        let home = section("/", &format!("Department of {name}"), &site::HOME)?;
        let people = section("/people/", &format!("People in {name}"), &site::LIST)?;
        let courses = section("/courses/", &format!("Courses in {name}"), &site::LIST)?;
        let research = section("/research/", &format!("Research in {name}"), &site::LIST)?;
        let publications = section("/publications/", &format!("{name} papers"), &site::LIST)?;
        let news = section("/news/", &format!("News of {name}"), &site::NEWS_LIST)?;
        let menu = Menu::new(&[
            (self.central.home, "Campus"),
            (home, &name),
            (people, "People"),
            (courses, "Courses"),
            (research, "Research"),
            (publications, "Publications"),
            (news, "News"),
        ]);
        for page in [home, people, courses, research, publications, news] {
            site.menu(page, &menu);
        }
        site.list(list, home);
        let programme = format!("http://www.campus.example/study/{}/", subject.name);
        let programme =
            site.page(&programme, &format!("Study {name}"), &site::ARTICLE, &[subject])?;
        let guide = format!("http://library.campus.example/guides/{}/", subject.name);
        let guide = site.page(&guide, &format!("Guide to {name}"), &site::ARTICLE, &[subject])?;
        for (page, from) in [(programme, study), (guide, self.central.library)] {
            site.label(page, &[subject.name]);
            site.list(from, page);
            site.menu(page, &self.central.menu);
            site.mention(page, home, &[subject]);
            site.mention(page, courses, &[subject]);
        }
        let mut mentions = Mentions::default();
        for page in [home, courses, research, programme, guide] {
            mentions.add(page);
        }
        let so_far = self.weights.last().copied().unwrap_or(0.0);
        self.weights.push(so_far + self.site.rng.power_law(1.7, 12.0));
        self.departments.push(Department {
            subject,
            url,
            home,
            people,
            courses,
            research,
            publications,
            news,
            menu,
            staff: Vec::new(),
            groups: Vec::new(),
            years: Vec::new(),
            mentions,
            n_made: 0,
        });
        Ok(())
    }

    /// Number of pages still to be added.
    fn room(&self) -> u32 {
        self.n_pages.saturating_sub(self.site.n_pages())
    }

    /// Adds a person, a course, a group, a paper or a news item to a department.
    fn grow(&mut self) -> Result<(), BuildError> {
        let rng = &mut self.site.rng;
        let total = self.weights.last().copied().unwrap_or(0.0);
        let at = rng.fraction() * total;
        let which = self.weights.partition_point(|w| *w <= at).min(self.weights.len() - 1);
        self.departments[which].n_made += 1;
        let no_staff = self.departments[which].staff.is_empty();
        match self.site.rng.fraction() {
            _ if no_staff => self.add_person(which),
            x if x < 0.32 => self.add_person(which),
            x if x < 0.54 => self.add_course(which),
            x if x < 0.66 => self.add_group(which),
            x if x < 0.85 => self.add_paper(which),
            _ => self.add_news(which),
        }?;
        let x = self.site.rng.fraction() / 3.0;
        if self.room() > 0 && x < self.broken {
            self.add_broken(which)?;
        } else if self.room() > 0 && x < self.broken + self.moved {
            self.add_moved(which)?;
        }
        Ok(())
    }

    /// Adds a page of a department with its navigation, linked from a list.
    fn add(
        &mut self,
        which: usize,
        path: &str,
        title: &str,
        kind: (&Purpose, &str),
        list: PageId,
    ) -> Result<PageId, BuildError> {
        let (purpose, label) = kind;
        let department = &mut self.departments[which];
        let subject = department.subject;
        let url = format!("{}{path}", department.url);
        let page = self.site.page(&url, title, purpose, &[subject])?;
        self.site.label(page, &[subject.name, label]);
        self.site.list(list, page);
        if purpose.changes_per_hour > 0.0 {
            self.site.menu(page, &department.menu);
            if list != department.home {
                self.site.list(page, list);
            }
            self.texts.push((page, which));
        }
        department.mentions.add(page);
        Ok(page)
    }

    fn add_person(&mut self, which: usize) -> Result<(), BuildError> {
        let first = *self.site.rng.pick(FIRST_NAMES);
        let family = *self.site.rng.pick(FAMILY_NAMES);
        let name = format!("{first} {family}");
        let department = &self.departments[which];
        let (people, subject) = (department.people, department.subject);
        let number = department.staff.len() + 1;
        let path = format!("/people/{}-{number}/", slug(&name));
        let person = self.add(which, &path, &name, (&site::PERSON, "person"), people)?;
        self.departments[which].staff.push(person);
        // Half have personal pages on another host, with few other links to them.
        if self.room() == 0 || self.site.rng.chance(0.5) {
            return Ok(());
        }
        let own = format!("http://people.campus.example/~{}{}", slug(family), person.0);
        let home = self.own_page(&format!("{own}/"), &format!("{name}'s page"), person, subject)?;
        let topics = ["hobbies", "photos", "travel", "links"];
        for topic in topics.iter().take(self.site.rng.below(4) as usize) {
            if self.room() == 0 {
                break;
            }
            let title = format!("{name}: {topic}");
            let page = self.own_page(&format!("{own}/{topic}.html"), &title, home, subject)?;
            self.texts.push((page, which));
        }
        Ok(())
    }

    /// Adds a personal page, linked from another one and back.
    fn own_page(
        &mut self,
        url: &str,
        title: &str,
        from: PageId,
        subject: &'static Topic,
    ) -> Result<PageId, BuildError> {
        let other = self.site.rng.pick(SUBJECTS);
        let page = self.site.page(url, title, &site::PERSON, &[other, subject])?;
        self.site.label(page, &["person"]);
        self.site.list(from, page);
        self.site.list(page, from);
        Ok(page)
    }

    fn add_course(&mut self, which: usize) -> Result<(), BuildError> {
        let department = &self.departments[which];
        let (courses, subject) = (department.courses, department.subject);
        let teacher = *self.site.rng.pick(&department.staff);
        let path = format!("/courses/{}{}", &subject.name[..2], 100 + department.n_made);
        let title = capital(&subject.phrase(&mut self.site.rng));
        let kind = (&site::COURSE, "course");
        let course = self.add(which, &format!("{path}/"), &title, kind, courses)?;
        self.site.mention(course, teacher, &[subject]);
        self.site.mention(teacher, course, &[subject]);
        let mut before = course;
        for i in 1..=self.site.rng.between(1, 7) {
            if self.room() == 0 {
                break;
            }
            let lecture = format!("{path}/lectures/{i}.html");
            let title = format!("Lecture {i}: {}", subject.phrase(&mut self.site.rng));
            let lecture = self.add(which, &lecture, &title, (&site::ARTICLE, "course"), course)?;
            self.site.link(before, lecture, "next");
            if before != course {
                self.site.link(lecture, before, "previous");
            }
            before = lecture;
            if self.room() > 0 && self.site.rng.chance(0.3) {
                let sheet = format!("{path}/sheets/{i}.pdf");
                let title = format!("Exercise sheet {i}");
                self.add(which, &sheet, &title, (&site::DOCUMENT, "course"), lecture)?;
            }
        }
        Ok(())
    }

    fn add_group(&mut self, which: usize) -> Result<(), BuildError> {
        let department = &self.departments[which];
        let (research, subject) = (department.research, department.subject);
        let leader = *self.site.rng.pick(&department.staff);
        let phrase = subject.phrase(&mut self.site.rng);
        let path = format!("/research/{}-{}/", slug(&phrase), department.n_made);
        let title = format!("{} group", capital(&phrase));
        let kind = (&site::ARTICLE, "research");
        let group = self.add(which, &path, &title, kind, research)?;
        self.site.mention(group, leader, &[subject]);
        self.site.mention(leader, group, &[subject]);
        self.departments[which].groups.push(group);
        for part in ["members", "software", "data"].iter().take(self.site.rng.below(4) as usize) {
            if self.room() == 0 {
                break;
            }
            self.add(which, &format!("{path}{part}.html"), &capital(part), kind, group)?;
        }
        Ok(())
    }

    /// Adds a paper, listed by year, on the page of its author and mostly of a group.
    fn add_paper(&mut self, which: usize) -> Result<(), BuildError> {
        let department = &self.departments[which];
        let (publications, subject) = (department.publications, department.subject);
        let number = department.n_made;
        let author = *self.site.rng.pick(&department.staff);
        let group = department.groups.last().copied();
        let n_years = department.years.len();
        let opens = n_years == 0 || n_years < 12 && self.site.rng.chance(0.12);
        let year = if opens {
            let year = 2024 - n_years;
            let title = format!("{} papers {year}", capital(subject.name));
            let path = format!("/publications/{year}/");
            let kind = (&site::LIST, "publication");
            let page = self.add(which, &path, &title, kind, publications)?;
            self.departments[which].years.push(page);
            n_years
        } else {
            self.site.rng.below(n_years as u32) as usize
        };
        if self.room() == 0 {
            return Ok(());
        }
        let phrase = subject.phrase(&mut self.site.rng);
        let title = format!("On {phrase}");
        let path = format!("/publications/{}/{}-{number}.pdf", 2024 - year, slug(&phrase));
        let list = self.departments[which].years[year];
        let paper = self.add(which, &path, &title, (&site::DOCUMENT, "publication"), list)?;
        self.site.mention(author, paper, &[subject]);
        if let Some(group) = group.filter(|_| self.site.rng.chance(0.6)) {
            self.site.mention(group, paper, &[subject]);
        }
        Ok(())
    }

    /// Adds news of a department; every third item is the university's.
    fn add_news(&mut self, which: usize) -> Result<(), BuildError> {
        let department = &self.departments[which];
        let (news, subject, number) = (department.news, department.subject, department.n_made);
        let about = *self.site.rng.pick(&department.staff);
        let title = format!("{} news", capital(&subject.phrase(&mut self.site.rng)));
        let item = if self.site.rng.chance(1.0 / 3.0) {
            self.central.n_news += 1;
            let year = 2024 - self.central.n_news / 30;
            let url = format!("http://www.campus.example/news/{year}/{}.html", self.central.n_news);
            let item = self.site.page(&url, &title, &site::NEWS, &[subject])?;
            self.site.label(item, &[subject.name, "news"]);
            self.site.menu(item, &self.central.menu);
            self.site.list(self.central.news, item);
            self.site.mention(item, self.departments[which].home, &[subject]);
            self.texts.push((item, which));
            item
        } else {
            let path = format!("/news/{number}.html");
            self.add(which, &path, &title, (&site::NEWS, "news"), news)?
        };
        self.site.mention(item, about, &[subject]);
        Ok(())
    }

    fn add_broken(&mut self, which: usize) -> Result<(), BuildError> {
        let department = &mut self.departments[which];
        let url = format!("{}/old/{}.html", department.url, department.n_made);
        let page = self.site.gone(&url)?;
        self.mention_old(which, page);
        Ok(())
    }

    fn add_moved(&mut self, which: usize) -> Result<(), BuildError> {
        let department = &mut self.departments[which];
        let url = format!("{}/old/{}/", department.url, department.n_made);
        let to = *self.site.rng.pick(&department.staff);
        let page = self.site.moved(&url, to)?;
        self.mention_old(which, page);
        Ok(())
    }

    /// Adds a link to an old URL from some text of the department or its home page.
    fn mention_old(&mut self, which: usize, page: PageId) {
        let (mut from, of) = *self.site.rng.pick(&self.texts);
        if of != which {
            from = self.departments[which].home;
        }
        let subject = self.departments[which].subject;
        self.site.mention(from, page, &[subject]);
    }

    /// Adds mentions of other pages, mostly of the same subject, and some of outside URLs.
    fn mention(&mut self) {
        let n_departments = self.departments.len() as u32;
        for (page, which) in std::mem::take(&mut self.texts) {
            let subject = self.departments[which].subject;
            for _ in 0..self.site.rng.between(0, 4) {
                let of = if self.site.rng.chance(0.8) {
                    which
                } else {
                    self.site.rng.below(n_departments) as usize
                };
                let mentions = &mut self.departments[of].mentions;
                if let Some(to) = mentions.draw(&mut self.site.rng) {
                    self.site.mention(page, to, &[subject, self.departments[of].subject]);
                }
            }
            if self.site.rng.chance(0.04) {
                let url = format!("http://www.{}-society.example/", subject.name);
                self.site.builder.link_outside(page, &url);
            }
        }
    }
}
