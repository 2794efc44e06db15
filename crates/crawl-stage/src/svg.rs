//! SVG export of a frame.
//!
//! The size is bounded: at most [`MAX_NODES`] nodes per lane (the largest) and [`MAX_LINKS`] links
//! (an even sample). The `<desc>` element states what is left out.

use crate::graph::{Nodes, Radii};
use crate::hull::{Point, sort};
use crate::label::estimated_width;
use crate::lane_buffers::LaneBuffers;
use crate::paint::EDGE_STRENGTH;
use crate::placed_graph::PlacedGraph;
use crate::scene::{LaneView, MAX_LANES, Scene};
use crate::{PlacedLabel, Rect, Theme};
use std::fmt::Write;

/// Maximum number of nodes drawn per lane.
pub const MAX_NODES: usize = 20_000;

/// Maximum number of links drawn.
pub const MAX_LINKS: usize = 60_000;

const FONT_PX: f64 = 11.0;

/// Texts of a drawing.
#[derive(Clone, Copy, Debug, Default)]
pub struct SvgTexts<'a> {
    /// Title of the drawing.
    pub title: &'a str,
    /// Title of each lane.
    pub lanes: &'a [&'a str],
    /// Names of nodes, most important first.
    pub nodes: &'a [(u32, String)],
    /// Names of hosts, by number; drawn if hosts are outlined.
    pub hosts: &'a [String],
}

/// An SVG drawing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawing {
    /// The SVG file.
    pub svg: String,
    /// Number of nodes left out.
    pub n_nodes_left_out: usize,
    /// Number of links left out.
    pub n_links_left_out: usize,
}

/// Draws a frame as SVG.
pub(crate) fn draw(
    theme: &Theme,
    placed: &mut PlacedGraph,
    lanes: &[LaneBuffers; MAX_LANES],
    scene: &Scene<'_>,
    texts: &SvgTexts<'_>,
) -> Drawing {
    if scene.hulls {
        placed.outline();
    }
    let n_nodes = placed.graph.n_nodes();
    let is_drawn = largest(&placed.graph.sizes, MAX_NODES);
    let drawing = Drawing {
        svg: String::new(),
        n_nodes_left_out: n_nodes.saturating_sub(MAX_NODES),
        n_links_left_out: placed.edges.len().saturating_sub(MAX_LINKS),
    };
    let radii = placed.radii(scene.camera.scale);
    let mut sheet = Sheet { svg: String::new(), theme, placed, scene, radii, is_drawn };
    sheet.open(texts.title, &drawing);
    for (i, (lane, view)) in lanes.iter().zip(scene.lanes).enumerate() {
        sheet.lane(i, lane, view, texts);
    }
    sheet.svg.push_str("</svg>\n");
    Drawing { svg: sheet.svg, ..drawing }
}

/// Selects the `most` largest nodes, the first of equals.
fn largest(sizes: &[f32], most: usize) -> Vec<bool> {
    let mut is_largest = vec![sizes.len() <= most; sizes.len()];
    if sizes.len() > most {
        let order = sizes.iter().enumerate().map(|(i, size)| (-f64::from(*size), i as f64));
        let mut order: Vec<Point> = order.collect();
        sort(&mut order);
        order.iter().take(most).for_each(|&(_, i)| is_largest[i as usize] = true);
    }
    is_largest
}

struct Sheet<'a> {
    svg: String,
    theme: &'a Theme,
    placed: &'a PlacedGraph,
    scene: &'a Scene<'a>,
    radii: Radii,
    /// Whether each node is drawn.
    is_drawn: Vec<bool>,
}

