//! What a run may cost, estimated before it starts.
//!
//! Links may ask for anything that their parameters allow, and products of parameters come to more
//! than any machine can do: 10⁹ visits an hour for 10⁶ hours. So steps and work are estimated from
//! the experiment and the size of its world, and what would not end within about twenty seconds and
//! two gigabytes is refused, with values that fit.
//!
//! One operation is about a nanosecond of one core. The constants were measured on generated worlds of
//! 1,000 to 1,000,000 pages; an estimate is right within a factor of three.
//!
//! A run makes at most 4,000,000 steps in all lanes together: a lane worker stores 21 bytes per step,
//! the app 28 to 40. Entries declare work that grows faster than pages and links (`Needs::work`,
//! `PolicyNeeds::work`, `RankerEntry::sweeps`, `WorldEntry::n_links`). `Run::unlimited` skips the
//! estimate, for callers that bound their own runs.

mod estimate;
mod offers;

use crawl_catalogue::{Catalogue, Chosen};
use crawl_protocol::{Experiment, Seeds};
use crawl_world::generate::WorldEntry;
use crawl_world::{Reach, World};
use estimate::{Estimate, Size};
use std::fmt;

/// Most of what a run may cost.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Limits {
    /// Steps of all lanes together: what is kept of each takes some 50 bytes.
    pub steps: f64,
    /// Operations of all lanes together.
    pub operations: f64,
    /// Links of a generated world: every lane's worker holds all of them.
    pub links: f64,
}

impl Limits {
    /// Refuses an experiment that is too much; without a reach, only the ranking that its seeds need.
    pub(crate) fn check(
        &self,
        experiment: &Experiment,
        world: &World,
        reach: Option<&Reach>,
        catalogue: &Catalogue,
    ) -> Result<(), TooMuch> {
        match (&experiment.seeds, reach) {
            (_, Some(reach)) => {
                let size = Size::new(world, reach, experiment);
                Estimate::check(experiment, &size, self, catalogue)
            }
            (Seeds::Top { ranker, .. }, None) => self.check_ranker(ranker, world, catalogue),
            // Each ordering's own ranker is bounded as the ordering is.
            (_, None) => Ok(()),
        }
    }

    /// Refuses a ranker that would take too long over a world.
    ///
    /// # Errors
    /// Where it would.
    pub fn check_ranker(
        &self,
        chosen: &Chosen,
        world: &World,
        catalogue: &Catalogue,
    ) -> Result<(), TooMuch> {
        estimate::check_ranker(chosen, world, self, catalogue)
    }

    /// Refuses a generated world that has too many links.
    pub(crate) fn check_world(&self, entry: &WorldEntry, chosen: &Chosen) -> Result<(), TooMuch> {
        let (amount, most) = ((entry.n_links)(&chosen.params), self.links);
        if amount <= most {
            return Ok(());
        }
        let fits = |other: &Chosen| (entry.n_links)(&other.params) <= most;
        let offers = offers::of_params(chosen, &entry.entry.params, &fits);
        Err(TooMuch { of: Excess::Links, amount, most, offers })
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: 4e6, operations: 1.2e10, links: 1.2e7 }
    }
}

/// What there would be too much of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Excess {
    /// Fetches and visits.
    Steps,
    /// Operations.
    Operations,
    /// Links of a world.
    Links,
}

/// Why a run or a world is refused before it starts: it would be too much.
#[derive(Clone, Debug, PartialEq)]
pub struct TooMuch {
    /// Of what.
    pub of: Excess,
    /// How much there would be.
    pub amount: f64,
    /// How much fits.
    pub most: f64,
    /// What fits: one of these in place of what was asked for.
    pub offers: Vec<Offer>,
}

/// One value in place of another, with which a run fits.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    /// Which value it replaces.
    pub of: OfferOf,
    /// The parameter.
    pub key: String,
    /// Its value.
    pub value: f64,
}

/// Whose parameter an offer changes.
#[derive(Clone, Debug, PartialEq)]
pub enum OfferOf {
    /// A rule of the crawl.
    Rule,
    /// The ordering, world or ranker of this id, in every lane.
    Entry(String),
}

impl fmt::Display for Offer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { of, key, value } = self;
        match of {
            OfferOf::Rule => write!(f, "{key}={value}"),
            OfferOf::Entry(id) => write!(f, "{id}({key}:{value})"),
        }
    }
}

impl fmt::Display for TooMuch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (verb, noun) = match self.of {
            Excess::Steps => ("this run would make", "visits"),
            Excess::Operations => ("this run would take", "operations"),
            Excess::Links => ("this world would have", "links"),
        };
        let (amount, most) = (Number(self.amount), Number(self.most));
        write!(f, "{verb} about {amount} {noun}; at most {most} fit")?;
        for (at, offer) in self.offers.iter().enumerate() {
            write!(f, "{}{offer}", if at == 0 { ": try " } else { " or " })?;
        }
        Ok(())
    }
}

impl std::error::Error for TooMuch {}

/// A number as a person reads it: 4,000,000 or 3.6 × 10^15.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 >= 1e8 {
            let text = format!("{:.1e}", self.0);
            let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
            return write!(f, "{digits} × 10^{power}");
        }
        let digits = format!("{:.0}", self.0);
        for (at, digit) in digits.chars().enumerate() {
            if at > 0 && (digits.len() - at).is_multiple_of(3) {
                f.write_str(",")?;
            }
            write!(f, "{digit}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
