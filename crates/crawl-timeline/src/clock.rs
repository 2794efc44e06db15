//! The time axis: visible span, scale, tick labels.

use crawl_text::number::days_text;

/// Shortest visible span, in seconds.
const LEAST_S: f64 = 60.0;
/// Minimum distance of tick labels, in pixels.
const APART: f64 = 72.0;

const MINUTE: f64 = 60.0;
const HOUR: f64 = 3600.0;
const DAY: f64 = 86_400.0;

/// Tick distances, in seconds.
const STEPS: [f64; 27] = [
    1.0,
    2.0,
    5.0,
    10.0,
    15.0,
    30.0,
    MINUTE,
    2.0 * MINUTE,
    5.0 * MINUTE,
    10.0 * MINUTE,
    15.0 * MINUTE,
    30.0 * MINUTE,
    HOUR,
    2.0 * HOUR,
    3.0 * HOUR,
    6.0 * HOUR,
    12.0 * HOUR,
    DAY,
    2.0 * DAY,
    5.0 * DAY,
    10.0 * DAY,
    30.0 * DAY,
    60.0 * DAY,
    90.0 * DAY,
    180.0 * DAY,
    360.0 * DAY,
    3600.0 * DAY,
];

/// A time span.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Span {
    /// Start, in seconds.
    pub from_s: f64,
    /// End, in seconds.
    pub to_s: f64,
}

impl Span {
    /// The whole run.
    pub fn whole(end_s: f64) -> Self {
        Self { from_s: 0.0, to_s: if end_s > 0.0 { end_s } else { LEAST_S } }
    }

    /// Length in seconds.
    pub fn length_s(&self) -> f64 {
        self.to_s - self.from_s
    }

    /// The span moved and shortened to fit into a run.
    fn within(self, end_s: f64) -> Self {
        let whole = Self::whole(end_s);
        let length = self.length_s().clamp(LEAST_S.min(whole.to_s), whole.to_s);
        let from_s = self.from_s.clamp(0.0, whole.to_s - length);
        Self { from_s, to_s: from_s + length }
    }

    /// Zoomed in by `factor`; the moment at `share` of the width stays in place.
    pub fn zoomed(self, factor: f64, share: f64, end_s: f64) -> Self {
        let least = LEAST_S.min(Self::whole(end_s).to_s);
        let length = (self.length_s() / factor).clamp(least, Self::whole(end_s).to_s);
        let from_s = self.from_s + (self.length_s() - length) * share.clamp(0.0, 1.0);
        Self { from_s, to_s: from_s + length }.within(end_s)
    }

    /// Moved by a share of its length.
    pub fn moved(self, share: f64, end_s: f64) -> Self {
        let by = self.length_s() * share;
        Self { from_s: self.from_s + by, to_s: self.to_s + by }.within(end_s)
    }

    /// Extended on both sides by a share of its length.
    pub fn wider(self, share: f64, end_s: f64) -> Self {
        let by = self.length_s() * share;
        Self { from_s: (self.from_s - by).max(0.0), to_s: (self.to_s + by).min(end_s) }
    }

    /// True if it contains another span.
    pub fn covers(&self, other: &Self) -> bool {
        self.from_s <= other.from_s && other.to_s <= self.to_s
    }
}

/// Mapping from seconds to pixels, shared by curve, axis and rows.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Scale {
    /// Visible time span.
    pub span: Span,
    /// Left edge, in pixels.
    pub left: f64,
    /// Width, in pixels.
    pub width: f64,
}

impl Scale {
    /// x coordinate of a time.
    pub fn x(&self, at_s: f64) -> f64 {
        self.left + (at_s - self.span.from_s) / self.span.length_s() * self.width
    }

    /// Time at an x coordinate, in seconds.
    pub fn at_s(&self, x: f64) -> f64 {
        self.span.from_s + self.share(x) * self.span.length_s()
    }

    /// Position between the edges, 0 to 1 if inside.
    pub fn share(&self, x: f64) -> f64 {
        (x - self.left) / self.width.max(1.0)
    }

    /// Right edge, in pixels.
    pub fn right(&self) -> f64 {
        self.left + self.width
    }

