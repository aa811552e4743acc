use std::fs;

use super::*;
use crate::serve::{access, tokens};

const QUESTIONS: [&str; 9] = [
    "/api/search?q=cart",
    "/api/search?q=how+is+an+item+added+to+the+secret+cart&limit=100",
    "/api/symbols?name=Cart",
    "/api/symbols?name=shop.cart&of=imports",
    "/api/repositories",
    "/indexes.json",
    "/indexes/vault-1.0.footnote",
    "/api/search?q=%3F",
    "/api/search?q=",
];

/// A folder in which only group `vault` may read the repository `vault-1.0`.
fn private() -> tempfile::TempDir {
    let folder = public();
    put(folder.path(), "vault-1.0", VAULT);
    folder
}

fn public() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "shop-1.0", SHOP);
    put(folder.path(), "mail-2.0", MAIL);
    let rules = r#"{ "repositories": { "vault-*": ["vault"] } }"#;
    fs::write(folder.path().join(access::FILE), rules).unwrap();
    folder
}

#[test]
fn repositories_hidden_from_a_user_change_nothing_that_the_user_sees() {
    let (with, without) = (private(), public());
    let tokens = with.path().join("tokens.jsonl");
    let ann = tokens::add(&tokens, "ann", &["vault".to_owned()]).unwrap();
    let ben = tokens::add(&tokens, "ben", &["others".to_owned()]).unwrap();
    let options = ["--tokens", tokens.to_str().unwrap()];
    let (with, without) = (
        Site::of(with.path(), &options),
        Site::of(without.path(), &options),
    );
    for question in QUESTIONS {
        let expected = without.get(question).comparable();
        assert_eq!(with.get(question).comparable(), expected, "{question}");
        let expected = without.with_token(&ben, question).comparable();
        assert_eq!(
            with.with_token(&ben, question).comparable(),
            expected,
            "{question}"
        );
    }
    let seen = with.with_token(&ann, "/api/search?q=secret+cart").json();
    assert_eq!(seen["searched"], 3);
    assert_eq!(seen["hits"][0]["repository"], "vault-1.0");
    assert_eq!(
        with.with_token(&ann, "/api/symbols?name=Cart").json()["total"],
        2
    );
    assert_eq!(
        with.with_token(&ann, "/indexes/vault-1.0.footnote").status,
        200
    );
}

#[test]
fn a_token_that_is_revoked_between_two_requests_opens_nothing() {
    let folder = private();
    let file = folder.path().join("tokens.jsonl");
    let ann = tokens::add(&file, "ann", &["vault".to_owned()]).unwrap();
    let site = Site::of(folder.path(), &["--tokens", file.to_str().unwrap()]);
    assert_eq!(
        site.with_token(&ann, "/indexes/vault-1.0.footnote").status,
        200
    );
    tokens::revoke(&file, "ann").unwrap();
    let refused = site.with_token(&ann, "/indexes/vault-1.0.footnote");
    assert_eq!(refused.status, 401);
    assert_eq!(refused.header("www-authenticate"), "Bearer");
    assert!(refused.error().contains("no longer"), "{}", refused.error());
    assert_eq!(site.get("/api/repositories").status, 200);
}

#[test]
fn a_group_that_loses_its_right_loses_it_at_once() {
    let folder = private();
    let file = folder.path().join("tokens.jsonl");
    let ann = tokens::add(&file, "ann", &["vault".to_owned()]).unwrap();
    let site = Site::of(folder.path(), &["--tokens", file.to_str().unwrap()]);
    let searched = || site.with_token(&ann, "/api/search?q=cart").json()["searched"].clone();
    assert_eq!(searched(), 3);
    let rules = folder.path().join(access::FILE);
    fs::write(&rules, r#"{ "repositories": { "vault-1.0": [] } }"#).unwrap();
    assert_eq!(searched(), 2);
    fs::write(&rules, "{ damaged").unwrap();
    assert_eq!(searched(), 0);
}

#[test]
fn a_token_is_read_from_the_header_only_and_nothing_else_is_one() {
    let folder = private();
    let file = folder.path().join("tokens.jsonl");
    let ann = tokens::add(&file, "ann", &["vault".to_owned()]).unwrap();
    let site = Site::of(folder.path(), &["--tokens", file.to_str().unwrap()]);
    let in_address = site.get(&format!("/api/search?q=cart&token={ann}"));
    assert_eq!(in_address.status, 400);
    for value in [
        "",
        "Bearer",
        "Bearer ",
        "Basic YW5u",
        &format!("Token {ann}"),
        &ann,
    ] {
        let answer = site.ask("GET", "/api/repositories", &[("Authorization", value)]);
        assert_eq!(answer.status, 401, "{value:?}");
    }
    let lower = format!("bearer {ann}");
    let answer = site.ask("GET", "/api/repositories", &[("Authorization", &lower)]);
    assert_eq!(answer.status, 200);
}

#[test]
fn with_tokens_only_operators_see_metrics_which_count_everything() {
    let folder = private();
    let file = folder.path().join("tokens.jsonl");
    let ann = tokens::add(&file, "ann", &["vault".to_owned()]).unwrap();
    let ops = tokens::add(&file, "ops", &["operators".to_owned()]).unwrap();
    let site = Site::of(folder.path(), &["--tokens", file.to_str().unwrap()]);
    assert_eq!(site.get("/metrics").status, 403);
    assert_eq!(site.with_token(&ann, "/metrics").status, 403);
    assert_eq!(site.with_token(&ops, "/metrics").status, 200);
}
