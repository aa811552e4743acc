//! Requests of all kinds, most of them wrong, over three repositories of which one is hidden.

use std::fs;
use std::sync::LazyLock;

use axum::http::{HeaderValue, Method, Uri};
use proptest::prelude::*;
use proptest::{collection, sample, string};

use super::*;
use crate::model;
use crate::serve::{access, tokens};

/// Hidden from everyone without a token. None of [`SECRETS`] is anywhere else.
const CRYPT: &[(&str, &str)] = &[(
    "ledger/tomb.py",
    "class Sarcophagus:\n    \"\"\"A cart of obsidian, an item, a message.\"\"\"\n\n    def \
     add_item(self, item):\n        \"\"\"Adds an item to the obsidian cart.\"\"\"\n",
)];
const SECRETS: [&str; 5] = ["crypt-7", "ledger", "tomb.py", "sarcophagus", "obsidian"];
/// Everything that an answer may say: what docs/serving.md lists, and what HTTP has for files.
const STATUSES: [u16; 14] = [
    200, 206, 304, 400, 401, 403, 404, 405, 413, 414, 416, 421, 429, 431,
];
/// No request may fail here because others ask at the same time.
const PATIENT: [&str; 7] = [
    "--behind-proxy",
    "--rate",
    "1000000",
    "--burst",
    "1000000",
    "--time",
    "600",
];
/// A longer address is refused before it is read, and so is a longer head.
const LONGEST_TARGET: usize = 65_534;
const LONGEST_HEAD: usize = 128 * 1024;

/// Two servers that differ in the hidden repository alone.
struct World {
    with: Site,
    without: Site,
    /// Of a user who may read the hidden repository.
    token: String,
    /// An index file that everyone may read, and its tag.
    file: Vec<u8>,
    tag: String,
    /// The answer to [`QUESTION`] before anything odd was sent.
    expected: Answer,
    _folders: [tempfile::TempDir; 2],
}

const QUESTION: &str = "/api/search?q=how+is+an+item+added+to+a+cart";
const FILE: &str = "/indexes/shop-1.0.footnote";

static WORLD: LazyLock<World> = LazyLock::new(World::new);

impl World {
    fn new() -> Self {
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let hidden = packed_with_vectors("crypt-7.3", CRYPT);
        fs::write(folders[0].path().join("crypt-7.3.footnote"), hidden).unwrap();
        for (name, files) in [("shop-1.0", SHOP), ("mail-2.0", MAIL)] {
            let bytes = packed_with_vectors(name, files);
            for folder in &folders {
                fs::write(folder.path().join(format!("{name}.footnote")), &bytes).unwrap();
            }
        }
        let list = folders[0].path().join("tokens.jsonl");
        let token = tokens::add(&list, "ann", &["vault".to_owned()]).unwrap();
        fs::copy(&list, folders[1].path().join("tokens.jsonl")).unwrap();
        let [with, without] = folders.each_ref().map(|folder| site(folder.path()));
        let whole = with.get(FILE);
        Self {
            expected: with.get(QUESTION).comparable(),
            tag: whole.header("etag").to_owned(),
            file: whole.body,
            with,
            without,
            token,
            _folders: folders,
        }
    }
}

fn packed_with_vectors(name: &str, files: &[(&str, &str)]) -> Vec<u8> {
    packed(&model::with_table(index(name, files)).unwrap())
}

/// A server with a page and tokens, which hides what is called `crypt-…`.
fn site(folder: &Path) -> Site {
    let rules = r#"{ "repositories": { "crypt-*": ["vault"] } }"#;
    fs::write(folder.join(access::FILE), rules).unwrap();
    let page = folder.join("page");
    fs::create_dir(&page).unwrap();
    for (name, text) in [
        ("index.html", "<p>page"),
        ("a.wasm", "\0asm"),
        ("a.wasm.br", "br"),
    ] {
        fs::write(page.join(name), text).unwrap();
    }
    let catalogue = Folder::open(folder, Some(model::table().unwrap())).unwrap();
    let list = folder.join("tokens.jsonl");
    let options = [&PATIENT[..], &["--tokens", list.to_str().unwrap()]].concat();
    let page = Page::open(Some(&page)).unwrap();
    Site::start(&options, Some(page), Arc::new(catalogue))
}