impl Sheet<'_> {
    fn open(&mut self, title: &str, left_out: &Drawing) {
        let (width, height) = self.scene.size;
        self.put(format_args!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\" font-family=\"system-ui, sans-serif\" \
             font-size=\"{FONT_PX}\">\n<title>{}</title>\n",
            Escaped(title)
        ));
        let Drawing { n_nodes_left_out, n_links_left_out, .. } = left_out;
        if n_nodes_left_out + n_links_left_out > 0 {
            self.put(format_args!(
                "<desc>{n_nodes_left_out} nodes and {n_links_left_out} links are left out, because \
                 there are too many.</desc>\n"
            ));
        }
        let background = self.theme.background.css();
        self.put(format_args!(
            "<rect width=\"{width}\" height=\"{height}\" fill=\"{background}\"/>\n<defs>\n"
        ));
        for (i, view) in self.scene.lanes.iter().take(MAX_LANES).enumerate() {
            let Rect { x, y, width, height } = view.rect;
            self.put(format_args!(
                "<clipPath id=\"lane-{i}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" \
                 height=\"{height}\"/></clipPath>\n"
            ));
        }
        self.base();
        self.svg.push_str("</defs>\n");
    }

    /// Writes what all lanes share, relative to a lane's centre.
    fn base(&mut self) {
        let (theme, placed) = (self.theme, self.placed);
        self.svg.push_str("<g id=\"base\">\n");
        if self.scene.hulls {
            let muted = theme.muted.css();
            self.put(format_args!(
                "<g fill=\"{muted}\" fill-opacity=\"0.055\" stroke=\"{muted}\" \
                 stroke-opacity=\"0.28\">\n"
            ));
            for outline in &placed.hulls.outlines {
                self.svg.push_str("<path d=\"");
                for (i, &corner) in outline.iter().enumerate() {
                    self.svg.push(if i == 0 { 'M' } else { 'L' });
                    self.point(corner);
                }
                self.svg.push_str("Z\"/>\n");
            }
            self.svg.push_str("</g>\n");
        }
        let n_links = placed.edges.len().min(MAX_LINKS);
        let strength =
            (EDGE_STRENGTH * placed.strength(n_links, self.scene.camera.scale)).max(0.05);
        let links = placed.edges.values().as_chunks().0.iter().take(n_links).copied();
        self.lines(links, &theme.faint.css(), 0.7, strength);
        self.put(format_args!("<g fill=\"{}\">\n", theme.unknown().css()));
        for node in 0..placed.graph.n_nodes() as u32 {
            self.disc(node, 0.0, "");
        }
        self.svg.push_str("</g>\n</g>\n");
    }

    fn lane(
        &mut self,
        index: usize,
        lane: &LaneBuffers,
        view: &LaneView<'_>,
        texts: &SvgTexts<'_>,
    ) {
        let step = lane.clamped(view.whole_step());
        let colour = self.theme.lane(index, view.muted);
        let css = colour.css();
        let (x, y) = view.rect.centre();
        self.put(format_args!(
            "<g clip-path=\"url(#lane-{index})\">\n<g transform=\"translate({x} {y})\">\n\
             <use href=\"#base\"/>\n"
        ));
        let tree = lane.tree.values().as_chunks().0.iter().take(lane.n_tree(step));
        let strength = 0.65 * self.placed.strength(tree.len(), self.scene.camera.scale);
        self.lines(tree.copied(), &css, 0.8, strength.max(0.12));
        let links = &self.placed.links;
        if let Some(node) = view.selected {
            let out = links.from(node).iter().map(|&to| [node, to]);
            let highlighted = out.chain(links.to(node).iter().map(|&from| [from, node]));
            self.lines(highlighted.take(MAX_LINKS), &self.theme.ink.css(), 1.0, 0.55);
        }
        let current = lane.node_at(step);
        if let Some(node) = current {
            let highlighted = links.from(node).iter().map(|&to| [node, to]);
            self.lines(highlighted.take(MAX_LINKS), &css, 1.2, 0.9);
        }
        match self.placed.graph.nodes {
            Nodes::Pages => self.pages(lane, step, colour),
            Nodes::Hosts => self.hosts(lane, step, colour),
        }
        let ink = self.theme.ink.css();
        self.put(format_args!("<g fill=\"none\" stroke=\"{ink}\" stroke-width=\"1.6\">\n"));
        if let Some(node) = current {
            self.disc(node, 3.0, "");
        }
        if let Some(node) = view.selected {
            self.disc(node, 4.0, " stroke-width=\"2.2\"");
        }
        self.svg.push_str("</g>\n</g>\n");
        self.texts(view.rect, texts);
        self.svg.push_str("</g>\n");
        if let Some(title) = texts.lanes.get(index) {
            let (x, y) = (view.rect.x + 8.0, view.rect.y + 14.0);
            self.put(format_args!(
                "<text x=\"{x}\" y=\"{y}\" font-weight=\"600\" fill=\"{css}\">{}</text>\n",
                Escaped(title)
            ));
        }
    }

    fn pages(&mut self, lane: &LaneBuffers, step: u32, colour: crate::Rgb) {
        let background = self.theme.background;
        let listed = lane.list.values().as_chunks::<2>().0.iter().take(lane.n_listed(step));
        self.put(format_args!(
            "<g fill=\"{}\" stroke=\"{}\" stroke-width=\"1.25\">\n",
            background.css(),
            colour.css()
        ));
        for &[node, _] in listed.filter(|[_, at]| *at > step) {
            let style = self.valued(lane, node, colour);
            let style = style.map(|fill| {
                let (fill, rim) = (fill.css(), fill.mix(self.theme.ink, 0.55).css());
                format!(" fill=\"{fill}\" stroke=\"{rim}\"")
            });
            // Half of the stroke is outside.
            self.disc(node, self.wider(node) - 0.625, &style.unwrap_or_default());
        }
        self.svg.push_str("</g>\n");
        let fetched = lane.fetched.values().as_chunks::<2>().0.iter().take(lane.n_fetched(step));
        for &[node, at] in fetched {
            let youth = at as f32 / step.max(1) as f32;
            let fill = background.mix(colour, 0.45 + 0.55 * youth);
            let fill = self.valued(lane, node, colour).unwrap_or(fill).css();
            self.disc(node, self.wider(node), &format!(" fill=\"{fill}\""));
        }
    }

    /// The colour of a node's value, if values are shown.
    fn valued(&self, lane: &LaneBuffers, node: u32, colour: crate::Rgb) -> Option<crate::Rgb> {
        let [value] = lane.values.get(node as usize)?;
        Some(self.theme.ramp(colour, value))
    }

    /// Increase of a node's radius once it is discovered, for its ring.
    fn wider(&self, node: u32) -> f64 {
        0.25f64.max(self.radii.ring - self.placed.radius(node, self.scene.camera.scale))
    }

    fn hosts(&mut self, lane: &LaneBuffers, step: u32, colour: crate::Rgb) {
        let background = self.theme.background;
        for (node, [n_fetched, n_found]) in lane.counts_at(step).into_iter().enumerate() {
            let total = self.placed.totals.get(node).map_or(1.0, |[total]| total.max(1.0));
            if n_found == 0 {
                continue;
            }
            let waiting = (n_found - n_fetched) as f32 / total;
            let strength = if n_found == n_fetched { 0.35 } else { 0.5 + 0.5 * waiting.sqrt() };
            let (fill, ring) = (background.css(), background.mix(colour, strength).css());
            let node = node as u32;
            let style = format!(" fill=\"{fill}\" stroke=\"{ring}\" stroke-width=\"1.4\"");
            self.disc(node, 0.25 - 0.7, &style);
            if n_fetched > 0 {
                let radius = self.placed.radius(node, self.scene.camera.scale) + 0.25 - 1.4;
                let inner = radius * f64::from(n_fetched as f32 / total).sqrt();
                let away = inner.max(0.75) - self.placed.radius(node, self.scene.camera.scale);
                self.disc(node, away, &format!(" fill=\"{}\"", colour.css()));
            }
        }
    }

    fn texts(&mut self, lane: Rect, texts: &SvgTexts<'_>) {
        let (placed, camera) = (self.placed, &self.scene.camera);
        let measure = |text: &str| estimated_width(text, FONT_PX);
        let placed: Vec<(PlacedLabel, &str)> = if self.scene.hulls {
            let labels = placed.host_labels(lane, camera, texts.hosts, FONT_PX, measure);
            let named = |label: PlacedLabel| Some((label, texts.hosts.get(label.index)?.as_str()));
            labels.into_iter().filter_map(named).collect()
        } else {
            let labels = placed.labels(lane, camera, texts.nodes, FONT_PX, measure);
            let named =
                |label: PlacedLabel| Some((label, texts.nodes.get(label.index)?.1.as_str()));
            labels.into_iter().filter_map(named).collect()
        };
        let (ink, halo) = (self.theme.ink.css(), self.theme.background.css());
        self.put(format_args!(
            "<g fill=\"{ink}\" stroke=\"{halo}\" stroke-width=\"3\" stroke-linejoin=\"round\" \
             paint-order=\"stroke\" text-anchor=\"middle\">\n"
        ));
        for (label, text) in placed {
            let (x, y) = (label.rect.centre().0, label.rect.bottom() - 0.25 * FONT_PX);
            self.put(format_args!("<text x=\"{x:.1}\" y=\"{y:.1}\">{}</text>\n", Escaped(text)));
        }
        self.svg.push_str("</g>\n");
    }

    /// Writes lines of one kind as a single path.
    fn lines(
        &mut self,
        pairs: impl Iterator<Item = [u32; 2]>,
        colour: &str,
        width: f64,
        strength: f64,
    ) {
        let start = self.svg.len();
        self.put(format_args!(
            "<path fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\" \
             stroke-opacity=\"{strength:.3}\" d=\""
        ));
        let empty = self.svg.len();
        for [a, b] in pairs {
            if let (Some(a), Some(b)) = (self.placed.position(a), self.placed.position(b)) {
                self.svg.push('M');
                self.point(a);
                self.svg.push('L');
                self.point(b);
            }
        }
        if self.svg.len() == empty {
            self.svg.truncate(start);
        } else {
            self.svg.push_str("\"/>\n");
        }
    }

    /// Writes the disc of a node, with a radius increased by `wider`.
    fn disc(&mut self, node: u32, wider: f64, style: &str) {
        let size = self.placed.graph.sizes.get(node as usize).copied().unwrap_or(0.0);
        let is_drawn = self.is_drawn.get(node as usize) == Some(&true);
        if let Some((x, y)) = self.placed.position(node).filter(|_| is_drawn) {
            let (x, y) = self.relative(x, y);
            let radius = (self.radii.of(size) + wider).max(0.4);
            self.put(format_args!(
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.2}\"{style}/>\n"
            ));
        }
    }

    fn point(&mut self, (x, y): (f64, f64)) {
        let (x, y) = self.relative(x, y);
        self.put(format_args!("{x:.1} {y:.1}"));
    }

    /// Position relative to the lane's centre, in pixels.
    fn relative(&self, x: f64, y: f64) -> (f64, f64) {
        self.scene.camera.to_screen(Rect::default(), x, y)
    }

    fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = self.svg.write_fmt(text);
    }
}

