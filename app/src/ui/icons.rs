//! Icons: inline, one stroke weight, always with a label beside them or on their button.

use leptos::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Icon {
    Back,
    Bad,
    Chart,
    Check,
    Chevron,
    Close,
    Columns,
    Lesson,
    Commands,
    Copy,
    Down,
    Files,
    Fit,
    Good,
    Leave,
    List,
    Minus,
    Next,
    Open,
    Pause,
    Pencil,
    Play,
    Plus,
    Previous,
    Save,
    Search,
    Settings,
    Steps,
    Trash,
    Up,
    Warning,
}

impl Icon {
    /// Path data on a grid of 20 by 20.
    fn data(self) -> &'static str {
        match self {
            Icon::Back => "M8 4.5L3.5 9 8 13.5M3.5 9H12a4.5 4.5 0 0 1 4.5 4.5V16",
            Icon::Bad => {
                "M6.5 4v8M3.5 4h3M3.5 4v8h3l3.5 5a1.6 1.6 0 0 0 1.6-1.8L11 12h4a1.5 1.5 0 0 0 1.5-1.8l-1-4.9A1.6 1.6 0 0 0 14 4H6.5"
            }
            Icon::Chart => "M3.5 16.5h13M6 16.5V10M10 16.5V4.5M14 16.5v-4",
            Icon::Check => "M4 10.5l4 4 8-9",
            Icon::Chevron => "M8 5l5 5-5 5",
            Icon::Close => "M5 5l10 10M15 5L5 15",
            Icon::Columns => "M3.5 4.5h5v11h-5zM11.5 4.5h5v11h-5z",
            Icon::Lesson => "M3 4.5h14v9H3zM10 13.5v2.5M6.5 16.5h7",
            Icon::Commands => "M3.5 6.5h13M3.5 10h8M3.5 13.5h10.5",
            Icon::Copy => "M7 7h9v9H7zM13 7V4H4v9h3",
            Icon::Down => "M5.5 8l4.5 4.5L14.5 8",
            Icon::Files => {
                "M3 6a1.5 1.5 0 0 1 1.5-1.5H8L9.5 6h6A1.5 1.5 0 0 1 17 7.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 3 13.5z"
            }
            Icon::Fit => "M4 8V4h4M12 4h4v4M16 12v4h-4M8 16H4v-4",
            Icon::Good => {
                "M6.5 16V8M3.5 16h3M3.5 16V8h3L10 3a1.6 1.6 0 0 1 1.6 1.8L11 8h4a1.5 1.5 0 0 1 1.5 1.8l-1 4.9A1.6 1.6 0 0 1 14 16H6.5"
            }
            Icon::Leave => "M8 5H4.5v10.5H15V12M11 4h5v5M16 4l-7 7",
            Icon::List => "M7.5 5.5H17M7.5 10H17M7.5 14.5H17M3.5 5.5h.5M3.5 10h.5M3.5 14.5h.5",
            Icon::Minus => "M4.5 10h11",
            Icon::Next => "M8 4h4v12H8",
            Icon::Open => "M10 13V3.5M6.5 7L10 3.5 13.5 7M4 12v3.5h12V12",
            Icon::Pause => "M7.5 5v10M12.5 5v10",
            Icon::Pencil => "M4 16l.8-3.6L13 4.2l2.8 2.8-8.2 8.2zM11.3 6l2.7 2.7",
            Icon::Play => "M7 5l8 5-8 5z",
            Icon::Plus => "M4.5 10h11M10 4.5v11",
            Icon::Previous => "M12 4H8v12h4",
            Icon::Save => "M10 3.5v9M6.5 9l3.5 3.5L13.5 9M4 13v3h12v-3",
            Icon::Search => "M8.8 3.5a5.3 5.3 0 1 1 0 10.6a5.3 5.3 0 0 1 0-10.6M12.7 12.7l4 4",
            Icon::Steps => "M3.5 15.5h3.5v-4h4v-4h4V4M15 4h2",
            Icon::Settings => {
                "M3.5 6h7M14.5 6h2M3.5 14h2M9.5 14h7M12.5 4a2 2 0 1 1 0 4 2 2 0 0 1 0-4zM7.5 12a2 2 0 1 1 0 4 2 2 0 0 1 0-4z"
            }
            Icon::Trash => "M4 6h12M8 6V4h4v2M5.5 6l.8 10h7.4l.8-10",
            Icon::Up => "M10 16V4.5M5 9.5l5-5 5 5",
            Icon::Warning => "M10 3.5l7.5 13h-15zM10 8.5v3.5M10 14.2v.1",
        }
    }
}

/// Draws an icon; assistive technology skips it.
#[component]
pub fn Draw(icon: Icon) -> impl IntoView {
    view! {
        <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
            <path d=icon.data()></path>
        </svg>
    }
}
