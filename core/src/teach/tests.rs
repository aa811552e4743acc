use super::*;
use crate::embed::table::tests::encoder;
use crate::eval::Item;
use crate::index::taught::{Taught, Teaching};
use crate::index::tests::index;
use crate::index::{TableJob, Vectors};
use crate::job::run_to_end;
use crate::search::{Question, Strategy, answer_files, rank_files, search};

const ANIMALS: [&str; 16] = [
    "zebra", "otter", "falcon", "badger", "lizard", "salmon", "beetle", "walrus", "camel", "heron",
    "weasel", "turtle", "parrot", "bison", "lobster", "ferret",
];

const FILES: [&str; 16] = [
    "billing", "cookies", "sessions", "parser", "renderer", "storage", "logging", "network",
    "settings", "security", "uploads", "calendar", "search", "printing", "testing", "deploy",
];

const WORDINGS: [&str; 5] = [
    "where is the # handled",
    "how does the # work",
    "what does the # need",
    "who looks after the #",
    "explain the # to me",
];

/// Files that never mention the animals in the questions.
fn sources() -> Vec<(String, String)> {
    let source = |name: &&str| {
        let text = format!("def {name}_start(options):\n    return options.{name}\n");
        (format!("app/{name}.py"), text)
    };
    FILES.iter().map(source).collect()
}

fn with_table(files: &[(String, String)]) -> Arc<Index> {
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    let index = Arc::new(index(&files));
    let Ok(table) = run_to_end(TableJob::new(Arc::clone(&index), Arc::new(encoder())));
    index.set_table(table);
    index
}

fn item(query: &str, files: &[&str]) -> Item {
    Item {
        id: query.to_owned(),
        archive: "a".to_owned(),
        query: query.to_owned(),
        gold_files: files.iter().map(|file| (*file).to_owned()).collect(),
        gold_spans: Vec::new(),
        category: None,
        reference_answer: None,
        source: None,
    }
}

/// Each animal belongs to one file; only the questions say which.
fn items(wordings: &[&str]) -> Vec<Item> {
    let pairs = ANIMALS.iter().zip(FILES);
    let items = pairs.flat_map(|(animal, file)| {
        wordings
            .iter()
            .map(move |it| item(&it.replace('#', animal), &[&format!("app/{file}.py")]))
    });
    items.collect()
}

fn taught(index: &Arc<Index>, items: &[Item]) -> Result<Made, TeachError> {
    let examples = Examples::of(index, items);
    run_to_end(Teach::new(
        Arc::clone(index),
        examples.all,
        Shape::default(),
        1,
    )?)
}

/// The set of files by the taught default.
fn asked(index: &Index, question: &str) -> Vec<String> {
    let question = Question::new(question).unwrap();
    let strategy = Strategy::from_name("default+taught").unwrap();
    let hits = search(index, &Vectors::new(1, 0), &question, None, &strategy, 50);
    let ranked = rank_files(index, &question, &hits);
    let path = |file| index.repo.file(file).unwrap().path.clone();
    answer_files(&ranked).into_iter().map(path).collect()
}

#[test]
fn facts_that_only_the_questions_state_are_learnt_and_hold_for_other_wordings() {
    let index = with_table(&sources());
    let made = taught(&index, &items(&WORDINGS)).unwrap();
    let report = made.teaching.report;
    assert!(report.untaught.exact < 0.2, "{report:?}");
    // A quarter of the files is left out entirely: what only questions say about them cannot be
    // known.
    assert!(report.taught.exact > 0.65, "{report:?}");
    assert!(report.shuffled.exact < 0.3, "{report:?}");
    assert!(report.is_worth_it());
    assert_eq!(made.curve.len(), Shape::default().epochs as usize);
    let last = made.curve.last().unwrap();
    assert!(last.learnt > 0.9 && last.left_out > 0.8, "{last:?}");
    assert!(made.curve[0].loss > last.loss);
    index.set_taught(Taught::new(made.teaching, &index).map(Arc::new));
    for (animal, file) in ANIMALS.iter().zip(FILES) {
        let found = asked(&index, &format!("tell me about our {animal}"));
        assert_eq!(found, [format!("app/{file}.py")], "{animal}");
    }
    index.set_taught(None);
    let right = ANIMALS.iter().zip(FILES).filter(|(animal, file)| {
        asked(&index, &format!("tell me about our {animal}")) == [format!("app/{file}.py")]
    });
    // One or the other is found by chance.
    assert!(right.count() <= ANIMALS.len() / 5);
}