/// A request as it is sent, but for two headers.
#[derive(Clone)]
struct Odd {
    method: Vec<u8>,
    target: Vec<u8>,
    headers: Vec<(&'static str, Vec<u8>)>,
}

impl std::fmt::Debug for Odd {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.bytes().escape_ascii())
    }
}

impl Odd {
    fn bytes(&self) -> Vec<u8> {
        let line = [&self.method[..], b" ", &self.target, b" HTTP/1.1\r\n"].concat();
        let mut all = [&line[..], b"Connection: close\r\n"].concat();
        if !self.has("Host") {
            all.extend(b"Host: localhost\r\n");
        }
        for (name, value) in &self.headers {
            all.extend([name.as_bytes(), b": ", value, b"\r\n"].concat());
        }
        all.extend(b"\r\n");
        all
    }

    fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(it, _)| *it == name)
    }

    /// Whether this is HTTP at all. What is not is refused before the server's own code sees it.
    fn is_http(&self) -> bool {
        let are_values = |(name, value): &(&str, Vec<u8>)| {
            let is_length = *name == "Content-Length";
            let is_framing = is_length || *name == "Transfer-Encoding";
            HeaderValue::from_bytes(value).is_ok()
                && (!is_framing || (is_length && self.is_length(value)))
        };
        Method::from_bytes(&self.method).is_ok()
            && Uri::try_from(&self.target[..]).is_ok()
            && !self.target.contains(&b'#')
            && self.headers.iter().all(are_values)
            && self.fits()
    }

    /// Whether this is a length, and the only one.
    fn is_length(&self, value: &[u8]) -> bool {
        let text = std::str::from_utf8(value).unwrap_or_default();
        let lengths = self.headers.iter().filter(|it| it.0 == "Content-Length");
        text.parse::<u32>().is_ok() && !text.starts_with('+') && lengths.count() == 1
    }

    fn fits(&self) -> bool {
        self.target.len() <= LONGEST_TARGET && self.bytes().len() < LONGEST_HEAD
    }

    /// The answer, if there is one. What is too long may be refused before all of it was sent, and
    /// the refusal is then lost on its way.
    fn send(&self, site: &Site) -> Option<Answer> {
        let mut stream = TcpStream::connect(site.address).unwrap();
        let sent = stream.write_all(&self.bytes());
        let mut answer = Vec::new();
        let read = stream.read_to_end(&mut answer);
        let is_lost = answer.is_empty() && (sent.is_err() || read.is_err());
        (!is_lost || self.fits()).then(|| Answer::read(&answer[..]))
    }

    /// Whether any of the hidden repository is in it, or the token.
    fn tells(&self, secrets: &[&str]) -> bool {
        let bytes = self.bytes();
        secrets.iter().any(|it| contains(&bytes, it))
    }
}

fn contains(bytes: &[u8], part: &str) -> bool {
    let bytes = bytes.to_ascii_lowercase();
    let mut windows = bytes.windows(part.len());
    windows.any(|it| it == part.as_bytes())
}

/// Any bytes that do not end a line.
fn raw(most: usize) -> impl Strategy<Value = Vec<u8>> {
    let byte = any::<u8>().prop_filter("ends the line", |it| !b"\r\n".contains(it));
    collection::vec(byte, 0..most)
}

fn text(pattern: &str) -> impl Strategy<Value = Vec<u8>> + use<> {
    string::bytes_regex(pattern).unwrap()
}

/// One of the texts between the bars.
fn one_of(all: &'static str) -> impl Strategy<Value = Vec<u8>> + Clone {
    let all: Vec<&str> = all.split('|').collect();
    sample::select(all).prop_map(|it| it.as_bytes().to_vec())
}

fn long() -> impl Strategy<Value = Vec<u8>> {
    let lengths = vec![9_999, 10_001, 21_844, 65_000, 65_600, 140_000];
    let signs = sample::select(vec!["a", "%00", "cart+", "%E2%82%AC", "/..", "%", "'"]);
    (signs, sample::select(lengths)).prop_map(|(sign, length)| {
        let mut all = sign.repeat(length / sign.len() + 1).into_bytes();
        all.truncate(length);
        all
    })
}

