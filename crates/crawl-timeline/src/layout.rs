//! Layout: curve on top, axis below it, one block per lane with the same rows.

use crate::clock::{Scale, Span};

/// Height of a block's heading, in pixels.
pub const TITLE: f64 = 26.0;
/// Height of a group's heading.
pub const HEADING: f64 = 17.0;
/// Height of the axis labels.
pub const AXIS: f64 = 26.0;
/// Space under a block.
const GAP: f64 = 6.0;
/// Height of a row if not all rows fit.
const ROW: f64 = 22.0;
/// Maximum height of a row.
const ROW_MOST: f64 = 44.0;
/// Maximum height of the row of a page shown alone.
const ALONE_MOST: f64 = 170.0;
/// Space at the right, with the scroll bar.
const RIGHT: f64 = 22.0;
/// Minimum number of rows per block.
const LEAST_ROWS: u32 = 2;
/// Below this width there is no room beside the rows.
const NARROW: f64 = 560.0;
/// Height of a line of facts about a page shown alone.
pub const LINE: f64 = 17.0;
/// Height of the facts above the row, on narrow screens.
const CAPTION: f64 = 20.0 + LINE;
/// Height of the curve's name above it, on narrow screens.
const NAME: f64 = 18.0;
/// Width of the scroll bar's hit area.
pub const BAR: f64 = 14.0;

/// Input of the layout.
#[derive(Clone, Debug, Default)]
pub struct Wanted<'a> {
    /// Width and height in pixels.
    pub size: (f64, f64),
    /// Number of blocks.
    pub n_lanes: usize,
    /// Total number of rows.
    pub n_rows: u32,
    /// First visible row.
    pub first: u32,
    /// Whether one page is shown alone.
    pub is_alone: bool,
    /// Whether rows are grouped.
    pub is_grouped: bool,
    /// Visible time span.
    pub span: Span,
    /// Which rows from `first` on start a group, as far as cached.
    pub begins: &'a [bool],
}

/// A vertical range, in pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// Top edge.
    pub top: f64,
    /// Height.
    pub height: f64,
}

impl Band {
    /// Bottom edge.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// True if it contains y.
    pub fn holds(&self, y: f64) -> bool {
        self.top <= y && y < self.bottom()
    }
}

/// Position of a row within each block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowPlace {
    /// Index of the row.
    pub index: u32,
    /// Vertical range, from the top of the block's rows.
    pub band: Band,
    /// Whether a group heading is above it.
    pub heading: bool,
}

/// Positions of all parts of the timeline.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The axis of time.
    pub scale: Scale,
    /// The curve.
    pub curve: Band,
    /// The axis labels.
    pub axis: Band,
    /// One block per lane: heading and rows.
    pub blocks: Vec<Band>,
    /// The rows of every block.
    pub rows: Vec<RowPlace>,
    /// Number of rows that fit, whatever their groups.
    pub n_fit: u32,
    /// Largest valid first row.
    pub last_first: u32,
    /// Whether not all rows fit.
    pub scrolls: bool,
    /// Width and height.
    pub size: (f64, f64),
    /// Whether the screen is narrow.
    pub is_narrow: bool,
}

impl Layout {
    /// Computes the layout.
    pub fn of(wanted: &Wanted<'_>) -> Self {
        let (width, height) = wanted.size;
        let is_narrow = width < NARROW;
        let left = match (is_narrow, wanted.is_alone) {
            (true, true) => 52.0,
            (true, false) => 96.0,
            _ => (width * 0.17).clamp(130.0, 200.0),
        };
        let scale = Scale { span: wanted.span, left, width: (width - left - RIGHT).max(1.0) };
        let n_lanes = wanted.n_lanes.max(1);
        let share = if wanted.is_alone { 0.24 } else { 0.165 };
        let top = if is_narrow { NAME } else { 8.0 };
        let curve = Band { top, height: (height * share).clamp(44.0, 170.0) };
        let axis = Band { top: curve.bottom(), height: AXIS };
        let room = ((height - axis.bottom()) / n_lanes as f64).max(TITLE + 2.0 * 14.0);
        let for_rows = room - TITLE - GAP;
        let mut layout =
            Self { scale, curve, axis, size: wanted.size, is_narrow, ..Self::default() };
        let used = if wanted.is_alone {
            let top = if is_narrow { CAPTION } else { 0.0 };
            let band = Band { top, height: (for_rows - top).min(ALONE_MOST) };
            layout.rows = vec![RowPlace { index: 0, band, heading: false }];
            layout.n_fit = 1;
            band.bottom()
        } else {
            layout.place_rows(wanted, for_rows)
        };
        let block = TITLE + used;
        // Blocks stay close together if rows leave room.
        let pitch = room.min(block + GAP.max(14.0));
        let place = |lane: usize| Band { top: axis.bottom() + lane as f64 * pitch, height: block };
        layout.blocks = (0..wanted.n_lanes).map(place).collect();
        layout
    }

