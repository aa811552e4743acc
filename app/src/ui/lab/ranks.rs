//! The rank that each pipeline gives the right file of each question, and the way to both answers.

use leptos::ev::Event;
use leptos::prelude::*;

use super::questions::place;
use crate::state::Shared;
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::worker::protocol::{LabComparisonView, LabItemView, LabRanksView, LabSetView};

/// How many questions are listed at first, and how many more each press of the button adds.
const STEP: usize = 50;

/// Which questions to list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Which {
    Worse,
    Better,
    Nowhere,
    All,
}

impl Which {
    const ALL: [(Self, &'static str); 4] = [
        (Self::Worse, "where a pipeline does worse than the baseline"),
        (
            Self::Better,
            "where a pipeline does better than the baseline",
        ),
        (Self::Nowhere, "where no pipeline finds a right file"),
        (Self::All, "of the whole set"),
    ];

    fn holds(self, it: &LabRanksView, baseline: usize) -> bool {
        match self {
            Self::Worse => it.has_worse(baseline),
            Self::Better => it.has_better(baseline),
            Self::Nowhere => it.ranks.iter().all(Option::is_none),
            Self::All => true,
        }
    }
}

/// The questions, filtered.
pub fn questions(
    comparison: &Shared<LabComparisonView>,
    set: Option<&Shared<LabSetView>>,
) -> AnyView {
    let which = RwSignal::new(Which::Worse);
    let limit = RwSignal::new(STEP);
    let (comparison, set) = (comparison.clone(), set.cloned());
    let names = comparison.columns.iter();
    let baseline = names.clone().position(|it| it.name == comparison.baseline);
    let baseline = baseline.unwrap_or(0);
    let options = Which::ALL.iter().enumerate().map(|(at, (which, label))| {
        let n = comparison.ranks.iter();
        let n = n.filter(|it| which.holds(it, baseline)).count();
        let label = format!("{label} ({})", thousands(n as u64));
        view! { <option value=at.to_string()>{label}</option> }
    });
    let options: Vec<_> = options.collect();
    let cut = ((comparison.n as usize) > comparison.ranks.len()).then(|| {
        let n = thousands(comparison.ranks.len() as u64);
        view! { <p class="quiet-line">{format!("Only the first {n} questions are listed.")}</p> }
    });
    let choose = move |event: Event| {
        let at: usize = event_target_value(&event).parse().unwrap_or(0);
        which.set(Which::ALL.get(at).map_or(Which::All, |(which, _)| *which));
        limit.set(STEP);
    };
    let list = move || {
        let items = set.as_ref().map_or(&[][..], |set| &set.items);
        let chosen = comparison.ranks.iter();
        let chosen = chosen.filter(|it| which.get().holds(it, baseline));
        let all: Vec<&LabRanksView> = chosen.collect();
        let rows = all.iter().take(limit.get());
        let rows: Vec<_> = rows
            .filter_map(|it| {
                let item = items.iter().find(|item| item.id == it.id)?;
                Some(row(item, it, &comparison))
            })
            .collect();
        let more = all.len().saturating_sub(limit.get());
        view! {
            {all.is_empty().then(|| view! { <p class="nothing-yet">"No questions."</p> })}
            <ol>{rows}</ol>
            {(more > 0).then(|| more_button(more, limit))}
        }
    };
    view! {
        <section class="lab-ranks" aria-label="Questions">
            <label>"Show questions " <select on:change=choose>{options}</select></label>
            {cut}
            {list}
        </section>
    }
    .into_any()
}

fn more_button(more: usize, limit: RwSignal<usize>) -> AnyView {
    let label = format!("Show more of {}", count(more as u64, "further question"));
    view! {
        <button class="quiet small" on:click=move |_| limit.update(|it| *it += STEP)>{label}</button>
    }
    .into_any()
}

fn row(item: &LabItemView, it: &LabRanksView, comparison: &LabComparisonView) -> AnyView {
    let store = desk().store;
    let ranks = comparison.columns.iter().zip(&it.ranks);
    let ranks: Vec<String> = ranks
        .map(|(column, rank)| format!("{}: {}", column.title, told(*rank)))
        .collect();
    let gold = item.gold.first().map(place);
    let id = it.id.clone();
    view! {
        <li>
            <span>{item.question.clone()}</span>
            {gold}
            <small>{ranks.join(" · ")}</small>
            <button
                class="quiet small"
                on:click=move |_| store.act(|state| state.compare_question(&id))
            >
                "Compare the answers"
            </button>
        </li>
    }
    .into_any()
}

fn told(rank: Option<u32>) -> String {
    rank.map_or("not in the first ten".to_owned(), |rank| {
        format!("rank {rank}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_are_listed_by_how_the_others_rank_them() {
        let listed = |ranks: [Option<u32>; 3]| {
            let it = LabRanksView {
                id: String::new(),
                ranks: ranks.to_vec(),
            };
            Which::ALL.map(|(which, _)| which.holds(&it, 0))
        };
        for (ranks, [worse, better, nowhere]) in [
            ([Some(1), Some(2), Some(1)], [true, false, false]),
            ([Some(3), Some(2), Some(4)], [true, true, false]),
            ([None, Some(9), None], [false, true, false]),
            ([Some(9), Some(9), None], [true, false, false]),
            ([None, None, None], [false, false, true]),
        ] {
            assert_eq!(listed(ranks), [worse, better, nowhere, true], "{ranks:?}");
        }
    }
}