#[test]
fn the_same_questions_and_seed_give_the_same_bytes() {
    let index = with_table(&sources());
    let bytes = || {
        let made = taught(&index, &items(&WORDINGS[..2])).unwrap();
        made.teaching.to_bytes()
    };
    assert_eq!(bytes(), bytes());
}

#[test]
fn ten_questions_are_enough_to_teach_and_fewer_or_alike_ones_are_refused() {
    let index = with_table(&sources());
    let all = items(&WORDINGS[..1]);
    assert!(taught(&index, &all[..10]).is_ok());
    assert_eq!(
        taught(&index, &all[..9]).unwrap_err(),
        TeachError::TooFew(9)
    );
    let alike: Vec<Item> = ANIMALS
        .iter()
        .map(|animal| item(animal, &["app/billing.py"]))
        .collect();
    assert_eq!(taught(&index, &alike).unwrap_err(), TeachError::OneAnswer);
    let bare = index_without_table();
    assert_eq!(taught(&bare, &all).unwrap_err(), TeachError::NoVectors);
}

fn index_without_table() -> Arc<Index> {
    let files = sources();
    let files: Vec<(&str, &str)> = files
        .iter()
        .map(|(a, b)| (a.as_str(), b.as_str()))
        .collect();
    Arc::new(index(&files))
}

#[test]
fn questions_that_contradict_each_other_lead_to_the_files_of_both() {
    let index = with_table(&sources());
    let twice = [
        item("Where is the zebra", &["app/billing.py"]),
        item("where is  the zebra", &["app/cookies.py"]),
        item("where is the otter", &["app/none.py"]),
    ];
    let examples = Examples::of(&index, &twice);
    assert_eq!(examples.all.len(), 1);
    assert_eq!(examples.all[0].files.len(), 2);
    assert_eq!((examples.repeated, examples.without_files), (1, 1));
}

#[test]
fn a_file_that_is_gone_is_never_named_and_one_that_moved_is_known_by_its_text() {
    let whole = with_table(&sources());
    let teaching = taught(&whole, &items(&WORDINGS)).unwrap().teaching;
    let mut files = sources();
    files.retain(|(path, _)| path != "app/billing.py");
    for (path, text) in &mut files {
        if path == "app/cookies.py" {
            *path = "lib/jar.py".to_owned();
        }
        if path == "app/sessions.py" {
            text.push_str("# more\n");
        }
    }
    let later = with_table(&files);
    let taught = Taught::new(teaching, &later).unwrap();
    assert_eq!(taught.stale().gone, ["app/billing.py"]);
    assert_eq!(taught.stale().changed, ["app/sessions.py"]);
    assert!(!taught.is_of_another_repository());
    let other = with_table(&[("x.py".to_owned(), "def x():\n    pass\n".to_owned())]);
    let taught_elsewhere = Taught::new(taught.teaching().clone(), &other).unwrap();
    assert!(taught_elsewhere.is_of_another_repository());
    later.set_taught(Some(Arc::new(taught)));
    assert_eq!(asked(&later, "how does the otter work"), ["lib/jar.py"]);
    let zebra = asked(&later, "how does the zebra work");
    assert!(!zebra.contains(&"app/billing.py".to_owned()), "{zebra:?}");
}

#[test]
fn a_teaching_of_another_encoder_is_not_used() {
    let index = with_table(&sources());
    let mut teaching = taught(&index, &items(&WORDINGS[..1])).unwrap().teaching;
    teaching.encoder = "another".to_owned();
    assert!(Taught::new(teaching, &index).is_none());
}

