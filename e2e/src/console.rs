//! Messages of the browser console.

use std::fmt;

use fantoccini::wd::WebDriverCompatibleCommand;
use serde_json::{Value, json};
use url::{ParseError, Url};

/// A console message.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// `SEVERE`, `WARNING`, `INFO` or `DEBUG`.
    pub level: String,
    /// Source and text.
    pub text: String,
}

impl Message {
    pub(crate) fn all(log: &Value) -> Vec<Self> {
        let text = |entry: &Value, key: &str| entry[key].as_str().unwrap_or_default().to_owned();
        let one = |entry| Self { level: text(entry, "level"), text: text(entry, "message") };
        log.as_array().into_iter().flatten().map(one).collect()
    }

    /// Whether it is a warning or an error.
    pub fn is_bad(&self) -> bool {
        ["SEVERE", "WARNING"].contains(&self.level.as_str())
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.level, self.text)
    }
}

/// A Chromium-specific WebDriver command: a path below the session, and a body.
#[derive(Debug)]
pub(crate) struct ChromeCommand {
    path: &'static str,
    body: Value,
}

impl ChromeCommand {
    /// Takes the new entries of a log: `browser` is the console.
    pub(crate) fn log(kind: &str) -> Self {
        Self { path: "se/log", body: json!({ "type": kind }) }
    }

    /// A command of the DevTools protocol.
    pub(crate) fn developer_tools(name: &str, parameters: Value) -> Self {
        Self { path: "goog/cdp/execute", body: json!({ "cmd": name, "params": parameters }) }
    }
}

impl WebDriverCompatibleCommand for ChromeCommand {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (hyper::Method, Option<String>) {
        (hyper::Method::POST, Some(self.body.to_string()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_and_judged() {
        let log = json!([
            { "level": "SEVERE", "message": "app.js 1:2 broke", "source": "javascript" },
            { "level": "INFO", "message": "hello" },
        ]);
        let lines = Message::all(&log);
        assert_eq!(lines[0].to_string(), "SEVERE: app.js 1:2 broke");
        assert!(lines[0].is_bad() && !lines[1].is_bad());
        assert_eq!(Message::all(&Value::Null), []);
    }
}