    /// Places the rows of a block; returns their height.
    fn place_rows(&mut self, wanted: &Wanted<'_>, room: f64) -> f64 {
        let heading = if wanted.is_grouped { HEADING } else { 0.0 };
        let n_headings = wanted.begins.iter().filter(|begins| **begins).count() as f64;
        let all = f64::from(wanted.n_rows.max(1));
        let taller = (room - n_headings * heading) / all;
        let all_fit = wanted.n_rows as usize <= wanted.begins.len() && taller >= ROW * 0.75;
        // The first row has a heading.
        let room_below = room - heading;
        let fit = ((room_below / ROW) as u32).max(LEAST_ROWS);
        let pitch = if all_fit { taller.min(ROW_MOST) } else { room_below / f64::from(fit) };
        // The last rows stay reachable with any number of headings.
        let sure = (room / (pitch + heading)) as u32;
        self.n_fit = if all_fit { wanted.n_rows } else { sure.max(1) };
        self.last_first = if all_fit { 0 } else { wanted.n_rows.saturating_sub(self.n_fit) };
        self.scrolls = !all_fit && wanted.n_rows > self.n_fit;
        let mut top = 0.0;
        for index in wanted.first..wanted.n_rows {
            let at = (index - wanted.first) as usize;
            let begins = wanted.is_grouped && wanted.begins.get(at).copied().unwrap_or(false);
            let above = if begins { heading } else { 0.0 };
            if top + above + pitch > room + 0.5 && at > 0 {
                break;
            }
            top += above;
            let band = Band { top, height: pitch };
            self.rows.push(RowPlace { index, band, heading: begins });
            top += pitch;
        }
        top
    }

    /// Vertical range of a row in a block.
    pub fn row(&self, lane: usize, row: &RowPlace) -> Band {
        let top = self.blocks.get(lane).map_or(0.0, |block| block.top);
        Band { top: top + TITLE + row.band.top, height: row.band.height }
    }

    /// Lane and row at y.
    pub fn row_at(&self, y: f64) -> Option<(usize, RowPlace)> {
        let lane = self.blocks.iter().position(|block| block.holds(y))?;
        let row = self.rows.iter().find(|row| self.row(lane, row).holds(y))?;
        Some((lane, *row))
    }

    /// Vertical range of all blocks.
    pub fn all_blocks(&self) -> Band {
        let top = self.axis.bottom();
        Band { top, height: self.blocks.last().map_or(top, Band::bottom) - top }
    }

    /// The thumb of the scroll bar; `None` if all rows fit.
    pub fn thumb(&self, first: u32, n_rows: u32) -> Option<Band> {
        let track = self.all_blocks();
        if !self.scrolls {
            return None;
        }
        let share = self.rows.len() as f64 / f64::from(n_rows.max(1));
        let height = (track.height * share).max(24.0).min(track.height);
        let at = f64::from(first) / f64::from(self.last_first.max(1));
        Some(Band { top: track.top + at.min(1.0) * (track.height - height), height })
    }

