//! Layered layout: columns by clicks from the seeds, from left to right.
//!
//! A column with many pages is several dots wide, so that all columns have the same area per page.
//! Within a column, pages are sorted by the mean position of their neighbours in the previous
//! column, then in the next, in alternating sweeps (Sugiyama, Tagawa & Toda 1981). Unreachable
//! pages are in a separate last column.

use crate::{Layout, LayoutEntry, Picture, Progress, UNREACHED, fitted};
use crawl_world::order;

pub(super) const ENTRY: LayoutEntry = LayoutEntry {
    id: "layers",
    title: "Layers",
    summary: "Columns by clicks from the seeds; unreachable pages in a last column",
    from_seeds: true,
    build: |picture, depths| Box::new(Layers::new(picture, depths)),
};

/// Number of sorting sweeps, in either direction.
const SWEEPS: u32 = 10;
/// Size of the layout.
const WIDTH: f32 = 2.0;
const HEIGHT: f32 = 1.5;
/// Fraction of the width that is gaps between columns.
const GAPS: f32 = 0.45;
/// Maximum spacing of dots.
const MAX_ROOM: f32 = 0.07;

struct Layers {
    /// The nodes of each column, sorted.
    columns: Vec<Vec<u32>>,
    has_unreached: bool,
    /// Vertical position of each node in its column, 0 to 1.
    heights: Vec<f32>,
    column_of: Vec<u32>,
    offsets: Vec<u32>,
    /// Neighbours of each node in the adjacent columns.
    neighbours: Vec<u32>,
    sweep: u32,
    next: usize,
    done: u64,
}

impl Layers {
    fn new(picture: &Picture, depths: &[u32]) -> Self {
        let n = picture.n_nodes();
        // A picture of some pages may have no page of some depth.
        let mut seen = order::arranged(depths.to_vec(), |depth| (*depth).into());
        seen.dedup();
        let column = |depth: &u32| seen.partition_point(|other| other < depth) as u32;
        let column_of: Vec<u32> = depths.iter().map(column).collect();
        let has_unreached = seen.last() == Some(&UNREACHED) && seen.len() > 1;
        let last = seen.len().saturating_sub(1) as u32;
        let ends = || picture.edges.chunks_exact(2).map(|ends| (ends[0], ends[1]));
        let is_adjacent = |(from, to): &(u32, u32)| {
            let [from, to] = [*from, *to].map(|node| column_of[node as usize]);
            from.abs_diff(to) == 1 && !(has_unreached && from.max(to) == last)
        };
        let mut offsets = vec![0_u32; n + 1];
        for (from, to) in ends().filter(is_adjacent) {
            offsets[from as usize + 1] += 1;
            offsets[to as usize + 1] += 1;
        }
        (0..n).for_each(|node| offsets[node + 1] += offsets[node]);
        let mut next = offsets.clone();
        let mut neighbours = vec![0_u32; offsets[n] as usize];
        for (from, to) in ends().filter(is_adjacent) {
            for (node, other) in [(from, to), (to, from)] {
                let at = &mut next[node as usize];
                neighbours[*at as usize] = other;
                *at += 1;
            }
        }
        let mut columns = vec![Vec::new(); seen.len()];
        (0..n as u32).for_each(|node| columns[column_of[node as usize] as usize].push(node));
        let mut layers = Self {
            columns,
            has_unreached,
            heights: vec![0.5; n],
            column_of,
            offsets,
            neighbours,
            sweep: 0,
            next: 0,
            done: 0,
        };
        (0..layers.columns.len()).for_each(|column| layers.spread(column));
        layers
    }

    /// Assigns evenly spaced heights to a column's nodes, in their order.
    fn spread(&mut self, column: usize) {
        let nodes = &self.columns[column];
        for (place, node) in nodes.iter().enumerate() {
            self.heights[*node as usize] = (place as f32 + 0.5) / nodes.len() as f32;
        }
    }

    /// Sorts a column by the mean height of its nodes' neighbours in column `by`.
    fn order(&mut self, column: usize, by: u32) {
        let nodes = std::mem::take(&mut self.columns[column]);
        let middle = |node: u32| {
            let range = self.offsets[node as usize]..self.offsets[node as usize + 1];
            let (mut sum, mut n) = (0.0, 0);
            for other in &self.neighbours[range.start as usize..range.end as usize] {
                if self.column_of[*other as usize] == by {
                    sum += self.heights[*other as usize];
                    n += 1;
                }
            }
            if n == 0 { self.heights[node as usize] } else { sum / n as f32 }
        };
        let place = |node: &u32| order::rising(middle(*node).into());
        self.columns[column] = order::arranged(nodes, place);
        self.spread(column);
    }

    /// The dot spacing at which all columns together fill the width.
    fn room(&self) -> f32 {
        let width = |room: f32| {
            let dots: usize = self.columns.iter().map(|c| dots_across(c.len(), room)).sum();
            dots as f32 * room
        };
        let (mut fits, mut too_wide) = (0.0, MAX_ROOM);
        if width(too_wide) <= WIDTH * (1.0 - GAPS) {
            return too_wide;
        }
        for _ in 0..40 {
            let middle = (fits + too_wide) / 2.0;
            let narrow = middle > 0.0 && width(middle) <= WIDTH * (1.0 - GAPS);
            if narrow { fits = middle } else { too_wide = middle }
        }
        fits
    }
}

/// Width of a column, in dots.
fn dots_across(n: usize, room: f32) -> usize {
    n.div_ceil(((HEIGHT / room) as usize).max(1))
}

impl Layout for Layers {
    fn step(&mut self, budget: u32) -> Progress {
        let n_columns = self.columns.len();
        let of = u64::from(SWEEPS) * self.heights.len() as u64;
        let mut left = i64::from(budget);
        while self.sweep < SWEEPS && n_columns > 0 {
            let forth = self.sweep.is_multiple_of(2);
            let column = if forth { self.next } else { n_columns - 1 - self.next };
            let by = if forth { column.checked_sub(1) } else { Some(column + 1) };
            if let Some(by) = by.filter(|by| *by < n_columns) {
                self.order(column, by as u32);
            }
            let size = self.columns[column].len();
            self.done += size as u64;
            left -= size as i64;
            self.next += 1;
            if self.next == n_columns {
                (self.next, self.sweep) = (0, self.sweep + 1);
            }
            if left <= 0 {
                break;
            }
        }
        Progress { done: self.done, of }
    }

    fn positions(&self) -> Vec<f32> {
        let room = self.room();
        let across: Vec<usize> =
            self.columns.iter().map(|column| dots_across(column.len(), room)).collect();
        let used = across.iter().sum::<usize>() as f32 * room;
        // The gap before the column of unreachable pages is twice as wide.
        let n_gaps =
            (self.columns.len().saturating_sub(1)) as f32 + f32::from(u8::from(self.has_unreached));
        let gap = (WIDTH - used).max(0.0) / n_gaps.max(1.0);
        let mut points = vec![[0.0_f32; 2]; self.heights.len()];
        let mut left = 0.0;
        for (number, (column, across)) in self.columns.iter().zip(across).enumerate() {
            if self.has_unreached && number + 1 == self.columns.len() {
                left += gap;
            }
            let n_rows = column.len().div_ceil(across.max(1));
            for (place, node) in column.iter().enumerate() {
                let (row, dot) = (place / across, place % across);
                let x = left + (dot as f32 + 0.5) * room;
                points[*node as usize] = [x, HEIGHT * (row as f32 + 0.5) / n_rows as f32];
            }
            left += across as f32 * room + gap;
        }
        fitted(&points)
    }
}
