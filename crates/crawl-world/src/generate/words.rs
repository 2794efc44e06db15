//! Vocabulary of the generated worlds.
//!
//! A topic is a list of words, most frequent first. A text draws each word from its topics or from
//! common words, and within a list the word at index ⌊n·u²⌋ for a uniform u, so that the first
//! words are much more frequent than the last.

use crate::Rng;

/// A subject with its vocabulary. Topics and [`COMMON`] share no words.
pub(super) struct Topic {
    /// Label of pages about it.
    pub name: &'static str,
    pub words: &'static [&'static str],
}

/// Share of topical words in a text; of those, share of the first topic.
const TOPICAL: f64 = 0.45;
const FIRST_TOPIC: f64 = 0.85;

impl Topic {
    /// Draws a word.
    pub fn word(&self, rng: &mut Rng) -> &'static str {
        skewed(rng, self.words)
    }

    /// Draws two different words, for a title.
    pub fn phrase(&self, rng: &mut Rng) -> String {
        let first = self.word(rng);
        let mut second = self.word(rng);
        while second == first {
            second = *rng.pick(self.words);
        }
        format!("{first} {second}")
    }
}

/// A text of `n_words` words in sentences.
pub(super) fn text(rng: &mut Rng, topics: &[&Topic], n_words: u32) -> String {
    let mut text = String::with_capacity(n_words as usize * 7);
    let mut left = 0;
    for i in 0..n_words {
        let word = word(rng, topics);
        if left == 0 {
            left = rng.between(6, 14);
            text.push_str(if i > 0 { ". " } else { "" });
            text.push_str(&capital(word));
        } else {
            text.push(' ');
            text.push_str(word);
        }
        left -= 1;
    }
    text.push('.');
    text
}

/// Words in lower case around an anchor: the context of a link.
pub(super) fn around(rng: &mut Rng, topics: &[&Topic], anchor: &str) -> String {
    let mut text = String::new();
    for _ in 0..rng.between(2, 5) {
        text.push_str(word(rng, topics));
        text.push(' ');
    }
    text.push_str(anchor);
    for _ in 0..rng.between(2, 5) {
        text.push(' ');
        text.push_str(word(rng, topics));
    }
    text
}

fn word(rng: &mut Rng, topics: &[&Topic]) -> &'static str {
    match topics {
        [first, others @ ..] if rng.chance(TOPICAL) => {
            if others.is_empty() || rng.chance(FIRST_TOPIC) {
                first.word(rng)
            } else {
                rng.pick(others).word(rng)
            }
        }
        _ => skewed(rng, COMMON),
    }
}

fn skewed(rng: &mut Rng, words: &[&'static str]) -> &'static str {
    let u = rng.fraction();
    words[(words.len() as f64 * u * u) as usize]
}

/// Capitalises the first letter.
pub(super) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).collect()
}

/// A URL segment: lower case, hyphens for spaces.
pub(super) fn slug(text: &str) -> String {
    text.to_ascii_lowercase().replace(' ', "-")
}

#[rustfmt::skip]
const COMMON: &[&str] = &[
    "the", "of", "and", "a", "to", "in", "is", "for", "on", "with", "that", "this", "are", "as",
    "by", "be", "from", "it", "an", "at", "or", "you", "all", "new", "more", "can", "we", "our",
    "has", "was", "will", "have", "which", "one", "not", "also", "first", "here", "other", "time",
    "about", "been", "many", "see", "two", "most", "their", "part", "under", "every", "each",
    "between", "several", "well", "long", "still", "often", "next", "small", "large",
];

#[rustfmt::skip]
pub(super) const FIRST_NAMES: &[&str] = &[
    "Ada", "Amir", "Anna", "Boris", "Chen", "Clara", "Dara", "Elif", "Emil", "Farid", "Goran",
    "Hana", "Ines", "Ivan", "Jonas", "Kaya", "Lena", "Lin", "Mara", "Milan", "Nadia", "Niko",
    "Olga", "Omar", "Petra", "Rafael", "Rosa", "Sana", "Tomas", "Vera", "Yusuf", "Zoe",
];

#[rustfmt::skip]
pub(super) const FAMILY_NAMES: &[&str] = &[
    "Abel", "Arslan", "Berg", "Bianchi", "Castro", "Dahl", "Demir", "Egger", "Farkas", "Fischer",
    "Gallo", "Haddad", "Horvat", "Ivanova", "Jensen", "Kaplan", "Karimi", "Keller", "Kowal",
    "Larsen", "Lehmann", "Marin", "Moreau", "Nagy", "Novak", "Okafor", "Orlov", "Pavic", "Petrov",
    "Quist", "Rahman", "Ricci", "Rossi", "Saito", "Santos", "Schmid", "Silva", "Sokolov", "Tanaka",
    "Urban", "Varga", "Vogel", "Weber", "Yilmaz", "Zhang", "Ziegler",
];

