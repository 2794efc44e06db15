//! The elements of the timeline: controls, canvases, legend, table.

use crate::dense::LeftOut;
use crate::model::{Empty, Model};
use crate::table::Cells;
use crawl_protocol::timeline::{RowGroup, RowOrder};
use crawl_text::fill;
use crawl_text::number::{count_text, moment_text};
use crawl_text::timeline::text;
use wasm_bindgen::JsCast;
use web_sys::{Document, Element, HtmlCanvasElement, HtmlElement, HtmlSelectElement};

/// Icon paths, 16 by 16.
const PLUS: &str = "M7 2h2v5h5v2H9v5H7V9H2V7h5z";
const MINUS: &str = "M2 7h12v2H2z";
const CROSS: &str =
    "m3.5 2.1 4.5 4.5 4.5-4.5 1.4 1.4L9.4 8l4.5 4.5-1.4 1.4L8 9.4l-4.5 4.5-1.4-1.4L6.6 8 2.1 3.5z";

/// Elements that are updated or listened to.
pub struct Controls {
    /// Order of the rows.
    pub order: HtmlSelectElement,
    /// Grouping of the rows.
    pub group: HtmlSelectElement,
    /// Zoom in.
    pub zoom_in: HtmlElement,
    /// Zoom out.
    pub zoom_out: HtmlElement,
    /// Show the whole run.
    pub fit: HtmlElement,
    /// Show one page.
    pub alone: HtmlElement,
    /// Close the timeline.
    pub close: HtmlElement,
    /// Container of the canvases.
    pub body: HtmlElement,
    /// Canvas of the rows.
    pub rows: HtmlCanvasElement,
    /// Canvas of the overlay; receives pointer events.
    pub over: HtmlCanvasElement,
    /// Button that opens the policy dialog.
    pub policy: HtmlElement,
    tip: HtmlElement,
    empty: HtmlElement,
    empty_words: HtmlElement,
    count: HtmlElement,
    legend: HtmlElement,
    expected: HtmlElement,
    left_out: HtmlElement,
    table: HtmlElement,
}

/// Creates elements.
struct Maker<'a> {
    document: &'a Document,
}

impl Maker<'_> {
    fn make<T: JsCast>(&self, tag: &str, class: &str, into: &Element) -> Option<T> {
        let element = self.document.create_element(tag).ok()?;
        element.set_class_name(class);
        into.append_child(&element).ok()?;
        element.dyn_into().ok()
    }

    fn words(&self, tag: &str, class: &str, words: &str, into: &Element) -> Option<HtmlElement> {
        let element: HtmlElement = self.make(tag, class, into)?;
        element.set_text_content(Some(words));
        Some(element)
    }

    /// A button with an icon.
    fn sign(&self, name: &str, path: &str, into: &Element) -> Option<HtmlElement> {
        let button: HtmlElement = self.make("button", "quiet", into)?;
        button.set_inner_html(&format!(
            "<svg width=16 height=16 viewBox='0 0 16 16' fill=currentColor aria-hidden=true>\
             <path d='{path}'/></svg>"
        ));
        for attribute in ["aria-label", "title"] {
            button.set_attribute(attribute, name).ok()?;
        }
        Some(button)
    }

    fn select(&self, name: &str, options: &[&str], into: &Element) -> Option<HtmlSelectElement> {
        let select: HtmlSelectElement = self.make("select", "", into)?;
        select.set_attribute("aria-label", name).ok()?;
        select.set_attribute("title", name).ok()?;
        for option in options {
            self.words("option", "", option, &select)?;
        }
        Some(select)
    }

    /// The legend.
    fn legend(&self, into: &Element) -> Option<(HtmlElement, HtmlElement, HtmlElement)> {
        let t = text();
        let shapes = [
            ("<rect class=fresh x=0 y=3 width=18 height=10 />", t.legend_fresh),
            (
                "<rect class=stale x=0 y=3 width=18 height=10 />\
                 <path class=stale-line d='M1 13 9 3M7 13 15 3M13 13 18 6.7' />",
                t.legend_stale,
            ),
            ("<path class=change d='M9 1v14' />", t.legend_change),
            ("<path class=missed d='M9 2v12' />", t.legend_missed),
            ("<circle class=visit cx=9 cy=8 r=4.6 />", t.legend_visit),
            ("<circle class=wasted cx=9 cy=8 r=4 />", t.legend_wasted),
            (
                "<circle class=wasted cx=9 cy=8 r=4.4 /><circle class=visit cx=9 cy=8 r=1.8 />",
                t.legend_first,
            ),
            ("<path class=wasted d='M2 5v6h14V5' />", t.legend_period),
            ("<path class=visit d='m9 4 4 8H5z' />", t.legend_due),
            ("<path class=expected d='M0 8h18' />", t.legend_expected),
            (
                "<rect class=stale x=0 y=3 width=18 height=10 />\
                 <path class=fresh d='M0 13V7h6v3h6V5h6v8z' />",
                "",
            ),
        ];
        let legend: HtmlElement = self.make("ul", "timeline-legend", into)?;
        let mut items = Vec::new();
        for (shape, name) in shapes {
            let item: HtmlElement = self.make("li", "", &legend)?;
            item.set_inner_html(&format!(
                "<svg width=18 height=16 viewBox='0 0 18 16' aria-hidden=true>{shape}</svg>"
            ));
            self.words("span", "", name, &item)?;
            items.push(item);
        }
        let (left_out, expected) = (items.pop()?, items.pop()?);
        left_out.set_hidden(true);
        Some((legend, expected, left_out))
    }
}

