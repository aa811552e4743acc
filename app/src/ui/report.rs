//! The report card of the models: the verdicts on the answers of each, as bars and as a table, for
//! one repository or for all.

use leptos::prelude::*;

use super::desk;
use super::dialog::Dialog;
use super::format::{count, thousands};
use super::icons::{Draw, Icon};
use super::notices::Card;
use super::save::SaveAs;
use crate::state::{Panel, Shared};
use crate::worker::protocol::{Cell, Column, CountsView, ReportRow, ReportScope, ReportView};
use crate::worker::serve::formats;

#[component]
pub fn Report() -> impl IntoView {
    view! {
        <Dialog panel=Panel::Report label="Model report card" class="dialog report-dialog">
            <Body/>
        </Dialog>
    }
}

/// Opens the report card.
#[component]
pub fn ReportButton() -> impl IntoView {
    let store = desk().store;
    view! {
        <button
            class="quiet small"
            aria-haspopup="dialog"
            on:click=move |_| store.act(|state| state.show(Panel::Report))
        >
            <Draw icon=Icon::Chart/>
            "Model report card"
        </button>
    }
}

#[component]
fn Body() -> impl IntoView {
    let store = desk().store;
    let view = store.select(|state| state.report.view.clone());
    let trouble = store.select(|state| state.report.trouble.clone());
    let is_waiting = move || view.with(Option::is_none) && trouble.with(Option::is_none);
    let body = move || view.get().map(|view| card(&view));
    view! {
        <p class="quiet-line">
            "What the checks found, statement by statement, in the models’ answers saved in this \
             browser."
        </p>
        <Choice/>
        {move || trouble.get().map(|notice| view! { <Card notice/> })}
        <p class="pane-hint" hidden=move || !is_waiting()>"Counting…"</p>
        <div class="report" aria-busy=move || is_waiting().to_string()>{body}</div>
    }
    .into_any()
}

/// Whose answers to count, and the export.
#[component]
fn Choice() -> impl IntoView {
    let store = desk().store;
    let is_ready = store.select(|state| state.summary().is_some());
    let has_rows = store.select(|state| {
        let view = state.report.view.as_ref();
        view.is_some_and(|view| !view.rows.is_empty())
    });
    let save = move |format: &str| store.act(|state| state.export_report(format));
    view! {
        <div class="report-choice">
            <Show when=move || is_ready.get()>
                <fieldset class="chips">
                    <legend class="visually-hidden">"Which answers are counted"</legend>
                    <Scope scope=ReportScope::This label="This repository"/>
                    <Scope scope=ReportScope::All label="All repositories"/>
                </fieldset>
            </Show>
            <span class="spacer"></span>
            <Show when=move || has_rows.get()>
                <SaveAs formats=formats::REPORT save/>
            </Show>
        </div>
    }
    .into_any()
}

#[component]
fn Scope(scope: ReportScope, label: &'static str) -> impl IntoView {
    let store = desk().store;
    let is_on = store.select(move |state| state.report.scope == scope);
    view! {
        <label class="chip" class:on=move || is_on.get()>
            <input
                type="radio"
                name="report-scope"
                prop:checked=move || is_on.get()
                on:change=move |_| store.act(|state| state.report_of(scope))
            />
            {label}
        </label>
    }
    .into_any()
}

fn card(view: &Shared<ReportView>) -> AnyView {
    let left_out = view.left_out.told();
    let left_out = left_out
        .into_iter()
        .map(|text| view! { <p class="quiet-line">{text}</p> });
    let left_out: Vec<_> = left_out.collect();
    if view.rows.is_empty() {
        return view! {
            <p class="nothing-yet">"No answer by a language model has been counted yet."</p>
            {left_out}
        }
        .into_any();
    }
    view! {
        {chart(&view.rows)}
        {table(&view.rows)}
        {left_out}
        <p class="quiet-line">
            "Each answer counts once, in its latest version, even if it was rewritten. “Cited by \
             the model” counts the statements for which the model named a source, whatever the \
             check found. Tokens sent are estimated. Tokens written are the services’ own count; \
             “–” means they gave none. Seconds count from sending to the end of the answer."
        </p>
    }
    .into_any()
}

