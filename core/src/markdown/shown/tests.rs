use super::marked::{CLOSE, OPEN};
use super::*;
use proptest::prelude::*;

/// The blocks as a short text: `p(…)`, `*…*`, `[1]`.
fn shown(blocks: &[Block]) -> String {
    blocks.iter().map(block).collect::<Vec<_>>().join("|")
}

fn block(block: &Block) -> String {
    match block {
        Block::Paragraph(inlines) => format!("p({})", line(inlines)),
        Block::Heading { level, inlines } => format!("h{level}({})", line(inlines)),
        Block::Code { language, text } => format!("code:{language}({text})"),
        Block::List { start, items } => {
            let items: Vec<_> = items.iter().map(|item| shown(item)).collect();
            let mark = start.map_or("ul".to_owned(), |start| format!("ol{start}"));
            format!("{mark}({})", items.join(";"))
        }
        Block::Quote(blocks) => format!("quote({})", shown(blocks)),
        Block::Table { head, rows } => {
            let cells = |row: &Vec<Vec<Inline>>| {
                row.iter()
                    .map(|cell| line(cell))
                    .collect::<Vec<_>>()
                    .join(",")
            };
            let rows: Vec<_> = rows.iter().map(cells).collect();
            format!("table({}/{})", cells(head), rows.join("/"))
        }
        Block::Rule => "rule".into(),
    }
}

fn line(inlines: &[Inline]) -> String {
    let one = |inline: &Inline| match inline {
        Inline::Text(text) => text.clone(),
        Inline::Code(text) => format!("`{text}`"),
        Inline::Strong(inner) => format!("**{}**", line(inner)),
        Inline::Emphasis(inner) => format!("*{}*", line(inner)),
        Inline::Struck(inner) => format!("~{}~", line(inner)),
        Inline::Link { inlines, address } => format!("<{}→{address}>", line(inlines)),
        Inline::Wrong(inner) => format!("!{}!", line(inner)),
        Inline::LineBreak => "/".into(),
        Inline::Note(number) => format!("[{number}]"),
        Inline::Uncited => "[?]".into(),
        Inline::Pending => "[…]".into(),
    };
    inlines.iter().map(one).collect()
}

#[test]
fn markdown_becomes_blocks_and_html_becomes_text() {
    for (text, expected) in [
        ("Hello *there*.", "p(Hello *there*.)"),
        ("# One\n\ntwo", "h1(One)|p(two)"),
        ("- a\n- b `c`\n", "ul(p(a);p(b `c`))"),
        ("3. a\n\n4. b", "ol3(p(a);p(b))"),
        ("- a\n  - b", "ul(p(a)|ul(p(b)))"),
        ("```rust\nlet a = 1;\n```", "code:rust(let a = 1;)"),
        ("```py\nunfinished", "code:py(unfinished)"),
        ("> said", "quote(p(said))"),
        ("a | b\n--|--\n1 | 2", "table(a,b/1,2)"),
        ("a <b onclick=x>b</b>", "p(a <b onclick=x>b</b>)"),
        ("<script>alert(1)</script>", "p(<script>alert(1)</script>)"),
        ("![x](http://evil/p.png)", "p(<x→http://evil/p.png>)"),
        ("[t](javascript:alert(1))", "p(<t→javascript:alert(1)>)"),
        ("a  \nb\nc", "p(a/b c)"),
        ("a\n\n---\n\nb", "p(a)|rule|p(b)"),
        ("", ""),
    ] {
        assert_eq!(shown(&blocks(text, &[], &[])), expected, "{text}");
    }
}

/// Turns `«…»` in the text into inserts, numbered from 1.
fn with_inserts(text: &str) -> (String, Vec<Insert>) {
    let (mut plain, mut inserts) = (String::new(), Vec::new());
    let mut start = 0;
    for character in text.chars() {
        match character {
            '«' => start = plain.len(),
            '»' => inserts.push(Insert {
                at: start..plain.len(),
                marker: Inline::Note(inserts.len() as u32 + 1),
            }),
            other => plain.push(other),
        }
    }
    (plain, inserts)
}

#[test]
fn markers_take_the_place_of_citations_wherever_they_stand() {
    for (text, expected) in [
        ("It sends «[a.py:1-2]».", "p(It sends[1].)"),
        ("It sends.«» More.", "p(It sends.[1] More.)"),
        (
            "Both «[a/__init__.py:1]»«[b/__init__.py:2]».",
            "p(Both[1][2].)",
        ),
        ("In **bold «[a:1]»** too", "p(In **bold[1]** too)"),
        ("In **«[a:1]»** alone", "p(In [1] alone)"),
        ("- item «`a.py:3`»\n- next", "ul(p(item[1]);p(next))"),
        ("a | b\n--|--\nx «[a:1]» | 2", "table(a,b/x[1],2)"),
        ("# Head «[a:1]»", "h1(Head[1])"),
        ("```\nx = «[a:1]»\n```", "code:(x = [a:1])"),
    ] {
        let (plain, inserts) = with_inserts(text);
        assert_eq!(shown(&blocks(&plain, &inserts, &[])), expected, "{text}");
    }
}

