//! The binary form of a world, for storage and for messages between workers.
//!
//! Layout: four magic bytes and a version, then the columns of the world, as variable-length
//! differences (postcard). Version 3 appends the timetable, version 4 also the births of pages; a
//! world without them is written as version 2 or 3. [`decode`] accepts untrusted bytes: it allocates
//! no more than they can fill, and checks the result. [`pack`] makes the form for links: deflate,
//! then base64url.

use crate::address;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crawl_world::{Timetable, Unsound, World};
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use serde::Deserialize;
use std::io::Read;

/// Magic bytes; the version follows.
const MAGIC: &[u8; 4] = b"crwl";
/// Versions: without a timetable, with one, and with births too.
const PLAIN: u8 = 2;
const TIMED: u8 = 3;
const GROWING: u8 = 4;

/// Maximum characters of a world in a link, so that mail, chat and QR codes keep it whole.
pub const MAX_PACKED_CHARS: usize = 6000;

/// Maximum bytes of a decompressed world from a link.
const MAX_UNPACKED_BYTES: u64 = 8 << 20;

/// Why bytes could not be decoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FlatError {
    /// Wrong magic bytes.
    #[error("these bytes are not a world")]
    NotAWorld,
    /// An unknown version.
    #[error("a world stored in version {0} cannot be read here; versions {PLAIN} to {GROWING} can")]
    OtherVersion(u8),
    /// Truncated or invalid data, or trailing bytes.
    #[error("the stored world is damaged: {0}")]
    Damaged(String),
    /// A decoded world that fails its checks.
    #[error("the stored world is damaged: {0}")]
    Unsound(#[from] Unsound),
    /// Invalid base64url or deflate data in a link.
    #[error("the world in the link is damaged")]
    BadPacking,
    /// A world in a link that is too large.
    #[error("the world in the link is too large")]
    TooLarge,
}

/// Encodes a world.
pub fn encode(world: &World) -> Vec<u8> {
    let timetable = world.timetable();
    let version = match () {
        () if timetable.is_empty() => PLAIN,
        () if world.has_births() => GROWING,
        () => TIMED,
    };
    let mut flat = MAGIC.to_vec();
    flat.push(version);
    // Writing to memory fails only for unsupported types, and a world has none.
    flat = postcard::to_extend(world, flat).unwrap_or_default();
    if version >= TIMED {
        flat = postcard::to_extend(timetable, flat).unwrap_or_default();
    }
    if version >= GROWING {
        flat = postcard::to_extend(timetable.births(), flat).unwrap_or_default();
    }
    flat
}

/// Decodes and checks a world.
///
/// # Errors
/// If the bytes are not a world, are of another version, or are damaged.
pub fn decode(bytes: &[u8]) -> Result<World, FlatError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(FlatError::NotAWorld)?;
    let (version, mut rest) = rest.split_first().ok_or(FlatError::NotAWorld)?;
    let mut world = match *version {
        PLAIN..=GROWING => take::<World>(&mut rest)?,
        other => return Err(FlatError::OtherVersion(other)),
    };
    if *version >= TIMED {
        let mut timetable = take::<Timetable>(&mut rest)?;
        if *version >= GROWING {
            timetable = timetable.with_births(take(&mut rest)?);
        }
        world = world.with_timetable(timetable);
    }
    if !rest.is_empty() {
        return Err(FlatError::Damaged(format!("{} bytes are left over", rest.len())));
    }
    Ok(world.check()?)
}

fn take<'b, T: Deserialize<'b>>(rest: &mut &'b [u8]) -> Result<T, FlatError> {
    let (value, left) = postcard::take_from_bytes::<T>(rest)
        .map_err(|error| FlatError::Damaged(error.to_string()))?;
    *rest = left;
    Ok(value)
}

/// Encodes a world for a link; `None` if it is too large.
pub fn pack(world: &World) -> Option<String> {
    // No world compresses that well, so large ones are not tried.
    if world.memory_bytes() > MAX_PACKED_CHARS * 300 {
        return None;
    }
    let mut packed = Vec::new();
    let flat = encode(world);
    let mut deflated = DeflateEncoder::new(flat.as_slice(), Compression::best());
    deflated.read_to_end(&mut packed).ok()?;
    let text = URL_SAFE_NO_PAD.encode(packed);
    (text.len() <= MAX_PACKED_CHARS && flat.len() as u64 <= MAX_UNPACKED_BYTES).then_some(text)
}

