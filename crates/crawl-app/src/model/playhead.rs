//! The play-head: one position for all lanes.

/// Position of the play-head, and whether it moves.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Playhead {
    /// Position in steps or simulated seconds; fractional while playing.
    pub at: f64,
    /// Whether it moves.
    pub playing: bool,
}

impl Playhead {
    /// Advances by `elapsed_s · speed`, up to `limit`; stops at `end`.
    pub fn advance(&mut self, elapsed_s: f64, speed: u32, limit: f64, end: f64) {
        if !self.playing {
            return;
        }
        // No jump after the tab was asleep.
        let elapsed_s = elapsed_s.clamp(0.0, 0.25);
        let moved = self.at + elapsed_s * f64::from(speed);
        // The first step comes at once.
        let moved = if self.at == 0.0 { moved.max(1.0) } else { moved };
        self.at = moved.min(limit.max(self.at));
        if self.at >= end {
            self.at = end;
            self.playing = end == 0.0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_waits_for_the_slowest_lane_and_stops_at_the_end() {
        let mut head = Playhead { at: 9.0, playing: true };
        head.advance(0.2, 20, 10.0, 100.0);
        assert_eq!(head, Playhead { at: 10.0, playing: true }, "waits for a lane that has run 10");
        head.advance(0.1, 20, 100.0, 100.0);
        assert_eq!(head.at, 12.0);
        head.advance(60.0, 1000, 100.0, 100.0);
        assert_eq!(head, Playhead { at: 100.0, playing: false });
    }

    #[test]
    fn it_waits_for_the_first_step_and_never_runs_back() {
        let mut head = Playhead { at: 0.0, playing: true };
        head.advance(1.0, 20, 0.0, 0.0);
        assert_eq!(head, Playhead { at: 0.0, playing: true });
        head.advance(0.01, 20, 30.0, 100.0);
        assert_eq!(head.at, 1.0, "the first step comes at once");
        head.advance(0.05, 20, 30.0, 100.0);
        assert_eq!(head.at, 2.0);
        let mut head = Playhead { at: 50.0, playing: true };
        head.advance(0.1, 20, 10.0, 100.0);
        assert_eq!(head.at, 50.0);
    }
}
