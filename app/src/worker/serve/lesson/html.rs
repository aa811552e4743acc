//! A lesson as one HTML file whose numbers can be changed: the lesson as JSON, and a script that
//! ranks its passages. The file's policy allows that script, by its hash, and nothing else.

use footnote_core::lesson::{Lesson, ROWS, Way};
use maud::{DOCTYPE, Markup, PreEscaped, html};

use super::formats::Format;
use crate::words::count;
use crate::worker::protocol::FormatSpec;
use crate::worker::serve::document::{ALONE, TOKENS};

pub const FORMAT: Format = Format {
    spec: FormatSpec::HTML,
    write: file,
};

/// The lesson's own style, which the page also links.
const STYLE: &str = include_str!("../../../../style/lesson.css");
/// Styles for the exported file only.
const OWN: &str =
    "body{max-width:none;padding:18px 24px}button{font:inherit;color:inherit;cursor:pointer}";
const SCRIPT: &str = include_str!("lesson.js");
/// The hash of [`SCRIPT`]; a test computes it again.
const SCRIPT_HASH: &str = "sha256-MLwJ/ks8KUeYJtxgfrSd6DMAwX5uf2XNPYH1tNsuwZg=";
/// Marks a file as a lesson, within its first bytes.
pub const GENERATOR: &str = "Footnote lesson";

fn file(lesson: &Lesson) -> Result<String, serde_json::Error> {
    let json = serde_json::to_string(lesson)?.replace('<', "\\u003c");
    let policy =
        format!("default-src 'none'; style-src 'unsafe-inline'; script-src '{SCRIPT_HASH}'");
    let file = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="generator" content=(GENERATOR);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                meta http-equiv="Content-Security-Policy" content=(policy);
                title { (lesson.question) }
                style { (PreEscaped(TOKENS)) (PreEscaped(STYLE)) (PreEscaped(ALONE)) (PreEscaped(OWN)) }
            }
            body {
                (body(lesson))
                script type="application/json" id="lesson" { (PreEscaped(json)) }
                script { (PreEscaped(SCRIPT)) }
            }
        }
    };
    Ok(file.into_string() + "\n")
}

fn body(lesson: &Lesson) -> Markup {
    let ways = Way::ALL.iter().enumerate();
    html! {
        header {
            h1 { (lesson.question) }
            p {
                "Four ways to find it among the " (lesson.chunks) " passages of "
                (lesson.repository) ". Yellow: the passages that answer."
            }
        }
        main.lesson-columns {
            @for (step, way) in ways.clone() {
                @if step > 0 { (links(step, *way)) }
                section.lesson-way data-step=(step) { (head(lesson, *way)) ol.ranks data-way=(way.name()) {} }
            }
            section.lesson-way data-step=(Way::ALL.len()) { (shown(lesson)) }
        }
        section #code.lesson-code aria-live="polite" { p { "Choose a passage to read it." } }
        footer.lesson-foot {
            @for (step, way) in ways { p data-said=(step) hidden { b { "Step " (step + 1) " of 5. " } (lesson.said(*way)) } }
            p data-said=(Way::ALL.len()) { b { "Step 5 of 5. " } (lesson.said_of_shown()) }
            button #reset { "Reset" }
            button #back aria-label="Back" { "◀" }
            button #on aria-label="Next" { "▶" }
            button #projector aria-pressed="false" { "Projector" }
        }
    }
}

fn links(step: usize, way: Way) -> Markup {
    html! {
        div.lesson-links data-step=(step) aria-hidden="true" { svg viewBox="0 0 28 512" data-links=(way.name()) {} }
    }
}

fn head(lesson: &Lesson, way: Way) -> Markup {
    html! {
        header {
            h2 { (way.title()) }
            p { (way.about()) }
            @for slider in way.sliders() {
                label {
                    span { (slider.label) }
                    input
                        type="range"
                        data-number=(slider.name)
                        min=(slider.from)
                        max=(slider.to)
                        step=(slider.step);
                    output { (lesson.numbers.get(slider.name).unwrap_or_default()) }
                }
            }
        }
    }
}

fn shown(lesson: &Lesson) -> Markup {
    html! {
        header {
            h2 { "What a model sees" }
            p { "The lines found that say the most, within a budget." }
        }
        ol.ranks {
            @for it in lesson.shown.iter().take(ROWS) {
                li {
                    div.row {
                        span.place { (lesson.file_name(it.file)) ":" (it.start) "–" (it.end) }
                        small {
                            (it.tokens) " tokens"
                            @if it.left_out > 0 { ", " (count(it.left_out.into(), "line")) " left out" }
                        }
                    }
                }
            }
            @if lesson.shown.len() > ROWS {
                li.more { "and " (lesson.shown.len() - ROWS) " more" }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_policy_names_the_script_by_its_hash() {
        use base64::Engine as _;
        use sha2::Digest as _;
        let hash = sha2::Sha256::digest(SCRIPT.as_bytes());
        let hash = base64::engine::general_purpose::STANDARD.encode(hash);
        assert_eq!(SCRIPT_HASH, format!("sha256-{hash}"));
    }
}
