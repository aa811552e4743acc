//! The results of an evaluation: a table with intervals, sortable by any column, then bars by group
//! of questions, curves, and the questions themselves.

use leptos::prelude::*;

use super::groups::groups;
use super::ranks::questions;
use crate::state::Shared;
use crate::ui::format::thousands;
use crate::worker::protocol::{
    LabCellView, LabColumnView, LabComparisonView, LabDifferenceView, LabSetView,
};

/// A difference counts as real if chance produces it less often than this.
const SURE: f64 = 0.05;

pub fn all(comparison: &Shared<LabComparisonView>, set: Option<&Shared<LabSetView>>) -> AnyView {
    view! {
        {table(comparison)}
        {(!comparison.closely).then(|| view! {
            <p class="quiet-line">
                "Measured with words and the static encoder only. The papers’ pipelines need the \
                 transformer: without it, Grounded ranks by words and imports, and pipelines that \
                 rank by meaning alone fall back to words. Tick “Read closely” to measure them as \
                 they answer."
            </p>
        })}
        {groups(comparison)}
        {super::curve::curves(comparison)}
        {questions(comparison, set)}
        <p class="quiet-line">
            "Below each mean: its 95 % interval (bootstrap over questions), then the mean \
             difference from the baseline, paired by question; p comes from a sign-flip test. Of \
             twenty comparisons without a real difference, expect one at p < .05 by chance. Files \
             are ranked by their place in what a model would see; the exact set is the set of \
             files that the answer names."
        </p>
    }
    .into_any()
}

/// The metric that pipelines are sorted by, best first unless reversed; `None` keeps the order in
/// which they were chosen.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct Sorted {
    by: Option<usize>,
    is_turned: bool,
}

impl Sorted {
    /// A press on the heading of a metric: first sorts by it, then reverses, then restores the
    /// order.
    fn press(self, at: usize) -> Self {
        let is_pressed_again = self.by == Some(at);
        if is_pressed_again && self.is_turned {
            return Self::default();
        }
        Self {
            by: Some(at),
            is_turned: is_pressed_again,
        }
    }

    /// The value of `aria-sort`.
    fn told(self, at: usize, higher_is_better: bool) -> &'static str {
        match self.by {
            Some(by) if by == at && self.is_turned != higher_is_better => "descending",
            Some(by) if by == at => "ascending",
            _ => "none",
        }
    }

    /// The positions of the columns in this order. Those without a value come last, reversed or
    /// not.
    fn order(self, columns: &[LabColumnView]) -> Vec<usize> {
        let mut order: Vec<usize> = (0..columns.len()).collect();
        let Some(by) = self.by else { return order };
        let value = |at: usize| {
            let cell = columns.get(at)?.cells.get(by)?;
            let sign = if cell.higher_is_better { -1.0 } else { 1.0 };
            let turned = if self.is_turned { -1.0 } else { 1.0 };
            cell.mean.map(|mean| mean * sign * turned)
        };
        order.sort_by(|one, two| {
            let (one, two) = (value(*one), value(*two));
            let by_value = || one.unwrap_or_default().total_cmp(&two.unwrap_or_default());
            one.is_none().cmp(&two.is_none()).then_with(by_value)
        });
        order
    }
}

fn table(comparison: &Shared<LabComparisonView>) -> AnyView {
    let sorted = RwSignal::new(Sorted::default());
    let first = comparison.columns.first();
    let heads = first.map_or(&[][..], |column| &column.cells).iter();
    let heads: Vec<_> = heads
        .enumerate()
        .map(|(at, cell)| head(at, cell, sorted))
        .collect();
    let comparison = comparison.clone();
    let rows = move || {
        let columns = &comparison.columns;
        let rows = sorted.get().order(columns).into_iter();
        rows.filter_map(|at| columns.get(at))
            .map(|it| line(it, &comparison.baseline))
            .collect::<Vec<_>>()
    };
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

fn head(at: usize, cell: &LabCellView, sorted: RwSignal<Sorted>) -> AnyView {
    let higher_is_better = cell.higher_is_better;
    view! {
        <th scope="col" aria-sort=move || sorted.get().told(at, higher_is_better)>
            <button class="sort" on:click=move |_| sorted.update(|it| *it = it.press(at))>
                {cell.title.clone()}
            </button>
        </th>
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

/// Whether a difference is real, and if so whether it is an improvement.
fn standing(difference: &LabDifferenceView, higher_is_better: bool) -> &'static str {
    let is_up = (difference.mean > 0.0) == higher_is_better;
    match (difference.p < SURE, is_up) {
        (false, _) => "even",
        (true, true) => "up",
        (true, false) => "down",
    }
}

/// `.61` for a share, else a count.
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

/// A difference with its sign; `±` if it rounds to zero.
fn signed(difference: f64, is_share: bool) -> String {
    let text = shown(difference.abs(), is_share);
    let is_zero = !text.contains(|it: char| ('1'..='9').contains(&it));
    match (is_zero, difference < 0.0) {
        (true, _) => format!("±{text}"),
        (false, true) => format!("−{text}"),
        (false, false) => format!("+{text}"),
    }
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
    fn pipelines_are_sorted_by_a_metric_the_best_first_then_turned_then_as_chosen() {
        let column = |means: [Option<f64>; 2]| LabColumnView {
            name: String::new(),
            title: String::new(),
            missing: 0,
            cells: means
                .into_iter()
                .zip([true, false])
                .map(|(mean, higher_is_better)| LabCellView {
                    key: String::new(),
                    title: String::new(),
                    is_share: true,
                    higher_is_better,
                    mean,
                    interval: None,
                    difference: None,
                })
                .collect(),
        };
        let columns = [
            column([Some(0.5), Some(3.0)]),
            column([None, Some(1.0)]),
            column([Some(0.9), None]),
        ];
        for (at, orders, told) in [
            (
                0,
                [[2, 0, 1], [0, 2, 1], [0, 1, 2]],
                ["descending", "ascending"],
            ),
            (
                1,
                [[1, 0, 2], [0, 1, 2], [0, 1, 2]],
                ["ascending", "descending"],
            ),
        ] {
            let mut sorted = Sorted::default();
            for (nth, order) in orders.into_iter().enumerate() {
                sorted = sorted.press(at);
                assert_eq!(sorted.order(&columns), order, "press {nth} on {at}");
                let expected = told.get(nth).copied().unwrap_or("none");
                assert_eq!(sorted.told(at, at == 0), expected);
            }
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
