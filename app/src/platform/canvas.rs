//! A canvas for drawing at the screen's full resolution.

use wasm_bindgen::{JsCast, JsValue};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement};

/// A point in CSS pixels.
type Pair = (f64, f64);

/// Draws one frame. Drawing errors are ignored, because nothing depends on the result.
pub struct Pen {
    context: CanvasRenderingContext2d,
    /// In CSS pixels.
    pub size: Pair,
}

impl Pen {
    /// Sizes the canvas to its place in the page and clears it. Returns `None` if the canvas has no
    /// size or no drawing context.
    pub fn begin(canvas: &HtmlCanvasElement) -> Option<Self> {
        let size = (
            f64::from(canvas.client_width()),
            f64::from(canvas.client_height()),
        );
        let scale = web_sys::window()?.device_pixel_ratio();
        let pixels = |length: f64| (length * scale).round() as u32;
        let (width, height) = (pixels(size.0), pixels(size.1));
        if width == 0 || height == 0 {
            return None;
        }
        if (canvas.width(), canvas.height()) != (width, height) {
            canvas.set_width(width);
            canvas.set_height(height);
        }
        let context = canvas.get_context("2d").ok().flatten()?;
        let context: CanvasRenderingContext2d = context.dyn_into().ok()?;
        context
            .set_transform(scale, 0.0, 0.0, scale, 0.0, 0.0)
            .ok()?;
        context.clear_rect(0.0, 0.0, size.0, size.1);
        context.set_text_baseline("middle");
        context.set_line_join("round");
        Some(Self { context, size })
    }

    pub fn font(&self, font: &str) {
        self.context.set_font(font);
    }

    /// The width of a text in the current font.
    pub fn width(&self, text: &str) -> f64 {
        self.context
            .measure_text(text)
            .map_or(0.0, |metrics| metrics.width())
    }

    /// Sets the opacity of what is drawn next, from 0 to 1.
    pub fn opacity(&self, share: f64) {
        self.context.set_global_alpha(share);
    }

    /// Draws text with an outline in another colour, so that it stays legible on top of lines; `at`
    /// is the middle of its left edge.
    pub fn text(&self, text: &str, at: Pair, colour: &str, border: &str) {
        self.stroke_style(border, 3.5, &[]);
        // Both fail only if a coordinate is not a number; such a label would be invisible anyway.
        let _ = self.context.stroke_text(text, at.0, at.1);
        self.context.set_fill_style_str(colour);
        let _ = self.context.fill_text(text, at.0, at.1);
    }

    /// Draws a curve between two points, bent towards a third.
    pub fn curve(
        &self,
        start: Pair,
        bend: Pair,
        end: Pair,
        colour: &str,
        width: f64,
        dashes: &[f64],
    ) {
        self.stroke_style(colour, width, dashes);
        self.context.begin_path();
        self.context.move_to(start.0, start.1);
        self.context
            .quadratic_curve_to(bend.0, bend.1, end.0, end.1);
        self.context.stroke();
    }

    pub fn circle(&self, middle: Pair, radius: f64, fill: Option<&str>, line: &str, width: f64) {
        self.context.begin_path();
        // Fails only for negative radii.
        let _ = self
            .context
            .arc(middle.0, middle.1, radius, 0.0, std::f64::consts::TAU);
        self.fill_and_stroke(fill, line, width);
    }

    pub fn polygon(&self, corners: &[Pair], fill: Option<&str>, line: &str, width: f64) {
        self.context.begin_path();
        for (at, corner) in corners.iter().enumerate() {
            match at {
                0 => self.context.move_to(corner.0, corner.1),
                _ => self.context.line_to(corner.0, corner.1),
            }
        }
        self.context.close_path();
        self.fill_and_stroke(fill, line, width);
    }

    fn fill_and_stroke(&self, fill: Option<&str>, line: &str, width: f64) {
        if let Some(fill) = fill {
            self.context.set_fill_style_str(fill);
            self.context.fill();
        }
        self.stroke_style(line, width, &[]);
        self.context.stroke();
    }

    fn stroke_style(&self, colour: &str, width: f64, dashes: &[f64]) {
        self.context.set_stroke_style_str(colour);
        self.context.set_line_width(width);
        let dashes: js_sys::Array = dashes.iter().copied().map(JsValue::from_f64).collect();
        // Fails only if a length is not a number.
        let _ = self.context.set_line_dash(&dashes);
    }
}

/// The values of custom properties, such as `--ink`, where the canvas is.
pub fn properties<const N: usize>(
    canvas: &HtmlCanvasElement,
    names: [&str; N],
) -> Option<[String; N]> {
    let style = web_sys::window()?.get_computed_style(canvas).ok()??;
    Some(names.map(|name| style.get_property_value(name).unwrap_or_default()))
}
