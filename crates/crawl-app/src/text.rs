//! Every sentence of the interface, in one place that can be translated.
//!
//! A language is one file with one [`Text`]; the compiler says what a translation lacks. Texts of
//! strategies, worlds and measures come from their registries. `{name}` is filled in by [`fill`].

mod english;

/// All sentences, by what they are for.
#[allow(
    missing_docs,
    reason = "the names are the documentation; the sentences stand in the languages"
)]
pub struct Text {
    /// Between groups of three digits.
    pub thousands: &'static str,
    /// Between whole and fraction.
    pub decimal: &'static str,
    /// What the page is called.
    pub title: &'static str,
    /// The question of a first visit.
    pub question: &'static str,
    // Top bar.
    pub reproduced: &'static str,
    pub reproduced_help: &'static str,
    pub not_reproduced: &'static str,
    pub not_reproduced_help: &'static str,
    pub present: &'static str,
    pub stop_presenting: &'static str,
    pub export: &'static str,
    pub claims: &'static str,
    pub ranks: &'static str,
    pub ranks_title: &'static str,
    pub ranks_about: &'static str,
    pub ranks_one: &'static str,
    pub ranks_other: &'static str,
    pub ranks_busy: &'static str,
    pub claims_title: &'static str,
    pub claims_about: &'static str,
    pub claims_document: &'static str,
    pub claims_webs: &'static str,
    pub claims_pages: &'static str,
    pub claims_start: &'static str,
    pub claims_stop: &'static str,
    pub claims_failed: &'static str,
    pub claims_report: &'static str,
    pub claims_save: &'static str,
    pub share: &'static str,
    pub help: &'static str,
    pub set_up: &'static str,
    pub theme: &'static str,
    pub open_in_crawlscope: &'static str,
    // Set-up.
    pub world: &'static str,
    pub change: &'static str,
    pub seeds: &'static str,
    pub strategies: &'static str,
    pub add_strategy: &'static str,
    pub left_out: &'static str,
    pub remove: &'static str,
    pub replace: &'static str,
    pub rules: &'static str,
    pub chance: &'static str,
    pub chance_help: &'static str,
    pub oracle: &'static str,
    pub oracle_help: &'static str,
    pub no_parameters: &'static str,
    pub n_links: Plural,
    pub n_hosts: Plural,
    pub own_seeds: Plural,
    pub chosen_seeds: Plural,
    pub top_seeds: Plural,
    pub reach_all: &'static str,
    pub reach_some: &'static str,
    pub source: &'static str,
    pub more: &'static str,
    pub all_rules: &'static str,
    pub fewer_rules: &'static str,
    pub on: &'static str,
    pub off: &'static str,
    pub no_limit: &'static str,
    pub range: &'static str,
    pub refused: &'static str,
    /// What numbers of some rules count, with the space before it.
    pub units: &'static [(&'static [&'static str], &'static str)],
    pub formula_words: &'static str,
    pub formula_run: &'static str,
    pub completions: &'static str,
    // Lanes.
    pub of_pagerank: &'static str,
    pub next_of: &'static str,
    pub nothing_waits: &'static str,
    pub due_in: &'static str,
    pub none_due: &'static str,
    pub held: &'static str,
    pub held_help: &'static str,
    pub best_waiting: &'static str,
    pub best_waiting_help: &'static str,
    pub lane_running: &'static str,
    pub lane_failed: &'static str,
    pub lane_restarted: &'static str,
    pub world_restarted: &'static str,
    pub stage_of: &'static str,
    pub drawn_by_host: &'static str,
    pub drawn_top_pages: &'static str,
    pub links_left_out: &'static str,
    pub laying_out: &'static str,
    pub fit: &'static str,
    pub zoom_in: &'static str,
    pub zoom_out: &'static str,
    pub hulls: &'static str,
    pub layout: &'static str,
    pub colour: &'static str,
    pub hours_value: &'static str,
    pub days_time: &'static str,
    pub colour_age: &'static str,
    pub colour_by: &'static str,
    pub legend: &'static str,
    pub legend_staleness: &'static str,
    pub legend_log: &'static str,
    pub fetchers_busy: &'static str,
    pub keeps_none: &'static str,
    pub no_colour_by_host: &'static str,
    pub page_lacks_worker: &'static str,
    pub no_webgl: &'static str,
    pub click_for_seeds: &'static str,
    pub done: &'static str,
    // Inspector.
    pub inspector: &'static str,
    pub close: &'static str,
    pub why_next: &'static str,
    pub why_then: &'static str,
    pub why_again: &'static str,
    pub why_visit: &'static str,
    pub why_due: &'static str,
    pub visit_first: &'static str,
    pub visit_changed: &'static str,
    pub visit_same: &'static str,
    pub why_moved: &'static str,
    pub never_moved: &'static str,
    pub moved_by: &'static str,
    pub moved_place: &'static str,
    pub earlier_moves: &'static str,
    pub other_lanes: &'static str,
    pub place_unknown: &'static str,
    pub place_refused: &'static str,
    pub place_waiting: &'static str,
    pub waits: &'static str,
    pub with_score: &'static str,
    pub place_in_flight: &'static str,
    pub place_fetched: &'static str,
    pub place_first: &'static str,
    pub not_found_here: &'static str,
    pub refused_here: &'static str,
    pub true_rank: &'static str,
    pub divergence: &'static str,
    pub parted: &'static str,
    pub parted_because: &'static str,
    pub no_divergence: &'static str,
    pub asking: &'static str,
    // Dock.
    pub transport: &'static str,
    pub to_start: &'static str,
    pub back: &'static str,
    pub play: &'static str,
    pub pause: &'static str,
    pub forward: &'static str,
    pub to_end: &'static str,
    pub speed: &'static str,
    pub steps_a_second: &'static str,
    pub seconds_a_second: &'static str,
    pub of_pages: &'static str,
    pub of_fetches: &'static str,
    pub fetches: &'static str,
    pub against_fetches: &'static str,
    pub of_time: &'static str,
    pub scrubber: &'static str,
    pub against_pages: &'static str,
    pub pages_fetched: &'static str,
    pub simulated_seconds: &'static str,
    pub simulated_hours: &'static str,
    pub simulated_days: &'static str,
    pub against_seconds: &'static str,
    pub axis: &'static str,
    pub metric: &'static str,
    pub ideal: &'static str,
    pub ceiling: &'static str,
    pub random: &'static str,
    pub mute: &'static str,
    pub unmute: &'static str,
    pub keys_hint: &'static str,
    pub no_values: &'static str,
    pub announce_step: &'static str,
    pub diverge_mark: &'static str,
    // World dialog.
    pub choose_world: &'static str,
    pub built_in: &'static str,
    pub present_world: &'static str,
    pub upload_title: &'static str,
    pub upload_help: &'static str,
    pub choose_files: &'static str,
    pub drop_here: &'static str,
    pub reading: &'static str,
    pub cancel: &'static str,
    pub cannot_read: &'static str,
    pub read_as: &'static str,
    pub links_leaving: &'static str,
    pub seeds_reach: &'static str,
    pub seeds_reach_little: &'static str,
    pub better_seed: &'static str,
    pub run_it: &'static str,
    pub run_with_seed: &'static str,
    pub not_kept: &'static str,
    pub kept_worlds: &'static str,
    pub kept_experiments: &'static str,
    pub nothing_kept: &'static str,
    pub kept_space: &'static str,
    pub store_broken: &'static str,
    pub open: &'static str,
    pub delete: &'static str,
    pub new_name: &'static str,
    pub keep_experiment: &'static str,
    pub kept: &'static str,
    // Strategy dialog.
    pub choose_strategy: &'static str,
    pub revisits: &'static str,
    pub no_revisits: &'static str,
    pub choose_policy: &'static str,
    pub one_policy: &'static str,
    pub each_policy: &'static str,
    pub stop_revisits: &'static str,
    pub visits_an_hour: &'static str,
    pub old_and_new: &'static str,
    pub old_only: &'static str,
    pub outcome: &'static str,
    pub new_first: &'static str,
    pub old_first: &'static str,
    pub new_or_old: &'static str,
    pub share_old: &'static str,
    pub as_they_come: &'static str,
    // Seeds dialog.
    pub choose_seeds: &'static str,
    pub search_pages: &'static str,
    pub found_pages: Plural,
    pub use_own_seeds: &'static str,
    pub start_at_best: &'static str,
    pub best_by: &'static str,
    pub best_by_own: &'static str,
    pub start_at_best_help: &'static str,
    pub too_many_starts: &'static str,
    pub on_the_stage: &'static str,
    pub add_seed: &'static str,
    // Share dialog.
    pub share_title: &'static str,
    pub link: &'static str,
    pub copy: &'static str,
    pub copied: &'static str,
    pub copy_failed: &'static str,
    pub link_length: &'static str,
    pub travels: &'static str,
    pub travels_world: &'static str,
    pub stays_world: &'static str,
    pub digests_pending: &'static str,
    pub qr: &'static str,
    pub qr_too_long: &'static str,
    pub embed: &'static str,
    pub embed_help: &'static str,
    // Export dialog.
    pub export_title: &'static str,
    pub export_images: &'static str,
    pub export_data: &'static str,
    pub stage_png: &'static str,
    pub stage_svg: &'static str,
    pub chart_svg: &'static str,
    pub chart_png: &'static str,
    pub series_csv: &'static str,
    pub series_json: &'static str,
    pub order_csv: &'static str,
    pub order_json: &'static str,
    pub world_jsonl: &'static str,
    pub animation: &'static str,
    pub recording: &'static str,
    pub stop_recording: &'static str,
    // Help dialog.
    pub help_title: &'static str,
    pub marks: &'static str,
    pub mark_unknown: &'static str,
    pub mark_waiting: &'static str,
    pub mark_fetched: &'static str,
    pub mark_current: &'static str,
    pub mark_best: &'static str,
    pub mark_held: &'static str,
    pub mark_stale: &'static str,
    pub mark_visits: &'static str,
    pub mark_changes: &'static str,
    pub mark_bands: &'static str,
    pub keys: &'static str,
    pub key_space: &'static str,
    pub key_arrows: &'static str,
    pub key_home_end: &'static str,
    pub key_digits: &'static str,
    pub key_escape: &'static str,
    pub key_page: &'static str,
    // States.
    pub starting: &'static str,
    pub making_world: &'static str,
    pub ranking_pages: &'static str,
    pub broken_link: &'static str,
    pub broken_newer: &'static str,
    pub broken_help: &'static str,
    pub broken_link_was: &'static str,
    pub open_first: &'static str,
    pub open_without: &'static str,
    pub file_needed: &'static str,
    pub file_needed_help: &'static str,
    pub choose_file: &'static str,
    pub world_failed: &'static str,
    pub workers_failed: &'static str,
    pub reload: &'static str,
    pub dismiss: &'static str,
    // Topics and the link graph.
    pub topic: &'static str,
    pub topic_none: &'static str,
    pub topic_kind: &'static str,
    pub topic_wanted: &'static str,
    pub topic_chosen: &'static str,
    pub topic_failed: &'static str,
    pub topic_learning: &'static str,
    pub label_pages: &'static str,
    pub looked_for: &'static str,
    pub not_looked_for: &'static str,
    pub mark_page: &'static str,
    pub nothing_marked: &'static str,
    pub mark_help: &'static str,
    pub words_title: &'static str,
    pub words_field: &'static str,
    pub words_help: &'static str,
    pub words_cut: &'static str,
    pub words_lowered: &'static str,
    pub words_stem: &'static str,
    pub words_stopped: &'static str,
    pub timeline: &'static str,
    pub timeline_failed: &'static str,
    pub graph: &'static str,
    pub graph_title: &'static str,
    pub graph_after: &'static str,
    pub graph_counts: &'static str,
    pub graph_left_out: &'static str,
    pub graph_vertex_is: &'static str,
    pub graph_nothing: &'static str,
    pub graph_waits: &'static str,
    pub graph_never: &'static str,
    pub graph_none: &'static str,
    pub graph_example: &'static str,
    pub graph_of: &'static str,
    pub graph_vertex: &'static str,
    pub graph_result: &'static str,
    pub sweep: &'static str,
    pub sweep_of: &'static str,
    pub sweep_start: &'static str,
    pub sweep_back: &'static str,
    pub sweep_play: &'static str,
    pub sweep_pause: &'static str,
    pub sweep_forward: &'static str,
    pub sweep_none: &'static str,
    pub sweep_changed: &'static str,
    pub sweep_settled: &'static str,
    pub sweep_cut: &'static str,
    pub click_worth: &'static str,
    pub q_result: &'static str,
    pub q_click: &'static str,
    pub q_clicks: &'static str,
    pub q_none: &'static str,
    pub q_max: &'static str,
    pub q_seed: &'static str,
    pub vertex_anchor: &'static str,
    pub vertex_url: &'static str,
    pub vertex_context: &'static str,
    pub match_title: &'static str,
    pub match_help: &'static str,
    pub match_not_shown: &'static str,
    pub relearn_mark: &'static str,
}

