//! How far the annotators agree: coefficients over all and by pair, and the disputed questions, the
//! worst first, with what each annotator said.

use footnote_core::lab::agreement::SCORES;
use leptos::prelude::*;

use super::question::kept;
use crate::state::{Beside, Shared, State};
use crate::ui::desk;
use crate::ui::format::{count, thousands};
use crate::ui::save::SaveAs;
use crate::worker::protocol::{
    LabAgreementView, LabCoefficientView, LabJudgedView, LabPairwiseView, LabScaleView, LabSetView,
};
use crate::worker::serve::formats;

/// The most disputed questions listed; the filter of the list finds the others.
const LISTED: usize = 200;
/// The most pairs listed.
const PAIRS: usize = 200;

#[component]
pub fn Agreement() -> impl IntoView {
    let store = desk().store;
    let agreement = store.select(|state| state.lab.review.agreement.clone());
    let set = store.select(|state| state.lab.set.clone());
    let shown = move || match agreement.get() {
        None => view! { <p class="pane-hint">"Counting…"</p> }.into_any(),
        Some(agreement) if agreement.annotators.len() < 2 => alone(&agreement),
        Some(agreement) => all(&agreement, set.get().as_ref()),
    };
    view! {
        <section class="review-agreement" aria-label="Agreement">
            <Stale/>
            {shown}
        </section>
    }
    .into_any()
}

/// Says that reviews have changed since the figures were computed.
#[component]
fn Stale() -> impl IntoView {
    let store = desk().store;
    let is_stale = store.select(|state| state.lab.review.is_stale);
    view! {
        <p class="quiet-line" hidden=move || !is_stale.get()>
            "Reviews have changed since this was counted. "
            <button
                class="quiet small"
                on:click=move |_| store.act(State::count_agreement)
            >
                "Count again"
            </button>
        </p>
    }
    .into_any()
}

fn alone(agreement: &LabAgreementView) -> AnyView {
    let who = match agreement.annotators.first() {
        None => "Nobody has reviewed a question yet.".to_owned(),
        Some(name) => format!("Only {name} has reviewed questions."),
    };
    view! {
        <p>
            {who}
            " Open the other reviewers’ files to compare them here."
        </p>
    }
    .into_any()
}

fn all(agreement: &Shared<LabAgreementView>, set: Option<&Shared<LabSetView>>) -> AnyView {
    let store = desk().store;
    let save = move |format: &str| store.act(|state| state.export_agreement(format));
    view! {
        {people(agreement)}
        {together(&agreement.scales)}
        {pairs(&agreement.pairs)}
        <p class="quiet-line">
            "1 is full agreement, 0 is what chance would give, below 0 is worse than chance. α and κ \
             say how far people agree, not who is right. With fewer than about 30 shared questions \
             they vary a lot."
        </p>
        <SaveAs formats=formats::AGREEMENT save/>
        {disputed(agreement, set)}
    }
    .into_any()
}

fn people(agreement: &LabAgreementView) -> AnyView {
    let store = desk().store;
    let own = agreement.has_own;
    let person = move |(at, name): (usize, &String)| {
        let is_own = own && at == 0;
        let label = format!("Remove the reviews by {name}");
        let who = name.clone();
        let forget = (!is_own).then(|| {
            view! {
                <button
                    class="plain small"
                    aria-label=label
                    on:click=move |_| store.act(|state| state.forget_annotator(&who))
                >
                    "×"
                </button>
            }
        });
        view! { <li class="review-tag">{name.clone()} {forget}</li> }
    };
    let people: Vec<_> = agreement
        .annotators
        .iter()
        .enumerate()
        .map(person)
        .collect();
    view! { <ul class="review-people" aria-label="Who reviewed">{people}</ul> }.into_any()
}

/// `0.41` with the number of questions, or the reason why there is no coefficient.
fn coefficient(it: &LabCoefficientView) -> AnyView {
    let (value, class) = match &it.value {
        Ok(value) => (format!("{value:.2}").replace('-', "−"), ""),
        Err(why) => (why.clone(), "undefined"),
    };
    let agreed = it
        .agreed
        .map(|share| format!(", identical in {:.0} %", share * 100.0));
    let n = (it.n > 0).then(|| {
        let text = format!("n = {}{}", it.n, agreed.unwrap_or_default());
        view! { <small>{text}</small> }
    });
    view! { <td class=class>{value} {n}</td> }.into_any()
}

