//! Two rankers compared: how each settled, how alike they order pages, and which they call best.

use crawl_catalogue::Chosen;
use crawl_claims::plot::escaped;
use crawl_claims::{Figure, Line, Unit, html};
use crawl_core::correlation::{kendall_tau, places, top_overlap};
use crawl_core::ranker::{self, Graph, Ranking};
use crawl_run::Limits;
use crawl_world::{PageId, World, order};
use std::fmt::Write;

/// Pages listed.
const BEST: usize = 10;
/// Shares of all pages whose best are compared.
const SHARES: [f64; 2] = [0.01, 0.1];

/// The comparison, as a part of a page.
pub(crate) fn compared(world: &World, rankers: &[Chosen; 2]) -> Result<String, String> {
    let catalogue = crawl_run::catalogue();
    for chosen in rankers {
        let checked = Limits::default().check_ranker(chosen, world, &catalogue);
        checked.map_err(|error| error.to_string())?;
    }
    let graph = Graph::of(world);
    let [a, b] = rankers.each_ref().map(|chosen| {
        let ranker = ranker::ranker(chosen).ok_or_else(|| format!("there is no ranker {chosen}"));
        ranker.map(|ranker| ranker.rank(&graph))
    });
    let rankings = [a?, b?];
    let mut html = String::new();
    if rankers[0] != rankers[1] {
        write_agreement(&mut html, &rankings);
    }
    html.push_str(&html::picture(&settling(rankers, &rankings)));
    write_best(&mut html, world, rankers, &rankings);
    Ok(html)
}

/// How alike they order pages.
fn write_agreement(html: &mut String, [a, b]: &[Ranking; 2]) {
    let tau = kendall_tau(&a.values, &b.values);
    let tau = tau.map_or_else(|| "–".to_owned(), |tau| format!("{tau:.3}"));
    let n = a.values.len();
    html.push_str("<table class=\"numbers\"><thead><tr><th scope=\"col\">Measure</th><th scope=\"col\">Value</th></tr></thead><tbody>\n");
    let mut row = |name: String, value: String| {
        let _ = writeln!(html, "<tr><th scope=\"row\">{name}</th><td>{value}</td></tr>");
    };
    row("Kendall's τ over all pages, ties counted".to_owned(), tau);
    let shares = SHARES.map(|share| ((share * n as f64) as usize).max(1));
    for k in [BEST.min(n)].into_iter().chain(shares) {
        let shared = top_overlap(&a.values, &b.values, k);
        row(format!("of the best {k}, both name"), format!("{:.0} %", 100.0 * shared));
    }
    html.push_str("</tbody></table>\n");
}

/// What was left to settle after each sweep.
fn settling(rankers: &[Chosen; 2], rankings: &[Ranking; 2]) -> Figure {
    let n = rankings.iter().map(|ranking| ranking.residuals.len()).max().unwrap_or(0);
    let line = |(chosen, ranking): (&Chosen, &Ranking)| Line {
        name: chosen.to_string(),
        values: ranking.residuals.iter().map(|left| libm::log10(left.max(1e-16))).collect(),
        half_widths: Vec::new(),
        is_bound: false,
        points: Vec::new(),
        marks: [None; 2],
    };
    let mut lines: Vec<Line> = rankers.iter().zip(rankings).map(line).collect();
    if rankers[0] == rankers[1] {
        lines.pop();
    }
    Figure {
        id: "settling".to_owned(),
        title: "What the next sweep would change".to_owned(),
        x: "sweeps".to_owned(),
        at: (1..=n as u32).map(f64::from).collect(),
        y: "log₁₀ of the sum over all pages".to_owned(),
        unit: Unit::Number,
        lines,
        ..Figure::default()
    }
}

fn write_best(html: &mut String, world: &World, rankers: &[Chosen; 2], rankings: &[Ranking; 2]) {
    let all = rankings.each_ref().map(|ranking| places(&ranking.values));
    for (i, chosen) in rankers.iter().enumerate() {
        let other = 1 - i;
        if i == 1 && rankers[0] == rankers[1] {
            return;
        }
        let _ = writeln!(
            html,
            "<table class=\"numbers\"><caption>The best by {}</caption><thead><tr>\
             <th scope=\"col\">Page</th><th scope=\"col\">Share</th>\
             <th scope=\"col\">Place by {}</th></tr></thead><tbody>",
            escaped(&chosen.to_string()),
            escaped(&rankers[other].to_string())
        );
        let values = &rankings[i].values;
        let best = order::by_key(values.len(), |page| order::falling(values[page]));
        for page in best.into_iter().take(BEST) {
            let url = world.url(PageId(page));
            let (value, place) = (100.0 * values[page as usize], all[other][page as usize]);
            let _ = writeln!(
                html,
                "<tr><th scope=\"row\" class=\"url\">{}</th><td>{value:.3} %</td><td>{place}</td></tr>",
                escaped(&url)
            );
        }
        html.push_str("</tbody></table>\n");
    }
}
