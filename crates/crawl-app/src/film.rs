//! A film of the stage: recorded by the browser where it can, else saved frame by frame.

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

/// Frames a second.
const RATE: f64 = 30.0;
/// Between saved frames where no video can be recorded.
const FRAME_EVERY: u32 = 15;

/// A film in the making.
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
    pub fn start(screen: &Screen) -> Result<Self, String> {
        let (canvas, context) = new_canvas(screen.canvas().width(), screen.canvas().height())?;
        let recorder = Recorder::start(&canvas).ok();
        Ok(Self { canvas, context, recorder, n_frames: 0 })
    }

    /// Takes the frame that was just drawn.
    pub fn frame(&mut self, screen: &Screen) {
        let background = screen.theme().background.css();
        // A frame that cannot be painted is missing in the film, nothing worse.
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

    /// Ends it, and saves it.
    pub fn stop(self, done: Callback<Result<(), String>>) {
        let Some(recorder) = self.recorder else {
            done.emit(Ok(()));
            return;
        };
        let Recorder { recorder, parts, _data } = recorder;
        let kind = recorder.mime_type();
        let ended = Closure::once_into_js(move |_: Event| {
            // Kept until the last part has come.
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
        // It fails only where nothing was recorded.
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
