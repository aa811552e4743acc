//! Describes in words what was read from a question before anything was ranked.

use super::analysis::Wording;
use super::mentions::{Mention, Spelling};
use super::{Context, near};

/// Maximum number of names and words that are listed; a pasted text can mention hundreds.
const TOLD: usize = 8;

/// One thing that was read from the question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueryFeature {
    /// What was read, in one or two words.
    pub label: &'static str,
    /// The value, for people to read.
    pub text: String,
}

/// Returns everything that the steps use, in the order in which people ask for it.
pub fn query_features(context: &Context<'_>) -> Vec<QueryFeature> {
    let analysis = &context.analysis;
    let quotes = analysis.quotes.iter().map(|quote| format!("“{quote}”"));
    let frames = match analysis.frames.len() {
        0 => String::new(),
        1 => "1 place of this repository".to_owned(),
        n => format!("{n} places of this repository"),
    };
    let language = analysis.language.map(|language| language.name().to_owned());
    [
        ("Wording", wording(context)),
        ("Names", joined(analysis.mentions.iter().map(mention))),
        ("Rare words", rare_words(context)),
        ("Words near these", near_words(context)),
        ("Asks for", asks_for(context)),
        ("Paths", joined(paths(context))),
        ("Stack trace", frames),
        ("Quotations", joined(quotes)),
        ("Subsystem", analysis.subsystem.join("/")),
        ("Language", language.unwrap_or_default()),
        ("Taught question near this one", taught(context)),
    ]
    .into_iter()
    .filter(|(_, text)| !text.is_empty())
    .map(|(label, text)| QueryFeature { label, text })
    .collect()
}

/// Empty if the repository was not taught.
fn taught(context: &Context<'_>) -> String {
    let nearest = context.index.taught().zip(context.table.as_ref());
    let nearest = nearest.and_then(|(taught, table)| {
        let (question, cosine) = taught.nearest(table.embedding())?;
        Some(format!("“{question}” ({cosine:.2})"))
    });
    nearest.unwrap_or_default()
}

fn wording(context: &Context<'_>) -> String {
    match context.analysis.wording {
        Wording::Symbol => "a name".to_owned(),
        Wording::Named => "a sentence with a name written as code".to_owned(),
        Wording::Prose => "a sentence".to_owned(),
    }
}

/// Describes a mention: `Session.send (as code, 1 chunk)`.
fn mention(mention: &Mention) -> String {
    let how = match mention.spelling {
        Spelling::Code => "as code",
        Spelling::Split => "in words",
        Spelling::Word => "a plain word",
        Spelling::Fuzzy => "spelled alike",
    };
    let chunks = match mention.definers.len() {
        1 => "1 chunk defines it".to_owned(),
        n => format!("{n} chunks define it"),
    };
    format!("{} ({how}, {chunks})", mention.name)
}

/// Returns the words that few names in the repository contain, rarest first.
fn rare_words(context: &Context<'_>) -> String {
    let mut words: Vec<_> = context
        .analysis
        .words
        .iter()
        // 1 means that no name contains the word: rare, but useless here.
        .filter(|(_, rarity)| rarity.in_names > 0.0 && rarity.in_names < 1.0)
        .collect();
    words.sort_by(|(_, a), (_, b)| b.in_names.total_cmp(&a.in_names));
    let told = words
        .iter()
        .map(|(word, rarity)| format!("{word} {:.2}", rarity.in_names));
    joined(told)
}

/// Describes near words: `remove (delete .52)`.
fn near_words(context: &Context<'_>) -> String {
    let mut words: Vec<_> = near::words(context).iter().collect();
    words.sort_by(|a, b| b.cosine.total_cmp(&a.cosine));
    let told = words.iter();
    joined(told.map(|near| format!("{} ({} {:.2})", near.word, near.asked, near.cosine)))
}

fn asks_for(context: &Context<'_>) -> String {
    let about = context.question.about();
    let kinds = [
        (about.tests, "tests"),
        (about.docs, "documents"),
        (about.examples, "examples"),
        (about.manifest, "manifests"),
        (about.history, "earlier versions"),
    ];
    joined(
        kinds
            .into_iter()
            .filter(|(asked, _)| *asked)
            .map(|(_, kind)| kind.to_owned()),
    )
}

fn paths<'a>(context: &'a Context<'_>) -> impl Iterator<Item = String> + 'a {
    let files = context.analysis.files.iter();
    files.filter_map(|&file| Some(context.index.repo.file(file)?.path.clone()))
}

fn joined(items: impl Iterator<Item = String>) -> String {
    let mut told: Vec<String> = items.take(TOLD + 1).collect();
    if told.len() > TOLD {
        told.truncate(TOLD);
        told.push("…".to_owned());
    }
    told.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::index::Vectors;
    use crate::index::tests::index;
    use crate::search::Question;

    #[test]
    fn only_features_that_the_question_has_are_described() {
        let index = index(&[
            ("src/redirect.py", "def resolve_redirects():\n    pass\n"),
            ("src/other.py", "def unrelated():\n    pass\n"),
        ]);
        let vectors = Vectors::new(1, 0);
        for (text, expected) in [
            (
                "which tests call resolve_redirects in src/redirect.py",
                vec!["Wording", "Names", "Rare words", "Asks for", "Paths"],
            ),
            ("nothing of the kind", vec!["Wording"]),
        ] {
            let question = Question::new(text).unwrap();
            let context = Context::new(&index, &vectors, &question, None);
            let labels: Vec<_> = query_features(&context)
                .iter()
                .map(|feature| feature.label)
                .collect();
            assert_eq!(labels, expected, "{text}");
        }
    }
}
