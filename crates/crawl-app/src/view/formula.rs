//! The formula editor: validates while typing, shows faults, completes names.

use super::param::FieldProps;
use crawl_catalogue::{Fault, ParamKind, ParamValue, Word};
use crawl_text::app::text;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Maximum number of completions.
const MAX_OFFERS: usize = 6;
/// Characters shown around a fault.
const WIDTH: usize = 32;

/// Properties of [`FormulaField`].
#[derive(Clone, PartialEq, Properties)]
pub struct FormulaProps {
    /// The field's id.
    pub id: String,
    /// Id of its description.
    pub help: String,
    /// The parameter.
    pub field: FieldProps,
}

/// The typed text and the cursor position in characters.
#[derive(Clone, Default, PartialEq)]
struct Draft {
    text: String,
    cursor: usize,
    /// Index of the highlighted completion.
    marked: Option<usize>,
    /// Whether completions are shown.
    offers: bool,
}

/// The formula field.
#[component]
pub fn FormulaField(props: &FormulaProps) -> Html {
    let node = use_node_ref();
    let draft = use_state(Draft::default);
    let ParamValue::Text(present) = &props.field.value else { return html! {} };
    let ParamKind::Formula { variables, functions, .. } = &props.field.param.kind else {
        return html! {};
    };
    {
        let (draft, node, before) = (draft.clone(), node.clone(), use_mut_ref(String::new));
        use_effect_with(present.clone(), move |present| {
            let is_typed = draft.text != before.replace(present.clone());
            // Text typed after Enter survives the update of the committed value.
            if !(is_typed && has_focus(&node)) {
                draft.set(Draft { text: present.clone(), ..Draft::default() });
            }
        });
    }
    let offers = if draft.offers { offers(&draft, variables, functions) } else { Vec::new() };
    let accept = {
        let (draft, node, on_check) = (draft.clone(), node.clone(), props.field.on_check.clone());
        move |name: &str| {
            let (text, cursor) = completed(&draft, name);
            if let Some(input) = node.cast::<HtmlInputElement>() {
                let units: usize = text.chars().take(cursor).map(char::len_utf16).sum();
                input.set_value(&text);
                // Fails only for inputs without text.
                let _ = input.set_selection_range(units as u32, units as u32);
            }
            on_check.emit(ParamValue::Text(text.clone()));
            draft.set(Draft { text, cursor, ..Draft::default() });
        }
    };
    let commit = {
        let (node, present, on) = (node.clone(), present.clone(), props.field.on_change.clone());
        // The text of the field itself: keys may come faster than renderings.
        move || {
            let seen = node.cast::<HtmlInputElement>().map(|input| input.value());
            if let Some(seen) = seen.filter(|seen| *seen != present) {
                on.emit(ParamValue::Text(seen));
            }
        }
    };
    let oninput = {
        let (draft, on_check) = (draft.clone(), props.field.on_check.clone());
        Callback::from(move |event: InputEvent| {
            let input: HtmlInputElement = event.target_unchecked_into();
            let text = input.value();
            // Faults and completions appear below it.
            input.scroll_into_view_with_bool(true);
            let units = input.selection_start().ok().flatten().unwrap_or(0) as usize;
            let before = text.encode_utf16().take(units);
            let cursor = char::decode_utf16(before).count();
            on_check.emit(ParamValue::Text(text.clone()));
            draft.set(Draft { text, cursor, marked: None, offers: true });
        })
    };
    let onkeydown = {
        let (draft, commit, accept) = (draft.clone(), commit.clone(), accept.clone());
        let (present, on_check) = (present.clone(), props.field.on_check.clone());
        let names: Vec<String> = offers.iter().map(|offer| offer.0.clone()).collect();
        Callback::from(move |event: KeyboardEvent| {
            let n = names.len();
            let marked = match event.key().as_str() {
                "ArrowDown" if n > 0 => Some(draft.marked.map_or(0, |at| (at + 1) % n)),
                "ArrowUp" if n > 0 => Some(draft.marked.map_or(n - 1, |at| (at + n - 1) % n)),
                "Enter" | "Tab" if draft.marked.is_some_and(|at| at < n) => {
                    event.prevent_default();
                    return accept(&names[draft.marked.unwrap_or(0)]);
                }
                "Enter" if !event.is_composing() => {
                    draft.set(Draft { offers: false, ..Draft::clone(&draft) });
                    return commit();
                }
                "Escape" if n > 0 => {
                    event.prevent_default();
                    draft.set(Draft { offers: false, marked: None, ..Draft::clone(&draft) });
                    return;
                }
                "Escape" if draft.text != present => {
                    event.prevent_default();
                    on_check.emit(ParamValue::Text(present.clone()));
                    draft.set(Draft { text: present.clone(), ..Draft::default() });
                    return;
                }
                _ => return,
            };
            event.prevent_default();
            draft.set(Draft { marked, ..Draft::clone(&draft) });
        })
    };
    let onblur = {
        let draft = draft.clone();
        Callback::from(move |_: FocusEvent| {
            draft.set(Draft { offers: false, marked: None, ..Draft::clone(&draft) });
            commit();
        })
    };
    let t = text();
    let is_open = !offers.is_empty();
    // No fault while a name is being completed.
    let fault = props.field.fault.as_ref().filter(|fault| fault.text == draft.text && !is_open);
    let [list, wrong] = ["offers", "fault"].map(|part| format!("{}-{part}", props.id));
    let marked = draft.marked.filter(|_| is_open).map(|at| format!("{list}-{at}"));
    html! {
        <>
            <input ref={node} id={props.id.clone()} class="formula-field" type="text" role="combobox"
                autocomplete="off" autocapitalize="off" spellcheck="false" value={draft.text.clone()}
                aria-autocomplete="list" aria-expanded={is_open.to_string()}
                aria-controls={is_open.then(|| list.clone())} aria-activedescendant={marked}
                aria-invalid={fault.is_some().to_string()}
                aria-describedby={format!("{wrong} {}", props.help)} {oninput} {onkeydown} {onblur} />
            if is_open {
                <ul class="offers" id={list.clone()} role="listbox" aria-label={t.completions}>
                    { for offers.into_iter().enumerate().map(|(at, (name, help))| {
                        let accept = accept.clone();
                        let word = name.clone();
                        // `mousedown` instead of `click`: the field keeps the focus.
                        let onmousedown = Callback::from(move |event: MouseEvent| {
                            event.prevent_default();
                            accept(&word);
                        });
                        html! {
                            <li id={format!("{list}-{at}")} role="option" {onmousedown}
                                aria-selected={(draft.marked == Some(at)).to_string()}>
                                <code>{ name }</code>{ " " }<span class="muted">{ help }</span>
                            </li>
                        }
                    }) }
                </ul>
            }
            <div class="fault" id={wrong} aria-live="polite">
                if let Some(fault) = fault {
                    { caret(fault, WIDTH) }
                    <p class="error">{ fault.to_string() }</p>
                } else {
                    <p class="muted">{ t.formula_run }</p>
                }
            </div>
            <details class="words">
                <summary>{ t.formula_words }</summary>
                <dl>
                    { for variables.iter().chain(functions.iter()).map(|word| html! {
                        <><dt><code>{ word.name.to_string() }</code></dt><dd>{ word.help.to_string() }</dd></>
                    }) }
                </dl>
            </details>
        </>
    }
}

