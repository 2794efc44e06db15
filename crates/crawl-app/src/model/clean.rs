//! Escapes hidden characters in texts that come from workers.
//!
//! Only display texts are changed: titles, link texts, notices, names. URLs that identify a page
//! (seeds, `page=` in links, marks), labels and digests stay unchanged; views show them through
//! [`fill`](crawl_text::fill), [`Shortener`](super::Shortener) or [`visible`].

use crawl_catalogue::visible;
use crawl_protocol::lane::{self, Moved, Reasons, Row, Seen, Why};
use crawl_protocol::world::{self, Failure, PageName, Summary};
use std::borrow::Cow;

fn clean(text: &mut String) {
    if let Cow::Owned(shown) = visible(text) {
        *text = shown;
    }
}

/// Escapes hidden characters in an answer of a lane worker.
pub fn clean_lane(answer: &mut lane::Answer) {
    match answer {
        lane::Answer::Frame(frame) => {
            let best = frame.best.iter_mut().map(|best| &mut best.row);
            frame.next.iter_mut().chain(best).for_each(row);
        }
        lane::Answer::Reasons(of) => reasons(of),
        lane::Answer::Graph(graph) => {
            for vertex in &mut graph.vertices {
                [&mut vertex.url, &mut vertex.anchor, &mut vertex.context]
                    .into_iter()
                    .for_each(clean);
            }
        }
        lane::Answer::Topic { learnt, .. } => match learnt {
            Ok(sentences) => sentences.iter_mut().for_each(clean),
            Err(error) => clean(error),
        },
        lane::Answer::Failed { error, .. } => clean(error),
        _ => {}
    }
}

fn row(row: &mut Row) {
    clean(&mut row.url);
}

fn reasons(reasons: &mut Reasons) {
    clean(&mut reasons.title);
    reasons.why.iter_mut().for_each(why);
    reasons.moves.iter_mut().for_each(|Moved { by, .. }| row(by));
}

fn why(of: &mut Why) {
    clean(&mut of.label);
    of.parts.iter_mut().for_each(why);
    of.seen.iter_mut().for_each(|seen| match seen {
        Seen::Page { url, .. } => clean(url),
        Seen::Words(words) => clean(words),
    });
}

/// Escapes hidden characters in an answer of the world worker.
pub fn clean_world(answer: &mut world::Answer) {
    match answer {
        world::Answer::Opened { summary: of, .. } => summary(of),
        world::Answer::Imported { summary: of, kept, .. } => {
            summary(of);
            if let Err(world::NotKept::Words(error)) = kept {
                clean(error);
            }
        }
        world::Answer::Picture { picture, .. } => {
            let labels = picture.labels.iter_mut().map(|(_, label)| label);
            picture.hosts.iter_mut().chain(labels).for_each(clean);
            clean(&mut picture.domain);
        }
        world::Answer::Bounds { seeds, .. } => seeds.iter_mut().for_each(title),
        world::Answer::Found { pages, .. } => pages.iter_mut().for_each(title),
        world::Answer::Words { words, .. } => {
            for word in words {
                [&mut word.segmented, &mut word.lowered].into_iter().for_each(clean);
                word.word.iter_mut().for_each(clean);
            }
        }
        world::Answer::Library(library) => {
            for world in &mut library.worlds {
                clean(&mut world.name);
                summary(&mut world.summary);
            }
            library.experiments.iter_mut().for_each(|kept| clean(&mut kept.name));
            library.error.iter_mut().for_each(clean);
        }
        world::Answer::Failed { failure: Failure::Words(words), .. } => clean(words),
        _ => {}
    }
}

fn summary(summary: &mut Summary) {
    clean(&mut summary.title);
    clean(&mut summary.license);
    summary.notices.iter_mut().for_each(clean);
    summary.seeds.iter_mut().for_each(title);
}

