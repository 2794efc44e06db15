//! How much an ordering, a policy or a ranker computes.

/// Expected work that grows faster than pages, links and visits do. The default is none of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Work {
    /// Sweeps over all pages fetched so far and their links, per page fetched.
    pub sweeps_per_fetch: f64,
    /// Looks at every waiting URL, per page fetched.
    pub scans_per_fetch: f64,
    /// Looks at every page that may be visited again, per step.
    pub scans_per_step: f64,
    /// Nanoseconds per link that a fetched page shows, where more is done than to count it.
    pub ns_per_link: f64,
}

impl Work {
    /// Both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            sweeps_per_fetch: self.sweeps_per_fetch + other.sweeps_per_fetch,
            scans_per_fetch: self.scans_per_fetch + other.scans_per_fetch,
            scans_per_step: self.scans_per_step + other.scans_per_step,
            ns_per_link: self.ns_per_link + other.ns_per_link,
        }
    }
}

/// Plain sweeps until values settle to a tolerance that every sweep brings nearer by `factor`.
pub(crate) fn plain_sweeps(tolerance: f64, factor: f64) -> f64 {
    libm::log(tolerance) / libm::log(factor.clamp(0.01, 0.9999))
}

/// The same where most pages settle early and are passed over: a fourth (measured on generated webs).
pub(crate) fn sweeps_to_settle(tolerance: f64, factor: f64) -> f64 {
    plain_sweeps(tolerance, factor) / 4.0
}