/// Subjects of universities and societies.
#[rustfmt::skip]
pub(super) const SUBJECTS: &[Topic] = &[
    Topic {
        name: "computing",
        words: &[
            "algorithm", "software", "computer", "network", "program", "compiler", "database",
            "graph", "search", "crawler", "complexity", "processor", "memory", "recursion",
            "syntax", "encryption", "protocol", "cache", "thread", "automaton", "debugging",
            "parser", "index", "kernel", "latency", "tree",
        ],
    },
    Topic {
        name: "mathematics",
        words: &[
            "theorem", "proof", "algebra", "geometry", "topology", "integral", "matrix", "prime",
            "equation", "vector", "probability", "lemma", "manifold", "polynomial", "calculus",
            "conjecture", "axiom", "symmetry", "eigenvalue", "convergence", "bijection",
            "derivative", "lattice", "ring", "measure", "series",
        ],
    },
    Topic {
        name: "physics",
        words: &[
            "energy", "quantum", "particle", "field", "momentum", "photon", "gravity", "electron",
            "laser", "plasma", "relativity", "entropy", "magnet", "neutrino", "optics", "spectrum",
            "velocity", "superconductor", "detector", "collision", "thermodynamics", "oscillator",
            "boson", "vacuum", "wavelength", "inertia",
        ],
    },
    Topic {
        name: "biology",
        words: &[
            "cell", "gene", "protein", "species", "evolution", "organism", "enzyme", "membrane",
            "genome", "bacteria", "ecology", "mutation", "neuron", "plant", "tissue", "virus",
            "chromosome", "habitat", "metabolism", "photosynthesis", "fungus", "larva", "predator",
            "pollen", "embryo", "coral",
        ],
    },
    Topic {
        name: "history",
        words: &[
            "century", "empire", "war", "medieval", "archive", "revolution", "king", "treaty",
            "parliament", "ancient", "manuscript", "colony", "trade", "monastery", "chronicle",
            "dynasty", "castle", "peasant", "crusade", "republic", "census", "guild", "siege",
            "antiquity", "nobility", "excavation",
        ],
    },
    Topic {
        name: "linguistics",
        words: &[
            "language", "grammar", "dialect", "phoneme", "translation", "verb", "vowel", "corpus",
            "meaning", "noun", "speech", "tense", "idiom", "alphabet", "consonant", "bilingual",
            "morphology", "pronoun", "clause", "etymology", "accent", "lexicon", "discourse",
            "semantics", "suffix", "rhyme",
        ],
    },
    Topic {
        name: "law",
        words: &[
            "court", "contract", "statute", "judge", "liability", "rights", "constitution",
            "criminal", "evidence", "tort", "appeal", "jury", "treason", "defendant", "verdict",
            "lawyer", "regulation", "plaintiff", "jurisdiction", "clemency", "patent", "testimony",
            "arbitration", "felony", "injunction", "notary",
        ],
    },
    Topic {
        name: "economics",
        words: &[
            "market", "inflation", "demand", "supply", "growth", "bank", "currency", "tax",
            "labour", "capital", "credit", "export", "tariff", "utility", "wage", "investment",
            "debt", "monopoly", "budget", "recession", "auction", "dividend", "subsidy", "poverty",
            "welfare", "stock",
        ],
    },
    Topic {
        name: "music",
        words: &[
            "concert", "orchestra", "melody", "harmony", "choir", "piano", "violin", "opera",
            "rhythm", "composer", "symphony", "jazz", "guitar", "sonata", "singer", "quartet",
            "organ", "tempo", "chord", "flute", "ballad", "cello", "fugue", "trumpet", "overture",
            "recital",
        ],
    },
    Topic {
        name: "geography",
        words: &[
            "river", "climate", "map", "mountain", "ocean", "soil", "glacier", "city", "population",
            "coast", "rainfall", "valley", "migration", "desert", "erosion", "volcano", "delta",
            "island", "sediment", "border", "monsoon", "plateau", "earthquake", "basin", "latitude",
            "tundra",
        ],
    },
    Topic {
        name: "chemistry",
        words: &[
            "molecule", "reaction", "acid", "polymer", "catalyst", "solvent", "ion", "oxidation",
            "carbon", "crystal", "compound", "synthesis", "hydrogen", "titration", "bond", "alloy",
            "isotope", "ester", "distillation", "electrolysis", "oxide", "reagent", "salt",
            "nitrogen", "spectrometer", "zeolite",
        ],
    },
    Topic {
        name: "medicine",
        words: &[
            "patient", "disease", "therapy", "surgery", "clinic", "diagnosis", "drug", "vaccine",
            "heart", "infection", "symptom", "nurse", "anatomy", "cancer", "hospital", "blood",
            "immunity", "kidney", "dosage", "epidemic", "allergy", "anaesthesia", "lung",
            "diabetes", "fracture", "antibiotic",
        ],
    },
];

