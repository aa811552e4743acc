//! Converts reviews to what the page shows.

use footnote_core::eval::Item;
use footnote_core::lab::agreement::{
    Agreement, Judged, Levels, Merged, Rated, Reading, Report, Revealed, Review, SCORES,
};

use crate::words::count;
use crate::worker::protocol::{
    LabAgreementView, LabCoefficientView, LabGoldView, LabJudgedView, LabLinesView,
    LabPairwiseView, LabPlaceView, LabRatedView, LabRevealedView, LabReviewView, LabSaidView,
    LabScaleView, PeekView, PlaceView,
};
use crate::worker::serve::lab::views::item as item_view;
use crate::worker::serve::lab::views::title;
use crate::worker::serve::look::peek;
use crate::worker::serve::repo::OpenRepo;

/// Most places whose lines are shown.
const PLACES: usize = 8;
/// Most lines of a place to show.
const LINES: u32 = 60;
/// Lines shown before and after the gold lines.
const AROUND: u32 = 3;
/// Most wrong lines of a file to name.
const NAMED: usize = 3;

pub fn view(review: &Review) -> LabReviewView {
    let Review {
        id,
        keep,
        rating,
        scores,
        tags,
        question,
        answer,
        note,
    } = review.clone();
    LabReviewView {
        id,
        keep,
        rating,
        scores,
        tags,
        question,
        answer,
        note,
    }
}

pub fn review(view: LabReviewView) -> Review {
    let LabReviewView {
        id,
        keep,
        rating,
        scores,
        tags,
        question,
        answer,
        note,
    } = view;
    Review {
        id,
        keep,
        rating,
        scores,
        tags,
        question,
        answer,
        note,
    }
}

/// Describes the contents of a file, and which of them are skipped.
pub fn told(file_name: &str, reading: &Reading) -> String {
    let annotations = &reading.annotations;
    let n = annotations.reviews.len();
    let mut told = format!(
        "{file_name}: {} by {}.",
        count(n as u64, "review"),
        annotations.annotator
    );
    if reading.is_of_another_set {
        told += " The file was made for another set; its reviews of questions in this set count.";
    }
    if !reading.unknown.is_empty() {
        let n = reading.unknown.len();
        told += &format!(
            " {n} more {} left out: not about questions in this set.",
            if n == 1 { "review is" } else { "reviews are" }
        );
    }
    if reading.repeated > 0 {
        told += &format!(
            " Reviewed more than once: {} of its questions; the last review counts.",
            reading.repeated
        );
    }
    if !reading.rejected.is_empty() {
        let named = reading.rejected.iter().take(NAMED);
        let named: Vec<String> = named
            .map(|it| format!("line {}: {}", it.line, it.reason))
            .collect();
        let n = reading.rejected.len();
        told += &format!(
            " {n} {} left out ({}{}).",
            if n == 1 { "line is" } else { "lines are" },
            named.join("; "),
            if n > NAMED { "; …" } else { "" }
        );
    }
    told
}

pub fn agreement(merged: &Merged, report: &Report, has_own: bool) -> LabAgreementView {
    let keep = LabScaleView {
        title: "Keep or drop".to_owned(),
        nominal: coefficient(&report.keep),
        ordinal: None,
        interval: None,
    };
    let scale = |title: &str, levels: &Levels| LabScaleView {
        title: title.to_owned(),
        nominal: coefficient(&levels.nominal),
        ordinal: Some(coefficient(&levels.ordinal)),
        interval: Some(coefficient(&levels.interval)),
    };
    let rating = scale("Rating", &report.rating);
    let scores = SCORES.iter().zip(&report.scores);
    let scores = scores.map(|(it, levels)| scale(it.title, levels));
    let pairs = report.pairs.iter().map(|pair| LabPairwiseView {
        first: pair.first.clone(),
        second: pair.second.clone(),
        values: [&pair.keep, &pair.rating]
            .into_iter()
            .chain(&pair.scores)
            .map(coefficient)
            .collect(),
    });
    LabAgreementView {
        annotators: merged.annotators.clone(),
        has_own,
        questions: merged.questions.iter().map(judged).collect(),
        scales: [keep, rating].into_iter().chain(scores).collect(),
        pairs: pairs.collect(),
    }
}

fn judged(judged: &Judged) -> LabJudgedView {
    let said = |review: &Review| LabSaidView {
        keep: review.keep,
        rating: review.rating,
        scores: review.scores,
    };
    let reviews = judged.reviews.iter();
    LabJudgedView {
        id: judged.id.clone(),
        is_disputed: judged.is_disputed(),
        is_contested: judged.is_contested,
        said: reviews.map(|it| it.as_ref().map(said)).collect(),
    }
}

fn coefficient(agreement: &Agreement) -> LabCoefficientView {
    LabCoefficientView {
        value: agreement.coefficient.map_err(|why| why.to_string()),
        agreed: agreement.agreed,
        n: agreement.n as u32,
    }
}

/// Returns the gold lines of a question, with some lines around them.
pub fn lines(item: &Item, open: Option<&OpenRepo>) -> LabLinesView {
    let gold = item_view(item).gold;
    let more = gold.len().saturating_sub(PLACES) as u32;
    let places = gold.into_iter().take(PLACES).map(|gold| LabPlaceView {
        lines: open.and_then(|open| around(open, &gold)),
        gold,
    });
    LabLinesView {
        id: item.id.clone(),
        places: places.collect(),
        more,
    }
}

fn around(open: &OpenRepo, gold: &LabGoldView) -> Option<PeekView> {
    let file = open.index.repo.find(&gold.path)?;
    let last = open.index.lines(file)?.line_count();
    if gold.start == 0 || gold.start > last {
        return None;
    }
    let place = PlaceView {
        path: gold.path.clone(),
        start: gold.start.saturating_sub(AROUND).max(1),
        end: gold.end.max(gold.start).saturating_add(AROUND).min(last),
    };
    peek(&open.index, &place, LINES)
}

pub fn revealed(revealed: &Revealed) -> LabRevealedView {
    let scales = [&revealed.rating].into_iter().chain(&revealed.scores);
    LabRevealedView {
        title: title(&revealed.maker),
        ratings: revealed.ratings as u32,
        scales: scales.map(|it| it.as_ref().map(rated)).collect(),
    }
}

fn rated(rated: &Rated) -> LabRatedView {
    LabRatedView {
        n: rated.n as u32,
        mean: rated.mean,
        low: rated.interval.low,
        high: rated.interval.high,
    }
}