/// A part of a path, or a value.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    let names = one_of(
        "cart|Cart.add_item|shop.cart|shop-1.0.footnote|crypt-7.3.footnote\
         |Sarcophagus|obsidian|tokens.jsonl|access.json|page||+|*|a b",
    );
    let escapes = one_of(
        "..|%2e%2e|..%2f..%2f..%2fetc%2fpasswd|..%5c|%00|\0|%ff%fe|%|%2|%zz\
         |%c0%ae|\u{20ac}|%ed%a0%80|%F0%9F%98%80|%252e",
    );
    let statements = one_of(
        "%27+OR+1%3D1--|'%3B+DROP+TABLE+footnote.jobs%3B--|1%29+UNION+SELECT+null\
         |%24%24|E'%5C%5C'|%7B%22a%22:1%7D|%0d%0aX:+y|$(id)|<script>",
    );
    prop_oneof![
        8 => names,
        4 => escapes,
        3 => statements,
        2 => text("[!-~]{0,40}"),
        1 => text("(%[0-9a-fA-F]{2}){1,20}"),
        1 => raw(40),
    ]
}

fn number() -> impl Strategy<Value = Vec<u8>> {
    one_of(
        "0|1|7|20|100|101|-1|-0|%2B5|+5|1e3|0x10|07||x|18446744073709551615\
         |18446744073709551616|%D9%A3|1.0|1%00|NaN",
    )
}

fn query() -> impl Strategy<Value = Vec<u8>> {
    let limits = number().prop_map(|it| [b"limit=", &it[..]].concat());
    let kinds = one_of("of=definitions|of=imports|of=Imports|of=|of");
    let known = one_of("q|name");
    let named = (known, piece()).prop_map(|(key, value)| [&key[..], b"=", &value].concat());
    let odd = (piece(), piece()).prop_map(|(key, value)| [&key[..], b"=", &value].concat());
    let pair = prop_oneof![4 => named, 3 => limits, 2 => kinds, 1 => odd];
    collection::vec(pair, 0..4).prop_map(|pairs| pairs.join(&b'&'))
}

/// A question as it should be, but for its value and what may follow it.
fn question() -> impl Strategy<Value = Vec<u8>> {
    let before = one_of("/api/search?q=|/api/symbols?name=|/api/symbols?of=imports&name=");
    let written = any::<String>().prop_map(|it| escaped(&it));
    let words = "(cart|item|Cart|add_item|shop|SMTP|how|[+.*?()\"-]|%[0-7][0-9a-f]){1,12}";
    let value = prop_oneof![6 => written, 6 => text(words), 4 => piece(), 1 => long()];
    let limit = (1..=100).prop_map(|it| format!("&limit={it}").into_bytes());
    let other = query().prop_map(|it| [b"&", &it[..]].concat());
    let rest = prop_oneof![4 => Just(Vec::new()), 3 => limit, 2 => other];
    (before, value, rest).prop_map(|(before, value, rest)| [before, value, rest].concat())
}

fn escaped(text: &str) -> Vec<u8> {
    let escaped: String = text.bytes().map(|byte| format!("%{byte:02x}")).collect();
    escaped.into_bytes()
}

fn target() -> impl Strategy<Value = Vec<u8>> {
    let known = one_of(
        "/api/search|/api/symbols|/api/repositories|/indexes.json|/healthz\
         |/indexes/indexes.json|/metrics|/|/a.wasm|/a.wasm.br|/index.html\
         |/indexes/shop-1.0.footnote|http://localhost/api/repositories|*\
         |localhost:80|//x/api/search|/api/search/",
    );
    let asked = (known.clone(), query()).prop_map(|(path, it)| [&path[..], b"?", &it].concat());
    let below = piece().prop_map(|it| [b"/indexes/", &it[..]].concat());
    let nested = collection::vec(piece(), 0..5).prop_map(|it| [b"/", &it.join(&b'/')[..]].concat());
    prop_oneof![
        3 => known,
        3 => asked,
        12 => question(),
        3 => below,
        2 => nested,
        1 => prop_oneof![piece().boxed(), raw(60).boxed()],
    ]
}

