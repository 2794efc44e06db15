//! Mean relative error of the estimated change rates.

use super::MetricEntry;
use super::rate_errors::RateErrors;
use crawl_catalogue::{Entry, EntryTexts};

pub(super) const ENTRY: MetricEntry = MetricEntry {
    entry: Entry::new(
        "rate-error",
        "Error of the estimates",
        EntryTexts {
            family: "Freshness",
            source: "Cho & Garcia-Molina 2003; Wen & Lu 2004, figure 1",
            summary: "Mean relative error of the estimated change rates",
            description: "Over pages that change and were revisited.",
            formula: "mean of |λ̂ − λ| ÷ λ",
            params: &[],
        },
    ),
    shown: &["rate-error"],
    build: |_, _| Box::new(RateErrors::new(f64::abs)),
};
