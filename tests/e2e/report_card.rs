//! The report card of the models: made from saved answers, with the same numbers; and the footnotes
//! that most of an answer rests on.

use std::collections::BTreeMap;

use footnote_app::worker::protocol::VERDICTS;
use footnote_tests::browser::Page;
use footnote_tests::connecting::{connect, show_connection, written};
use footnote_tests::services::faulty::{FaultyServer, Setup};
use footnote_tests::services::http::RecordedRequest;
use footnote_tests::services::script::{Reply, Script, Step};
use footnote_tests::services::wire::Model;
use serde_json::{Value, json};

use crate::story::{ask, downloaded, downloads_of, open_sample, ready};
use crate::verdicts::place;

const CAREFUL: &str = "careful-1";
const CARELESS: &str = "careless, 2";
const QUESTION: &str = "how long is waited before a message is tried again";
const QUOTED: &str = "Delays that double with each attempt, up to a limit";
/// The tokens that the careful model’s service counts.
const TOKENS: u64 = 1_057;

/// What the answers on the page say about themselves: the model, its tokens, and how many
/// statements got which verdict.
const SHOWN: &str = "\
    return [...document.querySelectorAll('.turn')].map(turn => { \
        const tally = turn.querySelector('.tally:has(.model)'); \
        const tokens = tally.innerText.match(/([\\d,]+) tokens written/); \
        const counts = [...tally.querySelectorAll('.count b')] \
            .map(b => b.innerText.split(/ (.*)/)); \
        return { model: tally.querySelector('.model').innerText, \
            tokens: tokens ? +tokens[1].replace(',', '') : null, \
            sent: +tally.innerText.match(/([\\d,]+) tokens of/)[1].replace(',', ''), \
            counts: Object.fromEntries(counts.map(([n, label]) => [label, +n])) } })";

/// The rows of the open card, each with the text of its columns.
const ROWS: &str = "\
    return [...document.querySelectorAll('dialog[open] .report tbody tr')].map(row => \
        Object.fromEntries([...row.querySelectorAll('[data-column]')] \
            .map(e => [e.dataset.column, e.innerText.trim()])))";

#[tokio::test]
async fn the_card_is_filled_from_two_services_and_its_numbers_match_the_answers() {
    let careful = service(CAREFUL, clean);
    let careless = service(CARELESS, mixed);
    let page = Page::open().await;
    let folder = downloads_of(&page).await;
    open_sample(&page).await;
    ask_of(&page, &careful, QUESTION).await;
    disconnect(&page).await;
    ask_of(&page, &careless, "how long does a failed job wait").await;
    // Written again, it still counts as one answer.
    let again = "[...[...document.querySelectorAll('.turn')].at(-1).querySelectorAll('button')]\
        .find(button => button.innerText.includes('Ask the model again')).click()";
    page.script(again).await;
    page.wait_for("the answer, written again", async || {
        let is_again = careless.asked().len() == 3;
        let over = page.elements(".written[data-written=over]").await.len();
        (is_again && over == 2).then_some(())
    })
    .await;

    let shown = page.script(SHOWN).await;
    let expected = counted(&shown);
    assert_eq!(expected.len(), 2, "{shown}");
    let of = |model: &str, column: &str| expected[model][column].clone();
    assert_eq!(of(CAREFUL, "statements"), of(CAREFUL, "self-cited"));
    assert_eq!(of(CAREFUL, "tokens-written"), "1,057");
    assert_eq!(of(CARELESS, "tokens-written"), "–");
    for verdict in ["repaired", "rejected", "auto-cited"] {
        assert_eq!(of(CARELESS, verdict), "1", "{verdict}: {shown}");
    }
    assert_eq!(of(CARELESS, "self-cited"), "2");

    page.button("Conversations: ").await.click().await.unwrap();
    page.button("Model report card")
        .await
        .click()
        .await
        .unwrap();
    let rows = rows(&page).await;
    assert_eq!(rows.len(), 2, "{rows:?}");
    for row in &rows {
        for (column, number) in &expected[&row["model"]] {
            assert_eq!(&row[*column], number, "{column} of {}", row["model"]);
        }
        let repository = &row["repository"];
        assert!(repository.starts_with(crate::story::SAMPLE), "{repository}");
        assert!(row["seconds"].parse::<f64>().unwrap() >= 0.0, "{row:?}");
    }
    assert_eq!(rows[0]["address"], careful.url());
    assert_eq!(rows[1]["address"], careless.url());
    page.screenshot("report-card").await;

    page.button("Save as CSV").await.click().await.unwrap();
    let file = downloaded(&page, folder.path(), "csv").await;
    let saved = std::fs::read_to_string(file).unwrap();
    assert_eq!(parsed(&saved, &rows[0]), rows, "{saved}");
    fits_a_phone(&page).await;
    page.close().await;
}

