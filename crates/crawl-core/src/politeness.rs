//! One connection per host, and a pause after it.

use crate::robots::RobotsFiles;
use crate::rules::microseconds;
use crate::{Frontier, GroupId, Rules, Web};
use crawl_world::HostId;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Which hosts must be left alone, and until when. Exists only when that could matter: with one
/// fetcher and no delay a host is never asked for two pages at once.
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

    /// A fetch is complete; says which host may be asked again at once.
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

    /// Opens the hosts that have rested enough, and says which.
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

    /// When the next host with waiting URLs may be asked again.
    pub(crate) fn next_wake(
        &self,
        frontier: &Frontier,
        also: &dyn Fn(HostId) -> bool,
    ) -> Option<u64> {
        let waits = |rest: &&Reverse<(u64, HostId)>| {
            let host = rest.0.1;
            frontier.has_group(GroupId(host.0)) || also(host)
        };
        // Mostly the first to wake has URLs; only otherwise all resting hosts are looked through.
        let first = self.resting.peek().filter(waits);
        let first = first.or_else(|| self.resting.iter().filter(waits).max());
        first.map(|rest| rest.0.0)
    }

    pub(crate) fn bytes(&self) -> usize {
        self.resting.len() * size_of::<(u64, HostId)>()
    }
}
