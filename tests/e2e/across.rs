//! Questions over all repositories of `footnote serve`, answered and checked in the page.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use footnote_tests::archive::{save, zip};
use footnote_tests::browser::{Page, Setup, archive};
use footnote_tests::served::{Served, run};
use serde_json::json;
use xtask::postgres::Postgres;

use crate::story::{Shown, ask, marked_lines, ready};

/// Real packages among the served repositories.
const PACKAGES: [&str; 4] = [
    "requests-2.32.5.tar.gz",
    "flask-3.1.1.tar.gz",
    "express-5.1.0.tgz",
    "immer-10.1.1.tgz",
];

/// What the small repositories do, each in its own way.
const SHOPS: [(&str, &str); 16] = [
    ("billing", "send_invoice"),
    ("bakery", "order_flour"),
    ("cinema", "reserve_seat"),
    ("clinic", "schedule_visit"),
    ("farm", "water_field"),
    ("gallery", "hang_painting"),
    ("garage", "change_tyres"),
    ("hotel", "clean_room"),
    ("library", "lend_book"),
    ("market", "weigh_fruit"),
    ("museum", "guide_tour"),
    ("post", "stamp_letter"),
    ("school", "grade_exam"),
    ("station", "announce_train"),
    ("theatre", "open_curtain"),
    ("zoo", "feed_lions"),
];

/// Those of them that give money back.
const REFUNDING: [&str; 3] = ["cinema", "hotel", "market"];

/// The files of a small repository.
fn shop(name: &str, task: &str) -> Vec<u8> {
    let main = format!(
        "\"\"\"The daily work of the {name}.\"\"\"\n\n\ndef {task}(order):\n    \
         \"\"\"Does the main work of the {name}.\"\"\"\n    \
         return log(order, \"{task}\")\n\n\ndef log(order, done):\n    \
         return (order, done)\n"
    );
    let refund = format!(
        "\"\"\"Refunds of the {name}.\"\"\"\n\n\ndef approve_refund(order, days):\n    \
         \"\"\"Approves a refund of a {name} order within 14 days.\"\"\"\n    \
         if days > 14:\n        raise ValueError(\"too late for a refund\")\n    \
         return order.price\n"
    );
    let (main_path, refund_path) = (format!("{name}/main.py"), format!("{name}/refunds.py"));
    let mut files = vec![(main_path.as_str(), main.as_bytes())];
    if REFUNDING.contains(&name) {
        files.push((refund_path.as_str(), refund.as_bytes()));
    }
    zip(&files)
}

/// Archives of twenty repositories, four of them real, in a folder of their own.
fn archives(folder: &Path) -> PathBuf {
    let packed = packed(folder, SHOPS.len());
    for package in PACKAGES {
        std::fs::copy(archive(package), packed.join(package)).unwrap();
    }
    packed
}

/// Packs the first `count` of the small repositories, and returns the folder of those archives.
fn packed(folder: &Path, count: usize) -> PathBuf {
    let packed = folder.join("archives");
    std::fs::create_dir(&packed).unwrap();
    for (name, task) in &SHOPS[..count] {
        save(&packed, &format!("{name}.zip"), &shop(name, task));
    }
    packed
}

/// Indexes the first `count` of the small repositories with the program, and returns the folder of
/// the index files.
fn indexed(folder: &Path, count: usize) -> PathBuf {
    let (packed, indexes) = (packed(folder, count), folder.join("indexes"));
    let mut args = vec!["index".into()];
    let files = std::fs::read_dir(packed).unwrap();
    args.extend(files.map(|file| file.unwrap().path().into_os_string()));
    args.extend(["--out".into(), indexes.as_os_str().to_owned()]);
    run(args);
    indexes
}

/// A browser at the server's page.
async fn at(server: &Served) -> Page {
    let page = Page::blank(Setup {
        without_transformer: true,
        ..Setup::default()
    })
    .await;
    page.driver.goto(server.url()).await.unwrap();
    page.wait_for_text("On this site").await;
    page
}

async fn open_all(page: &Page) {
    // The first of the list. The bar's button may have the same name.
    let first = page
        .element("[aria-label='On this site'] .saved-open")
        .await;
    assert!(first.text().await.unwrap().starts_with("All repositories"));
    first.click().await.unwrap();
    ready(page).await;
}

/// Waits until the newest question is at the top of the conversation.
async fn newest_at_the_top(page: &Page) {
    let script = "const top = it => it.getBoundingClientRect().top; \
        const turn = [...document.querySelectorAll('.turn')].pop(); \
        return top(turn) - top(document.querySelector('.turns'))";
    page.wait_for("the newest question at the top", async || {
        let distance = page.script(script).await.as_f64()?;
        (0.0..60.0).contains(&distance).then_some(())
    })
    .await;
}

/// The repositories that the footnotes lead to: the first folders of their paths.
fn repositories(shown: &Shown) -> BTreeSet<String> {
    let path = |name: &String| {
        let path = name.split(": ").nth(1)?;
        Some(path.split('/').next()?.to_owned())
    };
    shown.footnotes.iter().filter_map(path).collect()
}

