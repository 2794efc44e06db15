//! Where things are: the curve on top, the axis under it, a block a lane, the same rows in each.

use crate::clock::{Scale, Span};

/// A block's heading.
pub const TITLE: f64 = 26.0;
/// A group's heading.
pub const HEADING: f64 = 17.0;
/// The numbers of the axis.
pub const AXIS: f64 = 26.0;
/// Space under a block.
const GAP: f64 = 6.0;
/// A row where there are more than fit.
const ROW: f64 = 22.0;
/// A row where few rows have all the room.
const ROW_MOST: f64 = 44.0;
/// And one that is alone.
const ALONE_MOST: f64 = 170.0;
/// Space at the right, with the bar that scrolls in it.
const RIGHT: f64 = 22.0;
/// Least rows of a block.
const LEAST_ROWS: u32 = 2;
/// Narrower, and there is no room beside the rows.
const NARROW: f64 = 560.0;
/// A line of what is said of a page that is alone.
pub const LINE: f64 = 17.0;
/// Two of them above its row, where there is no room beside it.
const CAPTION: f64 = 20.0 + LINE;
/// The curve's name, above it where there is no room beside it.
const NAME: f64 = 18.0;
/// How wide the bar is, to be caught.
pub const BAR: f64 = 14.0;

/// What decides where things are.
#[derive(Clone, Debug, Default)]
pub struct Wanted<'a> {
    /// Width and height in pixels.
    pub size: (f64, f64),
    /// Blocks.
    pub n_lanes: usize,
    /// Rows in all.
    pub n_rows: u32,
    /// The first in sight.
    pub first: u32,
    /// Whether one page has all the room.
    pub is_alone: bool,
    /// Whether rows are put together.
    pub is_grouped: bool,
    /// The time in sight.
    pub span: Span,
    /// Which of the rows from the first on begin a group, as far as is known.
    pub begins: &'a [bool],
}

/// A piece from top to bottom.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Band {
    /// Where it begins.
    pub top: f64,
    /// How high it is.
    pub height: f64,
}

impl Band {
    /// Where it ends.
    pub fn bottom(&self) -> f64 {
        self.top + self.height
    }

    /// True where a height lies in it.
    pub fn holds(&self, y: f64) -> bool {
        self.top <= y && y < self.bottom()
    }
}

/// A row within each block.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RowPlace {
    /// Which row.
    pub index: u32,
    /// Where, from the top of a block's rows.
    pub band: Band,
    /// Whether its group's name stands above it.
    pub heading: bool,
}

/// Where things are.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// The axis of time.
    pub scale: Scale,
    /// The curve.
    pub curve: Band,
    /// The numbers under it.
    pub axis: Band,
    /// A block a lane: its heading and rows.
    pub blocks: Vec<Band>,
    /// The rows of every block.
    pub rows: Vec<RowPlace>,
    /// Rows that fit at least, whatever groups they belong to.
    pub n_fit: u32,
    /// The last row that may be the first in sight.
    pub last_first: u32,
    /// Whether there are more rows than fit.
    pub scrolls: bool,
    /// Width and height.
    pub size: (f64, f64),
    /// Whether there is no room beside the rows.
    pub is_narrow: bool,
}

impl Layout {
    /// Puts everything into its place.
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
        // Blocks keep together where rows leave room.
        let pitch = room.min(block + GAP.max(14.0));
        let place = |lane: usize| Band { top: axis.bottom() + lane as f64 * pitch, height: block };
        layout.blocks = (0..wanted.n_lanes).map(place).collect();
        layout
    }

    /// Places the rows of a block; gives the height they take.
    fn place_rows(&mut self, wanted: &Wanted<'_>, room: f64) -> f64 {
        let heading = if wanted.is_grouped { HEADING } else { 0.0 };
        let n_headings = wanted.begins.iter().filter(|begins| **begins).count() as f64;
        let all = f64::from(wanted.n_rows.max(1));
        let taller = (room - n_headings * heading) / all;
        let all_fit = wanted.n_rows as usize <= wanted.begins.len() && taller >= ROW * 0.75;
        // The first row has its group's name above it.
        let room_below = room - heading;
        let fit = ((room_below / ROW) as u32).max(LEAST_ROWS);
        let pitch = if all_fit { taller.min(ROW_MOST) } else { room_below / f64::from(fit) };
        // Whatever groups the last rows belong to, they can be seen.
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

    /// Where a row of a block is.
    pub fn row(&self, lane: usize, row: &RowPlace) -> Band {
        let top = self.blocks.get(lane).map_or(0.0, |block| block.top);
        Band { top: top + TITLE + row.band.top, height: row.band.height }
    }

    /// The lane and the row at a height.
    pub fn row_at(&self, y: f64) -> Option<(usize, RowPlace)> {
        let lane = self.blocks.iter().position(|block| block.holds(y))?;
        let row = self.rows.iter().find(|row| self.row(lane, row).holds(y))?;
        Some((lane, *row))
    }

    /// Where all blocks together are.
    pub fn all_blocks(&self) -> Band {
        let top = self.axis.bottom();
        Band { top, height: self.blocks.last().map_or(top, Band::bottom) - top }
    }

    /// The part of the bar that stands for the rows in sight.
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

    /// The first row where the bar's middle is pulled to a height.
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
