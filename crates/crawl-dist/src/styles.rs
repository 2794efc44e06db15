//! Joins all style sheets into one, because a page waits for each before it renders.

use anyhow::Result;

use crate::folder::Folder;

/// Name of the joined style sheet.
const ALL: &str = "styles/all.css";
const START: &str = "<link rel=\"stylesheet\" href=\"";
const END: &str = "\">";

/// Joins the style sheets of a page in the order of their links.
pub fn join(folder: &mut Folder, page: &str) -> Result<()> {
    let text = folder.text(page)?;
    let mut parts = text.split(START);
    let mut joined = parts.next().unwrap_or_default().to_owned();
    let (mut styles, mut is_first) = (String::new(), true);
    for part in parts {
        let (name, rest) = part.split_once(END).unwrap_or((part, ""));
        styles += folder.text(name)?;
        styles.push('\n');
        if std::mem::take(&mut is_first) {
            joined = joined + START + ALL + END;
            joined += rest;
        } else {
            // Removes the empty line.
            joined.truncate(joined.trim_end().len());
            joined += rest;
        }
    }
    if !is_first {
        folder.files.insert(ALL.to_owned(), styles.into_bytes());
        folder.files.insert(page.to_owned(), joined.into_bytes());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::testing::of;

    #[test]
    fn styles_are_joined_in_their_order() {
        let page = "<head>\n  <link rel=\"stylesheet\" href=\"b.css\">\n  \
                    <link rel=\"stylesheet\" href=\"a.css\">\n  <title>";
        let mut folder = of(&[("index.html", page), ("a.css", "a{}"), ("b.css", "b{}")]);
        join(&mut folder, "index.html").unwrap();
        assert_eq!(folder.text(ALL).unwrap(), "b{}\na{}\n");
        let page = "<head>\n  <link rel=\"stylesheet\" href=\"styles/all.css\">\n  <title>";
        assert_eq!(folder.text("index.html").unwrap(), page);
    }

    #[test]
    fn a_page_without_styles_stays_and_a_missing_one_is_reported() {
        let mut folder = of(&[("index.html", "<head>")]);
        join(&mut folder, "index.html").unwrap();
        assert_eq!(folder.files.len(), 1);
        let mut folder = of(&[("index.html", "<link rel=\"stylesheet\" href=\"x.css\">")]);
        assert!(join(&mut folder, "index.html").is_err());
    }
}