#[tokio::test]
async fn the_footnotes_that_most_of_an_answer_rests_on_can_come_first() {
    let service = service(CARELESS, mixed);
    let page = Page::open_without_transformer().await;
    open_sample(&page).await;
    ask_of(&page, &service, QUESTION).await;
    let order =
        "return [...document.querySelectorAll('.written ~ .notes > li .n')].map(n => +n.innerText)";
    let numbered: Vec<u32> = serde_json::from_value(page.script(order).await).unwrap();
    assert!(numbered.is_sorted() && numbered.len() == 3, "{numbered:?}");
    page.button("by weight").await.click().await.unwrap();
    page.wait_for_text("carries 1 of 3 statements").await;
    let weighed: Vec<u32> = serde_json::from_value(page.script(order).await).unwrap();
    let rejected = "return [...document.querySelectorAll('.written ~ .notes > li')] \
        .map(li => ['rejected', 'carries no statement'].map(it => li.innerText.includes(it)).join(' '))";
    let expected = json!(["false false", "false false", "true true"]);
    assert_eq!(page.script(rejected).await, expected, "{weighed:?}");
    page.screenshot("by-weight").await;
    page.driver.refresh().await.unwrap();
    ready(&page).await;
    written(&page).await;
    page.wait_for_text("carries 1 of 3 statements").await;
    assert_eq!(page.script(order).await, json!(weighed));
    page.button("as numbered").await.click().await.unwrap();
    assert_eq!(page.script(order).await, json!(numbered));
    page.close().await;
}

/// A service with one model that gives this answer.
fn service(model: &str, answer: fn(&RecordedRequest) -> Reply) -> FaultyServer {
    let model = Model {
        id: model.to_owned(),
        context_tokens: 8192,
    };
    let script = Script::new().then(Reply::text("ready")).always(answer);
    Setup::default().models(vec![model]).start(script)
}

/// Two statements whose sources hold, and the service’s count.
fn clean(request: &RecordedRequest) -> Reply {
    let (path, line) = place(request, QUOTED);
    let (_, raised) = place(request, "raise ValueError");
    let usage =
        json!({ "choices": [], "usage": { "prompt_tokens": 900, "completion_tokens": TOKENS } });
    let text = format!(
        "- It says “{QUOTED}” [{path}:{line}].\n- It raises `ValueError` [{path}:{raised}].\n"
    );
    Reply::steps([
        Step::Text(text),
        Step::Raw(format!("data: {usage}\n\n").into_bytes()),
    ])
}

/// One source that is repaired, one that does not exist, and a statement without any.
fn mixed(request: &RecordedRequest) -> Reply {
    let (path, line) = place(request, QUOTED);
    let name = path.rsplit('/').next().unwrap();
    Reply::text(&format!(
        "- It says “{QUOTED}” [{name}:{line}].\n\
         - A cache is kept by `RedirectCache` [src/courier/redirects.py:10-42].\n\
         - Without it, jobs that failed together would all come back in the same moment.\n"
    ))
}

