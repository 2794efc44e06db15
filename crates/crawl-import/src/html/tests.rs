use super::*;
use crate::address;
use proptest::prelude::*;

const URL: &str = "http://a.example/dir/page.html";

fn page(html: &str) -> Page {
    read(html, URL, &Options::default())
}

fn targets(page: &Page) -> Vec<&str> {
    page.links.iter().map(|link| link.to.as_str()).collect()
}

/// The context of the only link.
fn context(html: &str, distance: u32) -> String {
    let options = Options { context_distance: distance, ..Options::default() };
    let page = read(html, URL, &options);
    assert_eq!(page.links.len(), 1, "{html}");
    page.links[0].context.clone()
}

#[test]
fn a_page_has_title_blocks_and_links() {
    let page = page(
        "<!doctype html><title> Phones\n &amp; more </title><style>p {}</style>
         <script>document.write('<a href=x>x</a>')</script>
         <h1>All  phones</h1><p>See <b>the</b>m <a href='one.html'>One\u{a0}<i>phone</i></a>,
         or<br>another.<ul><li>first<li><a href=/two rel='external NoFollow'>second</a></ul>
         <svg><title>drawing</title></svg><template><a href=never>never</a></template>",
    );
    assert_eq!(page.title, "Phones & more");
    let blocks: Vec<&str> = page.blocks().collect();
    assert_eq!(blocks, ["All phones", "See them One phone, or another.", "first", "second"]);
    assert_eq!(targets(&page), ["http://a.example/dir/one.html", "http://a.example/two"]);
    let links: Vec<_> = page.links.iter().map(|l| (l.anchor.as_str(), l.nofollow)).collect();
    assert_eq!(links, [("One phone", false), ("second", true)]);
    assert!(!page.cut && page.links_left_out == 0);
}

#[test]
fn the_base_resolves_and_absolute_links_stay_as_they_are() {
    let links = "<a href=x>1</a><a href='../y#top'>2</a><a href='#top'>3</a>
        <a href=' HTTP://B.example '>4</a><a href='mailto:me@b.example'>5</a><a>no link</a>
        <area href=map alt=Map><frame src=f>";
    let plain = page(links);
    let expected = [
        "http://a.example/dir/x",
        "http://a.example/y",
        "http://a.example/dir/page.html",
        "HTTP://B.example",
        "mailto:me@b.example",
        "http://a.example/dir/map",
    ];
    // A frameset has no body.
    assert_eq!(targets(&plain), expected);
    assert_eq!(plain.links[5].anchor, "Map");
    let based = page(&format!("<base href='//b.example/c/'><base href=/late/>{links}"));
    assert_eq!(
        targets(&based)[..3],
        ["http://b.example/c/x", "http://b.example/y", "http://b.example/c/"]
    );
    let useless = page(&format!("<base href='data:x'>{links}"));
    assert_eq!(targets(&useless), expected);
    let frames = page("<frameset><frame src=menu.html><frame src=main.html></frameset>");
    let expected = ["http://a.example/dir/menu.html", "http://a.example/dir/main.html"];
    assert_eq!(targets(&frames), expected);
}

#[test]
fn a_page_that_sends_its_readers_on_has_a_link() {
    let to = |content: &str| {
        let page = page(&format!("<meta http-equiv=Refresh content=\"{content}\"><p>text"));
        page.links.first().map(|link| link.to.clone())
    };
    let expected = Some("http://a.example/x".to_owned());
    for content in ["0;URL=/x", "5 ; url = '/x' ", "0, Url='/x", "0; url=/x"] {
        assert_eq!(to(content), expected, "{content}");
    }
    for content in ["5", "", "0; /x", "0;url", "0;url=", "0;ürl=x"] {
        assert_eq!(to(content), None, "{content}");
    }
}

#[test]
fn a_page_can_ask_that_none_of_its_links_is_followed() {
    for content in ["noindex, NOFOLLOW", "none", "nofollow"] {
        let page = page(&format!("<meta name=Robots content='{content}'><a href=x>x</a>"));
        assert!(page.links[0].nofollow, "{content}");
    }
    assert!(!page("<meta name=robots content=nofollowing><a href=x>x</a>").links[0].nofollow);
}

#[test]
fn an_anchor_of_images_says_what_stands_for_them() {
    let anchors = |html: &str| -> Vec<String> {
        page(html).links.into_iter().map(|link| link.anchor).collect()
    };
    let images = "<a href=1><img alt='The\n shop'><img><img alt=now></a>\
        <a href=2><img alt=Logo> Home</a><a href=3><img></a><a href=4></a><img alt=outside>";
    assert_eq!(anchors(images), ["The shop now", "Home", "", ""]);
}

