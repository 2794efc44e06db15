//! The world dialog: built-in, uploaded and saved worlds.

use super::dialog::{DialogsProps, Modal};
use super::text_field::TextField;
use super::{Props, TITLE_CHARS, listed};
use crate::model::{
    Action, AwaitedFiles, Change, History, Imported, bytes_text, count_text, percent_text, shorten,
};
use crawl_catalogue::{Entry, Kind};
use crawl_protocol::world::{KeptExperiment, KeptWorld, NotKept, Store, Summary};
use crawl_protocol::{Seeds, WorldSource};
use crawl_text::app::text;
use crawl_text::fill;
use web_sys::{DragEvent, HtmlInputElement};
use yew::prelude::*;

/// The world dialog.
pub fn world_dialog(props: &DialogsProps) -> Html {
    let t = text();
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    let Some(catalogue) = &props.model.catalogue else { return html! {} };
    html! {
        <Modal title={t.choose_world} on={props.on.clone()} wide=true>
            <section>
                <h3>{ t.upload_title }</h3>
                <Upload ..props.clone() />
            </section>
            <section>
                <h3>{ t.built_in }</h3>
                <ul class="cards">
                    { for catalogue.of(Kind::World).map(|entry| built_in(&common, entry)) }
                </ul>
            </section>
            { kept(&common) }
        </Modal>
    }
}

fn built_in(common: &Props, entry: &Entry) -> Html {
    let t = text();
    let present = common.model.experiment.as_ref().is_some_and(|experiment| {
        matches!(&experiment.world, WorldSource::Made(chosen) if chosen.id == entry.id)
    });
    let (on, id) = (common.on.clone(), entry.id.to_string());
    let onclick = Callback::from(move |_: MouseEvent| {
        on.emit(Action::Close);
        on.emit(Action::Change(Change::Made(id.clone())));
    });
    html! {
        <li>
            <button class="card" {onclick} aria-current={present.then_some("true")}>
                { thumbnail(common, &entry.id) }
                <b>{ entry.title.to_string() }
                    if present { <span class="tag">{ t.present_world }</span> }
                </b>
                <span>{ entry.summary.to_string() }</span>
                <span class="muted">{ entry.source.to_string() }</span>
            </button>
        </li>
    }
}

/// Thumbnail of a world; empty until it arrives.
fn thumbnail(common: &Props, id: &str) -> Html {
    let found = common.model.thumbnails.iter().find(|thumbnail| thumbnail.id == id);
    // With few pages, marks can be larger.
    let is_large = found.is_some_and(|thumbnail| thumbnail.pages.len() > 400);
    html! {
        <svg class={classes!("thumbnail", is_large.then_some("large"))} viewBox="0 0 100 100" aria-hidden="true">
            if let Some(thumbnail) = found {
                <path class="thumbnail-links" d={thumbnail.links.clone()} />
                <path class="thumbnail-pages" d={thumbnail.pages.clone()} />
            }
        </svg>
    }
}

#[component]
fn Upload(props: &DialogsProps) -> Html {
    let t = text();
    let over = use_state_eq(|| false);
    let input = use_node_ref();
    let choose = {
        let input = input.clone();
        Callback::from(move |_: MouseEvent| {
            if let Some(input) = input.cast::<HtmlInputElement>() {
                input.click();
            }
        })
    };
    let onchange = {
        let on_files = props.on_files.clone();
        Callback::from(move |event: Event| {
            let input: HtmlInputElement = event.target_unchecked_into();
            on_files.emit(crate::files::chosen(&input));
            // Allow choosing the same file again.
            input.set_value("");
        })
    };
    let set = |value: bool| {
        let over = over.clone();
        Callback::from(move |event: DragEvent| {
            event.prevent_default();
            over.set(value);
        })
    };
    let ondrop = {
        let (on_files, over) = (props.on_files.clone(), over.clone());
        Callback::from(move |event: DragEvent| {
            event.prevent_default();
            event.stop_propagation();
            over.set(false);
            on_files.emit(crate::files::dropped(&event));
        })
    };
    let common = Props { model: props.model.clone(), on: props.on.clone() };
    html! {
        <div class={classes!("upload", (*over).then_some("is-over"))} ondragover={set(true)}
            ondragleave={set(false)} {ondrop}>
            if let Some(awaited) = props.model.awaited() {
                { super::states::needed_files(&common) }
                { missing(&common, awaited.names) }
            }
            <p>{ t.upload_help }</p>
            <p>
                <button onclick={choose.clone()}>{ t.choose_files }</button>
                <span class="muted">{ " " }{ t.drop_here }</span>
            </p>
            <input ref={input} id="files" class="visually-hidden" type="file" multiple=true
                tabindex="-1" aria-label={t.choose_files} {onchange} />
            if let Some(importing) = &props.model.importing {
                if let Some(error) = &importing.error {
                    <p class="error" role="alert">{ fill(t.cannot_read, &[("error", error)]) }</p>
                } else {
                    <p role="status" class="number">
                        { fill(t.reading, &[
                            ("name", &shorten(&importing.name, TITLE_CHARS)),
                            ("share", &percent_text(importing.progress.done as f64 / importing.progress.of.max(1) as f64)),
                        ]) }
                        { " " }
                        <button onclick={common.emit(Action::CancelImport)}>{ t.cancel }</button>
                    </p>
                }
            }
            if let Some(left_out) = &props.model.given.left_out {
                <p class="left-out" role="status">{ left_out.clone() }</p>
            }
            if let Some((imported, awaited)) = props.model.other_world() {
                { other_world(&common, imported, awaited, choose) }
            } else if let Some(imported) = &props.model.imported {
                { summary(&common, imported) }
            }
        </div>
    }
}

