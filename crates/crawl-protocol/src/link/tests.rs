use super::*;
use crawl_catalogue::{Entry, EntryTexts, Param};
use proptest::prelude::*;

const SIZE: &[Param] = &[Param::integer("pages", 100, 1, 1000, "")];
const KEEP: &[Param] = &[Param::flag("keep", false, ""), Param::text("say", "", 40, "")];

fn catalogue() -> Catalogue {
    let entry = |id, params| Entry::new(id, id, EntryTexts { params, ..EntryTexts::default() });
    Catalogue {
        entries: vec![
            (Kind::World, entry("web", SIZE)),
            (Kind::Strategy, entry("breadth-first", &[])),
            (Kind::Strategy, entry("opic", KEEP)),
            (Kind::Figure, entry("figure-1", SIZE)),
        ],
        rules: vec![
            Param::integer("budget", 0, 0, 1000, ""),
            Param::number("delay", 0.0, 0.0, 60.0, ""),
        ],
    }
}

fn canonical(link: &str) -> Result<String, String> {
    let experiment = Experiment::from_link(link, &catalogue());
    experiment.map(|e| e.to_link()).map_err(|e| e.to_string())
}

#[test]
fn links_are_readable_and_canonical() {
    let link = "#v=1&world=web(pages:20)&seeds='http://a.example/?a=1&b=(2'\
                &run=breadth-first,opic(keep:true)&budget=400&delay=0.5&rng=7&at=120";
    assert_eq!(canonical(link).unwrap(), link);
    let long = "https://host/path#at=120&rng=1&run=opic(keep:false)&v=1&world=web(100)&budget=0";
    assert_eq!(canonical(long).unwrap(), "#v=1&world=web&run=opic&at=120");
    let file = "#v=1&world=file(00112233445566778899aabbccddeeff,'my%20web.tsv')&run=opic";
    assert_eq!(canonical(file).unwrap(), file);
    let files =
        "#v=1&world=file(00112233445566778899aabbccddeeff,'a.txt','b,%20c''s.txt')&run=opic";
    assert_eq!(canonical(files).unwrap(), files);
    let nameless = "#v=1&world=file(00112233445566778899aabbccddeeff,'')&run=opic";
    assert_eq!(canonical(nameless).unwrap(), nameless.replace(",''", ""));
    let digest = "#v=1&world=web&run=opic&digest=00112233445566778899aabbccddeeff";
    assert_eq!(canonical(digest).unwrap(), digest);
    let data = "#v=1&world=file(00112233445566778899aabbccddeeff)&run=opic&data=a-_9";
    assert_eq!(canonical(data).unwrap(), data);
    let view = "#v=1&world=web&run=breadth-first,opic&at=4&axis=seconds&layout=layers\
                &speed=200&lane=2&page='http://a.example/?a=1%26b'&embed=1&marks=31\
                &colour=cash-handed-out&graph=2";
    assert_eq!(canonical(view).unwrap(), view.replace("%26", "&"));
    let moment = "#v=1&world=web&run=opic&at=7&axis=seconds&moment=43200.5";
    assert_eq!(canonical(moment).unwrap(), moment);
    let figure = "#v=1&world=web&run=opic&figure=figure-1(pages:20)";
    assert_eq!(canonical(figure).unwrap(), figure);
}

#[test]
fn every_fault_is_said_in_one_line() {
    let cases = [
        ("", "the link must say its version, v=1"),
        ("#v=x", "the link must say its version, v=1, not v=x"),
        (
            "#v=2&world=web",
            "the link has version 2, newer than the 1 this program reads; update it",
        ),
        ("#v=1&run=opic", "the link has no part 'world'"),
        ("#v=1&world=web", "the link has no part 'run'"),
        ("#v=1&world=wep&run=opic", "unknown world 'wep'; did you mean 'web'?"),
        ("#v=1&world=web&run=opik", "unknown strategy 'opik'; did you mean 'opic'?"),
        (
            "#v=1&world=web&run=opic&bugdet=4",
            "the link has an unknown part 'bugdet'; did you mean 'budget'?",
        ),
        ("#v=1&world=web&run=opic&run=opic", "the link has the part 'run' twice"),
        ("#v=1&world=web&run=opic&moment=-1", "moment must be seconds from 0 on, not -1"),
        ("#v=1&world=web&run=opic&moment=NaN", "moment must be seconds from 0 on, not NaN"),
        (
            "#v=1&world=web&run=opic&figure=figure-2",
            "unknown figure 'figure-2'; did you mean 'figure-1'?",
        ),
        (
            "#v=1&world=web&run=opic&budget=4000",
            "the crawl: budget must be a whole number, 0 to 1000, not 4000",
        ),
        ("#v=1&world=web&run=opic&delay=NaN", "the crawl: delay must be 0 to 60, not NaN"),
        ("#v=1&world=web&run=opic&delay=1,2", "the crawl: delay must be 0 to 60, not '1,2'"),
        (
            "#v=1&world=web&run=opic(keep:true",
            "in run: this bracket is not closed at character 5 of \"opic(keep:true\"",
        ),
        ("#v=1&world=web(pages:0)&run=opic", "web: pages must be a whole number, 1 to 1000, not 0"),
        (
            "#v=1&world=web&run=opic&rng=-1",
            "rng must be a whole number from 0 to 9007199254740991, not -1",
        ),
        (
            "#v=1&world=web&run=opic&seeds=http",
            "seeds must be URLs in quotes, such as seeds='http://a.example/', or \
             top(pagerank,4), not http",
        ),
        ("#v=1&world=web&run=opic&digest=12", "digest must be 32 hexadecimal digits, not 12"),
        (
            "#v=1&world=web&run=opic&data=abc",
            "data must be the content of a file as base64url, beside world=file(…), not abc",
        ),
        (
            "#v=1&world=file(00112233445566778899aabbccddeeff,a)&run=opic",
            "world must be file(digest,'name',…) with a digest of 32 hexadecimal digits and at most \
             8 names, not file(00112233445566778899aabbccddeeff,a)",
        ),
        (
            "#v=1&world=file(00112233445566778899aabbccddeeff,'1','2','3','4','5','6','7','8','9')\
             &run=opic",
            "world must be file(digest,'name',…) with a digest of 32 hexadecimal digits and at most \
             8 names, not file(00112233445566778899aabbc…,'3','4','5','6','7','8','9')",
        ),
        ("#v=1&world=web&run=opic&axis=miles", "axis must be pages or seconds, not miles"),
        ("#v=1&world=web&run=opic&lane=2", "lane must be a whole number from 1 to 1, not 2"),
        ("#v=1%2", "bad percent-encoding at character 4 of the link"),
    ];
    for (link, error) in cases {
        assert_eq!(canonical(link).unwrap_err(), error, "{link}");
    }
}

