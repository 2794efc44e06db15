//! The help dialog: marks and keys.

use super::Props;
use super::dialog::Modal;
use crawl_text::app::text;
use yew::prelude::*;

/// The help dialog.
pub fn help_dialog(props: &Props) -> Html {
    let t = text();
    let mark = |class: &'static str, inner: Html, words: &'static str| {
        html! {
            <li>
                <svg class={classes!("help-mark", class)} width="28" height="20" viewBox="-14 -10 28 20" aria-hidden="true">{ inner }</svg>
                <span>{ words }</span>
            </li>
        }
    };
    let keys = [
        ("Space", t.key_space),
        ("← →", t.key_arrows),
        ("Page ↑ ↓", t.key_page),
        ("Home End", t.key_home_end),
        ("1 – 4", t.key_digits),
        ("Esc", t.key_escape),
    ];
    let again =
        [("░▓", t.mark_stale), ("●○", t.mark_visits), ("│┊", t.mark_changes), ("▬▨", t.mark_bands)];
    html! {
        <Modal title={t.help_title} on={props.on.clone()}>
            <section>
                <h3>{ t.marks }</h3>
                <ul class="help-list">
                    { mark("unknown", html! { <circle r="3" /> }, t.mark_unknown) }
                    { mark("waiting", html! { <circle r="4.5" /> }, t.mark_waiting) }
                    { mark("fetched", html! { <><circle cx="-7" r="4.5" opacity="0.4" /><circle cx="6" r="4.5" /></> }, t.mark_fetched) }
                    { mark("current", html! { <><circle r="4" /><circle class="ring" r="7.5" /></> }, t.mark_current) }
                    <li><span class="help-mark best-mark" aria-hidden="true">{ "★" }</span><span>{ t.mark_best }</span></li>
                    <li><span class="help-mark held-mark" aria-hidden="true">{ "‖" }</span><span>{ t.mark_held }</span></li>
                </ul>
            </section>
            <section>
                <h3>{ t.revisits }</h3>
                <ul class="help-list">
                    { for again.into_iter().map(|(sign, words)| html! {
                        <li><span class="help-mark" aria-hidden="true">{ sign }</span><span>{ words }</span></li>
                    }) }
                </ul>
            </section>
            <section>
                <h3>{ t.keys }</h3>
                <dl class="keys">
                    { for keys.into_iter().map(|(key, words)| html! {
                        <div><dt><kbd>{ key }</kbd></dt><dd>{ words }</dd></div>
                    }) }
                </dl>
            </section>
        </Modal>
    }
}
