//! Icons: lane shapes and buttons.

use yew::prelude::*;

/// The logo.
pub fn brand() -> Html {
    html! {
        <svg class="brand-mark" width="22" height="22" viewBox="0 0 22 22" aria-hidden="true">
            <circle cx="11" cy="11" r="8.5" fill="none" stroke="currentColor" stroke-width="1.6" />
            <circle cx="11" cy="11" r="2.6" fill="currentColor" />
            <path d="M11 11 16.5 6" stroke="currentColor" />
            <circle class="brand-orbit" cx="16.5" cy="6" r="1.9" />
        </svg>
    }
}

/// The shape of a mark, in its colour.
pub fn shape(mark: u8) -> Html {
    let drawn = match mark {
        0 => html! { <circle r="4.6" /> },
        1 => html! { <rect x="-4.2" y="-4.2" width="8.4" height="8.4" /> },
        2 => html! { <path d="M0-5 5 4H-5Z" /> },
        _ => html! { <path d="M0-5.4 5.4 0 0 5.4-5.4 0Z" /> },
    };
    html! {
        <svg class={classes!("shape", class(mark))} width="12" height="12"
            viewBox="-6 -6 12 12" aria-hidden="true">{ drawn }</svg>
    }
}

/// The class that gives an element a mark's colour.
pub fn class(mark: u8) -> String {
    format!("lane-{}", mark + 1)
}

/// An icon of 16 by 16 from one path.
fn sign(path: &'static str) -> Html {
    html! {
        <svg width="16" height="16" viewBox="0 0 16 16" fill="currentColor" aria-hidden="true">
            <path d={path} />
        </svg>
    }
}

pub fn to_start() -> Html {
    sign("M3 2h2v12H3zM14 2v12L6 8z")
}

pub fn back() -> Html {
    sign("M12 2v12L4 8z")
}

pub fn play() -> Html {
    sign("M4.5 2v12l9-6z")
}

pub fn pause() -> Html {
    sign("M4 2h3v12H4zM9 2h3v12H9z")
}

pub fn forward() -> Html {
    sign("M4 2v12l8-6z")
}

pub fn to_end() -> Html {
    sign("M11 2h2v12h-2zM2 2v12l8-6z")
}

pub fn close() -> Html {
    sign(
        "M3.3 2.2 8 6.9l4.7-4.7 1.1 1.1L9.1 8l4.7 4.7-1.1 1.1L8 9.1l-4.7 4.7-1.1-1.1L6.9 8 2.2 3.3z",
    )
}

pub fn menu() -> Html {
    sign("M2 3.2h12v1.6H2zM2 7.2h12v1.6H2zM2 11.2h12v1.6H2z")
}

pub fn plus() -> Html {
    sign("M7.2 3h1.6v4.2H13v1.6H8.8V13H7.2V8.8H3V7.2h4.2z")
}

pub fn minus() -> Html {
    sign("M3 7.2h10v1.6H3z")
}

pub fn fit() -> Html {
    sign(
        "M2 2h4.5v1.5h-3v3H2zM9.5 2H14v4.5h-1.5v-3h-3zM2 9.5h1.5v3h3V14H2zM12.5 9.5H14V14H9.5v-1.5h3z",
    )
}

pub fn theme() -> Html {
    sign("M8 1a7 7 0 1 1 0 14A7 7 0 0 1 8 1zM8 13.6a5.6 5.6 0 0 0 0-11.2z")
}

pub fn help() -> Html {
    sign(
        "M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2zm0 1.4a5.4 5.4 0 1 0 0 10.8A5.4 5.4 0 0 0 8 2.6zm-.8 7.9h1.6v1.6H7.2zM8 4c1.5 0 2.6.9 2.6 2.3 0 1-.5 1.5-1.2 2-.5.4-.7.6-.7 1.1H7.3c0-1.1.5-1.6 1.2-2.1.5-.4.7-.6.7-1 0-.6-.5-.9-1.2-.9s-1.2.4-1.3 1.1H5.3C5.4 5 6.5 4 8 4z",
    )
}
