//! Exports that need the screen or a worker.

use super::{App, Msg};
use crate::download::{self, Export};
use crate::film::Film;
use crate::model::Action;
use crate::view::PRINT_SIZE;
use crawl_protocol::world::Command;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Blob, CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement, window};
use yew::Context;
use yew::html::Scope;

/// Scale of the chart's PNG.
const PRINT_SCALE: f64 = 3.0;

impl App {
    /// Exports a file, or starts the export.
    pub(super) fn export(&mut self, ctx: &Context<Self>, export: Export) {
        let done = match export {
            Export::SeriesCsv => {
                download::save_text("series.csv", "text/csv", &download::series_csv(&self.state))
            }
            Export::SeriesJson => download::save_text(
                "series.json",
                "application/json",
                &download::series_json(&self.state),
            ),
            Export::OrderCsv | Export::OrderJson => {
                self.ask_urls(export);
                Ok(())
            }
            Export::Claims => match &self.claims_json {
                Some(json) => download::save("claims.json", "application/json", json),
                None => Ok(()),
            },
            Export::World => {
                let task = self.state.new_task();
                self.tell_world(&Command::Write { task })
            }
            Export::StagePng => self.stage_png(ctx),
            Export::StageSvg => self.stage_svg(),
            Export::ChartSvg => {
                chart_svg().and_then(|svg| download::save_text("chart.svg", "image/svg+xml", &svg))
            }
            Export::ChartPng => chart_svg().map(|svg| chart_png(ctx, &svg)),
            Export::Animation => self.start_film(ctx),
            Export::StopAnimation => {
                if let Some(film) = self.film.take() {
                    film.stop(ctx.link().callback(Msg::FilmDone));
                }
                Ok(())
            }
        };
        if let Err(error) = done {
            self.act(ctx, Action::Notice(error));
        }
    }

    fn tell_world(&mut self, command: &Command) -> Result<(), String> {
        self.workers.as_mut().map_or(Ok(()), |workers| workers.tell_world(command, &[]))
    }

    /// Requests the URLs for an export of fetch orders.
    fn ask_urls(&mut self, export: Export) {
        let task = self.state.new_task();
        let n_pages = self.state.summary().map_or(0, |summary| summary.n_pages);
        self.wants_urls = Some((task, export));
        // If sending fails, the worker is restarted and the user can export again.
        let _ = self.tell_world(&Command::Urls { task, pages: (0..n_pages).collect() });
    }

    /// Saves the fetch orders, now that the URLs are known.
    pub(super) fn save_order(&mut self, ctx: &Context<Self>, export: Export, urls: &[String]) {
        let saved = match export {
            Export::OrderCsv => {
                let text = download::order_csv(&self.state, urls);
                download::save_text("order.csv", "text/csv", &text)
            }
            _ => {
                let text = download::order_json(&self.state, urls);
                download::save_text("order.json", "application/json", &text)
            }
        };
        if let Err(error) = saved {
            self.act(ctx, Action::Notice(error));
        }
    }

    /// Requests the URL of a page on the stage, to make it a seed.
    pub(super) fn choose_seed(&mut self, page: u32) {
        let task = self.state.new_task();
        self.wants_seed = Some(task);
        // As above.
        let _ = self.tell_world(&Command::Urls { task, pages: vec![page] });
    }

    fn stage_png(&mut self, ctx: &Context<Self>) -> Result<(), String> {
        let Some(screen) = &mut self.screen else { return Ok(()) };
        // WebGL clears the drawing buffer after this task: draw and copy in one go.
        screen.draw_still(&self.state);
        let both = copy_of(screen.canvas(), screen.labels(), &screen.theme().background.css())?;
        save_canvas(ctx.link().clone(), &both, "stage.png")
    }

    fn stage_svg(&mut self) -> Result<(), String> {
        let titles: Vec<String> =
            self.state.lanes.iter().map(|lane| lane.strategy.to_string()).collect();
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let title = self.state.summary().map(|s| s.title.clone()).unwrap_or_default();
        let Some(screen) = &mut self.screen else { return Ok(()) };
        let svg = screen.svg(&self.state, &title, &titles);
        download::save_text("stage.svg", "image/svg+xml", &svg)
    }

    fn start_film(&mut self, ctx: &Context<Self>) -> Result<(), String> {
        let Some(screen) = &self.screen else { return Ok(()) };
        self.film = Some(Film::start(screen)?);
        self.act(ctx, Action::Close);
        if !self.state.head.playing {
            self.act(ctx, Action::TogglePlay);
        }
        Ok(())
    }

    /// Progress of a recording, 0 to 1.
    pub(super) fn film_share(&self) -> f64 {
        let end = self.state.end();
        if end > 0.0 { self.state.head.at / end } else { 0.0 }
    }
}

