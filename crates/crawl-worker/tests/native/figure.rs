//! Figures that can be changed, as a worker draws them.

use crate::hosts::WorldDesk;
use crawl_catalogue::{Chosen, Kind};
use crawl_claims::{figure, html};
use crawl_protocol::world::{Answer, Command};
use crawl_protocol::{Task, decode, encode};

fn chosen(spec: &str) -> Chosen {
    figure::catalogue().choose(Kind::Figure, spec).expect("a figure")
}

/// What the worker sends for a figure.
fn sent(desk: &mut WorldDesk, task: Task, spec: &str) -> Vec<String> {
    let figure = chosen(spec);
    let command = Command::Figure { task, figure };
    assert_eq!(decode::<Command>(&encode(&command).expect("travels")), Ok(command.clone()));
    let sent = desk.tell(command, &[]).into_iter();
    sent.filter_map(|(answer, _)| match answer {
        Answer::Figure { task: of, html } if of == task => Some(html),
        _ => None,
    })
    .collect()
}

#[test]
fn a_worker_draws_what_is_drawn_natively() {
    let mut desk = WorldDesk::new();
    for (task, spec) in [(1, "figure-1"), (2, "figure-1(visits:3,axis:log,bayesian:true,rng:9)")] {
        let sent = sent(&mut desk, Task(task), spec);
        let mut drawing = figure::start(&chosen(spec)).expect("it can be drawn");
        while drawing.step() {}
        assert_eq!(sent.last(), Some(&html::figure(&drawing.figure())), "{spec}");
    }
}

#[test]
fn the_catalogue_that_the_app_is_sent_has_the_figures() {
    let mut desk = WorldDesk::new();
    let greeting = crawl_protocol::Greeting { build: "test".to_owned() };
    let sent = desk.tell(Command::Hello(greeting), &[]);
    let catalogue = sent.into_iter().find_map(|(answer, _)| match answer {
        Answer::Hello(_, catalogue, _) => Some(catalogue),
        _ => None,
    });
    let catalogue = catalogue.expect("a greeting");
    assert_eq!(catalogue.choose(Kind::Figure, "figure-1"), Ok(chosen("figure-1")));
}

#[test]
fn why_a_figure_cannot_be_drawn_stands_in_its_place() {
    let mut desk = WorldDesk::new();
    let sent = sent(&mut desk, Task(1), "figure-1(naive:false,bias-reduced:false)");
    assert_eq!(sent.len(), 1);
    assert!(sent[0].contains("role=\"alert\"") && sent[0].contains("no estimator is chosen"));
}

/// One that takes long is shown as it grows, and the next replaces it.
#[test]
fn a_figure_grows_and_is_replaced() {
    let mut desk = WorldDesk::new();
    let figure = chosen("figure-1(pages:100)");
    desk.worker.command(Command::Figure { task: Task(1), figure }, &mut desk.host);
    desk.work();
    desk.work();
    let newer = sent(&mut desk, Task(2), "figure-1(pages:50)");
    assert!(newer.last().is_some_and(|html| html.contains("intervals of 95 %")));
    let is_old = |(answer, _): &(Answer, _)| matches!(answer, Answer::Figure { task: Task(1), html } if html.contains("intervals of"));
    assert!(!desk.host.sent.iter().any(is_old), "the old one is never complete");
}
