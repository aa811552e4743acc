//! What came of an evaluation: a table with intervals, bars by kind of question, and the questions
//! for which a pipeline does worse than the baseline.

use leptos::prelude::*;

use super::questions::place;
use crate::state::Shared;
use crate::ui::format::thousands;
use crate::worker::protocol::{
    LabCellView, LabColumnView, LabComparisonView, LabDifferenceView, LabGroupView, LabItemView,
    LabSetView, LabWorseView,
};

/// A difference that chance gives less often than this is called one.
const SURE: f64 = 0.05;

pub fn all(comparison: &LabComparisonView, set: Option<&Shared<LabSetView>>) -> AnyView {
    let items = set.map_or(&[][..], |set| &set.items);
    view! {
        {table(comparison)}
        {(!comparison.closely).then(|| view! {
            <p class="quiet-line">
                "Words and the static encoder only. The papers' pipelines need the transformer: without \
                 it Grounded ranks by words and imports, and those that rank by meaning alone rank \
                 by words. Tick “read closely” to measure them as they answer."
            </p>
        })}
        {by_kind(comparison)}
        {super::curve::curves(comparison)}
        {worse(comparison, items)}
        <p class="quiet-line">
            "Under each mean stands its 95 % interval (bootstrap over questions), then the mean \
             difference from the baseline, paired by question; p comes from a sign-flip test. Of \
             twenty differences at p < .05, expect one by chance. Files are ranked by their place \
             in what a model would be shown; the exact set is the answer's."
        </p>
    }
    .into_any()
}

