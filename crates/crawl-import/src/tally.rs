//! Counts pages, links and text against the limits.

use crate::notice::NoticeKind;
use crate::notices::Notices;
use crate::{Limits, Problem};
use crawl_world::PageId;

/// Counts of links.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    links: u64,
    to_itself: u64,
    on_page: Vec<u32>,
}

impl Tally {
    /// Counts a link if the limits allow it.
    #[inline]
    pub(crate) fn link(
        &mut self,
        from: PageId,
        to: PageId,
        limits: &Limits,
    ) -> Result<(), Problem> {
        room_for_link(self.links as usize, limits)?;
        if self.on_page.len() <= from.index() {
            self.on_page.resize(from.index() + 1, 0);
        }
        let on_page = &mut self.on_page[from.index()];
        if *on_page as usize >= limits.list_items {
            let (what, limit) = ("links on one page", limits.list_items);
            return Err(Problem::ListTooLong { what, limit });
        }
        *on_page += 1;
        self.links += 1;
        self.to_itself += u64::from(from == to);
        Ok(())
    }

    /// Reports links that the world did not keep.
    pub(crate) fn report(&self, kept: u32, notices: &mut Notices) {
        let repeated = (self.links - self.to_itself).saturating_sub(u64::from(kept));
        notices.add(NoticeKind::LinksToItself, None, self.to_itself);
        notices.add(NoticeKind::RepeatedLinks, None, repeated);
    }
}

/// Fails if the limit on links is reached.
#[inline]
pub(crate) fn room_for_link(links: usize, limits: &Limits) -> Result<(), Problem> {
    if links < limits.links as usize {
        return Ok(());
    }
    let limit = limits.links;
    Err(Problem::TooManyLinks { limit })
}

/// Fails if the limit on pages is reached.
#[inline]
pub(crate) fn room_for_page(pages: u32, limits: &Limits) -> Result<(), Problem> {
    if pages < limits.pages {
        return Ok(());
    }
    let limit = limits.pages;
    Err(Problem::TooManyPages { limit })
}

/// Fails if the limit on text is exceeded.
#[inline]
pub(crate) fn room_for_text(bytes: u64, limits: &Limits) -> Result<(), Problem> {
    if bytes <= limits.text_bytes {
        return Ok(());
    }
    let limit = limits.text_bytes;
    Err(Problem::TooMuchText { limit })
}
