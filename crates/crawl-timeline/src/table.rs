//! The visible rows as a table, for screen readers.

use crate::model::Model;
use crawl_text::number::{moment_text, whole_percent_text};
use crawl_text::timeline::text;

/// Cells of a row: page, lane, visits, wasted, fresh share, next visit due.
pub type Cells = [String; 6];

/// The visible rows: page by page, each in every lane.
pub fn cells(model: &Model) -> Vec<Cells> {
    let layout = model.layout();
    let pages = layout.rows.iter().filter_map(|place| model.row(place.index));
    let lanes = || model.scene.lanes.iter().enumerate();
    pages
        .flat_map(|row| lanes().map(move |(at, lane)| (row, at, lane)))
        .map(|(row, at, lane)| {
            let name = model.hosts.short(&row.url);
            let Some(held) = model.held(at, row.page) else {
                let loading = text().loading.to_owned();
                return [
                    name,
                    lane.title.clone(),
                    loading,
                    String::new(),
                    String::new(),
                    String::new(),
                ];
            };
            let fresh = match model.fresh_share(held) {
                Some(share) => whole_percent_text(share),
                None => text().no_copy.to_owned(),
            };
            [
                name,
                lane.title.clone(),
                held.marks.n_visits.to_string(),
                held.marks.n_wasted.to_string(),
                fresh,
                held.marks.due_s.map(moment_text).unwrap_or_default(),
            ]
        })
        .collect()
}
