//! Writes a report as an HTML fragment: claims, then figures and tables.
//!
//! The fragment has classes but no styles; the page styles it.

use crate::format;
use crate::judge::{Claim, ClaimTable, Verdict};
use crate::plot::{self, Look, escaped};
use crate::report::{Figure, Report, Table};
use std::fmt::Write;

/// Writes a report as an HTML fragment.
pub fn write(report: &Report) -> String {
    let mut html = format!("<p class=\"caption\">{}</p>\n", escaped(&report.caption));
    write_claims(&mut html, &report.claims);
    for figure in &report.figures {
        // Picture and table are self-contained.
        html.push_str(&picture(figure));
    }
    report.tables.iter().for_each(|table| write_table(&mut html, table));
    html
}

/// Writes a figure with parameters: picture, notes and numbers.
pub fn figure(figure: &Figure) -> String {
    let mut html = picture(figure);
    let numbers = figure.numbers();
    let _ = writeln!(
        html,
        "<p class=\"note\" role=\"status\">{}</p>",
        escaped(&numbers.notes.join(" "))
    );
    html.push_str("<details><summary>All numbers</summary>\n");
    write_table(&mut html, &Table { notes: Vec::new(), ..numbers });
    html.push_str("</details>\n");
    html
}

/// Writes a figure's picture in a wide and a narrow version; the page shows one.
pub fn picture(figure: &Figure) -> String {
    let [wide, narrow] = [Look::Page, Look::Phone].map(|look| plot::draw_as(figure, look));
    format!("<figure aria-label=\"{}\">{wide}{narrow}</figure>\n", escaped(&figure.title))
}

/// Writes the claims: one row per claim, one column per web, the reason below each verdict.
fn write_claims(html: &mut String, claims: &[Claim]) {
    let ClaimTable { webs, rows } = ClaimTable::new(claims);
    html.push_str("<table class=\"claims\"><thead><tr><th scope=\"col\">Claim</th>");
    for webs in webs {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(webs));
    }
    html.push_str("</tr></thead><tbody>\n");
    for (first, row) in rows {
        let (says, source) = (escaped(&first.says), escaped(&first.cited()));
        let _ = write!(
            html,
            "<tr><th scope=\"row\">{says} <span class=\"source\">{source}</span></th>"
        );
        for claim in row {
            match claim {
                None => html.push_str("<td>–</td>"),
                Some(claim) => {
                    let class = match claim.verdict {
                        Verdict::Held => "held",
                        Verdict::NotHeld => "not-held",
                        Verdict::Undecided => "unclear",
                    };
                    let (word, because) = (claim.verdict.word(), escaped(&claim.because));
                    let _ = write!(
                        html,
                        "<td><details><summary class=\"verdict {class}\">{word}</summary>\
                         <p>{because}</p></details></td>"
                    );
                }
            }
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table>\n");
}

fn write_table(html: &mut String, table: &Table) {
    let _ = write!(
        html,
        "<table class=\"numbers\"><caption>{}</caption><thead><tr>",
        escaped(&table.title)
    );
    for head in &table.heads {
        let _ = write!(html, "<th scope=\"col\">{}</th>", escaped(head));
    }
    html.push_str("</tr></thead><tbody>\n");
    for row in &table.rows {
        let _ = write!(html, "<tr><th scope=\"row\">{}</th>", escaped(&row.name));
        for cell in &row.cells {
            let text = cell.map_or_else(String::new, |cell| format::cell(cell, table.unit));
            let _ = write!(html, "<td>{text}</td>");
        }
        html.push_str("</tr>\n");
    }
    html.push_str("</tbody></table>\n");
    for note in &table.notes {
        let _ = writeln!(html, "<p class=\"note\">{}</p>", escaped(note));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DOCUMENTS, Job, Step};

    #[test]
    fn every_claim_number_and_figure_is_in_it() {
        for document in DOCUMENTS {
            let mut job = Job::generated(document, 2, 1000);
            let report = loop {
                if let Step::Done(report) = job.step().unwrap() {
                    break report;
                }
            };
            every_part_is_in(&report, &write(&report));
        }
    }

    fn every_part_is_in(report: &Report, html: &str) {
        for claim in &report.claims {
            assert!(html.contains(&escaped(&claim.because)), "{}", claim.because);
        }
        assert_eq!(html.matches("<figure").count(), report.figures.len());
        let n_verdicts = html.matches("class=\"verdict ").count();
        assert_eq!(n_verdicts, report.claims.len());
        // Nothing that the Content-Security-Policy forbids, and all elements are closed.
        assert!(!html.contains("style=") && !html.contains("<script"));
        for name in ["table", "figure", "details", "tr", "td", "th", "svg", "text"] {
            let opened = html.matches(&format!("<{name}>")).count()
                + html.matches(&format!("<{name} ")).count();
            assert_eq!(opened, html.matches(&format!("</{name}>")).count(), "{name}");
        }
    }
}