impl Controls {
    /// Creates the elements in `into`, replacing its content.
    pub fn new(into: &HtmlElement, document: &Document) -> Option<Self> {
        let t = text();
        into.set_text_content(None);
        let maker = Maker { document };
        let head: HtmlElement = maker.make("header", "timeline-head", into)?;
        maker.words("h2", "", t.title, &head)?;
        let count = maker.words("p", "muted number", "", &head)?;
        maker.make::<HtmlElement>("span", "spring", &head)?;
        let order = maker.select(t.sort, &t.orders, &head)?;
        let group = maker.select(t.group, &t.groups, &head)?;
        let alone = maker.words("button", "", t.alone, &head)?;
        alone.set_attribute("title", t.alone_help).ok()?;
        let zoom_out = maker.sign(t.zoom_out, MINUS, &head)?;
        let zoom_in = maker.sign(t.zoom_in, PLUS, &head)?;
        let fit = maker.words("button", "quiet timeline-fit", t.fit, &head)?;
        let close = maker.sign(t.close, CROSS, &head)?;
        let body: HtmlElement = maker.make("div", "timeline-body", into)?;
        let rows: HtmlCanvasElement = maker.make("canvas", "", &body)?;
        rows.set_attribute("aria-hidden", "true").ok()?;
        let over: HtmlCanvasElement = maker.make("canvas", "timeline-over", &body)?;
        over.set_attribute("tabindex", "0").ok()?;
        over.set_attribute("role", "application").ok()?;
        let tip: HtmlElement = maker.make("p", "timeline-tip", &body)?;
        tip.set_attribute("aria-hidden", "true").ok()?;
        tip.set_hidden(true);
        let empty: HtmlElement = maker.make("div", "timeline-empty", &body)?;
        empty.set_attribute("role", "status").ok()?;
        let empty_words = maker.words("p", "", "", &empty)?;
        let policy = maker.words("button", "", t.choose_policy, &empty)?;
        let (legend, expected, left_out) = maker.legend(into)?;
        let table: HtmlElement = maker.make("div", "visually-hidden", into)?;
        Some(Self {
            order,
            group,
            zoom_in,
            zoom_out,
            fit,
            alone,
            close,
            body,
            rows,
            over,
            policy,
            tip,
            empty,
            empty_words,
            count,
            legend,
            expected,
            left_out,
            table,
        })
    }

