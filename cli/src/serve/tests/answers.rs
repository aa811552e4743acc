use std::fs;

use super::*;
use crate::model;

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "shop-1.0", SHOP);
    put(folder.path(), "mail-2.0", MAIL);
    folder
}

#[test]
fn a_question_finds_repositories_and_lines_in_all_of_them() {
    let folder = folder();
    let site = Site::of(folder.path(), &[]);
    let answer = site.get("/api/search?q=how%20is%20an%20item%20added+to+a+cart%3F&limit=5");
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json");
    assert_eq!(answer.header("cache-control"), "no-store");
    let found = answer.json();
    assert_eq!(found["searched"], 2);
    let names: Vec<_> = found["repositories"].as_array().unwrap().iter().collect();
    assert_eq!(names.len(), 2);
    assert_eq!(names[0]["repository"], "shop-1.0");
    assert_eq!(names[0]["index"], "shop-1.0.footnote");
    let best = &found["hits"][0];
    assert_eq!(best["repository"], "shop-1.0");
    assert_eq!(best["path"], "shop/cart.py");
    assert_eq!(best["symbol"], "Cart");
    assert!(best["first"].as_u64() <= best["last"].as_u64());
    assert!(best["score"].as_f64().unwrap() > 0.0);
    assert!(found["hits"].as_array().unwrap().len() <= 5);
}

#[test]
fn vectors_in_index_files_find_what_has_no_word_in_common() {
    let folder = tempfile::tempdir().unwrap();
    for (name, files) in [("shop-1.0", SHOP), ("mail-2.0", MAIL)] {
        let index = model::with_table(index(name, files)).unwrap();
        let path = folder.path().join(format!("{name}.footnote"));
        fs::write(path, packed(&index)).unwrap();
    }
    let encoder = super::super::encoder(None).unwrap();
    assert!(encoder.is_some());
    let ask = |encoder| {
        let catalogue = Folder::open(folder.path(), encoder).unwrap();
        let site = Site::start(&[], None, Arc::new(catalogue));
        site.get("/api/search?q=purchase+basket").json()
    };
    assert_eq!(ask(None)["hits"], serde_json::json!([]));
    assert_eq!(ask(encoder)["hits"][0]["repository"], "shop-1.0");
}

#[test]
fn an_index_file_that_contradicts_its_text_is_served_according_to_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let mut forged = index("shop-1.0", SHOP);
    for parsed in Arc::make_mut(&mut forged.parsed) {
        for symbol in &mut parsed.symbols {
            symbol.qualified = symbol.qualified.replace("Cart", "Vault");
            symbol.name = symbol.name.replace("Cart", "Vault");
        }
    }
    fs::write(folder.path().join("shop-1.0.footnote"), packed(&forged)).unwrap();
    let site = Site::of(folder.path(), &[]);
    for (name, expected) in [("Vault", 0), ("Cart", 1)] {
        let found = site.get(&format!("/api/symbols?name={name}")).json();
        assert_eq!(found["total"], expected, "{name}");
    }
}

#[test]
fn names_and_imports_are_found_across_repositories() {
    let folder = folder();
    let site = Site::of(folder.path(), &[]);
    let found = site.get("/api/symbols?name=Cart.add_item").json();
    assert_eq!(found["total"], 1);
    assert_eq!(found["places"][0]["repository"], "shop-1.0");
    assert_eq!(found["places"][0]["kind"], "method");
    assert_eq!(found["places"][0]["first"], 5);
    let found = site.get("/api/symbols?name=shop.cart&of=imports").json();
    assert_eq!(found["total"], 1);
    assert_eq!(found["places"][0]["repository"], "mail-2.0");
    let none = site
        .get("/api/symbols?name=%27%3B+drop+table+x%3B--")
        .json();
    assert_eq!(none, serde_json::json!({ "total": 0, "places": [] }));
}

#[test]
fn repositories_are_listed_for_the_page_and_for_programs() {
    let folder = folder();
    let site = Site::of(folder.path(), &[]);
    let list = site.get("/api/repositories").json();
    assert_eq!(list["repositories"][0]["repository"], "mail-2.0");
    assert_eq!(list["repositories"][1]["files"], 2);
    for target in ["/indexes.json", "/indexes/indexes.json"] {
        let list = site.get(target).json();
        assert_eq!((&list["version"], &list["api"]), (&1.into(), &"api".into()));
        assert_eq!(list["tokens"], false);
        assert_eq!(list["indexes"][1]["name"], "shop-1.0");
        let size = fs::metadata(folder.path().join("shop-1.0.footnote")).unwrap();
        assert_eq!(list["indexes"][1]["bytes"], size.len());
        assert_eq!(list["indexes"][1]["file"], "shop-1.0.footnote");
    }
}

