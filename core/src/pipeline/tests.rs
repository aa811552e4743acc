use std::collections::BTreeSet;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

use super::*;
use crate::answer::Outcome;
use crate::chunk::ChunkId;
use crate::compress::Pass;
use crate::compress::score::ami::Ami;
use crate::embed::{Embedding, LineVectors, Quantised};
use crate::index::tests::index;
use crate::index::{Index, Recut, Vectors};
use crate::job::run_to_end;
use crate::model::protocol::Chat;
use crate::search::{BertScore, Question, Within};

/// An encoder whose vector for each chunk counts a few words.
pub(crate) struct Words<'i> {
    index: &'i Index,
    vectors: Vectors,
    /// The connected model's reply; `None` if no model is connected.
    pub says: Option<&'static str>,
}

const WORDS: [&str; 4] = ["redirect", "timeout", "cookie", "session"];

fn embedding(text: &str) -> Embedding {
    let text = text.to_lowercase();
    let mut values: Vec<f32> = WORDS
        .iter()
        .map(|word| text.matches(word).count() as f32)
        .collect();
    values.push(0.2);
    Embedding::from_raw(values)
}

impl<'i> Words<'i> {
    pub fn new(index: &'i Index) -> Self {
        let mut vectors = Vectors::new(WORDS.len() + 1, index.chunks.len());
        for (id, _) in index.chunk_ids() {
            let own = embedding(index.text_of(id).unwrap());
            vectors.set(id, &Quantised::new(&own));
        }
        Self {
            index,
            vectors,
            says: None,
        }
    }
}

impl Reader for Words<'_> {
    fn with_vectors<T>(&self, look: impl FnOnce(&Vectors) -> T) -> T {
        look(&self.vectors)
    }

    async fn compare(&self, question: &Question, chunks: &[ChunkId]) -> Option<Embedding> {
        assert!(chunks.iter().all(|id| self.index.chunk(*id).is_some()));
        Some(embedding(question.text()))
    }

    async fn line_vectors(&self, passes: &[Pass]) -> Vec<Option<LineVectors>> {
        vec![None; passes.len()]
    }

    async fn code_model(&self) -> Result<String, String> {
        Ok("counts letters".to_owned())
    }

    async fn perplexities(&self, texts: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let of_text = |text: &String| text.lines().map(|line| line.len() as f32).collect();
        Ok(texts.iter().map(of_text).collect())
    }

    async fn ami(&self, question: &str, blocks: &[Vec<String>]) -> Result<Vec<Vec<Ami>>, String> {
        let own = embedding(question);
        let score = |block: &String| Ami {
            whole: embedding(block).cosine(&own),
            content: 0.0,
        };
        let of_piece = |blocks: &Vec<String>| blocks.iter().map(score).collect();
        Ok(blocks.iter().map(of_piece).collect())
    }

    async fn bert_scores(&self, question: &str, texts: &[String]) -> Option<Vec<BertScore>> {
        let own = embedding(question);
        let score = |text: &String| BertScore {
            f1: embedding(text).cosine(&own),
            ..BertScore::default()
        };
        Some(texts.iter().map(score).collect())
    }

    async fn write(&self, chat: Chat) -> Result<String, String> {
        match self.says {
            Some(said) => Ok(said.to_owned()),
            None => Err(format!(
                "no model is connected ({} tokens)",
                chat.max_tokens
            )),
        }
    }

    fn now_ms(&self) -> f64 {
        0.0
    }
}

pub(crate) fn files() -> Vec<(String, String)> {
    let mut files = vec![(
        "app/sessions.py".to_owned(),
        "from app.cookies import jar\n\n\ndef follow_redirect(session, answer):\n    \"\"\"Follow a redirect of a session.\"\"\"\n    target = answer.headers['location']\n    jar(session)\n    return session.get(target)\n".to_owned(),
    ), (
        "app/cookies.py".to_owned(),
        "def jar(session):\n    \"\"\"The cookie jar.\"\"\"\n    return session.cookies\n".to_owned(),
    )];
    for n in 0..12 {
        let text = format!(
            "def timeout_{n}(value):\n    \"\"\"A timeout number {n}.\"\"\"\n    first = value\n    second = first + {n}\n    return second\n"
        );
        files.push((format!("app/timeouts_{n}.py"), text));
    }
    files
}