    /// Updates controls, legend and summary.
    pub fn show(&self, model: &Model, empty: &str) {
        let t = text();
        let scene = &model.scene;
        let of = |found: Option<usize>| found.unwrap_or(0) as i32;
        self.order.set_selected_index(of(RowOrder::ALL.iter().position(|o| *o == scene.order)));
        self.group.set_selected_index(of(RowGroup::ALL.iter().position(|g| *g == scene.group)));
        let is_alone = scene.alone.is_some();
        let _ = self.alone.set_attribute("aria-pressed", if is_alone { "true" } else { "false" });
        // A single page has no order.
        self.order.set_disabled(is_alone);
        self.group.set_disabled(is_alone);
        let layout = model.layout();
        let index = |row: Option<&crate::layout::RowPlace>| row.map_or(0, |row| row.index + 1);
        let (first, last) = (index(layout.rows.first()), index(layout.rows.last()));
        let (first, last) = (count_text(first.into()), count_text(last.into()));
        let n = count_text(model.rows.n_rows().into());
        let is_counted = model.rows.n_rows() > 0 && !is_alone;
        let rows = [("first", first.as_str()), ("last", &last), ("n", &n)];
        let counted = if is_counted { fill(t.rows_of, &rows) } else { String::new() };
        let is_never = model.empty() == Some(Empty::Never);
        let counted = if is_never || model.has_budget() { counted } else { t.no_budget.to_owned() };
        self.count.set_text_content(Some(&counted));
        let (from, to) = (moment_text(model.span.from_s), moment_text(model.span.to_s));
        let said = fill(t.in_view, &[rows[0], rows[1], rows[2], ("from", &from), ("to", &to)]);
        let left_out = model.left_out(!self.left_out.hidden());
        let words = match left_out {
            LeftOut::Nothing => "",
            LeftOut::Changes => t.left_changes,
            LeftOut::Marks => t.left_marks,
        };
        self.left_out.set_hidden(words.is_empty());
        // The symbol of rows without marks.
        self.left_out.set_class_name(if left_out == LeftOut::Marks { "" } else { "no-shape" });
        if let Some(span) = self.left_out.last_element_child() {
            span.set_text_content(Some(words));
        }
        let words = if words.is_empty() { String::new() } else { format!(" {words}.") };
        let _ = self.over.set_attribute("aria-label", &format!("{}{words} {said}", t.keys));
        if self.empty_words.text_content().as_deref() != Some(empty) {
            self.empty_words.set_text_content(Some(empty));
        }
        self.empty.set_hidden(empty.is_empty());
        self.policy.set_hidden(!is_never);
        self.expected.set_hidden(model.curves.iter().all(|curve| curve.expected.values.is_empty()));
        // Hide legend entries without marks.
        let is_bare = matches!(model.empty(), Some(Empty::Never | Empty::NotStarted));
        self.rows.set_hidden(is_bare);
        self.over.set_hidden(is_bare);
        self.legend.set_hidden(is_bare);
    }

    /// Shows the tooltip.
    pub fn show_tip(&self, words: &str, on: &str, (x, y): (f64, f64), size: (f64, f64)) {
        let _ = self.over.set_attribute("data-on", on);
        self.tip.set_hidden(words.is_empty());
        if words.is_empty() {
            return;
        }
        self.tip.set_text_content(Some(words));
        // Beside the pointer, on the side with more room.
        let beside = |is_beyond: bool| if is_beyond { "calc(-100% - 12px)" } else { "12px" };
        let style = self.tip.style();
        let vars = [
            ("--x", format!("{x}px")),
            ("--y", format!("{y}px")),
            ("--beside", beside(x > size.0 / 2.0).to_owned()),
            ("--under", beside(y > size.1 / 2.0).to_owned()),
        ];
        for (name, value) in vars {
            // Custom properties take any value, so this cannot fail.
            let _ = style.set_property(name, &value);
        }
    }

    /// Writes the accessible table of the visible rows.
    pub fn write_table(&self, cells: &[Cells], document: &Document) {
        self.table.set_text_content(None);
        let maker = Maker { document };
        let write = || {
            let t = text();
            let table: HtmlElement = maker.make("table", "", &self.table)?;
            maker.words("caption", "", t.table, &table)?;
            let head: HtmlElement = maker.make("tr", "", &table)?;
            for name in t.columns {
                maker.words("th", "", name, &head)?.set_attribute("scope", "col").ok()?;
            }
            for row in cells {
                let line: HtmlElement = maker.make("tr", "", &table)?;
                for cell in row {
                    maker.words("td", "", cell, &line)?;
                }
            }
            Some(())
        };
        // Fails only without a document.
        let _ = write();
    }
}
