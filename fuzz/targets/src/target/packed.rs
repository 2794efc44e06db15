//! Worlds that travel in links: the text itself, and bytes that are packed before they are read,
//! since random text would hardly ever be packed well.

use super::Target;
use crate::check::check_line;
use crate::world::small_world;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use crawl_import::flat::{encode, pack, unpack};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::io::Write;

pub(super) const TARGET: Target = Target {
    name: "packed",
    note: "an error of one line, or a world that is packed and unpacked the same",
    run,
    made_seeds,
    n_mutations: 2_500,
};

fn run(bytes: &[u8]) {
    check(&String::from_utf8_lossy(bytes));
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).expect("memory takes everything");
    let deflated = encoder.finish().expect("memory takes everything");
    check(&URL_SAFE_NO_PAD.encode(deflated));
}

fn check(text: &str) {
    match unpack(text) {
        Ok(world) => {
            let Some(packed) = pack(&world) else { return };
            let again = unpack(&packed).expect("what was packed can be unpacked");
            assert_eq!(again.digest(), world.digest(), "the digest changed");
        }
        Err(error) => check_line(&error.to_string()),
    }
}

fn made_seeds() -> Vec<Vec<u8>> {
    let (world, _) = small_world();
    let text = pack(&world).expect("it is small");
    vec![text.into_bytes(), encode(&world)]
}
