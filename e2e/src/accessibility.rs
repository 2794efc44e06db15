//! Accessibility checks with axe-core.

use std::fmt;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::{Tab, tools};

/// A violated accessibility rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// The rule's id.
    pub rule: String,
    /// What the rule requires.
    pub help: String,
    /// The elements that violate it.
    pub elements: Vec<String>,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {} ({})", self.rule, self.help, self.elements.join(", "))
    }
}

impl Tab {
    /// Fails if the current screen violates an accessibility rule.
    pub async fn accessible(&self) -> Result<()> {
        // Elements that are fading in have no contrast yet.
        let still = "document.getAnimations().every((a) => a.playState !== 'running'
            || a.transitionProperty !== 'opacity')";
        self.wait_for_true(still).await?;
        let violations: Vec<String> =
            self.violations().await?.iter().map(Violation::to_string).collect();
        if !violations.is_empty() {
            bail!("the screen is not accessible:\n{}", violations.join("\n"));
        }
        Ok(())
    }

    /// The rules that the screen violates.
    pub async fn violations(&self) -> Result<Vec<Violation>> {
        let Some(script) = tools::axe() else {
            if tools::is_required() {
                bail!("set CRAWLSCOPE_AXE to the path of the axe-core script");
            }
            println!("skipped: axe-core not present");
            return Ok(Vec::new());
        };
        if self.eval("typeof axe").await? != "object" {
            let source = std::fs::read_to_string(&script)
                .with_context(|| format!("cannot read {}", script.display()))?;
            self.client.execute(&source, Vec::new()).await.context("axe-core")?;
        }
        let report = self.eval("(await axe.run(document)).violations").await?;
        Ok(read(&report))
    }
}

fn read(report: &Value) -> Vec<Violation> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let target =
        |node: &Value| list(&node["target"]).iter().map(text).collect::<Vec<_>>().join(" ");
    list(report)
        .iter()
        .map(|one| Violation {
            rule: text(&one["id"]),
            help: text(&one["help"]),
            elements: list(&one["nodes"]).iter().map(target).collect(),
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_report_is_read() {
        let report = json!([{ "id": "label", "help": "Name it", "nodes": [{ "target": ["#a"] }] }]);
        assert_eq!(read(&report)[0].to_string(), "label: Name it (#a)");
    }
}
