//! Controls for parameters of registry entries, generated from their declarations.

use super::formula::FormulaField;
use super::text_field::TextField;
use crate::model::{count_text, with_param};
use crawl_catalogue::{Catalogue, Chosen, Fault, Param, ParamKind, ParamValue};
use crawl_text::app::text;
use crawl_text::fill;
use std::rc::Rc;
use web_sys::{HtmlInputElement, HtmlSelectElement};
use yew::prelude::*;

/// Properties of [`field`].
#[derive(Clone, PartialEq, Properties)]
pub struct FieldProps {
    /// Declaration of the parameter.
    pub param: Param,
    /// Current value.
    pub value: ParamValue,
    /// Receives the new value.
    pub on_change: Callback<ParamValue>,
    /// Registries, for parameters that are entries.
    pub catalogue: Rc<Catalogue>,
    /// Prefix of the element id.
    pub scope: AttrValue,
    /// Fault in the typed formula.
    #[prop_or_default]
    pub fault: Option<Fault>,
    /// Receives the typed value, to check it.
    #[prop_or_default]
    pub on_check: Callback<ParamValue>,
}

/// Label of a parameter: `batch-per-site` becomes `Batch per site`.
pub fn name(key: &str) -> String {
    let mut words = key.replace(['-', '_'], " ");
    if let Some(first) = words.get(..1) {
        let upper = first.to_ascii_uppercase();
        words.replace_range(..1, &upper);
    }
    words
}

/// Unit of a rule, with a leading space.
pub fn unit(key: &str) -> &'static str {
    let found = text().units.iter().find(|(keys, _)| keys.contains(&key));
    found.map_or("", |(_, unit)| unit)
}

/// Allowed range, with grouped digits.
fn range_text(kind: &ParamKind) -> String {
    let range = kind.range_text();
    let grouped = |word: &str| word.parse().map_or_else(|_| word.to_owned(), count_text);
    range.split(' ').map(grouped).collect::<Vec<_>>().join(" ")
}

/// A labelled control.
pub fn field(props: &FieldProps) -> Html {
    let id = format!("{}-{}", props.scope, props.param.key);
    let help = format!("{id}-help");
    let control = match (&props.param.kind, &props.value) {
        (ParamKind::Flag { .. }, ParamValue::Flag(value)) => flag(props, &id, &help, *value),
        (ParamKind::Choice { options, .. }, ParamValue::Choice(value)) => {
            let options = options.iter().map(|o| (o.to_string(), o.to_string())).collect();
            choice(props, &id, &help, value, options, ParamValue::Choice)
        }
        (ParamKind::Entry { kind, .. }, ParamValue::Entry(value)) => {
            let entries = props.catalogue.of(*kind);
            let options = entries.map(|e| (e.id.to_string(), e.title.to_string())).collect();
            choice(props, &id, &help, &value.id, options, ParamValue::Text)
        }
        (ParamKind::Formula { .. }, _) => {
            html! { <FormulaField id={id.clone()} help={help.clone()} field={props.clone()} /> }
        }
        _ => input(props, &id, &help),
    };
    let default = default_text(&props.param.kind);
    let range = range_text(&props.param.kind);
    let range = fill(text().range, &[("range", &range), ("default", &default)]);
    html! {
        <div class="field" key={id.clone()}>
            <label for={id.clone()}>
                { name(&props.param.key) }<span class="unit">{ own_unit(props) }</span>
            </label>
            { control }
            <p class="hint" id={help}>{ props.param.help.to_string() }
                <span class="faint">{ " " }{ range }</span>
            </p>
            if let ParamValue::Entry(chosen) = &props.value {
                { nested(props, chosen, &id) }
            }
        </div>
    }
}

/// Unit of a rule; other parameters name it in their help.
fn own_unit(props: &FieldProps) -> &'static str {
    if props.scope == "rule" { unit(&props.param.key) } else { "" }
}

/// Controls for the parameters of an entry that is a parameter.
pub fn nested(props: &FieldProps, chosen: &Chosen, scope: &str) -> Html {
    let Some(entry) = props.catalogue.entry(chosen.kind, &chosen.id) else { return html! {} };
    if entry.params.is_empty() {
        return html! {};
    }
    let fields = entry.params.iter().filter_map(|param| {
        let value = chosen.params.get(&param.key)?.clone();
        let wrapped = |on: &Callback<ParamValue>| {
            let (on, catalogue, chosen) = (on.clone(), props.catalogue.clone(), chosen.clone());
            let key = param.key.to_string();
            Callback::from(move |value: ParamValue| {
                // Controls produce only valid values.
                if let Ok(chosen) = with_param(&catalogue, &chosen, &key, &value) {
                    on.emit(ParamValue::Entry(Box::new(chosen)));
                }
            })
        };
        Some(field(&FieldProps {
            param: param.clone(),
            value,
            on_change: wrapped(&props.on_change),
            catalogue: props.catalogue.clone(),
            scope: scope.to_owned().into(),
            fault: props.fault.clone(),
            on_check: wrapped(&props.on_check),
        }))
    });
    html! { <div class="nested">{ for fields }</div> }
}