/// Escapes text for XML; drops characters that XML forbids.
struct Escaped<'a>(&'a str);

impl std::fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                '\t' | '\n' | '\r' => out.write_char(' ')?,
                '\u{fffe}' | '\u{ffff}' => {}
                c if c < ' ' => {}
                c => out.write_char(c)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Camera, Record, StageGraph};

    fn placed(n_nodes: usize, graph: StageGraph) -> PlacedGraph {
        let mut placed = PlacedGraph::default();
        placed.set_graph(graph).expect("fits");
        let mut points: Vec<f32> =
            (0..n_nodes).flat_map(|i| [(i % 90) as f32 / 90.0, (i / 90) as f32 / 900.0]).collect();
        placed.set_positions(&mut points, 0.1).expect("fits");
        placed
    }

    fn drawn(placed: &mut PlacedGraph, texts: &SvgTexts<'_>, step: f64) -> Drawing {
        let mut record = Record::new(6);
        let (pages, found) = ([0, 1], [0, 1, 3, 2]);
        record.push(0, &pages, &[1.0, 2.0], &[0.0; 2], &[1, 2, 1], &found).expect("fits");
        let mut lanes: [LaneBuffers; MAX_LANES] = Default::default();
        lanes[0].update(&record, &placed.graph);
        let rect = Rect::new(0.0, 0.0, 300.0, 200.0);
        let view = LaneView { rect, step, selected: Some(1), ..LaneView::default() };
        let scene = Scene {
            size: (300.0, 200.0),
            pixel_ratio: 2.0,
            camera: Camera { x: 0.5, y: 0.1, scale: 100.0 },
            lanes: &[view],
            hulls: false,
            time_ms: 0.0,
            reduced_motion: true,
        };
        draw(&Theme::LIGHT, placed, &lanes, &scene, texts)
    }

    fn small() -> StageGraph {
        StageGraph { sizes: vec![0.5; 6], edges: vec![0, 1, 1, 2, 0, 3], ..StageGraph::default() }
    }

    #[test]
    fn a_drawing_shows_every_state_and_escapes_words() {
        let texts = SvgTexts {
            title: "a < b & \"c\"\u{1}",
            lanes: &["<script>"],
            nodes: &[(0, "5 > 4".to_owned())],
            hosts: &[],
        };
        let drawing = drawn(&mut placed(6, small()), &texts, 2.0);
        let svg = &drawing.svg;
        assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n"));
        assert!(svg.contains("<title>a &lt; b &amp; &quot;c&quot;</title>"));
        assert!(svg.contains("&lt;script&gt;") && !svg.contains("<script"));
        assert!(svg.contains("5 &gt; 4"));
        assert_eq!(svg.matches("<g").count(), svg.matches("</g>").count());
        // Six undiscovered, two waiting, two fetched, two rings.
        assert_eq!(svg.matches("<circle").count(), 12);
        assert!(svg.contains(&format!("fill=\"{}\"", Theme::LIGHT.lanes[0].css())), "the newest");
        assert_eq!((drawing.n_nodes_left_out, drawing.n_links_left_out), (0, 0));
        assert!(!svg.contains("<desc>") && !svg.contains("NaN"));
        let start = drawn(&mut placed(6, small()), &texts, 0.0).svg;
        assert_eq!(start.matches("<circle").count(), 8, "six faint, one waiting, one ring");
    }

    #[test]
    fn hosts_are_rings_with_discs() {
        let graph =
            StageGraph { nodes: Nodes::Hosts, node_of_page: vec![0, 0, 1, 1, 2, 2], ..small() };
        let svg = drawn(&mut placed(6, graph), &SvgTexts::default(), 2.0).svg;
        // Six undiscovered, two rings of hosts, one of them with a disc, two marks.
        assert_eq!(svg.matches("<circle").count(), 11);
    }

    #[test]
    fn large_drawings_are_bounded_and_say_so() {
        let n = MAX_NODES + 1000;
        assert_eq!(largest(&[0.1, 0.5, 0.5, 0.9, 0.5], 3), [false, true, true, true, false]);
        let sizes = vec![0.5; n];
        let edges = (0..MAX_LINKS as u32 + 5).flat_map(|i| [i % 9, i % 7]).collect();
        let graph = StageGraph { sizes, edges, ..StageGraph::default() };
        let drawing = drawn(&mut placed(n, graph), &SvgTexts::default(), 0.0);
        assert_eq!((drawing.n_nodes_left_out, drawing.n_links_left_out), (1000, 5));
        assert!(drawing.svg.contains("<desc>1000 nodes and 5 links are left out"));
        assert_eq!(
            drawing.svg.matches("<circle").count(),
            MAX_NODES + 2,
            "and a page that waits, and a ring"
        );
    }
}