fn has_focus(node: &NodeRef) -> bool {
    let document = web_sys::window().and_then(|window| window.document());
    let focused = document.and_then(|document| document.active_element());
    focused.is_some() && focused == node.cast::<web_sys::Element>()
}

/// A typed text with a caret under its fault.
pub fn caret(fault: &Fault, width: usize) -> Html {
    let (mut lines, before) = fault.window(width);
    lines.push('\n');
    lines.extend(std::iter::repeat_n(' ', before));
    lines.push('^');
    html! { <pre class="caret">{ lines }</pre> }
}

/// The start of the word before the cursor.
fn begun(draft: &Draft) -> String {
    let before: Vec<char> = draft.text.chars().take(draft.cursor).collect();
    let is_word = |c: &&char| c.is_ascii_alphanumeric() || **c == '_';
    let n = before.iter().rev().take_while(is_word).count();
    before[before.len() - n..].iter().collect()
}

/// Completions of the word before the cursor, with descriptions.
fn offers(draft: &Draft, variables: &[Word], functions: &[Word]) -> Vec<(String, String)> {
    let begun = begun(draft);
    if !begun.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return Vec::new();
    }
    let offer =
        |word: &Word, bracket: &str| (format!("{}{bracket}", word.name), word.help.to_string());
    let variables = variables.iter().map(|word| offer(word, ""));
    let functions = functions.iter().map(|word| offer(word, "("));
    let fits = |(name, _): &(String, String)| name.starts_with(&begun) && *name != begun;
    variables.chain(functions).filter(fits).take(MAX_OFFERS).collect()
}

/// The text after a completion, and the new cursor position.
fn completed(draft: &Draft, name: &str) -> (String, usize) {
    let from = draft.cursor - begun(draft).chars().count();
    let mut text: String = draft.text.chars().take(from).collect();
    text.push_str(name);
    let cursor = text.chars().count();
    text.extend(draft.text.chars().skip(draft.cursor));
    (text, cursor)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn word(name: &'static str) -> Word {
        Word { name: name.into(), help: "".into() }
    }

    #[test]
    fn words_are_completed_where_the_cursor_is() {
        let (variables, functions) = ([word("depth"), word("distance")], [word("log")]);
        let names = |text: &str, cursor: usize| -> Vec<String> {
            let draft = Draft { text: text.to_owned(), cursor, ..Draft::default() };
            offers(&draft, &variables, &functions).into_iter().map(|offer| offer.0).collect()
        };
        assert_eq!(names("1 + d", 5), ["depth", "distance"]);
        assert_eq!(names("é d * 2", 3), ["depth", "distance"]);
        assert_eq!(names("1 + lo", 6), ["log("]);
        assert_eq!(names("depth", 5), [""; 0]);
        assert_eq!(names("2", 1), [""; 0]);
        let draft = Draft { text: "é de * 2".to_owned(), cursor: 4, ..Draft::default() };
        assert_eq!(completed(&draft, "depth"), ("é depth * 2".to_owned(), 7));
    }
}
