//! Both workers without a browser: the tests are their host.

mod hosts;
mod lane;
mod values;
mod world;