/// Decodes a world from a link.
///
/// # Errors
/// If the text is not valid base64url and deflate, or the world is damaged or too large.
pub fn unpack(text: &str) -> Result<World, FlatError> {
    let packed = URL_SAFE_NO_PAD.decode(text).map_err(|_| FlatError::BadPacking)?;
    let mut flat = Vec::new();
    let mut inflated = DeflateDecoder::new(packed.as_slice()).take(MAX_UNPACKED_BYTES + 1);
    inflated.read_to_end(&mut flat).map_err(|_| FlatError::BadPacking)?;
    if flat.len() as u64 > MAX_UNPACKED_BYTES {
        return Err(FlatError::TooLarge);
    }
    let mut world = decode(&flat)?;
    // Sites in the link are not trusted: other numbers would change the crawl.
    world.number_sites(address::site);
    Ok(world)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{every_made_world, made};
    use crate::write_json_lines;
    use crawl_world::{Changes, Link, PageId, Rhythm, WorldBuilder};
    use proptest::prelude::*;
    use std::io::Write;

    /// Reads every part of a world.
    fn use_all(world: &World) {
        let mut written = Vec::new();
        write_json_lines(world, &mut written).unwrap();
        world.digest();
        let reach = world.reach(&world.seeds());
        assert!(reach.n_pages() <= world.n_pages());
        for page in world.pages() {
            let host = world.host_of(page).map(|host| world.host(host));
            assert!(host.is_none_or(|host| host.site.0 < world.n_sites()));
            let _ = (world.status(page), world.bytes(page), world.latency_ms(page));
            for t_us in [0, 1_000_000, u64::MAX] {
                let seen = &world.links(page)[..world.n_links_by(page, t_us)];
                assert!(seen.iter().all(|to| world.is_born_by(*to, t_us)));
                assert!(world.n_out_by(page, t_us) <= world.out_degree(page));
            }
            let changes = Changes::new(world, page, 1);
            assert!(changes.last_change_by(u64::MAX) >= changes.from(7).next());
        }
    }

    #[test]
    fn every_made_world_comes_back() {
        for world in every_made_world().chain([made("newsroom(pages:200,coming:300)")]) {
            let flat = encode(&world);
            let again = decode(&flat).unwrap();
            assert_eq!(again, world);
            assert_eq!(again.digest(), world.digest());
            assert!(flat.len() < world.memory_bytes(), "{}", world.title());
        }
    }

    #[test]
    fn small_worlds_travel_in_a_link() {
        for id in ["fica-figure-1", "jlse-figure-2", "rl-figure-3", "greedy-oracle"] {
            let world = made(id);
            let packed = pack(&world).unwrap();
            assert!(packed.len() <= MAX_PACKED_CHARS);
            assert!(packed.bytes().all(|b| b.is_ascii_alphanumeric() || b"-_".contains(&b)));
            assert_eq!(unpack(&packed).unwrap(), world);
        }
        assert_eq!(pack(&made("campus")), None);
        assert_eq!(pack(&made("web(pages:100000)")), None);
    }

    /// Encoded worlds of versions 2 and 3, from before version 4.
    #[test]
    fn worlds_without_a_timetable_or_births_are_stored_as_they_were() {
        let mut builder = WorldBuilder::numbered("two", 2).unwrap();
        builder.link(PageId(0), PageId(1));
        builder.set_change_rate(PageId(1), 0.5).unwrap();
        builder.add_change(PageId(1), 2.0).unwrap();
        let world = builder.clone().finish().unwrap();
        let flat = encode(&world);
        assert_eq!(
            URL_SAFE_NO_PAD.encode(&flat),
            "Y3J3bAIDdHdvAAACAAIBAAECAAEAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAOA_AwAAAQEAAAAAAAAAQAAAAAAAAA"
        );
        builder.set_gone(PageId(1), 9.0).unwrap();
        let timed = encode(&builder.clone().finish().unwrap());
        assert_eq!((flat[4], timed[4]), (2, 3));
        assert!(timed[5..].starts_with(&flat[5..]));
        assert_eq!(
            URL_SAFE_NO_PAD.encode(&timed),
            "Y3J3bAMDdHdvAAACAAIBAAECAAEAAAAAAAAAAAAAAAIAAAAAAAAAAAAAAAAAAOA_AwAAAQEAAAAAAAAAQAAAAAAAAA\
             AAAwAAAQEAAAAAAAAiQA"
        );
        builder.set_born(PageId(1), 8.0).unwrap();
        let growing = encode(&builder.finish().unwrap());
        assert_eq!(growing[4], 4);
        assert!(growing[5..].starts_with(&timed[5..]));
        // Only newsrooms had a timetable then.
        let newsroom = encode(&made("newsroom"));
        assert_eq!((newsroom[4], newsroom.len()), (3, 1_523_126));
    }

    #[test]
    fn what_is_no_world_says_so() {
        let world = made("fica-figure-1");
        let flat = encode(&world);
        let longer = [flat.as_slice(), &[0]].concat();
        let newer = [b"crwl\x05".as_slice(), &flat[5..]].concat();
        let timed = [b"crwl\x03".as_slice(), &flat[5..]].concat();
        let ends = "the stored world is damaged: Hit the end of buffer, expected more data";
        let cases: [(&[u8], &str); 6] = [
            (b"", "these bytes are not a world"),
            (b"PK\x03\x04 and so on", "these bytes are not a world"),
            (&newer, "a world stored in version 5 cannot be read here; versions 2 to 4 can"),
            (&timed, ends),
            (&longer, "the stored world is damaged: 1 bytes are left over"),
            (&flat[..flat.len() - 1], ends),
        ];
        for (bytes, message) in cases {
            assert_eq!(decode(bytes).unwrap_err().to_string(), message);
        }
        assert_eq!(unpack("!").unwrap_err(), FlatError::BadPacking);
        assert_eq!(unpack("AAAA").unwrap_err(), FlatError::BadPacking);
        let packed = pack(&world).unwrap();
        assert!(unpack(&packed[..packed.len() - 4]).is_err());
    }

    #[test]
    fn births_that_cannot_be_are_refused() {
        let mut builder = WorldBuilder::numbered("three", 3).unwrap();
        builder.link(PageId(0), PageId(2));
        builder.link(PageId(0), PageId(1));
        builder.set_gone(PageId(1), 9.0).unwrap();
        builder.set_born(PageId(1), 8.0).unwrap();
        let flat = encode(&builder.finish().unwrap());
        let (rest, eight) = flat.split_at(flat.len() - 8);
        assert_eq!(eight, 8_f64.to_le_bytes());
        let with = |born_s: f64| decode(&[rest, &born_s.to_le_bytes()].concat());
        assert_eq!(with(7.5).unwrap().born_s(PageId(1)), Some(7.5));
        for (born_s, message) in [
            (0.0, "a birth is not after the start"),
            (-1.0, "a birth is not after the start"),
            (f64::NAN, "a birth is not after the start"),
            (9.0, "a page is gone before it is born"),
        ] {
            let message = format!("the stored world is damaged: {message}");
            assert_eq!(with(born_s).unwrap_err().to_string(), message);
        }
        // Offsets of births per page as differences, their number, then the times.
        let (rest, births) = flat.split_at(flat.len() - 14);
        assert_eq!(births[..6], [4, 0, 0, 1, 0, 1]);
        for (births, message) in [
            ([4, 0, 1, 0, 0, 1], "a seed does not exist at the start"),
            ([4, 0, 0, 0, 1, 1], "links are not in the order of their targets' births"),
            ([4, 0, 0, 1, 1, 1], "lists overlap"),
        ] {
            let message = format!("the stored world is damaged: {message}");
            assert_eq!(decode(&[rest, &births, eight].concat()).unwrap_err().to_string(), message);
        }
        assert!(decode(rest).is_err());
    }

    #[test]
    fn a_bomb_is_stopped_early() {
        let mut bomb = flate2::write::DeflateEncoder::new(Vec::new(), Compression::best());
        (0..64).for_each(|_| bomb.write_all(&[0; 1 << 20]).unwrap());
        let text = URL_SAFE_NO_PAD.encode(bomb.finish().unwrap());
        assert!(text.len() < 100_000);
        assert_eq!(unpack(&text).unwrap_err(), FlatError::TooLarge);
        // A length larger than the data allocates nothing.
        let promise = [MAGIC.as_slice(), &[PLAIN, 0xff, 0xff, 0xff, 0xff, 0x0f]].concat();
        assert!(decode(&promise).is_err());
    }

    /// Random worlds with all optional columns.
    fn worlds() -> impl Strategy<Value = World> {
        let link = (0..12_u32, 0..12_u32, 0..4_usize, any::<bool>());
        let fact = (0..12_u32, 0..14_u32, 0.0..1e6_f64);
        (
            any::<bool>(),
            0..12_u32,
            prop::collection::vec(link, 0..40),
            prop::collection::vec(fact, 0..30),
        )
            .prop_map(|(numbered, n, links, facts)| {
                let mut builder = match numbered {
                    true => WorldBuilder::numbered("n", n).unwrap(),
                    false => WorldBuilder::new("ü"),
                };
                for i in (0..n).filter(|_| !numbered) {
                    builder.page(&format!("http://h{}.example/{i}?é", i % 3)).unwrap();
                }
                let texts = ["", "read more", "Größe", "日本"];
                for (from, to, text, nofollow) in links {
                    if from < n && to < n {
                        let link = Link { anchor: texts[text], context: texts[3 - text], nofollow };
                        builder.link_with(PageId(from), PageId(to), link);
                    }
                }
                for (page, what, number) in facts {
                    let page = PageId(page);
                    if page.0 >= n {
                        continue;
                    }
                    match what {
                        0 => builder.set_title(page, "title"),
                        1 => builder.set_text(page, "téxt"),
                        2 => builder.add_topic(page, texts[number as usize % 4]),
                        3 => builder.set_clicks(page, number as u32),
                        4 => builder.set_change_rate(page, number).unwrap(),
                        5 => builder.add_change(page, number).unwrap(),
                        6 => builder.set_status(page, 100 + number as u16 % 500).unwrap(),
                        7 => builder.set_latency_ms(page, number).unwrap(),
                        8 => builder.link_outside(page, "http://elsewhere.example/"),
                        9 => builder.set_gone(page, number + 0.1).unwrap(),
                        10 => {
                            let (period_s, phase_s) = (number + 1.0, number / 2.0);
                            let rhythm = Rhythm::Periodic { period_s, phase_s };
                            builder.set_rhythm(page, rhythm).unwrap();
                        }
                        11 => {
                            let (bursts_per_hour, burst_s) = (number + 0.01, number + 1.0);
                            let changes_per_hour = 2.0 * bursts_per_hour;
                            let rhythm =
                                Rhythm::Bursty { bursts_per_hour, changes_per_hour, burst_s };
                            builder.set_rhythm(page, rhythm).unwrap();
                        }
                        // Not a seed, and before the page is deleted.
                        12 if page.0 % 3 == 1 => builder.set_born(page, number * 1e-9).unwrap(),
                        _ if page.0 % 3 != 1 => builder.seed(page),
                        _ => {}
                    }
                }
                let host = builder.set_host("h1.example", Some("User-agent: *"), Some(2.5));
                assert!(host.is_ok());
                builder.finish().unwrap()
            })
    }

    proptest! {
        #[test]
        fn every_world_comes_back(world in worlds()) {
            let again = decode(&encode(&world)).unwrap();
            prop_assert_eq!(&again, &world);
            prop_assert_eq!(again.digest(), world.digest());
            prop_assert_eq!(unpack(&pack(&world).unwrap()).unwrap(), world);
        }

        #[test]
        fn damaged_bytes_are_an_error_or_a_world_that_can_be_used(
            world in worlds(),
            changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
            cut in prop::option::of(any::<prop::sample::Index>()),
        ) {
            let mut flat = encode(&world);
            for (at, byte) in changes {
                let at = at.index(flat.len());
                flat[at] = byte;
            }
            if let Some(cut) = cut {
                flat.truncate(cut.index(flat.len()));
            }
            match decode(&flat) {
                Ok(world) => use_all(&world),
                Err(error) => prop_assert!(!error.to_string().contains('\n')),
            }
        }

        #[test]
        fn no_bytes_make_it_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
            for version in PLAIN..=GROWING {
                let flat = [MAGIC.as_slice(), &[version], &bytes].concat();
                if let Ok(world) = decode(&flat) {
                    use_all(&world);
                }
            }
            let _ = unpack(&URL_SAFE_NO_PAD.encode(&bytes));
        }
    }
}
