//! Mouse and keyboard input.

use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use fantoccini::actions::{
    InputSource, KeyAction, KeyActions, MOUSE_BUTTON_LEFT, MouseActions, PointerAction,
};
use fantoccini::key::Key;

use crate::Tab;

/// Number of attempts if an element is replaced by a re-render.
pub(crate) const TRIES: usize = 20;

impl Tab {
    /// Waits for an element and clicks it.
    pub async fn click(&self, css: &str) -> Result<()> {
        for _ in 0..TRIES {
            let element = self.wait_for(css).await?;
            match element.click().await {
                // The element was replaced by a re-render.
                Err(error) if error.is_stale_element_reference() => {}
                clicked => return clicked.with_context(|| format!("cannot click `{css}`")),
            }
        }
        bail!("cannot click `{css}`: the page re-renders it all the time")
    }

    /// Clicks a point of the page, in CSS pixels from its top left.
    pub async fn click_at(&self, x: f64, y: f64) -> Result<()> {
        let press = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
        let release = PointerAction::Up { button: MOUSE_BUTTON_LEFT };
        let mouse = mouse().then(moved(x, y)).then(press).then(release);
        Ok(self.client.perform_actions(mouse).await?)
    }

    /// Moves the mouse to a point of the page.
    pub async fn hover_at(&self, x: f64, y: f64) -> Result<()> {
        Ok(self.client.perform_actions(mouse().then(moved(x, y))).await?)
    }

    /// Moves the mouse over the centre of an element.
    pub async fn hover(&self, css: &str) -> Result<()> {
        let (x, y, width, height) = self.place(css).await?;
        self.hover_at(x + width / 2.0, y + height / 2.0).await
    }

    /// Drags from one point of the page to another.
    pub async fn drag(&self, from: (f64, f64), to: (f64, f64)) -> Result<()> {
        let press = PointerAction::Down { button: MOUSE_BUTTON_LEFT };
        let release = PointerAction::Up { button: MOUSE_BUTTON_LEFT };
        let half = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
        let mouse = mouse()
            .then(moved(from.0, from.1))
            .then(press)
            .then(moved(half.0, half.1))
            .then(moved(to.0, to.1))
            .then(release);
        Ok(self.client.perform_actions(mouse).await?)
    }

    /// The rectangle of an element: x, y, width, height.
    pub async fn place(&self, css: &str) -> Result<(f64, f64, f64, f64)> {
        Ok(self.wait_for(css).await?.rectangle().await?)
    }

    /// Presses a key by name (`ArrowRight`, `Space`, `Tab`, `Enter`, `a`), with modifiers in front:
    /// `Shift+Tab`.
    pub async fn key(&self, name: &str) -> Result<()> {
        let (modifiers, key) = match name.rsplit_once('+') {
            Some((modifiers, key)) if !key.is_empty() => (modifiers, key),
            _ => ("", name),
        };
        let modifiers: Vec<char> = modifiers
            .split('+')
            .filter(|part| !part.is_empty())
            .map(code)
            .collect::<Result<_>>()?;
        let key = code(key)?;
        let mut keys = KeyActions::new("keyboard".to_owned());
        for &value in &modifiers {
            keys = keys.then(KeyAction::Down { value });
        }
        keys = keys.then(KeyAction::Down { value: key }).then(KeyAction::Up { value: key });
        for &value in modifiers.iter().rev() {
            keys = keys.then(KeyAction::Up { value });
        }
        Ok(self.client.perform_actions(keys).await?)
    }

    /// Types into a field, after its current text.
    pub async fn type_into(&self, css: &str, text: &str) -> Result<()> {
        let element = self.wait_for(css).await?;
        element.send_keys(text).await.with_context(|| format!("cannot type into `{css}`"))
    }

    /// Replaces the text of a field.
    pub async fn fill(&self, css: &str, text: &str) -> Result<()> {
        self.wait_for(css).await?;
        // By typing over the selection, as a person does: some fields reject an empty text.
        self.eval(&format!(
            "(() => {{ const e = document.querySelector({css:?}); e.focus(); e.select(); }})()"
        ))
        .await?;
        self.type_into(css, text).await
    }

    /// Selects files in a file field.
    pub async fn choose_files(&self, css: &str, files: &[&Path]) -> Result<()> {
        let mut paths = Vec::new();
        for file in files {
            let path = file.canonicalize().with_context(|| format!("no {}", file.display()))?;
            paths.push(path.to_string_lossy().into_owned());
        }
        let element = self.wait_for(css).await?;
        Ok(element.send_keys(&paths.join("\n")).await?)
    }
}

fn mouse() -> MouseActions {
    MouseActions::new("mouse".to_owned())
}

fn moved(x: f64, y: f64) -> PointerAction {
    PointerAction::MoveTo { duration: Some(Duration::ZERO), x, y }
}

/// The WebDriver code of a key.
fn code(name: &str) -> Result<char> {
    let key = match name {
        "Alt" => Key::Alt,
        "ArrowDown" => Key::Down,
        "ArrowLeft" => Key::Left,
        "ArrowRight" => Key::Right,
        "ArrowUp" => Key::Up,
        "Backspace" => Key::Backspace,
        "Control" => Key::Control,
        "Delete" => Key::Delete,
        "End" => Key::End,
        "Enter" => Key::Enter,
        "Escape" => Key::Escape,
        "Home" => Key::Home,
        "Meta" => Key::Meta,
        "PageDown" => Key::PageDown,
        "PageUp" => Key::PageUp,
        "Shift" => Key::Shift,
        "Space" => return Ok(' '),
        "Tab" => Key::Tab,
        _ => {
            let mut characters = name.chars();
            return match (characters.next(), characters.next()) {
                (Some(c), None) => Ok(c),
                _ => bail!("there is no key `{name}`"),
            };
        }
    };
    Ok(key.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_their_names() {
        assert_eq!(code("Tab").unwrap(), '\u{e004}');
        assert_eq!(code("Space").unwrap(), ' ');
        assert_eq!(code("4").unwrap(), '4');
        assert!(code("Tabb").is_err());
    }
}