/// Files of the link's world that are still missing.
fn missing(common: &Props, names: &[String]) -> Html {
    let given = &common.model.given.names;
    let missing: Vec<String> = names.iter().filter(|name| !given.contains(name)).cloned().collect();
    if missing.is_empty() || missing.len() == names.len() {
        return html! {};
    }
    let missing = listed(&missing);
    html! { <p role="status">{ fill(text().files_missing, &[("names", &missing)]) }</p> }
}

/// Message that the imported world is not the one that the link needs.
fn other_world(
    common: &Props,
    imported: &Imported,
    awaited: AwaitedFiles<'_>,
    choose: Callback<MouseEvent>,
) -> Html {
    let t = text();
    let digests = [("found", imported.summary.digest.as_str()), ("wanted", awaited.digest)];
    let dropped = common.model.dropped_with_world();
    let drops = match dropped.as_slice() {
        [] => t.drops_nothing.to_owned(),
        parts => fill(t.drops, &[("parts", &parts.join(", "))]),
    };
    html! {
        <div class="imported" role="alert">
            <h4>{ imported.summary.title.clone() }</h4>
            <p class="error">{ fill(t.other_world, &digests) }</p>
            <p>
                if !awaited.names.is_empty() {
                    { fill(t.other_world_from, &[("names", &listed(awaited.names))]) }
                }
                if awaited.names.len() < 2 {
                    { " " }{ t.other_world_alone }
                }
            </p>
            <p class="muted">{ drops }</p>
            <div class="actions">
                <button class="primary" onclick={choose}>{ t.try_other_files }</button>
                <button onclick={common.emit(Action::UseImported)}>{ t.open_as_new }</button>
            </div>
        </div>
    }
}

/// Summary of an imported world, before it is opened.
fn summary(common: &Props, imported: &Imported) -> Html {
    let t = text();
    let Summary { n_pages, n_links, n_hosts, n_outside, n_reached, .. } = imported.summary;
    let all = count_text(n_pages.into());
    let reached = count_text(n_reached.into());
    let is_awaited = common.model.awaited().is_some();
    // The link defines the seeds.
    let few = u64::from(n_reached) * 2 < u64::from(n_pages) && !is_awaited;
    let first = imported.summary.seeds.first().map(|seed| seed.url.clone()).unwrap_or_default();
    let reach = if few {
        fill(t.seeds_reach_little, &[("page", &first), ("n", &reached), ("all", &all)])
    } else {
        fill(t.seeds_reach, &[("n", &reached), ("all", &all)])
    };
    let read = fill(
        t.read_as,
        &[
            ("format", &imported.summary.format),
            ("pages", &t.found_pages.of(n_pages.into())),
            ("links", &t.n_links.of(n_links.into())),
            ("hosts", &t.n_hosts.of(n_hosts.into())),
        ],
    );
    html! {
        <div class="imported" role="status">
            <h4>{ shorten(&imported.summary.title, TITLE_CHARS) }</h4>
            if is_awaited {
                <p>{ t.file_fits }</p>
            }
            <p class="number">{ read }
                if n_outside > 0 {
                    { " " }{ fill(t.links_leaving, &[("n", &count_text(n_outside))]) }
                }
            </p>
            <p class="number">{ reach }</p>
            if !imported.summary.notices.is_empty() {
                <ul class="notices muted">
                    { for imported.summary.notices.iter().take(8).map(|n| html! { <li>{ n.clone() }</li> }) }
                </ul>
            }
            if let Some(error) = &imported.not_kept {
                <p class="error">{ not_kept(error, imported.summary.n_bytes) }</p>
            }
            <div class="actions">
                <button class="primary" onclick={common.emit(Action::UseImported)}>{ t.run_it }</button>
                if let Some((page, n)) = imported.summary.better_seed.as_ref().filter(|_| few) {
                    { better(common, imported, &page.url, *n) }
                }
            </div>
        </div>
    }
}