fn range() -> impl Strategy<Value = Vec<u8>> {
    let plain = (0..4_000_u32, 0..4_000_u32)
        .prop_map(|(first, last)| format!("bytes={first}-{last}").into_bytes());
    let odd = one_of(
        "bytes=0-0|bytes=-1|bytes=-0|bytes=0-|bytes=5-4|bytes=0-1,3-4|bytes=\
         |bytes=0-18446744073709551615|bytes=18446744073709551615-\
         |bytes=-99999999999999999|bytes=18446744073709551616-|bytes= 3 - 9\
         |bytes=a-b|BYTES=0-1|bytes=--1",
    );
    prop_oneof![plain, odd, text("bytes=[ 0-9,-]{0,24}")]
}

/// What is replaced by things that are known only when the server runs.
const TOKEN: &str = "TOKEN";
const TAG: &str = "TAG";

fn header() -> impl Strategy<Value = (&'static str, Vec<u8>)> {
    let any_value =
        || prop_oneof![3 => piece(), 1 => raw(60), 1 => text(r"(?-u:[ -~\t\x80-\xff]){0,60}")];
    let hosts = one_of(
        "localhost|LOCALHOST:8080|127.0.0.1:|[::1]:1|evil.example|localhost.evil\
         |localhost:80:80||localhost,evil| localhost |user@localhost|localhost:x",
    );
    let tokens = one_of(
        "Bearer TOKEN|bearer TOKEN|Bearer  TOKEN |TOKEN|Basic TOKEN|Bearer TOKENx\
         |Bearer footnote_|Bearer|Bearer |Bearer TOKEN TOKEN|",
    );
    let addresses = one_of("10.0.0.1|::1, x|,,,|1.2.3.4, 999.1.1.1|[::1]:80|fe80::1%1");
    let lengths = one_of("0|00|1|-1|+1|4294967295|18446744073709551616|0, 0|0,1|x|");
    let tags = one_of("TAG|W/TAG|*|\"x\", TAG|\"|TAGx|x,,,");
    let codings = one_of("chunked|gzip, chunked|x|");
    let accepted = one_of("br|br;q=0|br;q=x|,;,|*");
    let mixed = |own: BoxedStrategy<Vec<u8>>| prop_oneof![5 => own, 1 => any_value()];
    let known = |name: &'static str, own: BoxedStrategy<Vec<u8>>| (Just(name), mixed(own));
    prop_oneof![
        3 => known("Range", range().boxed()),
        2 => known("If-None-Match", tags.clone().boxed()),
        1 => known("If-Range", tags.boxed()),
        2 => known("Host", hosts.boxed()),
        4 => known("Authorization", tokens.boxed()),
        1 => known("X-Forwarded-For", addresses.boxed()),
        1 => known("Content-Length", lengths.boxed()),
        1 => known("Transfer-Encoding", codings.boxed()),
        1 => known("Accept-Encoding", accepted.boxed()),
        1 => (Just("X-Odd"), prop_oneof![5 => any_value().boxed(), 1 => long().boxed()]),
    ]
}

fn request() -> impl Strategy<Value = Odd> {
    let others = one_of("POST|PUT|DELETE|OPTIONS|TRACE|CONNECT|get|PRI|G\0");
    let method = prop_oneof![24 => one_of("GET"), 3 => one_of("HEAD"), 2 => others, 1 => raw(20)];
    let headers = collection::vec(header(), 1..4);
    let headers = prop_oneof![3 => Just(Vec::new()), 2 => headers];
    let any = (method, target(), headers);
    let file = Just(FILE.as_bytes().to_vec());
    let ranges = (range(), collection::vec(header(), 0..2))
        .prop_map(|(range, rest)| [vec![("Range", range)], rest].concat());
    let part = (one_of("GET|GET|GET|HEAD"), file, ranges);
    prop_oneof![9 => any, 1 => part].prop_map(|(method, target, headers)| Odd {
        method,
        target,
        headers,
    })
}

/// Puts a token and a tag where they belong.
fn filled(mut odd: Odd, world: &World) -> Odd {
    for (_, value) in &mut odd.headers {
        if let Ok(text) = std::str::from_utf8(value) {
            let text = text.replace(TOKEN, &world.token).replace(TAG, &world.tag);
            *value = text.into_bytes();
        }
    }
    odd
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn every_request_however_odd_is_answered_as_documented_and_reveals_nothing_hidden(
        odd in request(),
    ) {
        let odd = filled(odd, &WORLD);
        if let Some(answer) = odd.send(&WORLD.with) {
            check_form(&odd, &answer)?;
            check_bytes(&odd, &answer)?;
            check_secrets(&odd, answer)?;
        }
        prop_assert_eq!(WORLD.with.get(QUESTION).comparable(), WORLD.expected.clone());
    }
}