/// Goods of shops. A product is called by the first word of its topic (first three topics), or by
/// one of the first six words (other topics).
#[rustfmt::skip]
pub(super) const GOODS: &[Topic] = &[
    Topic {
        name: "phones",
        words: &[
            "phone", "phones", "smartphone", "mobile", "handset", "dual-sim", "touchscreen",
            "ringtone", "android", "roaming", "texting", "voicemail", "calls", "headset",
            "messaging", "unlocked", "sim-card", "selfie", "speakerphone", "hotspot", "dialler",
            "earpiece", "contacts", "keypad",
        ],
    },
    Topic {
        name: "cameras",
        words: &[
            "camera", "cameras", "lens", "zoom", "photo", "shutter", "aperture", "flash", "tripod",
            "viewfinder", "megapixel", "exposure", "mirrorless", "focus", "telephoto", "portrait",
            "autofocus", "macro", "iso", "bokeh", "hotshoe", "panorama", "raw-format", "wide-angle",
        ],
    },
    Topic {
        name: "laptops",
        words: &[
            "laptop", "laptops", "notebook", "ultrabook", "keyboard", "trackpad", "graphics-card",
            "gigahertz", "ssd", "docking", "webcam", "hinge", "backlit", "quad-core", "touchpad",
            "operating-system", "motherboard", "ethernet", "gaming", "benchmark", "ram",
            "cooling-fan", "hdmi", "spreadsheet",
        ],
    },
    Topic {
        name: "kitchen",
        words: &[
            "kettle", "pan", "oven", "knife", "blender", "toaster", "saucepan", "mixer", "whisk",
            "recipe", "baking", "coffee", "grill", "dishwasher", "spatula", "bowl", "frying",
            "juicer", "cutlery", "nonstick", "teapot", "grater", "simmer", "apron",
        ],
    },
    Topic {
        name: "garden",
        words: &[
            "mower", "spade", "hose", "rake", "greenhouse", "trowel", "lawn", "seeds", "compost",
            "hedge", "pruning", "flowerpot", "sprinkler", "weeds", "bulbs", "wheelbarrow",
            "fertiliser", "shears", "trellis", "patio", "barbecue", "shrub", "mulch", "orchard",
        ],
    },
    Topic {
        name: "furniture",
        words: &[
            "sofa", "chair", "table", "wardrobe", "shelf", "desk", "oak", "cushion", "mattress",
            "drawer", "upholstery", "armchair", "bookcase", "stool", "walnut", "cabinet", "bench",
            "veneer", "footrest", "sideboard", "bedframe", "legs", "varnish", "headboard",
        ],
    },
    Topic {
        name: "toys",
        words: &[
            "puzzle", "doll", "teddy", "kite", "scooter", "toy", "blocks", "playset", "boardgame",
            "dice", "marbles", "puppet", "jigsaw", "trainset", "crayons", "rattle", "yoyo",
            "dinosaur", "skipping-rope", "building-bricks", "cards", "plush", "balloon", "slime",
        ],
    },
    Topic {
        name: "books",
        words: &[
            "novel", "paperback", "thriller", "biography", "anthology", "cookbook", "author",
            "chapter", "hardcover", "poetry", "bestseller", "fiction", "publisher", "bookmark",
            "sequel", "fantasy", "memoir", "detective", "illustrated", "edition", "readers", "plot",
            "narrator", "prologue",
        ],
    },
    Topic {
        name: "sport",
        words: &[
            "bicycle", "tent", "racket", "dumbbell", "helmet", "kayak", "running", "football",
            "yoga", "swimming", "hiking", "training", "jersey", "skates", "rowing", "climbing",
            "ski", "treadmill", "rucksack", "goggles", "basketball", "trainers", "marathon",
            "snorkel",
        ],
    },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_belongs_to_two_topics() {
        let lists = SUBJECTS.iter().chain(GOODS).map(|t| t.words).chain([COMMON]);
        let mut words: Vec<&str> = lists.flatten().copied().collect();
        words.sort_unstable();
        let repeated: Vec<_> = words.windows(2).filter(|w| w[0] == w[1]).collect();
        assert!(repeated.is_empty(), "{repeated:?}");
    }

    #[test]
    fn a_text_is_mostly_about_its_topic() {
        let mut rng = Rng::new(1, "test");
        let text = text(&mut rng, &[&SUBJECTS[0], &SUBJECTS[1]], 10_000).to_lowercase();
        let words: Vec<&str> = text.split([' ', '.']).filter(|w| !w.is_empty()).collect();
        assert_eq!(words.len(), 10_000);
        let share = |topic: &Topic| {
            words.iter().filter(|w| topic.words.contains(w)).count() as f64 / 10_000.0
        };
        // Expected 0.3825, 0.0675 and 0; 4 standard deviations are at most 0.02.
        assert!((share(&SUBJECTS[0]) - 0.3825).abs() < 0.02);
        assert!((share(&SUBJECTS[1]) - 0.0675).abs() < 0.02);
        assert_eq!(share(&SUBJECTS[2]), 0.0);
    }
}