#[tokio::test]
async fn a_question_over_twenty_repositories_is_answered_from_several_and_each_footnote_opens() {
    let folder = tempfile::tempdir().unwrap();
    let (packed, indexes) = (archives(folder.path()), folder.path().join("indexes"));
    // One command indexes a folder of archives and serves it.
    let args = [
        Path::new("--archives"),
        &packed,
        Path::new("--indexes"),
        &indexes,
    ];
    let server = Served::start(args);
    let page = at(&server).await;
    open_all(&page).await;
    page.wait_for_text("Ask 20 repositories at once").await;

    let shown = ask(&page, "where is a refund approved").await;
    assert_eq!(
        repositories(&shown),
        REFUNDING.map(str::to_owned).into(),
        "{:?} {}",
        shown.footnotes,
        shown.text
    );
    page.wait_for_text("Of 20 repositories on this server")
        .await;
    for note in page.elements(".answer button.note-ref").await {
        note.click().await.unwrap();
        assert!(!marked_lines(&page).await.is_empty());
    }

    // Another question needs others; what was answered stays.
    let shown = ask(&page, "where are redirects followed").await;
    let found = repositories(&shown);
    assert!(
        found.contains("requests-2.32.5"),
        "{found:?} {}",
        shown.text
    );
    assert_eq!(page.elements(".turn").await.len(), 2);
    newest_at_the_top(&page).await;
    // A follow-up is understood, and what is here already is not fetched again.
    let shown = ask(&page, "who calls it").await;
    assert!(!shown.footnotes.is_empty(), "{}", shown.text);
    page.close().await;
}

#[tokio::test]
async fn data_sent_by_questions_over_all_repositories_is_listed_and_goes_nowhere_else() {
    let folder = tempfile::tempdir().unwrap();
    let indexes = indexed(folder.path(), 3);
    let server = Served::start([Path::new("--indexes"), &indexes]);
    let page = at(&server).await;
    let seal = page.element(".bar .seal").await;
    assert!(
        seal.text()
            .await
            .unwrap()
            .contains("nothing leaves this page")
    );
    open_all(&page).await;
    page.wait_for_text("questions go to this server only").await;
    ask(&page, "where is an invoice sent").await;
    page.element(".bar .seal").await.click().await.unwrap();
    page.wait_for_text("question over all repositories").await;
    let text = page.element(".dialog").await.text().await.unwrap();
    for part in ["list of repositories", "index file"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let script =
        "return performance.getEntriesByType('resource').map(it => new URL(it.name).origin)";
    let origins: BTreeSet<String> = serde_json::from_value(page.script(script).await).unwrap();
    assert_eq!(origins, [server.url().to_owned()].into());
    page.close().await;
}

#[tokio::test]
async fn a_user_who_may_not_read_a_repository_sees_neither_it_nor_its_number() {
    let folder = tempfile::tempdir().unwrap();
    let indexes = indexed(folder.path(), 4);
    let rules = json!({ "repositories": { "cinema*": ["staff"] } }).to_string();
    save(&indexes, "access.json", rules.as_bytes());
    let tokens = folder.path().join("tokens.jsonl");
    let tokens = tokens.as_os_str();
    let token = run([
        "token".as_ref(),
        "new".as_ref(),
        "ann".as_ref(),
        "--groups".as_ref(),
        "staff".as_ref(),
        "--tokens".as_ref(),
        tokens,
    ]);
    let server = Served::start([
        "--indexes".as_ref(),
        indexes.as_os_str(),
        "--tokens".as_ref(),
        tokens,
    ]);
    let page = at(&server).await;
    rights(&page, &token, 3).await;
    page.close().await;
}

#[tokio::test]
async fn a_database_serves_the_same_page_by_its_address() {
    let folder = tempfile::tempdir().unwrap();
    let packed = packed(folder.path(), 4);
    let postgres = Postgres::start(folder.path(), &["fsync=off", "shared_buffers=32MB"]);
    let postgres = postgres.unwrap_or_else(|error| panic!("{error}"));
    let address = postgres.address("postgres");
    let cinema = packed.join("cinema.zip");
    let cinema = cinema.to_str().unwrap();
    run(["push", "--to", &address, cinema, "--group", "staff"]);
    run([
        "users",
        "--database",
        &address,
        "add",
        "ann",
        "--group",
        "staff",
    ]);
    let token = run(["users", "--database", &address, "token", "ann"]);
    // What is there for a group already stays for that group.
    let packed = packed.to_str().unwrap();
    let server = Served::start(["--database", &address, "--archives", packed]);
    let page = at(&server).await;
    rights(&page, &token, 3).await;
    page.close().await;
}

/// Asks for what only staff may read: before with this many repositories, after showing a token
/// with one more.
async fn rights(page: &Page, token: &str, open_to_all: usize) {
    open_all(page).await;
    page.wait_for_text(&format!("Ask {open_to_all} repositories at once"))
        .await;
    page.ask("where is a refund of the cinema approved").await;
    page.wait_for("an answer or a refusal", async || {
        let script = "return document.querySelector('.turn .answer[data-refined=true], .turn [role=alert]') !== null";
        page.script(script).await.as_bool()?.then_some(())
    })
    .await;
    let text = page.text().await;
    assert!(!text.contains("cinema/"), "{text}");

    page.element(".bar .repo").await.click().await.unwrap();
    let field = page.element("input[aria-label='Access token']").await;
    field.send_keys(token).await.unwrap();
    page.button("Use").await.click().await.unwrap();
    // What that token may read is opened at once.
    page.wait_for_text(&format!("Ask {} repositories at once", open_to_all + 1))
        .await;
    let shown = ask(page, "where is a refund of the cinema approved").await;
    assert_eq!(
        repositories(&shown),
        ["cinema".to_owned()].into(),
        "{}",
        shown.text
    );
}