fn default_text(kind: &ParamKind) -> String {
    match kind {
        ParamKind::Number { default, .. } => number_text(*default),
        ParamKind::Choice { default, .. }
        | ParamKind::Text { default, .. }
        | ParamKind::Formula { default, .. }
        | ParamKind::Entry { default, .. } => default.to_string(),
        ParamKind::Flag { default } => default.to_string(),
        ParamKind::Vector { default, .. } => ParamValue::Vector(default.to_vec()).to_string(),
    }
}

fn number_text(number: f64) -> String {
    if number.fract() == 0.0 && number.abs() < 1e15 && number >= 0.0 {
        count_text(number as u64)
    } else {
        number.to_string()
    }
}

fn flag(props: &FieldProps, id: &str, help: &str, value: bool) -> Html {
    let on_change = props.on_change.clone();
    let onchange = Callback::from(move |event: Event| {
        let input: HtmlInputElement = event.target_unchecked_into();
        on_change.emit(ParamValue::Flag(input.checked()));
    });
    html! {
        <input id={id.to_owned()} type="checkbox" role="switch" checked={value} {onchange}
            aria-describedby={help.to_owned()} />
    }
}

fn choice(
    props: &FieldProps,
    id: &str,
    help: &str,
    value: &str,
    options: Vec<(String, String)>,
    make: fn(String) -> ParamValue,
) -> Html {
    let on_change = props.on_change.clone();
    let onchange = Callback::from(move |event: Event| {
        let select: HtmlSelectElement = event.target_unchecked_into();
        on_change.emit(make(select.value()));
    });
    html! {
        <select id={id.to_owned()} {onchange} aria-describedby={help.to_owned()}>
            { for options.into_iter().map(|(id, title)| html! {
                <option value={id.clone()} selected={id == value}>{ title }</option>
            }) }
        </select>
    }
}

/// Text field for numbers, texts and vectors.
///
/// An invalid value shows an error below the field and restores the old value.
fn input(props: &FieldProps, id: &str, help: &str) -> Html {
    let (kind, unit) = (props.param.kind.clone(), own_unit(props));
    let on_change = props.on_change.clone();
    let old = plain(&props.value);
    let before = old.clone();
    let on_commit = Callback::from(move |typed: String| {
        let Some(value) = read(&kind, &typed) else {
            let range = range_text(&kind) + unit;
            return Err(fill(text().refused, &[("typed", &typed), ("range", &range)]));
        };
        if plain(&value) != before {
            on_change.emit(value);
        }
        Ok(())
    });
    let (mode, wide) = match &props.param.kind {
        ParamKind::Number { integer: true, .. } => ("numeric", false),
        ParamKind::Number { .. } => ("decimal", false),
        _ => ("text", true),
    };
    html! {
        <TextField id={id.to_owned()} class={wide.then_some("wide")} {mode} value={old} {on_commit}
            can_refuse=true described_by={help.to_owned()} />
    }
}

/// A value as text.
fn plain(value: &ParamValue) -> String {
    match value {
        ParamValue::Text(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Parses a typed value; `None` if it is invalid.
fn read(kind: &ParamKind, typed: &str) -> Option<ParamValue> {
    let number = |text: &str| text.trim().replace(text_thousands(), "").parse::<f64>().ok();
    match kind {
        ParamKind::Number { min, max, integer, .. } => number(typed)
            .filter(|x| (*min..=*max).contains(x) && !(*integer && x.fract() != 0.0))
            .map(ParamValue::Number),
        ParamKind::Text { max_chars, .. } => (typed.chars().count() <= *max_chars as usize)
            .then(|| ParamValue::Text(typed.to_owned())),
        ParamKind::Vector { default, min, max } => {
            let numbers: Option<Vec<f64>> = typed.split(';').map(number).collect();
            numbers
                .filter(|x| x.len() == default.len() && x.iter().all(|x| (*min..=*max).contains(x)))
                .map(ParamValue::Vector)
        }
        _ => None,
    }
}

fn text_thousands() -> &'static str {
    crawl_text::number::number_format().thousands
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_words() {
        assert_eq!(name("batch-per-site"), "Batch per site");
        assert_eq!(name(""), "");
    }

    #[test]
    fn only_what_fits_is_read() {
        let whole = ParamKind::Number { default: 1.0, min: 0.0, max: 1e6, integer: true };
        assert_eq!(read(&whole, " 1,200 "), Some(ParamValue::Number(1200.0)));
        for bad in ["", "x", "-1", "1.5", "NaN", "1e9"] {
            assert_eq!(read(&whole, bad), None, "{bad}");
        }
    }
}