proptest! {
    #[test]
    fn printing_and_opening_are_inverse(
        pages in 1_u32..1000, say in ".{0,20}", seed in ".{0,20}", budget in 0_u32..1000,
        rng in 0..=Experiment::MAX_RNG, at in proptest::option::of(any::<u32>()),
    ) {
        let say = Value::Quoted(say);
        let seed = Value::Quoted(seed);
        let text = format!("v=1&world=web({pages})&seeds={seed}&run=opic(say:{say})\
                            &budget={budget}&rng={rng}");
        let mut made = Experiment::from_link(&percent::encode(&text), &catalogue()).unwrap();
        made.at = at;
        let opened = Experiment::from_link(&made.to_link(), &catalogue()).unwrap();
        prop_assert_eq!(made, opened);
    }

    #[test]
    fn a_link_names_every_file_it_needs(
        names in proptest::collection::vec(".{1,20}", 0..4),
        data in proptest::option::of("[A-Za-z0-9_-]{1,20}"),
    ) {
        let mut made = Experiment::from_link("v=1&world=web&run=opic", &catalogue()).unwrap();
        let digest = "00112233445566778899aabbccddeeff".to_owned();
        made.world = WorldSource::File { digest, names, data };
        let opened = Experiment::from_link(&made.to_link(), &catalogue()).unwrap();
        prop_assert_eq!(made, opened);
    }

    #[test]
    fn no_link_makes_it_panic(text in "(v=1)?[&=a-z()',:;%0-9é]{0,80}") {
        let _ = Experiment::from_link(&text, &catalogue());
    }
}

/// Errors of any link are short and without hidden characters.
#[test]
fn errors_quote_little_of_a_long_link() {
    let long = "x".repeat(200_000);
    let hidden = "a\u{202e}b\u{200b}\u{7}";
    let digest = "00112233445566778899aabbccddeeff";
    for outside in [long.as_str(), hidden] {
        let mut links = vec![
            format!("#v={outside}"),
            format!("#v=1&{outside}=1"),
            format!("#v=1&{outside}=1&{outside}=2"),
            format!("#v=1&world={outside}&run=opic"),
            format!("#v=1&world='{outside}'&run=opic"),
            format!("#v=1&world=web({outside}:1)&run=opic"),
            format!("#v=1&world=web(pages:{outside})&run=opic"),
            format!("#v=1&world=web(pages:{outside}(1))&run=opic"),
            format!("#v=1&world=web&run={outside}"),
            format!("#v=1&world=web&run='{outside}'"),
            format!("#v=1&world=web&run=opic({outside} {outside}"),
            format!("#v=1&world=web&run=opic&seeds={outside}"),
            format!("#v=1&world=web&run=opic&seeds=top({outside},1)"),
            format!("#v=1&world=web&run=opic&revisit={outside}"),
            format!("#v=1&world=web&run=opic&digest={outside}"),
            format!("#v=1&world=web&run=opic&data={outside}"),
            format!("#v=1&world=file({digest},{outside})&run=opic"),
            format!("#v=1&world=web&run=opic&budget={outside}"),
            format!("#v=1&world=web&run=opic&topic={outside}"),
            format!("#v=1&world=web&run=opic&page={outside}"),
        ];
        for key in
            ["axis", "layout", "lane", "embed", "colour", "timeline", "moment", "figure", "chart"]
        {
            links.push(format!("#v=1&world=web&run=opic&{key}={outside}"));
        }
        for link in links {
            let error = canonical(&link).unwrap_err();
            let start: String = link.chars().take(60).collect();
            assert!(error.chars().count() < 300, "{start}: {} characters", error.chars().count());
            assert!(!error.contains(crawl_catalogue::is_hidden), "{start}: {error:?}");
        }
    }
    let error = canonical(&format!("#v=1&{long}y=1")).unwrap_err();
    assert!(error.starts_with("the link has an unknown part 'xxx"), "{error}");
    assert!(error.contains('…') && error.contains("xy'"), "{error}");
}

/// The quadratic duplicate check took minutes for very many parts.
#[test]
fn links_of_very_many_parts_are_refused_early() {
    let parts: String = (0..100_000).map(|i| format!("&k{i}")).collect();
    let link = format!("#v=1&world=web&run=opic{parts}");
    assert_eq!(Parts::read(&link).unwrap().parts.len(), MAX_PARTS + 1);
    assert!(canonical(&link).unwrap_err().contains("unknown part 'k0'"));
    let names = KEYS.len() + view::KEYS.len() + catalogue().rules.len();
    assert!(names < MAX_PARTS);
}
