//! The share dialog: link, QR code, embed code.

use super::dialog::Modal;
use super::{Props, listed};
use crate::model::{Packed, count_text};
use crawl_protocol::{Experiment, WorldSource};
use crawl_text::app::text;
use crawl_text::fill;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use yew::prelude::*;

/// The absolute link of a shared experiment.
pub fn shared_link(shared: &Experiment) -> String {
    crate::address::absolute(&shared.to_link())
}

/// The share dialog.
pub fn share_dialog(props: &Props) -> Html {
    let t = text();
    let Some(shared) = props.model.shared() else { return html! {} };
    let link = shared_link(&shared);
    let embedded = {
        let mut shared = shared.clone();
        shared.view.embed = true;
        crate::address::absolute(&shared.to_link())
    };
    let frame = format!(
        "<iframe src=\"{}\" width=\"960\" height=\"600\" loading=\"lazy\" title=\"{}\"></iframe>",
        embedded.replace('&', "&amp;").replace('"', "&quot;"),
        t.title,
    );
    let length = count_text(link.chars().count() as u64);
    html! {
        <Modal title={t.share_title} on={props.on.clone()}>
            <section>
                <h3>{ t.link }</h3>
                <Copyable id="share-link" value={link.clone()} label={t.link} />
                <p class="muted"><span class="number">{ fill(t.link_length, &[("n", &length)]) }</span>{ ". " }{ t.link_contents }</p>
                { about_world(&shared, &props.model.packed) }
                if shared.digests.is_empty() {
                    <p class="muted">{ t.digests_pending }</p>
                }
            </section>
            <section>
                <h3>{ t.qr }</h3>
                { code(props, &link) }
            </section>
            <section>
                <h3>{ t.embed }</h3>
                <p class="muted">{ t.embed_help }</p>
                <Copyable id="share-frame" value={frame} label={t.embed} />
            </section>
        </Modal>
    }
}

fn about_world(shared: &Experiment, packed: &Packed) -> Html {
    let t = text();
    match (&shared.world, packed) {
        (WorldSource::Made(_), _) => html! {},
        (WorldSource::File { .. }, Packed::Small(_)) => html! { <p>{ t.world_in_link }</p> },
        (WorldSource::File { names, .. }, _) => {
            html! { <p>{ fill(t.world_not_in_link, &[("names", &listed(names))]) }</p> }
        }
    }
}

/// Properties of [`Copyable`].
#[derive(Clone, PartialEq, Properties)]
pub struct CopyableProps {
    /// The id of its field.
    pub id: AttrValue,
    /// The text.
    pub value: String,
    /// Label.
    pub label: AttrValue,
}

/// A text field with a copy button.
#[component]
pub fn Copyable(props: &CopyableProps) -> Html {
    let t = text();
    let copy_status = use_state(|| None::<&'static str>);
    let input = use_node_ref();
    let onclick = {
        let (copy_status, value, input) = (copy_status.clone(), props.value.clone(), input.clone());
        Callback::from(move |_: MouseEvent| {
            let (copy_status, value, input) = (copy_status.clone(), value.clone(), input.clone());
            spawn_local(async move {
                let clipboard = web_sys::window().map(|w| w.navigator().clipboard());
                let written = match clipboard {
                    Some(clipboard) => JsFuture::from(clipboard.write_text(&value)).await.is_ok(),
                    None => false,
                };
                if let Some(input) = input.cast::<web_sys::HtmlInputElement>() {
                    input.select();
                }
                copy_status.set(Some(if written { t.copied } else { t.copy_failed }));
            });
        })
    };
    html! {
        <div class="copyable">
            <input ref={input} id={props.id.clone()} type="text" readonly=true class="wide"
                value={props.value.clone()} aria-label={props.label.clone()} />
            <button class="primary" {onclick}>{ t.copy }</button>
            <span class="muted" role="status">{ copy_status.unwrap_or_default() }</span>
        </div>
    }
}

/// The link as a QR code with the required quiet zone.
fn code(props: &Props, link: &str) -> Html {
    let t = text();
    let code = &props.model.code;
    if code.text != link {
        return html! { <div class="qr" aria-hidden="true" /> };
    }
    if code.size == 0 {
        return html! { <p>{ t.qr_too_long }</p> };
    }
    let whole = (code.size + 8).to_string();
    html! {
        <svg class="qr" viewBox={format!("-4 -4 {whole} {whole}")} role="img" aria-label={t.qr}
            shape-rendering="crispEdges">
            <rect class="qr-ground" x="-4" y="-4" width={whole.clone()} height={whole.clone()} />
            <path class="qr-ink" d={code.path.clone()} />
        </svg>
    }
}
