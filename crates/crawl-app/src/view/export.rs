//! The export dialog.

use super::Props;
use super::dialog::{DialogsProps, Modal};
use super::print::print;
use crate::download::Export;
use crate::model::percent_text;
use crawl_text::app::text;
use crawl_text::fill;
use yew::prelude::*;

/// The export dialog.
pub fn export_dialog(props: &DialogsProps) -> Html {
    let t = text();
    let button = |export: Export, words: &'static str| {
        let on = props.on_export.clone();
        let onclick = Callback::from(move |_: MouseEvent| on.emit(export));
        html! { <li><button {onclick}>{ words }</button></li> }
    };
    html! {
        <Modal title={t.export_title} on={props.on.clone()}>
            <section>
                <h3>{ t.export_images }</h3>
                { print(&Props { model: props.model.clone(), on: props.on.clone() }) }
                <ul class="exports">
                    { button(Export::StagePng, t.stage_png) }
                    { button(Export::StageSvg, t.stage_svg) }
                    { button(Export::ChartPng, t.chart_png) }
                    { button(Export::ChartSvg, t.chart_svg) }
                    if let Some(share) = props.recording {
                        <li>
                            <span class="number" role="status">{ fill(t.recording, &[("share", &percent_text(share))]) }</span>
                            { button(Export::StopAnimation, t.stop_recording) }
                        </li>
                    } else {
                        { button(Export::Animation, t.animation) }
                    }
                </ul>
            </section>
            <section>
                <h3>{ t.export_data }</h3>
                <ul class="exports">
                    { button(Export::SeriesCsv, t.series_csv) }
                    { button(Export::SeriesJson, t.series_json) }
                    { button(Export::OrderCsv, t.order_csv) }
                    { button(Export::OrderJson, t.order_json) }
                    { button(Export::World, t.world_jsonl) }
                </ul>
            </section>
        </Modal>
    }
}