/// The tree, with the distance of each text from the link:
///
/// ```text
/// body ── h2 ── "Phones" 5
///      └─ div ── p ── "before" 4
///             └─ ul ── li ── a ── "anchor" 1
///                   │     └─ "beside" 2
///                   └─ li ── "next" 4
///                         └─ b ── "deep" 5
/// ```
#[test]
fn the_context_is_what_is_near_in_the_tree() {
    let html = "<body><h2>Phones</h2><div><p>before</p><ul><li><a href=x>anchor</a> beside</li>\
        <li>next <b>deep</b></li></ul></div></body>";
    let expected = [
        (0, ""),
        (1, "anchor"),
        (2, "anchor beside"),
        (3, "anchor beside"),
        (4, "anchor beside next"),
        (5, "before anchor beside next deep"),
        (6, "Phones before anchor beside next deep"),
        (7, "Phones before anchor beside next deep"),
    ];
    for (distance, words) in expected {
        assert_eq!(context(html, distance), words, "δ = {distance}");
    }
}

#[test]
fn contexts_are_counted_from_each_link_alone() {
    let html = "<div>far <a href=1></a></div><div><a href=2><img alt=x></a><p>near</p></div>";
    let options = Options { context_distance: 3, ..Options::default() };
    let contexts: Vec<String> =
        read(html, URL, &options).links.into_iter().map(|link| link.context).collect();
    assert_eq!(contexts, ["far", "near"]);
    // Skipped text becomes a space; adjacent text stays as it is.
    let html = "<p>a<b>b</b>c <i><u><s><q>deep</q></s></u></i> d <a href=x>e</a></p>";
    assert_eq!(context(html, 3), "abc d e");
    assert_eq!(context(html, 6), "abc deep d e");
}

#[test]
fn on_flat_pages_the_context_is_a_few_lines() {
    let text = "wörd ".repeat(2000);
    let html = format!("<p>{text}<a href=x>here</a> {text}</p>");
    let context = context(&html, 4);
    assert!(context.contains("wörd here wörd"), "{context}");
    assert!((500..700).contains(&context.len()), "{}", context.len());
}

/// Reference: compares the path to the root of each text with that of the link.
fn slow_context(texts: &[(Vec<usize>, String)], link: &[usize], distance: usize) -> String {
    let near = texts.iter().filter(|(path, _)| {
        let shared = path.iter().zip(link).take_while(|(a, b)| a == b).count();
        path.len() + link.len() - 2 * shared <= distance
    });
    near.map(|(_, text)| text.as_str()).collect::<Vec<_>>().join(" ")
}

/// A tree of `div` elements with texts and links: HTML, and paths of texts and links.
#[derive(Default)]
struct Made {
    html: String,
    texts: Vec<(Vec<usize>, String)>,
    links: Vec<Vec<usize>>,
}

fn made(moves: &[u8]) -> Made {
    let mut made = Made::default();
    // html is the document's first child, body its second.
    let (mut path, mut next) = (vec![0, 1], vec![0_usize]);
    let child = |path: &[usize], next: &mut Vec<usize>| {
        let at = next.last_mut().unwrap();
        *at += 1;
        [path, &[*at]].concat()
    };
    for (i, step) in moves.iter().enumerate() {
        match step {
            0 if path.len() < 9 => {
                path = child(&path, &mut next);
                next.push(0);
                made.html += "<div>";
            }
            1 if next.len() > 1 => {
                path.pop();
                next.pop();
                made.html += "</div>";
            }
            2 => {
                let link = child(&path, &mut next);
                made.texts.push(([&link[..], &[0]].concat(), format!("l{i}")));
                made.links.push(link);
                made.html += &format!("<a href={i}>l{i}</a>");
            }
            _ => {
                // Adjacent texts would merge.
                let span = child(&path, &mut next);
                made.texts.push(([&span[..], &[0]].concat(), format!("t{i}")));
                made.html += &format!(" <span>t{i}</span> ");
            }
        }
    }
    made
}

