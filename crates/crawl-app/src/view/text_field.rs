//! An input field that keeps typed text across renderings until it is committed.

use std::cell::RefCell;
use std::rc::Rc;
use web_sys::HtmlInputElement;
use yew::prelude::*;

/// Properties of [`TextField`].
#[derive(Clone, PartialEq, Properties)]
pub struct TextFieldProps {
    /// The field's id.
    #[prop_or_default]
    pub id: Option<AttrValue>,
    /// The committed value; shown while nothing is typed.
    pub value: AttrValue,
    /// Receives the text on Enter and on blur, if it differs from `value`.
    ///
    /// An error is shown below the field, and `value` is restored.
    #[prop_or_else(|| Callback::from(|_| Ok(())))]
    pub on_commit: Callback<String, Result<(), String>>,
    /// Receives the text at every keystroke.
    #[prop_or_default]
    pub on_input: Callback<String>,
    /// The input's type.
    #[prop_or(AttrValue::Static("text"))]
    pub kind: AttrValue,
    /// Its style class.
    #[prop_or_default]
    pub class: Option<&'static str>,
    /// Keyboard of a phone (`inputmode`).
    #[prop_or_default]
    pub mode: Option<&'static str>,
    /// The smallest number.
    #[prop_or_default]
    pub min: Option<AttrValue>,
    /// The largest number.
    #[prop_or_default]
    pub max: Option<AttrValue>,
    /// Accessible name, if there is no label.
    #[prop_or_default]
    pub label: Option<AttrValue>,
    /// Value as text, for a slider.
    #[prop_or_default]
    pub spoken: Option<AttrValue>,
    /// The id of the element that describes the field.
    #[prop_or_default]
    pub described_by: Option<AttrValue>,
    /// Whether a form requires a value.
    #[prop_or_default]
    pub required: bool,
    /// Whether to show errors of `on_commit` below the field.
    #[prop_or_default]
    pub can_refuse: bool,
}

/// Typed text that is not committed.
///
/// Shared by the closures of all renderings, so that none uses an old value.
#[derive(Clone)]
struct Draft {
    typed: Rc<RefCell<Option<String>>>,
    redraw: UseForceUpdateHandle,
}

impl Draft {
    fn get(&self) -> Option<String> {
        self.typed.borrow().clone()
    }

    fn set(&self, typed: Option<String>) {
        self.typed.replace(typed);
        self.redraw.force_update();
    }
}

/// Content of the field of an event.
fn seen_in(event: &Event) -> String {
    event.target_unchecked_into::<HtmlInputElement>().value()
}

/// An input field. Enter and blur commit the text; Escape restores the value.
#[component]
pub fn TextField(props: &TextFieldProps) -> Html {
    let draft = Draft { typed: use_mut_ref(|| None), redraw: use_force_update() };
    let refused = use_state_eq(String::new);
    let commit = {
        let (draft, refused, props) = (draft.clone(), refused.clone(), props.clone());
        move |seen: String| {
            draft.set(None);
            if seen != *props.value {
                refused.set(props.on_commit.emit(seen).err().unwrap_or_default());
            }
        }
    };
    let oninput = {
        let (draft, refused, on_input) = (draft.clone(), refused.clone(), props.on_input.clone());
        Callback::from(move |event: InputEvent| {
            let typed = seen_in(&event);
            refused.set(String::new());
            draft.set(Some(typed.clone()));
            on_input.emit(typed);
        })
    };
    let onkeydown = {
        let (draft, commit, value) = (draft.clone(), commit.clone(), props.value.clone());
        Callback::from(move |event: KeyboardEvent| {
            // Keep keys from the play-head.
            event.stop_propagation();
            match event.key().as_str() {
                "Enter" if !event.is_composing() => commit(seen_in(&event)),
                // A second Escape closes the dialog around the field.
                "Escape" if draft.get().is_some_and(|typed| typed != *value) => {
                    event.prevent_default();
                    draft.set(None);
                }
                _ => {}
            }
        })
    };
    // Number arrows and sliders commit without blur.
    let onchange = {
        let commit = commit.clone();
        Callback::from(move |event: Event| commit(seen_in(&event)))
    };
    let onblur = Callback::from(move |event: FocusEvent| commit(seen_in(&event)));
    let value = draft.get().map_or_else(|| props.value.clone(), AttrValue::from);
    html! {
        <>
            <input id={props.id.clone()} class={classes!(props.class)} type={props.kind.clone()}
                inputmode={props.mode} min={props.min.clone()} max={props.max.clone()} {value}
                required={props.required} autocomplete="off" aria-label={props.label.clone()}
                aria-valuetext={props.spoken.clone()} aria-describedby={props.described_by.clone()}
                {oninput} {onkeydown} {onchange} {onblur} />
            if props.can_refuse {
                <p class="refused" role="alert">{ (*refused).clone() }</p>
            }
        </>
    }
}