#[test]
fn a_full_stop_behind_a_citation_never_stands_alone() {
    for (text, expected) in [
        ("It sends. «[a:1]».", "p(It sends.[1])"),
        ("It sends.\n«[a:1]».\nMore.", "p(It sends.[1] More.)"),
        ("It sends.\n\n«[a:1]».", "p(It sends.[1])"),
        ("It sends\n\n«[a:1]», «[b:2]».", "p(It sends[1],[2].)"),
        ("«[a:1]».", "p([1])"),
        ("- It sends.\n\n  «[a:1]».", "ul(p(It sends.[1]))"),
        ("It sends. «[a:1]»... or not", "p(It sends.[1]... or not)"),
        ("Why? «[a:1]». So.", "p(Why?[1] So.)"),
        ("x «[a:1]». So.", "p(x[1]. So.)"),
    ] {
        let (plain, inserts) = with_inserts(text);
        assert_eq!(shown(&blocks(&plain, &inserts, &[])), expected, "{text}");
    }
}

/// Turns `{…}` in a text with inserts into wrong ranges: returns the text without these characters,
/// and the ranges, shifted as if the characters of the inserts were removed too.
fn with_wrong(text: &str) -> (String, Vec<Range<usize>>) {
    let (mut plain, mut wrong) = (String::new(), Vec::new());
    let (mut start, mut signs) = (0, 0);
    for character in text.chars() {
        match character {
            '{' => start = plain.len() - signs,
            '}' => wrong.push(start..plain.len() - signs),
            other => {
                plain.push(other);
                if ['«', '»'].contains(&other) {
                    signs += other.len_utf8();
                }
            }
        }
    }
    (plain, wrong)
}

#[test]
fn wrong_statements_are_marked_whatever_they_contain() {
    for (text, expected) in [
        (
            "Good. {Bad it is «[a:1]».} Good.",
            "p(Good. !Bad it is![1]!.! Good.)",
        ),
        (
            "Good. {Bad\n`x` **it** is}",
            "p(Good. !Bad `x` !**!it!**! is!)",
        ),
        ("- {one}\n- two", "ul(p(!one!);p(two))"),
        ("a | b\n--|--\n{x «[a:1]» | 2}", "table(a,b/!x![1],!2!)"),
        ("Ü «[ü:1]» {é} «[b:2]»", "p(Ü[1] !é![2])"),
    ] {
        let (with_signs, wrong) = with_wrong(text);
        let (plain, inserts) = with_inserts(&with_signs);
        assert_eq!(shown(&blocks(&plain, &inserts, &wrong)), expected, "{text}");
    }
}

#[test]
fn a_long_list_is_several_blocks_that_go_on_numbering() {
    let numbered: String = (1..=20).map(|at| format!("{at}. item\n")).collect();
    let starts: Vec<_> = blocks(&numbered, &[], &[])
        .iter()
        .map(|block| match block {
            Block::List { start, items } => (*start, items.len()),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(starts, [(Some(1), 8), (Some(9), 8), (Some(17), 4)]);
}

#[test]
fn characters_that_look_like_markers_are_not_taken_for_them() {
    let (text, inserts) = (format!("a {OPEN}0{CLOSE} b"), with_inserts("«x»").1);
    let shown = shown(&blocks(&text, &inserts[..0], &[]));
    assert_eq!(shown, "p(a \u{FFFD}0\u{FFFD} b)");
}

#[test]
fn deep_nesting_is_flattened() {
    let quotes = blocks(&format!("{} deep", ">".repeat(5_000)), &[], &[]);
    assert!(shown(&quotes).len() < 2_000);
    let lists = (0..500).fold(String::new(), |text, at| {
        text + &" ".repeat(2 * at) + "- x\n"
    });
    assert!(!blocks(&lists, &[], &[]).is_empty());
}

proptest! {
    #[test]
    fn any_text_becomes_blocks(text in "[a-c*_`#>|\\-\\[\\]()<> \n\u{E000}\u{E001}0é]{0,200}", from in 0..99_usize, to in 0..99_usize) {
        let wrong = from..to.max(from);
        blocks(&text, &[], &[wrong]);
    }
}
