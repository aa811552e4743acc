//! An evaluation as one HTML file: figures with intervals, kinds of questions, what got worse, and
//! everything that another person needs to reproduce it.

use maud::{Markup, html};

use super::formats::Runs;
use super::views;
use crate::worker::protocol::{LabCellView, LabComparisonView, LabRanksView};
use crate::worker::serve::document::{ALONE, document};

/// The laboratory's own style, which the page also links.
const STYLE: &str = include_str!("../../../../style/lab.css");
/// Styles for the exported file only.
const OWN: &str = "h2{font:600 19px/1.3 var(--serif);margin:28px 0 4px}table{border-collapse:collapse}th,td{padding:5px 14px 5px 0;text-align:left;vertical-align:top;border-top:1px solid var(--rule);font-weight:400;font-variant-numeric:tabular-nums}td small{display:block;color:var(--ink-3)}thead th{color:var(--ink-3)}pre{overflow:auto;font-size:12px}";

pub fn file(runs: &Runs<'_>) -> String {
    let view = views::compared(runs.runs, runs.items, runs.baseline, 0.0);
    let archive = runs.items.first().map_or("", |item| &item.archive);
    let title = format!("Evaluation on {archive}");
    let body = html! {
        header {
            h1 { (title) }
            p { (view.n) " questions. Means with 95 % bootstrap intervals; differences from "
                (view.baseline) " are paired by question, p comes from a sign-flip test." }
        }
        (figures(&view))
        (groups(&view))
        (worse(&view, runs))
        h2 { "Made with" }
        @for run in runs.runs {
            details {
                summary { (run.name) }
                pre { (format!("{:#}", run.meta.to_json())) }
            }
        }
    };
    document(&title, &[STYLE, ALONE, OWN], &body)
}

fn figures(view: &LabComparisonView) -> Markup {
    let heads = view.columns.first().map_or(&[][..], |column| &column.cells);
    html! {
        div.lab-table {
            table {
                thead { tr {
                    th scope="col" { "pipeline" }
                    @for cell in heads { th scope="col" { (cell.title) } }
                } }
                tbody {
                    @for column in &view.columns {
                        tr {
                            th scope="row" {
                                (column.title)
                                @if column.missing > 0 { small { (column.missing) " without an answer" } }
                            }
                            @for cell in &column.cells { (figure(cell)) }
                        }
                    }
                }
            }
        }
    }
}

fn figure(cell: &LabCellView) -> Markup {
    let digits = if cell.is_share { 3 } else { 1 };
    let show = |value: f64| format!("{value:.digits$}");
    html! {
        td {
            b { (cell.mean.map_or("–".to_owned(), show)) }
            @if let Some((low, high)) = cell.interval { small { (show(low)) "–" (show(high)) } }
            @if let Some(it) = cell.difference {
                small { (format!("{:+.digits$}, p = {:.3}", it.mean, it.p)) }
            }
        }
    }
}

fn groups(view: &LabComparisonView) -> Markup {
    html! {
        @for grouping in &view.groupings {
            h2 { "nDCG@10 by " (grouping.by) }
            table {
                thead { tr {
                    th scope="col" { (grouping.by) }
                    th scope="col" { "questions" }
                    @for column in &view.columns { th scope="col" { (column.title) } }
                } }
                tbody {
                    @for group in &grouping.groups {
                        tr {
                            th scope="row" { (group.name) }
                            td { (group.n) }
                            @for value in &group.values {
                                td { (value.map_or("–".to_owned(), |value| format!("{value:.3}"))) }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn worse(view: &LabComparisonView, runs: &Runs<'_>) -> Markup {
    let rank = |rank: Option<u32>| rank.map_or("not found".to_owned(), |it| format!("rank {it}"));
    let question = |id: &str| runs.items.iter().find(|item| item.id == id);
    let listed = view.ranks.iter();
    let listed: Vec<&LabRanksView> = listed.filter(|it| it.has_worse(runs.baseline)).collect();
    html! {
        @if !listed.is_empty() {
            h2 { "Where the baseline does better" }
            table {
                thead { tr {
                    th scope="col" { "question" }
                    @for column in &view.columns { th scope="col" { (column.title) } }
                } }
                tbody {
                    @for it in listed {
                        tr {
                            td { (question(&it.id).map_or("", |item| &item.query)) }
                            @for of in &it.ranks { td { (rank(*of)) } }
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use footnote_core::eval::{Item, Prediction};
    use footnote_core::lab::runs::{Row, Run};

    use super::*;

    #[test]
    fn the_file_needs_nothing_else_and_runs_no_script_of_a_question() {
        let item = Item {
            id: "q".to_owned(),
            archive: "tea".to_owned(),
            query: "<script>alert(1)</script>".to_owned(),
            gold_files: vec!["pot.py".to_owned()],
            gold_spans: Vec::new(),
            category: Some("calls".to_owned()),
            reference_answer: None,
            source: None,
        };
        let run = |name: &str, files: &[&str]| {
            let prediction = Prediction {
                files: files.iter().map(|it| (*it).to_owned()).collect(),
                ..Prediction::default()
            };
            let mut run = Run {
                name: name.to_owned(),
                ..Run::default()
            };
            run.rows
                .insert("q".to_owned(), Row::new(&item, prediction, None));
            run
        };
        let runs = [run("grounded", &["pot.py"]), run("footnote", &["x.py"])];
        let text = file(&Runs {
            runs: &runs,
            items: std::slice::from_ref(&item),
            baseline: 0,
        });
        assert!(
            !text.contains("<script") && text.contains("&lt;script"),
            "{text}"
        );
        assert!(text.contains("Where the baseline does better"), "{text}");
        assert!(!text.contains("src=") && !text.contains("href="), "{text}");
    }
}