fn title(page: &mut PageName) {
    clean(&mut page.title);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Shortener, shorten};
    use crawl_catalogue::is_hidden;
    use crawl_protocol::Task;
    use crawl_protocol::lane::{Best, Frame, Graph, Place, Vertex};
    use crawl_text::fill;

    const HOSTILE: &str = "http://a.example/\u{202e}gpj.exe\u{200b}\u{1b}[2J";

    fn hostile() -> String {
        HOSTILE.to_owned()
    }

    fn hostile_row() -> Row {
        Row { page: 1, url: hostile(), score: 1.0, held: false, due_s: None }
    }

    /// True if no text of a message has hidden characters.
    fn is_clean(message: &impl serde::Serialize) -> bool {
        let bytes = crawl_protocol::encode(message).unwrap();
        !String::from_utf8_lossy(&bytes).contains(['\u{202e}', '\u{200b}'])
    }

    #[test]
    fn rows_reasons_and_graphs_show_nothing_hidden() {
        let frame = Frame {
            task: Task(7),
            step: 1,
            seconds: 0.0,
            n_waiting: 1,
            n_known: 2,
            in_flight: Vec::new(),
            next: vec![hostile_row(), hostile_row()],
            best: Some(Best { row: hostile_row(), place: 1, regret: 0.0 }),
            keeps: Vec::new(),
            value: String::new(),
            range: None,
            learning: None,
        };
        let seen = vec![
            Seen::Page { page: 1, url: hostile(), step: None },
            Seen::Words(format!("the words «{HOSTILE}»")),
        ];
        let part =
            Why { label: "link".into(), sign: String::new(), value: 1.0, parts: vec![], seen };
        let why = Why { parts: vec![part.clone()], ..part };
        let moved = Moved {
            step: 1,
            by: hostile_row(),
            before: 0.0,
            after: 1.0,
            place_before: None,
            place_after: None,
        };
        let mut reasons = Reasons {
            task: Task(7),
            step: 1,
            page: 1,
            url: String::new(),
            title: hostile(),
            true_rank: 0.0,
            place: Place::InFlight,
            why: Some(why),
            matched: None,
            moves: vec![moved],
            n_moves: 1,
        };
        let vertex = Vertex {
            page: 1,
            url: hostile(),
            anchor: hostile(),
            context: hostile(),
            is_result: false,
            layer: 0,
            place: 0,
            of: 1,
            changed_in: None,
        };
        let graph = Graph { vertices: vec![vertex], ..Graph::default() };
        let answers = [
            lane::Answer::Frame(frame),
            lane::Answer::Reasons(Box::new(reasons.clone())),
            lane::Answer::Graph(Box::new(graph)),
            lane::Answer::Topic { task: Task(7), learnt: Ok(vec![hostile()]) },
            lane::Answer::Topic { task: Task(7), learnt: Err(hostile()) },
            lane::Answer::Failed { task: Task(7), error: hostile() },
        ];
        for mut answer in answers {
            assert!(!is_clean(&answer));
            clean_lane(&mut answer);
            assert!(is_clean(&answer), "{answer:?}");
        }
        // The URL identifies the page and stays.
        reasons.url = hostile();
        let mut answer = lane::Answer::Reasons(Box::new(reasons));
        clean_lane(&mut answer);
        assert!(matches!(answer, lane::Answer::Reasons(reasons) if reasons.url == HOSTILE));
    }

    #[test]
    fn worlds_and_what_is_kept_show_nothing_hidden() {
        let name = || PageName { page: 0, url: String::new(), title: hostile() };
        let of = || Summary {
            title: hostile(),
            license: hostile(),
            notices: vec![hostile()],
            seeds: vec![name()],
            ..Summary::default()
        };
        let kept =
            world::KeptWorld { name: hostile(), files: Vec::new(), summary: of(), used_ms: 0.0 };
        let link = world::KeptExperiment { name: hostile(), link: String::new(), used_ms: 0.0 };
        let library = world::Library {
            worlds: vec![kept],
            experiments: vec![link],
            error: Some(hostile()),
            ..world::Library::default()
        };
        let picture = world::Picture {
            nodes: world::Nodes::Pages,
            n_nodes: 1,
            hosts: vec![hostile()],
            domain: hostile(),
            labels: vec![(0, hostile())],
            n_links_left_out: 0,
            n_pages: Vec::new(),
        };
        let found = world::Answer::Found { task: Task(1), pages: vec![name()], n_found: 1 };
        let failed = world::Answer::Failed { task: Task(1), failure: Failure::Words(hostile()) };
        let answers = [
            world::Answer::Opened { task: Task(1), summary: Box::new(of()) },
            world::Answer::Picture { task: Task(1), picture },
            world::Answer::Library(library),
            found,
            failed,
        ];
        for mut answer in answers {
            assert!(!is_clean(&answer));
            clean_world(&mut answer);
            assert!(is_clean(&answer), "{answer:?}");
        }
    }

    #[test]
    fn sentences_and_short_urls_show_nothing_hidden() {
        let filled = fill("a {name} file", &[("name", HOSTILE)]);
        let short = Shortener::default().short(HOSTILE, 200);
        for shown in [&filled, &short, &shorten(&short, 20)] {
            assert!(!shown.contains(is_hidden), "{shown:?}");
        }
        assert!(filled.contains("\\u{202e}gpj.exe"));
    }
}