    /// First visible row if the thumb's middle is dragged to y.
    pub fn first_at(&self, y: f64) -> u32 {
        let track = self.all_blocks();
        let share = ((y - track.top) / track.height.max(1.0)).clamp(0.0, 1.0);
        libm::round(share * f64::from(self.last_first)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wanted(n_lanes: usize, n_rows: u32, begins: &[bool]) -> Wanted<'_> {
        let span = Span::whole(100.0);
        Wanted { size: (1000.0, 600.0), n_lanes, n_rows, span, begins, ..Wanted::default() }
    }

    #[test]
    fn few_rows_are_taller_and_many_fill_the_block() {
        let few = Layout::of(&wanted(3, 2, &[false; 2]));
        assert_eq!(few.rows.len(), 2);
        assert_eq!(few.rows[0].band.height, ROW_MOST);
        assert!(!few.scrolls);
        let many = Layout::of(&wanted(3, 100_000, &[false; 30]));
        assert!(many.rows.len() >= 4 && many.scrolls, "{many:?}");
        assert!(many.all_blocks().bottom() <= 600.0);
        let last =
            Layout::of(&Wanted { first: many.last_first, ..wanted(3, 100_000, &[false; 30]) });
        assert_eq!(last.rows.last().map(|row| row.index), Some(99_999), "the end can be reached");
    }

    #[test]
    fn every_block_has_at_least_two_rows() {
        let wanted = Wanted { size: (390.0, 330.0), ..wanted(4, 50, &[false; 30]) };
        let layout = Layout::of(&wanted);
        assert!(layout.rows.len() >= 2, "{layout:?}");
        assert_eq!(layout.blocks.len(), 4);
    }

    #[test]
    fn groups_have_headings_and_the_last_row_can_be_seen() {
        let begins = [true, false, true, true, true, true, true, true];
        let grouped = Wanted { is_grouped: true, ..wanted(2, 1000, &begins) };
        let layout = Layout::of(&grouped);
        assert!(layout.rows[0].heading && !layout.rows[1].heading && layout.rows[2].heading);
        let gap = layout.rows[2].band.top - layout.rows[1].band.bottom();
        assert_eq!(gap, HEADING);
        let end = Layout::of(&Wanted { first: layout.last_first, ..grouped });
        assert_eq!(end.rows.last().map(|row| row.index), Some(999));
    }

    #[test]
    fn rows_are_found_under_the_pointer_in_every_block() {
        let layout = Layout::of(&wanted(3, 10, &[false; 10]));
        for lane in 0..3 {
            for row in &layout.rows {
                let middle = layout.row(lane, row).top + row.band.height / 2.0;
                assert_eq!(layout.row_at(middle), Some((lane, *row)));
            }
            assert_eq!(layout.row_at(layout.blocks[lane].top + 3.0), None, "its heading");
        }
        assert_eq!(layout.row_at(5.0), None);
    }

    #[test]
    fn the_bar_reaches_both_ends() {
        let layout = Layout::of(&wanted(2, 5000, &[false; 40]));
        let track = layout.all_blocks();
        assert_eq!(layout.first_at(track.top - 50.0), 0);
        assert_eq!(layout.first_at(track.bottom() + 50.0), layout.last_first);
        let thumb = layout.thumb(layout.last_first, 5000).unwrap();
        assert!((thumb.bottom() - track.bottom()).abs() < 1e-9);
    }

    #[test]
    fn a_phone_has_room_for_time_and_words_above() {
        let phone = Wanted { size: (390.0, 560.0), is_alone: true, ..wanted(3, 500, &[]) };
        let layout = Layout::of(&phone);
        assert!(layout.is_narrow && layout.scale.width > 300.0, "{layout:?}");
        let row = layout.row(0, &layout.rows[0]);
        assert!(row.top >= layout.blocks[0].top + TITLE + CAPTION, "what is said has its line");
        assert!(row.bottom() <= layout.blocks[0].bottom() + 1e-9);
        assert!(layout.all_blocks().bottom() <= 560.0);
        assert!(layout.curve.top >= NAME);
    }

    #[test]
    fn rows_under_one_heading_fill_their_block() {
        let mut begins = [false; 40];
        begins[0] = true;
        let layout = Layout::of(&Wanted { is_grouped: true, ..wanted(3, 1000, &begins) });
        let last = layout.row(2, layout.rows.last().unwrap());
        assert!(600.0 - last.bottom() < ROW / 2.0, "{layout:?}");
    }

    #[test]
    fn one_page_has_all_the_room() {
        let layout = Layout::of(&Wanted { is_alone: true, ..wanted(3, 500, &[]) });
        assert_eq!(layout.rows.len(), 1);
        assert!(layout.rows[0].band.height > 80.0);
        assert!(layout.all_blocks().bottom() <= 600.0);
    }
}
