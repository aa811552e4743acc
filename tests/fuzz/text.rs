//! Texts that are hard to read as an answer of a language model.

use crate::mutate::Rng;

/// The building blocks of citations, Markdown and sentences, and look-alikes.
const PIECES: &[&str] = &[
    "[src/queue.py:1-3]",
    "[src/queue.py:5-7]",
    "[src/worker.py:4-5]",
    "[queue.py:4]",
    "[src/queue.py#L1-L2]",
    "[docs/überblick.md:3]",
    "【src/queue.py:1–3】",
    "[src/queue.py:1-3, 5-7; src/worker.py:1]",
    "[src/queue.py:900]",
    "[gone.py:1]",
    "[src/queue.py:7-5]",
    "(src/queue.py, lines 5-7)",
    "`src/queue.py:5`",
    "`src/queue.py` (lines 5-7)",
    "<src/queue.py:5>",
    "[the queue](src/queue.py#L5-L7)",
    "[a](http://x)",
    "http://x.y/src/queue.py:3",
    "src/queue.py:5",
    "src/queue.py",
    "queue.py",
    "queue.py:",
    "queue.py, lines 5",
    "lines 5-7 of src/queue.py",
    "line 5",
    "lines ",
    "[^1]",
    "[",
    "]",
    "](",
    "(",
    ")",
    "【",
    "】",
    "<",
    ">",
    "`",
    "``",
    "```",
    "```py\n",
    "\n```\n",
    "~~~",
    "\"",
    "“",
    "”",
    "«",
    "»",
    "'",
    "’",
    "\\",
    "*",
    "**",
    "_",
    "# ",
    "- ",
    "\n- ",
    "\n  - ",
    "\n1. ",
    "\n10.  ",
    "\n> ",
    "\n>     ",
    "\n    ",
    "\n\t",
    "| a | b |\n",
    "|---|---|\n",
    "\n| `lease` | [src/queue.py:5] |\n",
    "\n---\n",
    "===",
    "\n",
    "\n\n",
    "\r\n",
    " ",
    "\t",
    "\u{a0}",
    ".",
    ". ",
    "? ",
    "! ",
    ": ",
    "; ",
    ", ",
    "。",
    "！",
    "…",
    "...",
    "-",
    "–",
    "1",
    "12",
    "L5",
    "5-7",
    "e.g. ",
    "Yes. ",
    "no. ",
    "I ",
    "It takes ",
    "the most urgent job",
    "the most urgent job that is due",
    "`Queue.lease` ",
    "`lease`",
    "`LIMIT = 60`",
    "`erase_all` ",
    "\"Takes the most urgent job\"",
    "Puts a dead letter back",
    "60 seconds",
    "and ",
    "also ",
    "see ",
    "Source: ",
    "word",
    "Word ",
    "ein Wort",
    "队列",
    "é",
    "🦀",
    "\0",
    "\u{200b}",
    "\u{feff}",
];

/// A text of such pieces, seldom with any other characters in it.
pub fn odd(rng: &mut Rng) -> String {
    let mut text = String::new();
    let most = if rng.one_in(8) { 120 } else { 24 };
    let many = 1 + rng.below(most);
    for _ in 0..many {
        match rng.below(40) {
            0 => {
                let any = char::from_u32(rng.below(0x3000) as u32);
                text.extend(any);
            }
            1 => {
                // As long as the parser looks ahead, or nearly.
                let piece: &str = rng.pick::<&str>(PIECES);
                let length = *rng.pick(&[47, 48, 49, 159, 160, 161, 399, 400, 401, 402]);
                let times = (length / piece.len()).max(1);
                text.push_str(&piece.repeat(times));
                text.push_str(&"a".repeat(length.saturating_sub(times * piece.len())));
            }
            2 if !text.is_empty() => {
                let from = text.floor_char_boundary(rng.below(text.len()));
                let to = text.floor_char_boundary((from + rng.below(40)).min(text.len()));
                let copy = text[from..to].to_owned();
                text.push_str(&copy);
            }
            _ => text.push_str(rng.pick::<&str>(PIECES)),
        }
    }
    // A record separator in the text would be a cut.
    text.retain(|character| character != '\u{1e}');
    text
}
