//! Video recording of the stage; single frames where the browser records no video.

use crate::app::{new_canvas, paint};
use crate::download;
use crate::screen::Screen;
use js_sys::Array;
use std::cell::RefCell;
use std::rc::Rc;
use wasm_bindgen::prelude::{Closure, JsCast, JsValue};
use web_sys::{
    Blob, BlobEvent, CanvasRenderingContext2d, Event, HtmlCanvasElement, MediaRecorder,
    MediaRecorderOptions,
};
use yew::Callback;

/// Frames per second.
const RATE: f64 = 30.0;
/// Without video, every n-th frame is saved.
const FRAME_EVERY: u32 = 15;

/// A recording in progress.
pub struct Film {
    canvas: HtmlCanvasElement,
    context: CanvasRenderingContext2d,
    recorder: Option<Recorder>,
    n_frames: u32,
}

struct Recorder {
    recorder: MediaRecorder,
    parts: Rc<RefCell<Array>>,
    _data: Closure<dyn FnMut(BlobEvent)>,
}

impl Film {
    /// Starts recording.
    ///
    /// # Errors
    /// If the browser cannot create a canvas.
    pub fn start(screen: &Screen) -> Result<Self, String> {
        let (canvas, context) = new_canvas(screen.canvas().width(), screen.canvas().height())?;
        let recorder = Recorder::start(&canvas).ok();
        Ok(Self { canvas, context, recorder, n_frames: 0 })
    }

    /// Records the frame that was just drawn.
    pub fn frame(&mut self, screen: &Screen) {
        let background = screen.theme().background.css();
        // A frame that fails is skipped.
        let _ = paint(&self.context, screen.canvas(), screen.labels(), &background);
        if self.recorder.is_none() && self.n_frames.is_multiple_of(FRAME_EVERY) {
            let name = format!("frame-{:04}.png", self.n_frames / FRAME_EVERY + 1);
            let done = Closure::once_into_js(move |blob: JsValue| {
                if let Ok(blob) = blob.dyn_into::<Blob>() {
                    let _ = download::save_blob(&name, &blob);
                }
            });
            let _ = self.canvas.to_blob(done.unchecked_ref());
        }
        self.n_frames += 1;
    }

    /// Stops recording and saves the file.
    pub fn stop(self, done: Callback<Result<(), String>>) {
        let Some(recorder) = self.recorder else {
            done.emit(Ok(()));
            return;
        };
        let Recorder { recorder, parts, _data } = recorder;
        let kind = recorder.mime_type();
        let ended = Closure::once_into_js(move |_: Event| {
            // Keep the closure alive until the last part has arrived.
            let _data = _data;
            let saved = Blob::new_with_blob_sequence(&parts.borrow())
                .map_err(|error| crawl_post::said(&error))
                .and_then(|blob| {
                    let ending = if kind.contains("mp4") { "mp4" } else { "webm" };
                    download::save_blob(&format!("crawl.{ending}"), &blob)
                });
            done.emit(saved);
        });
        recorder.set_onstop(Some(ended.unchecked_ref()));
        // Fails only if nothing was recorded.
        let _ = recorder.stop();
    }
}

impl Recorder {
    fn start(canvas: &HtmlCanvasElement) -> Result<Self, JsValue> {
        let stream = canvas.capture_stream_with_frame_request_rate(RATE)?;
        let options = MediaRecorderOptions::new();
        options.set_video_bits_per_second(8_000_000);
        let recorder =
            MediaRecorder::new_with_media_stream_and_media_recorder_options(&stream, &options)?;
        let parts = Rc::new(RefCell::new(Array::new()));
        let kept = parts.clone();
        let data = Closure::<dyn FnMut(BlobEvent)>::new(move |event: BlobEvent| {
            if let Some(part) = event.data() {
                kept.borrow().push(&part);
            }
        });
        recorder.set_ondataavailable(Some(data.as_ref().unchecked_ref()));
        recorder.start_with_time_slice(1000)?;
        Ok(Self { recorder, parts, _data: data })
    }
}