#[test]
fn an_index_file_is_sent_whole_in_ranges_and_not_again() {
    let folder = folder();
    let site = Site::of(folder.path(), &[]);
    let bytes = fs::read(folder.path().join("shop-1.0.footnote")).unwrap();
    let target = "/indexes/shop-1.0.footnote";
    let whole = site.get(target);
    assert_eq!((whole.status, &whole.body), (200, &bytes));
    assert_eq!(whole.header("accept-ranges"), "bytes");
    assert_eq!(whole.header("cache-control"), "private, no-cache");
    let part = site.ask("GET", target, &[("Range", "bytes=10-19")]);
    assert_eq!((part.status, &*part.body), (206, &bytes[10..20]));
    let said = format!("bytes 10-19/{}", bytes.len());
    assert_eq!(part.header("content-range"), said);
    assert_eq!(part.header("content-length"), "10");
    let end = site.ask("GET", target, &[("Range", "bytes=-5")]);
    assert_eq!((end.status, &*end.body), (206, &bytes[bytes.len() - 5..]));
    let beyond = site.ask("GET", target, &[("Range", "bytes=99999999-")]);
    assert_eq!(beyond.status, 416);
    assert_eq!(
        beyond.header("content-range"),
        format!("bytes */{}", bytes.len())
    );
    let known = site.ask("GET", target, &[("If-None-Match", whole.header("etag"))]);
    assert_eq!((known.status, known.body.len()), (304, 0));
    let head = site.ask("HEAD", target, &[]);
    assert_eq!((head.status, head.body.len()), (200, 0));
    assert_eq!(head.header("content-length"), bytes.len().to_string());
}

#[test]
fn an_index_file_that_is_replaced_is_not_mixed_with_the_one_that_was_read() {
    let folder = folder();
    let catalogue = Arc::new(Folder::open(folder.path(), None).unwrap());
    let site = Site::start(&[], None, Arc::clone(&catalogue) as _);
    let target = "/indexes/shop-1.0.footnote";
    let before = site.get(target);
    put(folder.path(), "shop-1.0", MAIL);
    let between = site.get(target);
    assert_eq!(between.status, 503);
    assert_eq!(between.header("retry-after"), "2");
    catalogue.look_again().unwrap();
    let after = site.get(target);
    assert_eq!(after.status, 200);
    assert_ne!(after.header("etag"), before.header("etag"));
}

#[test]
fn repositories_come_and_go_while_the_server_runs() {
    let folder = folder();
    let catalogue = Arc::new(Folder::open(folder.path(), None).unwrap());
    let site = Site::start(&[], None, Arc::clone(&catalogue) as _);
    let searched = || site.get("/api/search?q=cart").json()["searched"].clone();
    let first = site.get("/api/search?q=cart").body;
    put(folder.path(), "vault-1.0", VAULT);
    assert_eq!(searched(), 2);
    catalogue.look_again().unwrap();
    assert_eq!(searched(), 3);
    fs::remove_file(folder.path().join("vault-1.0.footnote")).unwrap();
    catalogue.look_again().unwrap();
    assert_eq!(site.get("/api/search?q=cart").body, first);
}

#[test]
fn a_damaged_file_beside_good_ones_is_left_out_until_it_is_whole() {
    let folder = folder();
    let path = folder.path().join("broken.footnote");
    let whole = packed(&index("vault-1.0", VAULT));
    let (mut cut, mut flipped) = (whole.clone(), whole.clone());
    cut.truncate(whole.len() / 2);
    let middle = whole.len() / 2;
    flipped[middle] ^= 0x10;
    for damaged in [&b""[..], b"no index file", &cut, &flipped] {
        fs::write(&path, damaged).unwrap();
        let catalogue = Arc::new(Folder::open(folder.path(), None).unwrap());
        assert_eq!(catalogue.counts(), (2, 1));
        let site = Site::start(&[], None, Arc::clone(&catalogue) as _);
        assert_eq!(site.get("/api/search?q=cart").json()["searched"], 2);
        assert_eq!(site.get("/indexes/broken.footnote").status, 404);
        fs::write(&path, &whole).unwrap();
        catalogue.look_again().unwrap();
        assert_eq!(catalogue.counts(), (3, 0));
        assert_eq!(site.get("/indexes/broken.footnote").body, whole);
    }
}

