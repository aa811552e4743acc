//! Text → syntax tree, within bounds of depth and of steps.

use std::ops::ControlFlow;

use tree_sitter::{ParseOptions, Parser, Tree};

/// Parser steps allowed: this many callbacks (one each 100 steps), and one more for each of
/// [`BYTES_PER_CALLBACK`] bytes. Ordinary code takes below one step a byte; ambiguous or broken text
/// can take far more, and is given up on. Counted, not timed, so that results do not depend on load.
const MIN_CALLBACKS: usize = 5_000;
const BYTES_PER_CALLBACK: usize = 4;

/// Deepest nesting of brackets that is parsed. Ambiguous brackets (`a<a<a<…`) cost a generalised LR
/// parser time and memory in proportion to the square of their depth: 40,000 of them, 16 GiB.
const MAX_NESTING: u32 = 2_000;

/// The syntax tree, or nothing if the text nests too deeply or took too many steps.
pub(crate) fn syntax_tree(grammar: &tree_sitter::Language, text: &str) -> Option<Tree> {
    if is_too_deep(text) {
        return None;
    }
    let mut parser = Parser::new();
    parser.set_language(grammar).ok()?;
    let mut progress = budget(text);
    let bytes = text.as_bytes();
    let mut read = |at: usize, _| bytes.get(at..).unwrap_or(&[]);
    let options = ParseOptions::new().progress_callback(&mut progress);
    parser.parse_with_options(&mut read, None, Some(options))
}

/// Whether brackets nest beyond [`MAX_NESTING`]. Counts signs without knowing strings or comments:
/// no ordinary text comes near the limit.
pub(crate) fn is_too_deep(text: &str) -> bool {
    let mut brackets = 0u32;
    let mut angles = 0u32;
    let mut last = b' ';
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => brackets += 1,
            b')' | b']' | b'}' => brackets = brackets.saturating_sub(1),
            // Type arguments follow their name at once; most comparisons do not.
            b'<' if !last.is_ascii_whitespace() && last != b'<' => angles += 1,
            b'>' => angles = angles.saturating_sub(1),
            _ => {}
        }
        // Here type arguments have ended, so that comparisons do not add up over a file.
        if matches!(byte, b';' | b':' | b'{' | b'}' | b')') {
            angles = 0;
        }
        if brackets > MAX_NESTING || angles > MAX_NESTING {
            return true;
        }
        last = byte;
    }
    false
}

/// A progress callback that stops the work after as many calls as `text` allows.
pub(crate) fn budget<State>(text: &str) -> impl FnMut(&State) -> ControlFlow<()> + use<State> {
    let mut left = MIN_CALLBACKS + text.len() / BYTES_PER_CALLBACK;
    move |_| match left.checked_sub(1) {
        Some(rest) => {
            left = rest;
            ControlFlow::Continue(())
        }
        None => ControlFlow::Break(()),
    }
}
