//! How much higher estimated change rates are than the true ones, relatively, on average.

use super::MetricEntry;
use super::rate_errors::RateErrors;
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "rate-bias",
        "Bias of the estimates",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2003; Wen & Lu 2004 (C), figure 1",
            summary: "How much higher estimated change rates are than the true ones, relatively, on average",
            description: "Over pages that change and were visited again; below 0 where estimates are low.",
            formula: "mean of (λ̂ − λ) ÷ λ",
            params: &[],
        },
    ),
    shown: &["rate-bias"],
    build: |_, _| Box::new(RateErrors::new(|error| error)),
};