/// A status that is documented, and a sentence where there is no answer.
fn check_form(odd: &Odd, answer: &Answer) -> Result<(), TestCaseError> {
    let status = answer.status;
    prop_assert!(STATUSES.contains(&status), "{status}");
    if odd.method == b"HEAD" || status == 304 {
        prop_assert!(answer.body.is_empty());
        return Ok(());
    }
    let length = answer.header("content-length");
    prop_assert_eq!(length, answer.body.len().to_string());
    if status < 400 {
        return Ok(());
    }
    if !odd.is_http() && answer.body.is_empty() {
        prop_assert!([400, 414, 431].contains(&status), "{status}");
        return Ok(());
    }
    let sentence = serde_json::from_slice::<Value>(&answer.body);
    let sentence = sentence.map_err(|error| TestCaseError::fail(format!("{status}: {error}")))?;
    let sentence = sentence["error"].as_str().unwrap_or_default();
    prop_assert!(sentence.len() > 20, "{status}: {sentence}");
    prop_assert_eq!(answer.header("x-content-type-options"), "nosniff");
    Ok(())
}

/// Bytes of the index file are those that the answer says they are.
fn check_bytes(odd: &Odd, answer: &Answer) -> Result<(), TestCaseError> {
    let said = answer.header("content-range");
    prop_assert_eq!(!said.is_empty(), [206, 416].contains(&answer.status));
    if odd.target != FILE.as_bytes() || answer.status >= 300 {
        return Ok(());
    }
    let file = &WORLD.file;
    let part = match answer.status {
        206 => &file[range_of(said, file.len())],
        _ => file,
    };
    prop_assert_eq!(answer.header("content-length"), part.len().to_string());
    if odd.method != b"HEAD" {
        prop_assert_eq!(&answer.body, part);
    }
    Ok(())
}

/// The range in `bytes 3-4/7`, of a file of this size.
fn range_of(said: &str, size: usize) -> std::ops::RangeInclusive<usize> {
    let end = format!("/{size}");
    let said = said.strip_prefix("bytes ").unwrap();
    let said = said.strip_suffix(&end).unwrap();
    let (first, last) = said.split_once('-').unwrap();
    first.parse().unwrap()..=last.parse().unwrap()
}

/// Without the token, the answer is that of a server that does not have the hidden repository.
fn check_secrets(odd: &Odd, answer: Answer) -> Result<(), TestCaseError> {
    if odd.tells(&[&WORLD.token]) {
        return Ok(());
    }
    // A request that names a secret may get that word back, so that only the comparison counts.
    if !odd.tells(&SECRETS) {
        let text = [format!("{:?}", answer.headers).as_bytes(), &answer.body].concat();
        for secret in SECRETS {
            prop_assert!(!contains(&text, secret), "{secret}");
        }
    }
    if let Some(other) = odd.send(&WORLD.without) {
        prop_assert_eq!(answer.comparable(), other.comparable());
    }
    Ok(())
}

#[test]
fn the_token_opens_repositories_that_are_hidden_without_it() {
    let opened = WORLD.with.with_token(&WORLD.token, QUESTION);
    for secret in SECRETS {
        let with = contains(&opened.body, secret);
        assert_eq!(with, secret != "obsidian", "{secret}");
    }
    for (answer, searched) in [(&WORLD.expected, 2), (&opened, 3)] {
        assert_eq!(answer.json()["searched"], searched);
    }
    let hidden = "/indexes/crypt-7.3.footnote";
    assert_eq!(WORLD.with.with_token(&WORLD.token, hidden).status, 200);
    assert_eq!(WORLD.with.get(hidden).status, 404);
}

/// Found by the property: the answer had no sentence.
#[test]
fn a_method_that_the_page_does_not_take_is_refused_with_a_sentence() {
    for target in ["/", "/a.wasm", "/nothing"] {
        let answer = WORLD.with.ask("POST", target, &[]);
        assert_eq!(answer.status, 405, "{target}");
        assert!(answer.error().contains("only GET"), "{target}");
        assert_eq!(answer.header("allow"), "GET, HEAD", "{target}");
    }
}