fn together(scales: &[LabScaleView]) -> AnyView {
    let none = || view! { <td>"–"</td> }.into_any();
    let row = |it: &LabScaleView| {
        view! {
            <tr>
                <th scope="row">{it.title.clone()}</th>
                {coefficient(&it.nominal)}
                {it.ordinal.as_ref().map_or_else(none, coefficient)}
                {it.interval.as_ref().map_or_else(none, coefficient)}
            </tr>
        }
    };
    let rows: Vec<_> = scales.iter().map(row).collect();
    view! {
        <h3>"All together: Krippendorff’s α"</h3>
        <div class="lab-table" tabindex="0" role="region" aria-label="Krippendorff’s α">
            <table class="review-alpha">
                <thead>
                    <tr>
                        <th scope="col">"scale"</th>
                        <th scope="col">"equal or not (nominal)"</th>
                        <th scope="col">"in order (ordinal)"</th>
                        <th scope="col">"by distance (interval)"</th>
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

fn pairs(pairs: &[LabPairwiseView]) -> AnyView {
    let row = |it: &LabPairwiseView| {
        let values: Vec<_> = it.values.iter().map(coefficient).collect();
        let who = format!("{} and {}", it.first, it.second);
        view! { <tr><th scope="row">{who}</th>{values}</tr> }
    };
    let rows: Vec<_> = pairs.iter().take(PAIRS).map(row).collect();
    let rest = pairs.len().saturating_sub(PAIRS);
    let rest = (rest > 0).then(|| format!("and {}, in the file", count(rest as u64, "more pair")));
    let heads: Vec<_> = SCORES
        .iter()
        .map(|scale| view! { <th scope="col">{scale.title}", weighted κ"</th> })
        .collect();
    view! {
        <h3>"By pair: Cohen’s κ"</h3>
        <div class="lab-table" tabindex="0" role="region" aria-label="Cohen’s κ by pair">
            <table class="review-kappa">
                <thead>
                    <tr>
                        <th scope="col">"pair"</th>
                        <th scope="col">"keep or drop, κ"</th>
                        <th scope="col">"rating, weighted κ"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
        {rest.map(|text| view! { <p class="quiet-line">{text}</p> })}
    }
    .into_any()
}

fn disputed(agreement: &Shared<LabAgreementView>, set: Option<&Shared<LabSetView>>) -> AnyView {
    let all: Vec<&LabJudgedView> = agreement
        .questions
        .iter()
        .filter(|it| it.is_disputed)
        .collect();
    if all.is_empty() {
        return view! { <p class="quiet-line">"No question is disputed."</p> }.into_any();
    }
    let items = set.map_or(&[][..], |set| &set.items);
    let names: Vec<_> = agreement
        .annotators
        .iter()
        .map(|name| view! { <th scope="col">{name.clone()}</th> })
        .collect();
    let rows: Vec<_> = all
        .iter()
        .take(LISTED)
        .map(|judged| {
            let item = items.iter().find(|item| item.id == judged.id);
            let text = item.map_or(&judged.id, |item| &item.question);
            row(judged, text)
        })
        .collect();
    let title = format!("Disputed, worst first ({})", thousands(all.len() as u64));
    view! {
        <h3>{title}</h3>
        <div class="lab-table" tabindex="0" role="region" aria-label="Disputed questions">
            <table class="review-disputed">
                <thead><tr><th scope="col">"question"</th>{names}</tr></thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// What each annotator said about a question; a click shows the question.
fn row(judged: &LabJudgedView, text: &str) -> AnyView {
    let store = desk().store;
    let id = judged.id.clone();
    let cells = judged.said.iter().map(|said| {
        let said = said.unwrap_or_default();
        let rating = said.rating.map_or("–".to_owned(), |it| it.to_string());
        let keep = judged
            .is_contested
            .then(|| view! { <small>{kept(said.keep)}</small> });
        view! { <td>{rating} {keep}</td> }
    });
    let cells: Vec<_> = cells.collect();
    let show = move |_| {
        store.act(|state| {
            state.look_at_question(&id);
            state.show_beside(Beside::Question)
        });
    };
    view! {
        <tr>
            <th scope="row">
                <button class="place" on:click=show>{text.to_owned()}</button>
            </th>
            {cells}
        </tr>
    }
    .into_any()
}
