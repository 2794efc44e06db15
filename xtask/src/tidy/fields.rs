//! Fields that are typed into keep their text while the page is redrawn.
//!
//! A plain `<input value=…>` gets its old value back at every rendering, so typing is lost while a run
//! plays. `TextField` and the formula's field keep a draft.

use anyhow::Result;

use super::{File, Problem};

const VIEWS: &str = "crates/crawl-app/src/view/";
/// Files whose fields keep a draft.
const KEEP_DRAFTS: [&str; 2] =
    ["crates/crawl-app/src/view/text_field.rs", "crates/crawl-app/src/view/formula.rs"];
/// Attributes of inputs that nobody types into.
const NOT_TYPED: [&str; 4] =
    ["type=\"range\"", "type=\"file\"", "type=\"checkbox\"", "readonly=true"];

/// Looks through the app's views.
pub fn check(files: &[File]) -> Result<Vec<Problem>> {
    let views = files
        .iter()
        .filter(|file| file.path.starts_with(VIEWS) && !KEEP_DRAFTS.contains(&file.path.as_str()));
    Ok(views.flat_map(fields).collect())
}

fn fields(file: &File) -> Vec<Problem> {
    let starts = file.text.match_indices("<input").map(|(at, _)| at);
    let forgets = |at: &usize| {
        let tag = &file.text[*at..];
        let tag = &tag[..tag.find("/>").unwrap_or(tag.len())];
        let sets_value = tag.contains(" value=") || tag.contains("{value}");
        sets_value && !NOT_TYPED.iter().any(|attribute| tag.contains(attribute))
    };
    let line = |at: usize| file.text[..at].matches('\n').count() + 1;
    let found = starts.filter(forgets);
    found
        .map(|at| file.problem(line(at), "a field that loses what is typed; use TextField"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(path: &str, text: &str) -> Vec<usize> {
        let file = File { path: path.to_owned(), text: text.to_owned() };
        check(&[file]).unwrap().iter().map(|problem| problem.line).collect()
    }

    #[test]
    fn only_typed_fields_with_a_value_are_found() {
        let text = "html! {\n<input type=\"text\"\n value={a} />\n<input type=\"range\" value={a} />\n\
                    <input type=\"text\" {oninput} />\n<input {value} />\n}";
        assert_eq!(problems("crates/crawl-app/src/view/seeds.rs", text), [2, 6]);
        assert!(problems("crates/crawl-app/src/view/text_field.rs", text).is_empty());
        assert!(problems("crates/crawl-stage/src/view/seeds.rs", text).is_empty());
    }
}