    /// Ticks: time in seconds, and label.
    pub fn ticks(&self) -> Vec<(f64, String)> {
        let most = (self.width / APART).max(1.0);
        let fits = |step: &&f64| self.span.length_s() / **step <= most;
        let step = STEPS.iter().find(fits).copied().unwrap_or(STEPS[STEPS.len() - 1]);
        let first = libm::ceil(self.span.from_s / step - 1e-9) as u64;
        let last = libm::floor(self.span.to_s / step + 1e-9) as u64;
        let at = (first..=last).map(|n| n as f64 * step);
        let mut ticks: Vec<(f64, String)> = at.map(|at_s| (at_s, tick_text(at_s, step))).collect();
        // Without a tick at midnight, the first label names the day.
        let is_one_day = ticks.iter().all(|(at_s, _)| !(*at_s as u64).is_multiple_of(DAY as u64));
        if let Some((at_s, name)) = ticks.first_mut().filter(|(at_s, _)| is_one_day && *at_s > DAY)
        {
            let days = *at_s as u64 / DAY as u64;
            *name = format!("{} {name}", days_text(days));
        }
        ticks
    }
}

/// Label of a tick: `3 d` at midnight, else the time of day.
fn tick_text(at_s: f64, step: f64) -> String {
    let whole = at_s as u64;
    let (days, rest) = (whole / DAY as u64, whole % DAY as u64);
    if at_s > 0.0 && (rest == 0 || step >= DAY) {
        return days_text(days);
    }
    let (hours, minutes, seconds) = (rest / 3600, rest / 60 % 60, rest % 60);
    if step < MINUTE {
        format!("{hours}:{minutes:02}:{seconds:02}")
    } else {
        format!("{hours}:{minutes:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(from_s: f64, to_s: f64) -> Span {
        Span { from_s, to_s }
    }

    #[test]
    fn zooming_keeps_the_moment_under_the_pointer_and_stays_within_the_run() {
        let day = Span::whole(DAY);
        let near = day.zoomed(4.0, 0.5, DAY);
        assert_eq!(near, span(DAY * 0.375, DAY * 0.625));
        assert_eq!(near.zoomed(0.25, 0.5, DAY), day);
        assert_eq!(near.zoomed(0.01, 0.9, DAY), day, "no farther than all of it");
        let nearest = day.zoomed(1e9, 1.0, DAY);
        assert_eq!(nearest, span(DAY - LEAST_S, DAY), "no nearer than a minute");
        assert_eq!(near.moved(100.0, DAY), span(DAY * 0.75, DAY));
        assert_eq!(near.moved(-100.0, DAY).from_s, 0.0);
        // A run shorter than a minute is shown whole; an empty run as a minute.
        assert_eq!(Span::whole(10.0).zoomed(3.0, 0.5, 10.0), span(0.0, 10.0));
        assert_eq!(Span::whole(0.0), span(0.0, LEAST_S));
    }

    #[test]
    fn what_is_asked_for_is_a_little_more_than_is_in_sight() {
        let seen = span(100.0, 200.0);
        let asked = seen.wider(0.5, 230.0);
        assert_eq!(asked, span(50.0, 230.0));
        assert!(asked.covers(&seen) && !seen.covers(&asked));
    }

    #[test]
    fn places_and_times_are_each_other_s_inverse() {
        let scale = Scale { span: span(50.0, 250.0), left: 100.0, width: 400.0 };
        assert_eq!(scale.x(50.0), 100.0);
        assert_eq!(scale.x(250.0), scale.right());
        assert_eq!(scale.at_s(scale.x(123.0)), 123.0);
    }

    #[test]
    fn labels_never_crowd_and_read_well_from_minutes_to_months() {
        for length in [60.0, 500.0, HOUR, 7.0 * HOUR, DAY, 9.0 * DAY, 45.0 * DAY, 400.0 * DAY] {
            for width in [200.0, 700.0, 1100.0] {
                let scale = Scale { span: span(0.0, length), left: 0.0, width };
                let n = scale.ticks().len();
                assert!(n as f64 <= width / APART + 1.0, "{n} labels for {length} s in {width}");
                assert!(n >= 2 || width < 300.0, "{n} labels for {length} s in {width}");
            }
        }
        let names = |from_s, to_s| {
            let scale = Scale { span: span(from_s, to_s), left: 0.0, width: 400.0 };
            scale.ticks().into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(names(0.0, DAY), "0:00 6:00 12:00 18:00 1\u{202f}d");
        let later = 17.0 * DAY + 7.0 * HOUR;
        assert_eq!(names(later, later + 2.0 * HOUR), "17\u{202f}d 7:00 7:30 8:00 8:30 9:00");
        assert_eq!(names(0.0, 60.0), "0:00:00 0:00:15 0:00:30 0:00:45 0:01:00");
        assert_eq!(
            names(DAY * 10.0, DAY * 30.0),
            "10\u{202f}d 15\u{202f}d 20\u{202f}d 25\u{202f}d 30\u{202f}d"
        );
    }
}