fn pieces() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        4 => prop::sample::select(vec![
            "<a href=x>", "</a>", "<a href='http://b.example/'>", "<p>", "</p>", "<table>", "<tr>",
            "<td>", "</table>", "<b>", "</b>", "<base href=/c/>", "<base href='http://[']>",
            "<title>", "</title>", "<script>", "</script>", "<!--", "-->", "<select>", "<option>",
            "<template>", "</template>", "<svg>", "<math>", "<annotation-xml>", "<frameset>",
            "<frame src=y>", "<img alt='i m g'>", "<li>", "<form>", "</form>", "</body>", "</html>",
            "<textarea>", "<plaintext>", "<meta name=robots content=none>", "<![CDATA[", "<a href='",
            "\0", "&#0;", "&amp", "\u{feff}", "\r\n",
        ]).prop_map(str::to_owned),
        2 => "[a-z ]{1,8}",
        1 => any::<String>(),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn contexts_are_what_the_slow_way_finds(
        moves in prop::collection::vec(0_u8..4, 0..40),
        distance in 0_u32..9,
    ) {
        let made = made(&moves);
        let options = Options { context_distance: distance, ..Options::default() };
        let page = read(&format!("<body>{}", made.html), URL, &options);
        prop_assert_eq!(page.links.len(), made.links.len());
        for (link, path) in page.links.iter().zip(&made.links) {
            let expected = slow_context(&made.texts, path, distance as usize);
            prop_assert_eq!(link.context.replace(' ', ""), expected.replace(' ', ""));
        }
    }

    #[test]
    fn any_text_is_some_page(html in pieces(), distance in 0_u32..12, links in 0_usize..5) {
        let page = read(&html, URL, &Options { context_distance: distance, links });
        prop_assert!(page.links.len() <= links);
        for text in [&page.title].into_iter().chain(page.links.iter().flat_map(|l| [&l.anchor, &l.context])) {
            prop_assert!(!text.contains(|c: char| c.is_control()));
            prop_assert!(!text.contains("  ") && text.trim() == text, "{:?}", text);
        }
        prop_assert!(page.blocks().all(|block| !block.is_empty() && block.trim() == block));
        // Anchors are part of the text, unless they are alternative texts.
        let text = page.text.replace('\n', " ");
        prop_assert!(page.links.iter().all(|l| text.contains(&l.anchor) || l.anchor == "i m g"
            || html.contains("img")));
    }

    #[test]
    fn links_lead_where_browsers_would_go(
        href in "[a-z./?#]{0,8}|//[a-z]{1,3}/|https?://[a-z]{1,3}",
        base in prop::option::of("/?[a-z]{1,3}/[a-z]?|//[a-z]{1,3}/"),
    ) {
        let tag = base.as_ref().map_or(String::new(), |base| format!("<base href='{base}'>"));
        let page = page(&format!("{tag}<a href='{href}'>x</a>"));
        let base = base.and_then(|base| address::resolve(URL, &base));
        let expected = address::resolve(base.as_deref().unwrap_or(URL), &href);
        prop_assert_eq!(address::normal(&page.links[0].to), expected);
    }
}

#[test]
fn nesting_without_end_neither_overflows_nor_loses_text() {
    for tag in ["div", "b", "a href=x", "ul><li", "table><tr><td", "svg", "font color=red", "p><b"]
    {
        let html = format!("start {} end", format!("<{tag}>").repeat(100_000));
        let page = page(&html);
        assert!(page.text.starts_with("start") && page.text.ends_with("end"), "{tag}");
    }
    let html =
        format!("{}<a href=x>deep</a>{} end", "<div>".repeat(50_000), "</div>".repeat(50_000));
    let deep = page(&html);
    assert_eq!(deep.text, "deep\nend");
    // The link itself was too deep.
    assert_eq!(deep.links, []);
}

#[test]
fn tags_deeper_than_are_kept_do_not_close_others() {
    let n = parse::MAX_OPEN;
    let deep = format!("<p>{}<i>x</i>{}", "<span>".repeat(n), "</span>".repeat(n));
    let page = page(&format!("<div>{deep}</p>{deep}</div><a href=x>after</a>"));
    assert_eq!(targets(&page), ["http://a.example/dir/x"]);
    assert_eq!(page.links[0].context, "after");
}

#[test]
fn pages_of_megabytes_stay_within_bounds() {
    let fill = |piece: &str| piece.repeat((1 << 20) / piece.len());
    let attributes: String = (0..(5 << 20) / 8).map(|i| format!(" a{i:x}")).collect();
    let fonts: String = (0..500).map(|i| format!("<p><font size={i}>")).collect();
    let cases = [
        ("text", "word ".repeat(1 << 20)),
        ("links", "<a href=x>y</a> ".repeat(5 << 16)),
        ("paragraphs", fill("<p>")),
        ("attributes", format!("<a{attributes} href=x>y</a>")),
        ("one value", format!("<a title='{}' href=x>y</a>", fill("word "))),
        ("comment", format!("<!--{}", fill("- - "))),
        ("open tags", fill("<")),
        ("entities", fill("&amp;&nosuch")),
        ("formatting", format!("{fonts}{}", fill("<p>x"))),
        ("unclosed", fill("<a href=x><b><p></a>")),
        ("tables", fill("<table><tr>x")),
        ("nul", fill("\0a")),
    ];
    for (what, html) in cases {
        let page = page(&html);
        assert!(page.links.len() <= Options::default().links, "{what}");
        assert!(page.text.len() <= html.len(), "{what}");
    }
    let beyond = page(&"word ".repeat(MAX_BYTES / 5 + 1));
    assert!(beyond.cut && beyond.text.len() <= MAX_BYTES);
}

#[test]
fn long_values_do_not_end_their_tags() {
    let value = "a b 'c' / ".repeat(10_000);
    let page = page(&format!("<a title=\"{value}\" href=x>text</a>"));
    assert_eq!((page.text.as_str(), targets(&page)), ("text", vec!["http://a.example/dir/x"]));
}