/// A sentence about a number of things.
pub struct Plural {
    /// About one.
    pub one: &'static str,
    /// About none or several.
    pub other: &'static str,
}

impl Plural {
    /// The sentence for so many, with `{n}` filled in.
    pub fn of(&self, n: u64) -> String {
        let sentence = if n == 1 { self.one } else { self.other };
        fill(sentence, &[("n", &crate::model::count_text(n))])
    }
}

/// The sentences of the reader's language.
pub fn text() -> &'static Text {
    &english::ENGLISH
}

/// A sentence with `{name}`s replaced.
pub fn fill(sentence: &str, values: &[(&str, &str)]) -> String {
    let mut out = String::with_capacity(sentence.len() + 16);
    let mut rest = sentence;
    while let Some(open) = rest.find('{') {
        let (before, after) = rest.split_at(open);
        out.push_str(before);
        let Some(close) = after.find('}') else {
            out.push_str(after);
            return out;
        };
        let name = &after[1..close];
        let value = values.iter().find(|(key, _)| *key == name).map(|(_, value)| *value);
        out.push_str(value.unwrap_or(&after[..=close]));
        rest = &after[close + 1..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_filled_once() {
        assert_eq!(fill("{a} of {b}", &[("a", "{b}"), ("b", "2")]), "{b} of 2");
        assert_eq!(fill("{unknown} {", &[]), "{unknown} {");
    }

    #[test]
    fn plurals_agree() {
        let pages = Plural { one: "{n} page", other: "{n} pages" };
        assert_eq!((pages.of(1), pages.of(0)), ("1 page".into(), "0 pages".into()));
        assert_eq!(pages.of(1200), "1,200 pages");
    }
}
