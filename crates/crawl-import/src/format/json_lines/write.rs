//! Writes a world as JSON Lines: pages in order, then hosts; defaults are omitted.

use super::{FORMAT, VERSION};
use crawl_world::{PageId, Rhythm, World};
use std::fmt::Display;
use std::io::{self, Write};

const CHUNK_BYTES: usize = 64 << 10;
/// Integers below this are written without a fraction.
const EXACT: f64 = 1e15;

/// Writes a world so that it reads back with the same digest.
///
/// The output depends only on the world. A world built by hand reads back the same if its outside
/// links and redirects match their URLs and outside URLs are normalised; imported worlds always do.
///
/// # Errors
/// If writing fails.
pub fn write(world: &World, out: &mut dyn Write) -> io::Result<()> {
    let mut buffer = Vec::with_capacity(2 * CHUNK_BYTES);
    header(world, &mut buffer)?;
    for page in world.pages() {
        write_page(world, page, &mut buffer)?;
        if buffer.len() >= CHUNK_BYTES {
            out.write_all(&buffer)?;
            buffer.clear();
        }
    }
    for host in world.hosts() {
        if host.robots.is_none() && host.crawl_delay_s.is_none() {
            continue;
        }
        let mut line = Object::open(&mut buffer);
        line.text("host", &host.name)?;
        if let Some(robots) = &host.robots {
            line.text("robots", robots)?;
        }
        if let Some(delay_s) = host.crawl_delay_s {
            line.real("crawl_delay_s", delay_s)?;
        }
        line.close_line();
    }
    out.write_all(&buffer)?;
    out.flush()
}

fn header(world: &World, buffer: &mut Vec<u8>) -> io::Result<()> {
    let mut line = Object::open(buffer);
    line.text("format", FORMAT)?;
    line.shown("version", VERSION)?;
    line.text_unless_empty("title", world.title())?;
    let seeds = world.own_seeds();
    line.list("seeds", seeds, |buffer, seed| json(buffer, &world.url(*seed)))?;
    line.text_unless_empty("license", world.license())?;
    line.close_line();
    Ok(())
}

fn write_page(world: &World, page: PageId, buffer: &mut Vec<u8>) -> io::Result<()> {
    let mut line = Object::open(buffer);
    line.text("url", &world.url(page))?;
    line.text_unless_empty("title", world.title_of(page))?;
    line.text_unless_empty("text", world.page_text(page))?;
    let status = world.status(page);
    if status != 200 {
        line.shown("status", status)?;
    }
    line.text_unless_empty("location", world.location(page))?;
    if let Some(bytes) = world.bytes(page) {
        line.shown("bytes", bytes)?;
    }
    if let Some(latency_ms) = world.latency_ms(page) {
        line.real("latency_ms", latency_ms)?;
    }
    // The only link of a redirect is its location, already written.
    if (100..300).contains(&status) {
        links(world, page, &mut line)?;
    }
    line.list("topics", world.topics(page), json)?;
    if world.clicks(page) > 0 {
        line.shown("clicks", world.clicks(page))?;
    }
    if world.change_rate_per_hour(page) > 0.0 {
        line.real("change_rate_per_hour", world.change_rate_per_hour(page))?;
    }
    let changes = world.change_times_s(page);
    line.list("changes_s", changes, |buffer, at_s| real(buffer, *at_s))?;
    match world.rhythm(page) {
        None => {}
        Some(Rhythm::Periodic { period_s, phase_s }) => {
            line.real("change_period_s", period_s)?;
            if phase_s > 0.0 {
                line.real("change_phase_s", phase_s)?;
            }
        }
        Some(Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s }) => {
            line.real("change_bursts_per_hour", bursts_per_hour)?;
            line.real("change_rate_in_burst_per_hour", changes_per_hour)?;
            line.real("change_burst_s", burst_s)?;
        }
    }
    if let Some(born_s) = world.born_s(page) {
        line.real("born_s", born_s)?;
    }
    if let Some(gone_s) = world.gone_s(page) {
        line.real("gone_s", gone_s)?;
    }
    line.close_line();
    Ok(())
}

fn links(world: &World, page: PageId, line: &mut Object<'_>) -> io::Result<()> {
    let inside = world.link_range(page).zip(world.links(page)).map(Ok);
    let outside = world.outside_links(page).map(Err);
    line.list("links", inside.chain(outside), |buffer, link| {
        let (link, to) = match link {
            Ok((link, to)) => (link, world.url(*to)),
            Err(outside) => return json(buffer, outside),
        };
        let (anchor, context) = (world.anchor(link), world.context(link));
        let nofollow = world.is_nofollow(link);
        if anchor.is_empty() && context.is_empty() && !nofollow {
            return json(buffer, &to);
        }
        let mut object = Object::open(buffer);
        object.text("to", &to)?;
        object.text_unless_empty("anchor", anchor)?;
        object.text_unless_empty("context", context)?;
        if nofollow {
            object.text("rel", "nofollow")?;
        }
        object.close();
        Ok(())
    })
}

fn json(buffer: &mut Vec<u8>, text: &str) -> io::Result<()> {
    serde_json::to_writer(buffer, text).map_err(io::Error::from)
}

fn real(buffer: &mut Vec<u8>, number: f64) -> io::Result<()> {
    if number < EXACT && number.fract() == 0.0 {
        return write!(buffer, "{number:.0}");
    }
    serde_json::to_writer(buffer, &number).map_err(io::Error::from)
}

/// A JSON object being written.
struct Object<'b> {
    buffer: &'b mut Vec<u8>,
    empty: bool,
}

impl<'b> Object<'b> {
    fn open(buffer: &'b mut Vec<u8>) -> Self {
        buffer.push(b'{');
        let empty = true;
        Self { buffer, empty }
    }

    /// Writes a key. All keys are constants without characters to escape.
    fn key(&mut self, key: &str) {
        if !std::mem::take(&mut self.empty) {
            self.buffer.push(b',');
        }
        self.buffer.push(b'"');
        self.buffer.extend_from_slice(key.as_bytes());
        self.buffer.extend_from_slice(b"\":");
    }

    fn text(&mut self, key: &str, text: &str) -> io::Result<()> {
        self.key(key);
        json(self.buffer, text)
    }

    fn text_unless_empty(&mut self, key: &str, text: &str) -> io::Result<()> {
        if text.is_empty() {
            return Ok(());
        }
        self.text(key, text)
    }

    fn shown(&mut self, key: &str, number: impl Display) -> io::Result<()> {
        self.key(key);
        write!(self.buffer, "{number}")
    }

    fn real(&mut self, key: &str, number: f64) -> io::Result<()> {
        self.key(key);
        real(self.buffer, number)
    }

    /// Writes a list unless it is empty.
    fn list<T>(
        &mut self,
        key: &str,
        items: impl IntoIterator<Item = T>,
        mut write: impl FnMut(&mut Vec<u8>, T) -> io::Result<()>,
    ) -> io::Result<()> {
        let mut any = false;
        for item in items {
            if std::mem::replace(&mut any, true) {
                self.buffer.push(b',');
            } else {
                self.key(key);
                self.buffer.push(b'[');
            }
            write(self.buffer, item)?;
        }
        if any {
            self.buffer.push(b']');
        }
        Ok(())
    }

    fn close(self) {
        self.buffer.push(b'}');
    }

    fn close_line(self) {
        self.buffer.extend_from_slice(b"}\n");
    }
}