/// A copy of the stage and its labels on one canvas.
///
/// # Errors
/// If the browser cannot create or draw a canvas.
pub fn copy_of(
    stage: &HtmlCanvasElement,
    labels: &HtmlCanvasElement,
    background: &str,
) -> Result<HtmlCanvasElement, String> {
    let (canvas, context) = new_canvas(stage.width(), stage.height())?;
    paint(&context, stage, labels, background)?;
    Ok(canvas)
}

/// Paints stage and labels.
///
/// # Errors
/// If the browser cannot draw one of the canvases.
pub fn paint(
    context: &CanvasRenderingContext2d,
    stage: &HtmlCanvasElement,
    labels: &HtmlCanvasElement,
    background: &str,
) -> Result<(), String> {
    let failed = |error: JsValue| crawl_post::said(&error);
    context.set_fill_style_str(background);
    context.fill_rect(0.0, 0.0, f64::from(stage.width()), f64::from(stage.height()));
    context.draw_image_with_html_canvas_element(stage, 0.0, 0.0).map_err(failed)?;
    context.draw_image_with_html_canvas_element(labels, 0.0, 0.0).map_err(failed)
}

/// An off-screen canvas with its context.
///
/// # Errors
/// If the browser cannot create a 2D canvas.
pub fn new_canvas(
    width: u32,
    height: u32,
) -> Result<(HtmlCanvasElement, CanvasRenderingContext2d), String> {
    let failed = |error: JsValue| crawl_post::said(&error);
    let document = window().and_then(|w| w.document()).ok_or_else(String::new)?;
    let canvas = document.create_element("canvas").map_err(failed)?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| String::new())?;
    canvas.set_width(width);
    canvas.set_height(height);
    let context = canvas.get_context("2d").map_err(failed)?.ok_or_else(String::new)?;
    let context = context.dyn_into().map_err(|_| String::new())?;
    Ok((canvas, context))
}

fn save_canvas(
    link: Scope<App>,
    canvas: &HtmlCanvasElement,
    name: &'static str,
) -> Result<(), String> {
    let done = Closure::once_into_js(move |blob: JsValue| {
        let saved = match blob.dyn_into::<Blob>() {
            Ok(blob) => download::save_blob(name, &blob),
            Err(_) => Err(name.to_owned()),
        };
        if let Err(error) = saved {
            link.send_message(Msg::Do(Action::Notice(error)));
        }
    });
    canvas.to_blob(done.unchecked_ref()).map_err(|error| crawl_post::said(&error))
}

/// The chart of the export dialog as SVG, with computed styles inlined.
fn chart_svg() -> Result<String, String> {
    let failed = |error: JsValue| crawl_post::said(&error);
    let window = window().ok_or_else(String::new)?;
    let document = window.document().ok_or_else(String::new)?;
    let chart = document.get_element_by_id("print").ok_or_else(String::new)?;
    let copy: web_sys::Element =
        chart.clone_node_with_deep(true).map_err(failed)?.dyn_into().map_err(|_| String::new())?;
    let pairs = |root: &web_sys::Element| root.query_selector_all("*").map_err(failed);
    let (from, to) = (pairs(&chart)?, pairs(&copy)?);
    for i in 0..from.length().min(to.length()) {
        let elements = from.get(i).zip(to.get(i));
        let Some((from, to)) = elements.and_then(|(a, b)| {
            Some((a.dyn_into::<web_sys::Element>().ok()?, b.dyn_into::<web_sys::Element>().ok()?))
        }) else {
            continue;
        };
        let Ok(Some(style)) = window.get_computed_style(&from) else { continue };
        for name in [
            "fill",
            "stroke",
            "stroke-width",
            "stroke-dasharray",
            "opacity",
            "font-size",
            "font-weight",
            "font-family",
        ] {
            if let Ok(value) = style.get_property_value(name) {
                to.set_attribute(name, &value).map_err(failed)?;
            }
        }
        to.remove_attribute("class").map_err(failed)?;
    }
    copy.set_attribute("xmlns", "http://www.w3.org/2000/svg").map_err(failed)?;
    Ok(copy.outer_html())
}

/// Renders the chart's SVG at print size and saves it as PNG.
fn chart_png(ctx: &Context<App>, svg: &str) {
    let link = ctx.link().clone();
    let encoded = String::from(js_sys::encode_uri_component(svg));
    spawn_local(async move {
        let made: Result<(), String> = async {
            let failed = |error: JsValue| crawl_post::said(&error);
            let image = HtmlImageElement::new().map_err(failed)?;
            image.set_src(&format!("data:image/svg+xml,{encoded}"));
            JsFuture::from(image.decode()).await.map_err(failed)?;
            let (width, height) = (PRINT_SIZE.0 * PRINT_SCALE, PRINT_SIZE.1 * PRINT_SCALE);
            let (canvas, context) = new_canvas(width as u32, height as u32)?;
            context
                .draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height)
                .map_err(failed)?;
            save_canvas(link.clone(), &canvas, "chart.png")
        }
        .await;
        if let Err(error) = made {
            link.send_message(Msg::Do(Action::Notice(error)));
        }
    });
}