async fn ask_of(page: &Page, service: &FaultyServer, question: &str) {
    connect(page, &format!("{}/v1", service.url()), None, "").await;
    ready(page).await;
    let before = page.elements(".written[data-written=over]").await.len();
    ask(page, question).await;
    page.button("Send").await.click().await.unwrap();
    page.wait_for("the written answer", async || {
        let over = page.elements(".written[data-written=over]").await.len();
        (over > before).then_some(())
    })
    .await;
}

async fn disconnect(page: &Page) {
    show_connection(page).await;
    let button = page.button("Disconnect and seal").await;
    button.click().await.unwrap();
    page.wait_for_text("Sealed").await;
    ready(page).await;
}

/// What the card must say about the answers on the page, by model and column.
fn counted(shown: &Value) -> BTreeMap<String, BTreeMap<&'static str, String>> {
    let mut all = BTreeMap::new();
    for answer in shown.as_array().unwrap() {
        let count = |label: &str| answer["counts"][label].as_u64().unwrap_or(0);
        let verdicts = VERDICTS.map(|spec| (spec.name, count(spec.label)));
        let statements: u64 = verdicts.iter().map(|(_, count)| count).sum();
        let own = statements - count("auto-cited") - count("without a source");
        let mut columns: BTreeMap<&str, String> = verdicts
            .map(|(column, count)| (column, count.to_string()))
            .into();
        let tokens = answer["tokens"].as_u64();
        columns.extend([
            ("answers", "1".to_owned()),
            ("unfinished", "0".to_owned()),
            ("statements", statements.to_string()),
            ("self-cited", own.to_string()),
            ("tokens-sent", thousands(answer["sent"].as_u64().unwrap())),
            ("tokens-written", tokens.map_or("–".into(), thousands)),
        ]);
        let model = answer["model"].as_str().unwrap().to_owned();
        assert!(all.insert(model, columns).is_none(), "{shown}");
    }
    all
}

fn thousands(number: u64) -> String {
    match number {
        0..1000 => number.to_string(),
        _ => format!("{},{:03}", number / 1000, number % 1000),
    }
}

/// The rows of the card, once it shows some.
async fn rows(page: &Page) -> Vec<BTreeMap<String, String>> {
    page.element("dialog[open] .report table").await;
    serde_json::from_value(page.script(ROWS).await).unwrap()
}

/// The rows of a CSV file, reduced to the columns of `like` and formatted as on the page.
fn parsed(text: &str, like: &BTreeMap<String, String>) -> Vec<BTreeMap<String, String>> {
    let mut lines = text.split_terminator("\r\n").map(fields);
    let names = lines.next().unwrap();
    let numbers = names.len() - 3;
    lines
        .map(|fields| {
            assert_eq!(fields.len(), names.len(), "{fields:?}");
            let pairs = names.iter().zip(fields).enumerate();
            let shown = pairs.map(|(at, (name, field))| {
                let field = match field.parse() {
                    _ if field.is_empty() => "–".to_owned(),
                    Ok(number) if at + numbers >= names.len() => thousands(number),
                    _ => field,
                };
                (name.clone(), field)
            });
            shown.filter(|(name, _)| like.contains_key(name)).collect()
        })
        .collect()
}

/// The fields of a line; a field that contains a comma is quoted.
fn fields(line: &str) -> Vec<String> {
    let mut fields = vec![String::new()];
    let mut is_quoted = false;
    for character in line.chars() {
        match character {
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => fields.push(String::new()),
            other => fields.last_mut().unwrap().push(other),
        }
    }
    fields
}

/// Nothing on the card is wider than a phone.
async fn fits_a_phone(page: &Page) {
    let phone = json!({ "width": 390, "height": 844, "deviceScaleFactor": 1, "mobile": true });
    page.devtools("Emulation.setDeviceMetricsOverride", phone)
        .await;
    let wide = "\
        const all = document.querySelectorAll('dialog[open], dialog[open] *:not(thead, thead *)'); \
        return [...all].filter(e => e.getBoundingClientRect().right > innerWidth + 1) \
            .map(e => e.tagName + ' ' + e.className)";
    assert_eq!(page.script(wide).await, json!([]));
    page.screenshot("report-card-phone").await;
}
