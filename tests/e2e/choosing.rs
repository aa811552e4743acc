//! A connected model chooses files among the best that were found; what it is sent is shown first,
//! and what it names is checked.

use footnote_tests::browser::{Page, archive};
use footnote_tests::connecting::connect;
use footnote_tests::services::faulty::FaultyServer;
use footnote_tests::services::script::{Reply, Script};
use serde_json::Value;

use crate::story::{choose, press, read, ready, sent_first};

/// The search finds the right file; the model chooses another, so its choice can be seen.
const QUESTION: &str = "Where do the 3xx ones go?";
const CHOICE: &str = r#"["src/requests/cookies.py", "src/requests/nowhere.py"]"#;
const SHORTLIST: &str = "The files to choose from";

/// The bodies of the requests that offer files.
fn offers(service: &FaultyServer) -> Vec<Value> {
    let asked = service.asked();
    let offers = asked.iter().map(|it| &it.request);
    let offers = offers.filter(|request| request.prompt().contains(SHORTLIST));
    offers.map(|request| request.json()).collect()
}

#[tokio::test]
async fn a_model_chooses_existing_files_among_the_best_once_the_user_has_seen_their_names() {
    let service = FaultyServer::start(Script::new().always(|request| {
        match request.prompt().contains(SHORTLIST) {
            true => Reply::text(CHOICE),
            false => Reply::text("ready"),
        }
    }));
    let page = Page::open_without_transformer().await;
    read(&page, &archive("requests-2.32.5.tar.gz")).await;
    connect(&page, &format!("{}/v1", service.url()), None, "").await;
    ready(&page).await;
    choose(&page, "Answered by", "chosen-files").await;
    page.ask(QUESTION).await;
    page.wait_for_text("the paths of the best files").await;
    assert!(offers(&service).is_empty(), "nothing is sent unasked");
    press(&page, "Search without the model").await;
    page.wait_for_text("you chose to search without a language model")
        .await;
    assert!(offers(&service).is_empty(), "nor after a no");

    page.ask(&format!("{QUESTION} Tell me.")).await;
    let shown = sent_first(&page).await;
    assert!(shown.contains("- src/requests/sessions.py: "), "{shown}");
    page.screenshot("chooses-first").await;
    press(&page, "Send and search").await;
    page.wait_for_text("files: src/requests/cookies.py. One name in its list is not among them")
        .await;
    page.screenshot("chosen").await;
    let cited = page
        .script(
            "return [...[...document.querySelectorAll('.turn')].at(-1)
                .querySelectorAll('.answer [aria-label^=Footnote]')].map(it => it.ariaLabel)",
        )
        .await;
    assert!(cited.to_string().contains("cookies.py"), "{cited}");
    let sent = offers(&service);
    assert_eq!(sent.len(), 1);
    let said = sent[0].pointer("/messages/1/content").unwrap();
    let said = said.as_str().unwrap();
    assert!(
        shown.trim_end().ends_with(said.trim_end()),
        "{said}\n{shown}"
    );
    let schema = "/response_format/json_schema/schema/properties/files/items/enum";
    let allowed = sent[0].pointer(schema).unwrap().as_array().unwrap();
    assert!((10..=40).contains(&allowed.len()), "{}", allowed.len());
    page.close().await;
}
