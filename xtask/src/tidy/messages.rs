//! Checks that all interface strings are in `crawl-text`, where they can be translated.

use anyhow::Result;

use super::{File, Problem};

/// Sources of the programs that have an interface.
const APPS: [&str; 2] = ["crates/crawl-app/src/", "crates/crawl-timeline/src/"];
/// Attributes that are read or read out.
const TEXT_ATTRIBUTES: [&str; 4] = ["aria-label=\"", "title=\"", "placeholder=\"", "alt=\""];
/// So many words one after the other are a sentence.
const SENTENCE: usize = 3;

/// Looks through the sources of all that has an interface.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let of_apps = files.iter().filter(|file| {
        APPS.iter().any(|sources| file.path.starts_with(sources))
            && !file.path.ends_with("tests.rs")
            && !file.path.contains("/tests/")
    });
    Ok(of_apps.flat_map(sentences).collect())
}

fn sentences(file: &File) -> Vec<Problem> {
    let shipped = file.text.lines().take_while(|line| line.trim() != "#[cfg(test)]");
    let found = shipped.zip(1..).filter(|(line, _)| holds_sentence(line));
    let advice = "an interface string; move it to crates/crawl-text/src/english";
    found.map(|(_, number)| file.problem(number, advice)).collect()
}

fn holds_sentence(line: &str) -> bool {
    let line = line.trim();
    // Comments are not shown, and class names are no words.
    if line.starts_with("//") || line.contains("class=") || line.contains("classes!") {
        return false;
    }
    let said = TEXT_ATTRIBUTES.iter().any(|start| {
        let mut values = line.split(start).skip(1);
        values.any(|value| value.starts_with(|c: char| c.is_alphabetic()))
    });
    said || line.split('"').skip(1).step_by(2).any(|text| most_words(text) >= SENTENCE)
}

/// The most words of letters that stand one after the other.
fn most_words(text: &str) -> usize {
    let is_word = |word: &&str| word.len() > 1 && word.chars().all(char::is_alphabetic);
    let mut most = 0;
    let mut now = 0;
    for word in text.split(' ') {
        let word = word.trim_end_matches([',', '.', ':', ';']);
        now = if is_word(&word) { now + 1 } else { 0 };
        most = most.max(now);
    }
    most
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<usize> {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        check(&[file]).unwrap().iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn a_sentence_outside_the_catalogue_is_found() {
        let text = "fn a() {\n    html! { \"nothing was found\" }\n    <a title=\"open\">\n}\n";
        assert_eq!(problems("crates/crawl-app/src/view/a.rs", text), [2, 3]);
        assert_eq!(problems("crates/crawl-timeline/src/shell.rs", text), [2, 3]);
        assert!(problems("crates/crawl-text/src/english/app.rs", text).is_empty());
        assert!(problems("crates/crawl-cli/src/a.rs", text).is_empty());
    }

    #[test]
    fn names_and_tests_are_not_sentences() {
        let text = "class=\"one two three\"\n\"data-boot\"\n// \"words that are not shown\"\n\
                    title={t.open}\n#[cfg(test)]\n\"a sentence in a test\"\n";
        assert!(problems("crates/crawl-app/src/a.rs", text).is_empty());
    }
}
