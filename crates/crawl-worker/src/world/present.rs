//! The present world, and how lanes get it.

use super::{Host, Lanes};
use crate::Array;
use crawl_core::{Bounds, Truth};
use crawl_layout::Picture;
use crawl_protocol::Task;
use crawl_protocol::world::{BoundsOf, Handover};
use crawl_world::{PageId, World};
use std::sync::Arc;

/// The present world.
pub(super) struct Present {
    /// By which request it was opened.
    pub(super) opened: Task,
    pub(super) digest: String,
    pub(super) world: Arc<World>,
    pub(super) truth: Arc<Truth>,
    pub(super) picture: Arc<Picture>,
    /// Where crawls start, as the app said last.
    pub(super) seeds: Vec<PageId>,
    pub(super) bounds: Option<(BoundsOf, Bounds)>,
}

impl Present {
    pub(super) fn hand_over(&self, to: Lanes, flat: Vec<u8>, host: &mut dyn Host) {
        let digest = self.digest.clone();
        let (opened, ranker) = (self.opened, self.truth.ranker.clone());
        let message = Handover::World { opened, digest, ranker };
        host.hand_over(to, &message, &[Array::U8(flat), Array::F64(self.truth.ranks.clone())]);
    }

    pub(super) fn hand_bounds_over(
        &self,
        to: Lanes,
        of: &BoundsOf,
        bounds: &Bounds,
        host: &mut dyn Host,
    ) {
        let message = Handover::Bounds { digest: self.digest.clone(), of: of.clone() };
        let curves = crate::lane::curves(bounds).map(|curve| Array::F64(curve.to_vec()));
        host.hand_over(to, &message, &curves);
    }
}