fn not_kept(error: &NotKept, n_bytes: u64) -> String {
    match error {
        NotKept::Full => fill(text().store_full, &[("bytes", &bytes_text(n_bytes))]),
        NotKept::Words(error) => fill(text().not_kept, &[("error", error)]),
    }
}

fn better(common: &Props, imported: &Imported, url: &str, n: u32) -> Html {
    let t = text();
    let (on, source, url) = (common.on.clone(), imported.source.clone(), url.to_owned());
    let words = fill(t.run_with_seed, &[("page", &url)]);
    let title = fill(t.better_seed, &[("page", &url), ("n", &count_text(n.into()))]);
    let onclick = Callback::from(move |_: MouseEvent| {
        on.emit(Action::Close);
        on.emit(Action::Change(Change::World(source.clone())));
        on.emit(Action::Change(Change::Seeds(Seeds::urls(vec![url.clone()]))));
    });
    html! { <button {onclick} {title}>{ words }</button> }
}

fn kept(common: &Props) -> Html {
    let t = text();
    let library = &common.model.library;
    let keep = {
        let on = common.on.clone();
        let link = common.model.shared().map(|shared| shared.to_link()).unwrap_or_default();
        let name = common.model.summary().map(|s| s.title.clone()).unwrap_or_default();
        let strategies: Vec<String> =
            (0..common.model.lanes.len()).map(|at| common.lane_title(at)).collect();
        let name = format!("{name}: {}", strategies.join(", "));
        Callback::from(move |_: MouseEvent| {
            let used_ms = js_sys::Date::now();
            let kept = KeptExperiment { link: link.clone(), name: name.clone(), used_ms };
            on.emit(Action::Store(Store::Keep(kept)));
            on.emit(Action::Notice(t.kept.to_owned()));
        })
    };
    html! {
        <>
            <section>
                <h3>{ t.kept_worlds }</h3>
                if let Some(error) = &library.error {
                    <p class="error">{ fill(t.store_broken, &[("error", error)]) }</p>
                }
                if library.worlds.is_empty() && library.experiments.is_empty() {
                    <p class="muted">{ t.nothing_kept }</p>
                }
                <ul class="kept">{ for library.worlds.iter().map(|world| kept_world(common, world)) }</ul>
                if !library.worlds.is_empty() {
                    <p class="muted number">{ fill(t.kept_space, &[("bytes", &bytes_text(library.n_bytes))]) }</p>
                }
            </section>
            <section>
                <h3>{ t.kept_experiments }</h3>
                <ul class="kept">
                    { for library.experiments.iter().map(|kept| kept_experiment(common, kept)) }
                </ul>
                <button onclick={keep}>{ t.keep_experiment }</button>
            </section>
        </>
    }
}

fn kept_world(common: &Props, world: &KeptWorld) -> Html {
    // Older builds stored no file names.
    let names = if world.files.is_empty() { vec![world.name.clone()] } else { world.files.clone() };
    let source = WorldSource::File { digest: world.summary.digest.clone(), names, data: None };
    let t = text();
    let detail = [
        t.found_pages.of(world.summary.n_pages.into()),
        t.n_links.of(world.summary.n_links.into()),
        bytes_text(world.summary.n_bytes),
    ];
    let detail = detail.join(" · ");
    let open = Action::Change(Change::World(source));
    kept_item(common, &world.summary.digest, &world.name, detail, open)
}

fn kept_experiment(common: &Props, kept: &KeptExperiment) -> Html {
    let open = Action::OpenLink(kept.link.clone(), History::Push);
    let link = shorten(&kept.link, 60);
    kept_item(common, &kept.link, &kept.name, link, open)
}

fn kept_item(common: &Props, key: &str, name: &str, detail: String, open: Action) -> Html {
    let t = text();
    let onclick = {
        let (on, open) = (common.on.clone(), open);
        Callback::from(move |_: MouseEvent| {
            on.emit(Action::Close);
            on.emit(open.clone());
        })
    };
    let rename = {
        let (on, key) = (common.on.clone(), key.to_owned());
        Callback::from(move |typed: String| {
            let name = typed.trim().to_owned();
            if !name.is_empty() {
                on.emit(Action::Store(Store::Rename { key: key.clone(), name }));
            }
            Ok(())
        })
    };
    let delete = Action::Store(Store::Delete { key: key.to_owned() });
    html! {
        <li key={key.to_owned()}>
            <TextField class="kept-name" value={name.to_owned()} label={t.new_name}
                on_commit={rename} />
            <span class="muted number kept-detail">{ detail }</span>
            <button {onclick}>{ t.open }</button>
            <button onclick={common.emit(delete)}>{ t.delete }</button>
        </li>
    }
}
