//! Both workers without a browser: the tests are their host.

mod hosts;
mod lane;
mod reopened;
mod topic;
mod values;
mod world;