#[test]
fn no_address_leads_out_of_the_folders() {
    let outer = tempfile::tempdir().unwrap();
    let (folder, page) = (outer.path().join("indexes"), outer.path().join("page"));
    fs::create_dir_all(&folder).unwrap();
    fs::create_dir_all(&page).unwrap();
    put(&folder, "shop-1.0", SHOP);
    put(outer.path(), "outside", VAULT);
    fs::write(outer.path().join("secret.txt"), "secret").unwrap();
    fs::write(folder.join("access.json"), "{}").unwrap();
    fs::write(page.join("index.html"), "<p>page").unwrap();
    let catalogue = Arc::new(Folder::open(&folder, None).unwrap());
    let site = Site::start(&[], Some(Page::open(Some(&page)).unwrap()), catalogue);
    for target in [
        "/indexes/../outside.footnote",
        "/indexes/..%2foutside.footnote",
        "/indexes/%2e%2e/outside.footnote",
        "/indexes/%2e%2e%2foutside.footnote",
        "/indexes/..%5coutside.footnote",
        "/indexes//../outside.footnote",
        "/indexes/access.json",
        "/indexes/",
        "/indexes/%00",
        "/indexes/shop-1.0.footnote%00",
        "/indexes/shop-1.0.footnote/",
        "/../secret.txt",
        "/%2e%2e/secret.txt",
        "/..%2fsecret.txt",
        "/./../secret.txt",
        "//etc/passwd",
        "/indexes/%ff%fe",
    ] {
        let answer = site.get(target);
        assert_eq!(answer.status, 404, "{target}: {answer:?}");
        assert!(
            !answer.body.windows(6).any(|it| it == b"secret"),
            "{target}"
        );
    }
    assert_eq!(site.get("/indexes/shop-1.0.footnote").status, 200);
    assert_eq!(site.get("/indexes/shop-1.0%2Efootnote").status, 200);
}

#[test]
fn the_page_is_sent_with_types_tags_and_headers_and_compressed_if_it_is() {
    let (folder, page) = (folder(), tempfile::tempdir().unwrap());
    fs::create_dir(page.path().join("models")).unwrap();
    for (name, text) in [
        ("index.html", "<p>page"),
        ("engine.wasm", "\0asm"),
        ("engine.wasm.br", "packed"),
        ("models/model.json", "{}"),
    ] {
        fs::write(page.path().join(name), text).unwrap();
    }
    let catalogue = Arc::new(Folder::open(folder.path(), None).unwrap());
    let site = Site::start(&[], Some(Page::open(Some(page.path())).unwrap()), catalogue);
    let index = site.get("/?index=shop-1.0.footnote");
    assert_eq!((index.status, &*index.body), (200, &b"<p>page"[..]));
    for (name, value) in [
        ("content-type", "text/html; charset=utf-8"),
        ("content-security-policy", "frame-ancestors 'none'"),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "no-referrer"),
        ("cache-control", "no-cache"),
    ] {
        assert_eq!(index.header(name), value);
    }
    let known = site.ask("GET", "/", &[("If-None-Match", index.header("etag"))]);
    assert_eq!((known.status, known.body.len()), (304, 0));
    assert_eq!(
        site.get("/models/model.json").header("content-type"),
        "application/json"
    );
    let plain = site.get("/engine.wasm");
    assert_eq!(
        (&*plain.body, plain.header("content-encoding")),
        (&b"\0asm"[..], "")
    );
    let packed = site.ask("GET", "/engine.wasm", &[("Accept-Encoding", "gzip, br")]);
    assert_eq!(
        (&*packed.body, packed.header("content-encoding")),
        (&b"packed"[..], "br")
    );
    assert_eq!(packed.header("content-type"), "application/wasm");
    assert_eq!(packed.header("vary"), "Accept-Encoding");
    assert_ne!(packed.header("etag"), plain.header("etag"));
    assert_eq!(site.get("/nothing.js").status, 404);
}

#[test]
fn health_and_metrics_are_reported() {
    let folder = folder();
    let site = Site::of(folder.path(), &[]);
    assert_eq!(
        site.get("/healthz").json(),
        serde_json::json!({ "status": "ok" })
    );
    site.get("/api/search?q=cart");
    let text = String::from_utf8(site.get("/metrics").body).unwrap();
    for line in [
        "footnote_requests_total{route=\"search\",status=\"200\"} 1",
        "footnote_repositories 2",
    ] {
        assert!(text.lines().any(|it| it == line), "{text}");
    }
}