/// Runs a future that never waits.
pub(crate) fn at_once<T>(work: impl Future<Output = T>) -> T {
    let mut work = pin!(work);
    match work.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

fn made(pipeline: &Pipeline, text: &str) -> Made {
    let files = files();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let whole = index(&files);
    let Ok(index) = run_to_end(Recut::new(&whole, pipeline.cut));
    let question = Question::new(text).unwrap();
    at_once(run(pipeline, &index, &question, &Words::new(&index)))
}

#[test]
fn every_preset_has_a_unique_name_and_says_what_it_does() {
    let mut seen = BTreeSet::new();
    for preset in PRESETS {
        assert!(
            seen.insert(preset.name) && seen.insert(preset.title),
            "{}",
            preset.name
        );
        assert_eq!((preset.make)().name, preset.name);
        assert!(preset.about.ends_with('.'), "{}", preset.about);
        assert!(!preset.about.contains("  "), "{}", preset.about);
        for deviation in preset.deviations {
            assert!(!deviation.what.ends_with('.') && !deviation.why.ends_with('.'));
        }
        assert_eq!(
            super::preset(preset.name).map(|it| it.title),
            Some(preset.title)
        );
    }
    assert!(super::preset("nothing").is_none());
}

#[test]
fn every_preset_comes_back_from_json_as_it_was() {
    for preset in PRESETS {
        let mut pipeline = (preset.make)();
        pipeline.set("α", "0.3").unwrap();
        pipeline.set("budget", "700").unwrap();
        let json = serde_json::to_string(&pipeline).unwrap();
        let back: Pipeline = serde_json::from_str(&json).unwrap();
        assert_eq!(back, pipeline, "{json}");
    }
}

#[test]
fn every_preset_answers_within_its_budget_and_cites_what_it_kept() {
    for preset in PRESETS {
        for budget in [120, 600, 4_000] {
            let mut pipeline = (preset.make)();
            pipeline.set("budget", &budget.to_string()).unwrap();
            let made = made(&pipeline, "where is a redirect of a session followed?");
            assert!(made.tokens() <= budget, "{} {}", preset.name, made.tokens());
            let footnotes = match &made.answer.outcome {
                Outcome::Found { footnotes, .. } => footnotes,
                Outcome::Nothing { why } => {
                    let is_small = made.context().is_empty() || budget < 4_000;
                    assert!(is_small, "{} {budget}: {why}", preset.name);
                    continue;
                }
            };
            assert_ne!(preset.name, "no-evidence");
            let is_kept = |file| made.context().iter().any(|block| block.file == file);
            let cited = footnotes.iter().map(|note| note.source.file());
            assert!(
                pipeline.rules || cited.clone().all(is_kept),
                "{}",
                preset.name
            );
        }
    }
}

#[test]
fn each_preset_finds_the_function_that_is_asked_for() {
    for preset in PRESETS.iter().filter(|it| it.name != "no-evidence") {
        let made = made(
            &(preset.make)(),
            "where is a redirect of a session followed?",
        );
        let mut paths = made.context().iter().map(|block| block.path.as_str());
        assert!(
            paths.any(|path| path == "app/sessions.py"),
            "{}",
            preset.name
        );
        assert!(made.compared > 0, "{}", preset.name);
    }
}

#[test]
fn the_presets_use_the_numbers_of_the_papers() {
    let grounded = (super::preset("grounded").unwrap().make)();
    for (name, value) in [
        ("k", 28.0),
        ("α", 0.45),
        ("β", 0.55),
        ("seeds", 4.0),
        ("hops", 1.0),
        ("neighbours", 8.0),
        ("γ", 0.25),
        ("δ", 0.6),
        ("k₁", 1.2),
        ("b", 0.75),
    ] {
        assert_eq!(grounded.numbers.value(name), Some(value), "{name}");
    }
    assert_eq!(grounded.budget, Budget::Characters(12_000));
    let sampling = &grounded.sampling;
    assert_eq!((sampling.temperature, sampling.top_p), (0.2, 0.9));
    assert_eq!(
        (sampling.top_k, sampling.repetition_penalty),
        (Some(40), Some(1.1))
    );
    let repodistill = (super::preset("repodistill").unwrap().make)();
    assert_eq!(repodistill.numbers.value("anchors"), Some(10.0));
    assert_eq!(repodistill.numbers.value("λ"), Some(0.5));
    assert_eq!(repodistill.search.name(), "dense+graph-rag");
    let repoqa = (super::preset("repoqa-sa").unwrap().make)();
    assert_eq!(format!("{:?}", repoqa.cut.chunking), "fixed-chars 1500/200");
}

#[test]
fn one_chunk_is_one_chunk() {
    let mut pipeline = (super::preset("repoqa-sa").unwrap().make)();
    let question = "where is a redirect of a session followed?";
    assert_eq!(made(&pipeline, question).context().len(), 1);
    pipeline.set("chunks", "3").unwrap();
    assert_eq!(made(&pipeline, question).context().len(), 3);
}

#[test]
fn imports_bring_a_file_that_words_and_meaning_leave_out() {
    let mut pipeline = (super::preset("grounded").unwrap().make)();
    pipeline.set("k", "1").unwrap();
    let question = "where is a redirect followed?";
    let paths = |made: &Made| {
        let blocks = made.context().iter();
        blocks
            .map(|block| block.path.clone())
            .collect::<BTreeSet<_>>()
    };
    assert!(paths(&made(&pipeline, question)).contains("app/cookies.py"));
    pipeline.set("seeds", "0").unwrap();
    assert!(!paths(&made(&pipeline, question)).contains("app/cookies.py"));
}

#[test]
fn a_setting_that_is_unknown_or_makes_no_sense_is_refused_and_changes_nothing() {
    let whole = (super::preset("grounded").unwrap().make)();
    for (name, value, expected) in [
        (
            "nothing",
            "1",
            "there is no setting “nothing”; the settings are budget, ",
        ),
        (
            "alpha",
            "much",
            "“much” is not a value for alpha; expected: a number",
        ),
        (
            "alpha",
            "NaN",
            "“NaN” is not a value for alpha; expected: a number",
        ),
        (
            "budget",
            "-1",
            "“-1” is not a value for budget; expected: a whole number",
        ),
        (
            "chunk",
            "lines",
            "“lines” is not a value for chunk; expected: function, ",
        ),
        (
            "compressor",
            "ranked",
            "compressor cannot be set: this pipeline keeps whole chunks",
        ),
    ] {
        let mut pipeline = whole.clone();
        let error = pipeline.set(name, value).unwrap_err().to_string();
        assert!(error.starts_with(expected), "{error}");
        assert_eq!(pipeline, whole);
    }
}

#[test]
fn the_changes_of_a_pipeline_make_the_same_of_its_preset() {
    for preset in PRESETS {
        let mut changed = (preset.make)();
        for (name, value) in [("γ", "0.4"), ("budget", "900"), ("compare", "7")] {
            changed.set(name, value).unwrap();
        }
        // Only pipelines that choose lines have this setting.
        let _ = changed.set(LAMBDA_NAME, "0.6");
        let mut again = (preset.make)();
        for (name, value) in changed.changes_from(&again) {
            again.set(name, &value).unwrap();
        }
        assert_eq!(again, changed);
        assert_eq!(again.changes_from(&changed), []);
    }
}

/// The result of the preset `chosen-files` with a model that replies this, and the paths of the
/// hits' files and of the answer's.
fn chosen(reply: Option<&'static str>, within: Option<&str>) -> (Made, Vec<String>, Vec<String>) {
    let files = files();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let index = index(&files);
    let mut question = Question::new("where is the jar of a session made?").unwrap();
    if let Some(path) = within {
        let files = BTreeSet::from([index.repo.find(path).unwrap()]);
        question = question.within(Within::new(vec![path.to_owned()], files));
    }
    let mut reader = Words::new(&index);
    reader.says = reply;
    let pipeline = (super::preset("chosen-files").unwrap().make)();
    let made = at_once(run(&pipeline, &index, &question, &reader));
    let path = |file| index.repo.file(file).unwrap().path.clone();
    let mut hits: Vec<String> = Vec::new();
    for hit in &made.hits {
        hits.push(path(index.chunk(hit.chunk).unwrap().file));
    }
    let answer = made.answer.files.iter().map(|it| path(it.file)).collect();
    (made, hits, answer)
}

#[test]
fn the_files_that_a_model_chooses_come_first_and_are_the_answer() {
    let reply = r#"["app/timeouts_3.py", "app/nowhere.py", "app/cookies.py"]"#;
    let (made, hits, answer) = chosen(Some(reply), None);
    let made_of = made.chosen.as_ref().unwrap();
    assert_eq!(made_of.unknown, ["app/nowhere.py"]);
    assert_eq!(made_of.files.as_ref().unwrap().len(), 2);
    let mut first: Vec<&str> = hits[..2].iter().map(String::as_str).collect();
    first.sort_unstable();
    assert_eq!(first, ["app/cookies.py", "app/timeouts_3.py"]);
    assert!(
        hits.len() > 2,
        "what was not chosen is still there: {hits:?}"
    );
    let answer: BTreeSet<&str> = answer.iter().map(String::as_str).collect();
    assert_eq!(answer, first.into_iter().collect());
    let instead = made.instead().unwrap_or_default();
    assert!(!instead.contains("The search alone"), "{instead}");
}

#[test]
fn a_choice_that_cannot_be_used_leaves_the_search_as_it_was_and_says_why() {
    let (plain, hits, answer) = chosen(None, None);
    let why = plain.instead().unwrap();
    assert!(why.starts_with("The search alone chose the files, because no model is"));
    for (reply, expected) in [
        ("I do not know.", "the model named no files"),
        (
            r#"["../../etc/passwd"]"#,
            "the model named none of the files it was shown",
        ),
    ] {
        let (made, ranked, files) = chosen(Some(reply), None);
        assert_eq!((&ranked, &files), (&hits, &answer), "{reply}");
        assert!(made.instead().unwrap().contains(expected), "{reply}");
    }
}

#[test]
fn a_model_cannot_choose_files_outside_the_scope_of_the_question() {
    let reply = r#"["app/timeouts_3.py"]"#;
    let (made, hits, _) = chosen(Some(reply), Some("app/cookies.py"));
    // There is one file to choose from, so nothing is asked.
    assert_eq!(made.chosen, None);
    assert!(hits.iter().all(|path| path == "app/cookies.py"), "{hits:?}");
}