#[test]
fn an_untaught_repository_is_searched_as_if_there_were_no_step() {
    let index = with_table(&sources());
    let question = Question::new("where are cookies kept").unwrap();
    let hits = |name: &str| {
        let strategy = Strategy::from_name(name).unwrap();
        search(&index, &Vectors::new(1, 0), &question, None, &strategy, 50)
    };
    assert_eq!(hits("default"), hits("default+taught"));
}

#[test]
fn bytes_are_read_back_and_kinds_of_damage_are_distinguished() {
    use crate::index::taught::TaughtError;
    let index = with_table(&sources());
    let teaching = taught(&index, &items(&WORDINGS[..1])).unwrap().teaching;
    let bytes = teaching.to_bytes();
    assert_eq!(Teaching::from_bytes(&bytes), Ok(teaching));
    let read = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes.clone();
        change(&mut bytes);
        Teaching::from_bytes(&bytes).unwrap_err()
    };
    assert_eq!(read(&|it| it[0] ^= 1), TaughtError::Foreign);
    assert_eq!(read(&|it| it[8] = 9), TaughtError::OtherVersion(9));
    for at in [12, 19, 40, bytes.len() - 1] {
        assert_eq!(read(&|it| it[at] ^= 1), TaughtError::Damaged, "{at}");
    }
    assert_eq!(read(&|it| it.truncate(15)), TaughtError::Damaged);
    assert_eq!(read(&|it| it.clear()), TaughtError::Foreign);
}

#[test]
fn a_new_version_keeps_questions_that_still_hold_and_asks_again_about_changes() {
    let whole = with_table(&sources());
    let mut known = items(&WORDINGS[..1]);
    known.push(item(
        "where is `cookies_start` defined",
        &["app/cookies.py"],
    ));
    known.push(item("where is `parser_start` defined", &["app/parser.py"]));
    let teaching = taught(&whole, &known).unwrap().teaching;
    let mut files = sources();
    files.retain(|(path, _)| path != "app/billing.py");
    for (path, text) in &mut files {
        match path.as_str() {
            "app/cookies.py" => *text = text.replace("cookies_start", "jar_start"),
            "app/parser.py" => text.push_str("# more\n"),
            "app/sessions.py" => *path = "lib/sessions.py".to_owned(),
            _ => {}
        }
    }
    let later = with_table(&files);
    let taught = Taught::new(teaching, &later).unwrap();
    let renewed = renewed(&taught, &later);
    let kept = renewed.kept.clone();
    let asks = |text: &str| kept.iter().find(|it| it.query.contains(text));
    assert!(asks("zebra").is_none(), "its file is gone");
    assert!(
        asks("cookies_start").is_none(),
        "its file no longer has that name"
    );
    assert!(asks("parser_start").is_some(), "its file changed elsewhere");
    assert!(
        asks("otter").is_some(),
        "without a name it is taken to hold"
    );
    assert_eq!(asks("falcon").unwrap().gold_files, ["lib/sessions.py"]);
    assert_eq!((kept.len(), renewed.dropped), (16, 2));

    let made = vec![
        item("where is the jar started", &["app/cookies.py"]),
        item("where is the log", &["app/logging.py"]),
        item("where is  `parser_start` defined", &["app/logging.py"]),
        item("what is new", &["app/new.py"]),
    ];
    let all = renewed.with(&taught, &later, made);
    let files = |text: &str| {
        let all = all.iter().filter(|it| it.query.contains(text));
        all.flat_map(|it| it.gold_files.clone()).collect::<Vec<_>>()
    };
    assert_eq!(files("jar started"), ["app/cookies.py"]);
    assert_eq!(files("the log").len(), 0, "its file is as it was");
    assert_eq!(files("parser_start"), ["app/logging.py"], "it moved");
    assert_eq!(files("what is new"), ["app/new.py"]);
    assert_eq!(all.len(), 16 + 2);
}
