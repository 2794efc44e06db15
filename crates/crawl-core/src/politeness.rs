//! Politeness: one connection per host, and a delay after each fetch.

use crate::robots::RobotsFiles;
use crate::rules::microseconds;
use crate::{Frontier, GroupId, Rules, Web};
use crawl_world::HostId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Hosts that are resting, and until when. Built only if needed: with one fetcher and no delay, a
/// host never gets two requests at once.
#[derive(Clone, Debug)]
pub(crate) struct Politeness {
    delay_us: u64,
    obeys_robots: bool,
    resting: BinaryHeap<Reverse<(u64, HostId)>>,
}

impl Politeness {
    pub(crate) fn new(rules: &Rules, web: &dyn Web) -> Option<Self> {
        let matters = rules.fetchers > 1 || rules.delay_us > 0 || rules.robots && web.has_delays();
        matters.then(|| Self {
            delay_us: rules.delay_us,
            obeys_robots: rules.robots,
            resting: BinaryHeap::new(),
        })
    }

    pub(crate) fn started(host: Option<HostId>, frontier: &mut Frontier) {
        if let Some(host) = host {
            frontier.close(GroupId(host.0));
        }
    }

    /// Called when a fetch completes; returns the host if it is available again at once.
    pub(crate) fn completed(
        &mut self,
        host: Option<HostId>,
        now_us: u64,
        frontier: &mut Frontier,
        web: &dyn Web,
        robots: &mut RobotsFiles,
    ) -> Option<HostId> {
        let host = host?;
        let mut delay_us = self.delay_us;
        if self.obeys_robots {
            let asked_s = robots.of(host, web.host(host)).delay_s();
            delay_us = delay_us.max(microseconds(asked_s));
        }
        if delay_us == 0 {
            frontier.open(GroupId(host.0));
            return Some(host);
        }
        self.resting.push(Reverse((now_us.saturating_add(delay_us), host)));
        None
    }

    /// Opens the hosts whose delay is over, and calls `also` with each.
    pub(crate) fn wake(
        &mut self,
        now_us: u64,
        frontier: &mut Frontier,
        also: &mut dyn FnMut(HostId),
    ) {
        while let Some(Reverse((until, host))) = self.resting.peek().copied() {
            if until > now_us {
                break;
            }
            self.resting.pop();
            frontier.open(GroupId(host.0));
            also(host);
        }
    }

    /// The time at which the next host with waiting URLs becomes available.
    pub(crate) fn next_wake(
        &self,
        frontier: &Frontier,
        also: &dyn Fn(HostId) -> bool,
    ) -> Option<u64> {
        let waits = |rest: &&Reverse<(u64, HostId)>| {
            let host = rest.0.1;
            frontier.has_group(GroupId(host.0)) || also(host)
        };
        // Usually the first host has waiting URLs; only otherwise scan all resting hosts.
        let first = self.resting.peek().filter(waits);
        let first = first.or_else(|| self.resting.iter().filter(waits).max());
        first.map(|rest| rest.0.0)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.resting.len() * size_of::<(u64, HostId)>()
    }
}
