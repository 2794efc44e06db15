//! Both workers without a browser: the tests are their host.

mod figure;
mod hosts;
mod lane;
mod limits;
mod policies;
mod reopened;
mod timeline;
mod topic;
mod values;
mod world;
