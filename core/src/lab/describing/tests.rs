use super::*;
use crate::describe::{Describe, export, read};
use crate::index::Writer;
use crate::index::tests::index;
use crate::job::run_to_end;

const FILES: &[(&str, &str)] = &[
    (
        "src/cart.py",
        "def add_item(cart, item):\n    \"\"\"Puts an item into the cart.\"\"\"\n    cart.items.append(item)\n\n\ndef total_price(cart):\n    return sum(item.price for item in cart.items)\n",
    ),
    (
        "src/mail.py",
        "def send_mail(address, body):\n    connect(address).send(body)\n",
    ),
    ("README.md", "# Shop\n\nA shop.\n"),
];

fn order(scope: Scope) -> DescribeOrder {
    DescribeOrder {
        scope,
        prompt: Prompt::from_name("human").unwrap(),
        window: 4_000,
    }
}

fn reply(text: &str) -> Reply<'_> {
    Reply {
        text,
        answer_tokens: Some(50),
        from_cache: false,
    }
}

fn describing(scope: Scope) -> Describing {
    Describing::new(Arc::new(index(FILES)), order(scope), Written::default())
}

#[test]
fn a_scope_holds_the_code_below_a_folder() {
    let index = index(FILES);
    for (scope, files) in [
        (Scope::All, 2),
        (Scope::Folder("src".into()), 2),
        (Scope::Folder("/src/mail.py/".into()), 1),
        (Scope::Folder("sr".into()), 0),
        (Scope::Folder(String::new()), 2),
    ] {
        let chunks = scope.chunks(&index);
        let paths: std::collections::BTreeSet<_> =
            chunks.iter().filter_map(|id| index.path_of(*id)).collect();
        assert_eq!(paths.len(), files, "{scope:?}");
    }
}

#[test]
fn a_request_names_repository_and_path_and_its_instructions_hold_no_code() {
    let mut run = describing(Scope::All);
    let estimate = run.estimate();
    assert_eq!(estimate.requests as usize, run.progress().1);
    let ask = run.request("m").unwrap();
    let crate::model::protocol::Message::User(shown) = &ask.chat.messages[0] else {
        panic!("{ask:?}");
    };
    assert!(shown.contains("File path: src/cart.py") && shown.contains("cart.items.append"));
    assert!(!ask.chat.system.contains("cart"));
    assert_eq!(
        run.request("m"),
        Some(ask),
        "the same until something came of it"
    );
}

#[test]
fn a_run_that_was_stopped_continues_where_it_stopped() {
    let mut first = describing(Scope::All);
    let all = first.progress().1;
    first.request("m");
    first.answer(reply("Adds an item to the cart."));
    let kept = first.written().clone();
    let index = Arc::new(index(FILES));
    let mut second = Describing::new(index, order(Scope::All), kept);
    assert_eq!(second.progress(), (1, all));
    let mut asked = 0;
    while second.request("m").is_some() {
        asked += 1;
        second.answer(reply("Sends something by mail."));
    }
    assert_eq!((asked, second.progress()), (all - 1, (all, all)));
}

#[test]
fn a_budget_and_failures_end_a_run_and_nothing_written_is_lost() {
    let mut run = describing(Scope::All);
    run.allow(Budget {
        requests: 1,
        tokens: 100_000,
    });
    run.request("m");
    run.answer(reply("Adds an item to the cart."));
    assert_eq!(run.request("m"), None);
    assert!(run.is_spent() && run.written().0.len() == 1);
    let mut run = describing(Scope::All);
    for _ in 0..3 {
        if run.request("m").is_some() {
            run.fail("the service is down");
        }
    }
    assert_eq!(run.request("m"), None);
    assert!(run.written().0.is_empty());
}

#[test]
fn a_description_of_something_else_is_doubted_and_an_empty_reply_is_left_out() {
    let mut run = describing(Scope::All);
    run.request("m");
    run.answer(reply(
        "Renders a `QuantumShader` with parse_wave_function over the galaxy's photons.",
    ));
    run.request("m");
    run.answer(reply(" ``` "));
    assert_eq!(run.troubles(), (1, 1));
    let index = Arc::new(index(FILES));
    let texts = run_to_end(Describe::new(Arc::clone(&index), run.written().clone()));
    let Ok(texts) = texts;
    let (_, doubted) = texts.written().next().unwrap();
    assert!(doubted.doubts[0].contains("`QuantumShader`"), "{doubted:?}");
    assert_eq!(doubted.doubts.len(), 2, "{doubted:?}");
}

#[test]
fn texts_by_a_model_are_exported_read_back_and_outlive_a_move() {
    let mut run = describing(Scope::All);
    run.request("m");
    run.answer(reply("Adds an item to the cart."));
    let index = Arc::new(index(FILES));
    let Ok(texts) = run_to_end(Describe::new(Arc::clone(&index), run.written().clone()));
    let lines = export(&index, &texts);
    assert_eq!(lines.lines().count(), index.chunks.len());
    assert_eq!(&read(&lines).unwrap(), run.written());
    let texts = FILES.iter().map(|(_, text)| *text);
    let moved = ["lib/cart.py", "m.py", "R.md"].into_iter().zip(texts);
    let moved: Vec<(&str, &str)> = moved.collect();
    let moved = Arc::new(crate::index::tests::index(&moved));
    let Ok(texts) = run_to_end(Describe::new(Arc::clone(&moved), run.written().clone()));
    let (_, text) = texts.written().next().unwrap();
    assert_eq!(text.writer, Writer::Model("m".into()));
    for wrong in [
        "{",
        "[]",
        "{\"text\":\"a\",\"writer\":\"m\",\"key\":\"zz\"}",
    ] {
        assert!(read(wrong).is_err(), "{wrong}");
    }
}
