//! Short code blocks, which a sentence that ends with a colon announces.

use crate::lines::Line;

/// Most lines of a block that is shown inside a sentence.
const MOST_LINES: usize = 3;
/// Longest line that is shown, in characters.
const MAX_CODE: usize = 100;

/// Returns the code block right below the line `after`, with the number of each line; nothing if
/// the block is too long to be shown inside a sentence. `first` is the line that `body` begins on.
pub(super) fn short_block_below(body: &str, first: Line, after: Line) -> Vec<(Line, String)> {
    let rows = after.0.saturating_sub(first.0) as usize;
    let indent = |line: &str| line.len() - line.trim_start().len();
    let around = body.lines().nth(rows).map_or(0, indent);
    let below = (after.0 + 1..).map(Line).zip(body.lines().skip(rows + 1));
    let mut below = below
        .skip_while(|(_, line)| line.trim().is_empty())
        .peekable();
    let is_fenced = below.peek().is_some_and(|(_, line)| is_fence(line));
    let is_directive = below.peek().is_some_and(|(_, line)| is_directive(line));
    let block: Vec<(Line, &str)> = match is_fenced {
        true => below
            .skip(1)
            .take_while(|(_, line)| !is_fence(line))
            .collect(),
        false => below
            .skip(usize::from(is_directive))
            .take_while(|(_, line)| line.trim().is_empty() || indent(line) > around)
            .filter(|(_, line)| !(is_directive && line.trim_start().starts_with(':')))
            .collect(),
    };
    let lines = block.iter().filter(|(_, line)| !line.trim().is_empty());
    let lines: Vec<(Line, String)> = lines
        .map(|(at, line)| (*at, line.trim().trim_start_matches("$ ").to_owned()))
        .collect();
    let is_shown =
        |(_, line): &(Line, String)| !line.contains('`') && line.chars().count() <= MAX_CODE;
    match lines.len() <= MOST_LINES && lines.iter().all(is_shown) {
        true => lines,
        false => Vec::new(),
    }
}

/// Whether a line of Markdown begins or ends a code block.
pub(crate) fn is_fence(line: &str) -> bool {
    let line = line.trim_start();
    line.starts_with("```") || line.starts_with("~~~")
}

/// Whether a line of reStructuredText introduces code.
fn is_directive(line: &str) -> bool {
    let name = line.trim().strip_prefix(".. ");
    name.is_some_and(|name| ["code", "sourcecode"].iter().any(|it| name.starts_with(it)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_block_is_found_below_the_sentence_that_announces_it() {
        for (body, expected) in [
            (
                "Run:\n\n```sh\n$ make\nmake test\n```\n",
                "3 make, 4 make test",
            ),
            ("Run::\n\n    make all\n\nThen wait.", "2 make all"),
            (
                "Run:\n\n.. code-block:: sh\n   :linenos:\n\n   make\n",
                "5 make",
            ),
            ("Run:\n\nThen wait.", ""),
            ("Run:\n```\na\nb\nc\nd\n```", ""),
            ("Run:", ""),
        ] {
            let found = short_block_below(body, Line(0), Line(0));
            let found: Vec<String> = found
                .iter()
                .map(|(at, it)| format!("{} {it}", at.0))
                .collect();
            assert_eq!(found.join(", "), expected, "{body}");
        }
    }
}