/// A bar per row: the shares of its statements by verdict.
fn chart(rows: &[ReportRow]) -> AnyView {
    let mut all = CountsView::default();
    rows.iter().for_each(|row| all += row.counts);
    let legend = all.each().map(|(spec, _)| {
        view! { <li><i class=format!("part {}", spec.class)></i>{spec.label}</li> }
    });
    let legend: Vec<_> = legend.collect();
    let bars: Vec<_> = rows.iter().map(bar).collect();
    view! {
        <figure class="verdict-chart">
            <figcaption>
                "Share of the statements by verdict"
                <ul class="verdict-key" aria-hidden="true">{legend}</ul>
            </figcaption>
            <ol>{bars}</ol>
        </figure>
    }
    .into_any()
}

fn bar(row: &ReportRow) -> AnyView {
    let parts = row.counts.each().map(|(spec, number)| {
        let title = format!("{number} {}", spec.label);
        view! {
            <i
                class=format!("part {}", spec.class)
                style:flex-grow=number.to_string()
                title=title
            ></i>
        }
    });
    let parts: Vec<_> = parts.collect();
    let label = format!("{}: {}", shown(&Column::Model.cell(row)), row.counts.told());
    view! {
        <li>
            <span class="who">
                <b>{shown(&Column::Model.cell(row))}</b>
                <small>{row.repository.clone()}</small>
            </span>
            <span class="shares" role="img" aria-label=label>{parts}</span>
            <small class="n">{count(row.counts.statements().into(), "statement")}</small>
        </li>
    }
    .into_any()
}

/// The numbers. On a narrow screen each row becomes a block with its column names. That removes the
/// table roles, so they are set explicitly.
fn table(rows: &[ReportRow]) -> AnyView {
    let columns: Vec<Column> = columns().collect();
    let heads = columns.iter().map(|column| {
        view! { <th scope="col" role="columnheader">{column.label()}</th> }
    });
    let heads: Vec<_> = heads.collect();
    let rows: Vec<_> = rows.iter().map(|row| line(row, &columns)).collect();
    view! {
        <div class="table" tabindex="0" role="region" aria-label="Numbers for each model">
            <table role="table">
                <thead role="rowgroup">
                    <tr role="row">
                        <th scope="col" role="columnheader">"model"</th>
                        {heads}
                    </tr>
                </thead>
                <tbody role="rowgroup">{rows}</tbody>
            </table>
        </div>
    }
    .into_any()
}

/// A column says how many answers were counted if not all of them were.
fn columns() -> impl Iterator<Item = Column> {
    Column::numbers().filter(|column| *column != Column::AnswersCounted)
}

fn line(row: &ReportRow, columns: &[Column]) -> AnyView {
    let key = |column: Column| {
        let text = shown(&column.cell(row));
        view! { <span class=column.name() data-column=column.name()>{text}</span> }
    };
    let cells: Vec<_> = columns.iter().map(|column| cell(row, *column)).collect();
    view! {
        <tr role="row">
            <th scope="row" role="rowheader">
                {key(Column::Model)} {key(Column::Address)} {key(Column::Repository)}
            </th>
            {cells}
        </tr>
    }
    .into_any()
}

fn cell(row: &ReportRow, column: Column) -> AnyView {
    let cell = column.cell(row);
    let class = match (column, &cell) {
        (_, Cell::Number(0)) => "zero",
        (Column::Verdict(verdict), _) => verdict.spec().class,
        _ => "",
    };
    let is_part = (1..row.answers).contains(&row.written_answers);
    let part = (column == Column::TokensWritten && is_part)
        .then(|| format!("of {} of {} answers", row.written_answers, row.answers));
    let part = part.map(|text| view! { <small>{text}</small> });
    view! {
        <td class=class role="cell" data-label=column.label()>
            <span data-column=column.name()>{shown(&cell)}</span>
            {part}
        </td>
    }
    .into_any()
}

fn shown(cell: &Cell) -> String {
    match cell {
        Cell::Text(text) => text.clone(),
        Cell::Number(number) => thousands(*number),
        Cell::Seconds(seconds) => format!("{seconds:.1}"),
        Cell::Unknown => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_value_is_shown_as_a_dash_and_not_as_a_number() {
        for (cell, expected) in [
            (Cell::Unknown, "–"),
            (Cell::Number(0), "0"),
            (Cell::Number(12_345), "12,345"),
            (Cell::Seconds(75.04), "75.0"),
            (Cell::Text("qwen3:8b".into()), "qwen3:8b"),
        ] {
            assert_eq!(shown(&cell), expected);
        }
    }
}