fn table(comparison: &LabComparisonView) -> AnyView {
    let first = comparison.columns.first();
    let heads = first.map_or(&[][..], |column| &column.cells).iter();
    let heads: Vec<_> = heads
        .map(|cell| view! { <th scope="col">{cell.title.clone()}</th> })
        .collect();
    let columns = comparison.columns.iter();
    let rows: Vec<_> = columns.map(|it| line(it, &comparison.baseline)).collect();
    view! {
        <div class="lab-table" tabindex="0" role="region" aria-label="Figures of each pipeline">
            <table>
                <thead>
                    <tr>
                        <th scope="col">"pipeline"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn line(column: &LabColumnView, baseline: &str) -> AnyView {
    let is_baseline = column.name == baseline;
    let cells: Vec<_> = column.cells.iter().map(cell).collect();
    let missing = (column.missing > 0).then(|| format!("{} without an answer", column.missing));
    view! {
        <tr data-pipeline=column.name.clone()>
            <th scope="row">
                {column.title.clone()}
                {is_baseline.then(|| view! { <small>"baseline"</small> })}
                {missing.map(|text| view! { <small>{text}</small> })}
            </th>
            {cells}
        </tr>
    }
    .into_any()
}

fn cell(cell: &LabCellView) -> AnyView {
    let show = |value: f64| shown(value, cell.is_share);
    let interval = cell
        .interval
        .map(|(low, high)| format!("{}–{}", show(low), show(high)));
    let difference = cell.difference.map(|it| {
        let class = standing(&it, cell.higher_is_better);
        let text = signed(it.mean, cell.is_share);
        let (low, high) = (
            signed(it.low, cell.is_share),
            signed(it.high, cell.is_share),
        );
        let title = format!("from {low} to {high}, p = {:.3}", it.p);
        view! { <small class=class title=title>{text}</small> }
    });
    view! {
        <td data-metric=cell.key.clone()>
            <b>{cell.mean.map_or("–".to_owned(), show)}</b>
            {interval.map(|text| view! { <small>{text}</small> })}
            {difference}
        </td>
    }
    .into_any()
}

/// Whether a difference is one, and for the better.
fn standing(difference: &LabDifferenceView, higher_is_better: bool) -> &'static str {
    let is_up = (difference.mean > 0.0) == higher_is_better;
    match (difference.p < SURE, is_up) {
        (false, _) => "even",
        (true, true) => "up",
        (true, false) => "down",
    }
}

/// `.61`, or a number of things.
pub fn shown(value: f64, is_share: bool) -> String {
    if !is_share {
        return match value.abs() {
            small if small < 10.0 => format!("{value:.1}"),
            _ => thousands(value.round() as u64),
        };
    }
    let text = format!("{value:.2}");
    match text.strip_prefix("0.") {
        Some(rest) => format!(".{rest}"),
        None => text,
    }
}

/// A difference with its sign; none where nothing of it is left.
fn signed(difference: f64, is_share: bool) -> String {
    let text = shown(difference.abs(), is_share);
    let is_zero = !text.contains(|it: char| ('1'..='9').contains(&it));
    match (is_zero, difference < 0.0) {
        (true, _) => format!("±{text}"),
        (false, true) => format!("−{text}"),
        (false, false) => format!("+{text}"),
    }
}

/// A bar for each pipeline and kind of question.
fn by_kind(comparison: &LabComparisonView) -> AnyView {
    let names: Vec<String> = comparison
        .columns
        .iter()
        .map(|it| it.title.clone())
        .collect();
    let group = |group: &LabGroupView| {
        let bars = group.values.iter().zip(&names).map(|(value, name)| {
            let share = value.unwrap_or(0.0).clamp(0.0, 1.0);
            let text = value.map_or("–".to_owned(), |value| shown(value, true));
            let label = format!("{name}: {text}");
            view! {
                <span class="value" role="img" aria-label=label title=name.clone()>
                    <i style:width=format!("{:.1}%", share * 100.0)></i>
                    <small>{text}</small>
                </span>
            }
        });
        let bars: Vec<_> = bars.collect();
        view! {
            <li>
                <span>{group.kind.clone()} <small>{format!(" {}", group.n)}</small></span>
                <span class="bars">{bars}</span>
            </li>
        }
    };
    let groups: Vec<_> = comparison.groups.iter().map(group).collect();
    let key: Vec<_> = names
        .iter()
        .map(|name| view! { <li><i></i>{name.clone()}</li> })
        .collect();
    view! {
        <figure class="lab-kinds">
            <figcaption>
                "nDCG@10 by kind of question"
                <ul aria-hidden="true">{key}</ul>
            </figcaption>
            <ol>{groups}</ol>
        </figure>
    }
    .into_any()
}

/// Only the questions for which something got worse.
fn worse(comparison: &LabComparisonView, items: &[LabItemView]) -> AnyView {
    if comparison.worse.is_empty() {
        return ().into_any();
    }
    let found = |id: &str| items.iter().find(|item| item.id == id);
    let row = |it: &LabWorseView| {
        let item = found(&it.id)?;
        let gold = item.gold.first().map(place);
        let text = format!("{}: {}", it.pipeline, ranks(it));
        Some(view! {
            <li>
                <span>{item.question.clone()}</span>
                {gold}
                <small>{text}</small>
            </li>
        })
    };
    let rows: Vec<_> = comparison.worse.iter().filter_map(row).collect();
    let label = format!(
        "Where the others are worse than the baseline ({})",
        rows.len()
    );
    view! {
        <details class="lab-worse">
            <summary>{label}</summary>
            <ol>{rows}</ol>
        </details>
    }
    .into_any()
}

fn ranks(worse: &LabWorseView) -> String {
    let place = |rank: Option<u32>| match rank {
        Some(rank) => format!("place {rank}"),
        None => "not among the first ten".to_owned(),
    };
    format!(
        "{}, baseline {}",
        place(worse.rank),
        place(worse.baseline_rank)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_lose_their_zero_and_counts_their_decimals() {
        for (value, is_share, expected) in [
            (0.614, true, ".61"),
            (1.0, true, "1.00"),
            (0.0, true, ".00"),
            (5.24, false, "5.2"),
            (4123.6, false, "4,124"),
        ] {
            assert_eq!(shown(value, is_share), expected);
        }
    }

    #[test]
    fn a_difference_has_a_sign_unless_nothing_of_it_is_left() {
        for (difference, is_share, expected) in [
            (0.21, true, "+.21"),
            (-0.21, true, "−.21"),
            (-0.001, true, "±.00"),
            (7053.0, false, "+7,053"),
        ] {
            assert_eq!(signed(difference, is_share), expected);
        }
    }

    #[test]
    fn only_a_difference_that_chance_seldom_gives_is_coloured() {
        let differs = |mean, p| LabDifferenceView {
            mean,
            low: mean - 0.1,
            high: mean + 0.1,
            p,
        };
        assert_eq!(standing(&differs(0.2, 0.3), true), "even");
        assert_eq!(standing(&differs(0.2, 0.01), true), "up");
        assert_eq!(standing(&differs(0.2, 0.01), false), "down");
        assert_eq!(standing(&differs(-0.2, 0.01), true), "down");
    }
}
