//! Servers with real connections, on free ports.

#![allow(clippy::unwrap_used)]

mod answers;
mod limits;
mod odd;
mod rights;

use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread::JoinHandle;

use clap::Parser;
use footnote_core::chunk::Chunking;
use footnote_core::index::Index;
use footnote_core::index::file::{Contents, encode};
use footnote_core::source::{Repo, SourceFile};
use serde_json::Value;
use tokio::sync::oneshot;

use super::app::{self, App};
use super::folder::Folder;
use super::page::Page;
use super::source::Catalogue;
use super::{Args, bind, listen};
use crate::archive;

const SHOP: &[(&str, &str)] = &[
    (
        "shop/cart.py",
        "from shop.prices import total\n\n\nclass Cart:\n    def add_item(self, item):\n        \
         \"\"\"Adds an item to the cart.\"\"\"\n        self.items.append(item)\n",
    ),
    ("README.md", "# Shop\n\nA cart and prices.\n"),
];
const MAIL: &[(&str, &str)] = &[(
    "mail/send.py",
    "from shop.cart import Cart\n\n\ndef send_message(message):\n    \"\"\"Sends a message about \
     a cart by SMTP.\"\"\"\n    server.send(message)\n",
)];
/// Private in the tests of rights: it would win every question about carts.
const VAULT: &[(&str, &str)] = &[(
    "vault/cart.py",
    "class Cart:\n    \"\"\"Cart cart cart, an item, a message, SMTP.\"\"\"\n\n    def \
     add_item(self, item):\n        \"\"\"Adds an item to the secret cart.\"\"\"\n",
)];

fn index(name: &str, files: &[(&str, &str)]) -> Index {
    let mut files: Vec<SourceFile> = files
        .iter()
        .map(|(path, text)| SourceFile {
            path: (*path).to_owned(),
            text: (*text).to_owned(),
        })
        .collect();
    files.sort_by(|a, b| a.path.cmp(&b.path));
    let repo = Repo {
        name: name.to_owned(),
        files,
        ..Repo::default()
    };
    archive::index(repo, Chunking::FUNCTION).unwrap()
}

/// The bytes of an index file.
fn packed(index: &Index) -> Vec<u8> {
    let encoded = encode(Contents {
        index,
        model: None,
        archive: None,
        made_by: "test",
        with_text: true,
    });
    encoded.into_pieces().flatten().collect()
}

/// Writes `NAME.footnote` into a folder.
fn put(folder: &Path, name: &str, files: &[(&str, &str)]) {
    let path = folder.join(format!("{name}.footnote"));
    std::fs::write(path, packed(&index(name, files))).unwrap();
}

#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    args: Args,
}

/// A running server; it stops when dropped.
struct Site {
    address: SocketAddr,
    app: Arc<App>,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Site {
    /// Serves a catalogue with the options of a command line.
    fn start(options: &[&str], page: Option<Page>, catalogue: Arc<dyn Catalogue>) -> Self {
        let line = ["serve", "--no-page", "--port", "0"];
        let Line { args } = Line::parse_from(line.iter().chain(options));
        let app = Arc::new(App::new(&args, page, catalogue).unwrap());
        let (stop, stopped) = oneshot::channel();
        let (found, address) = std::sync::mpsc::channel();
        let serving = Arc::clone(&app);
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread();
            let runtime = { runtime }.enable_all().build().unwrap();
            runtime.block_on(async {
                let listener = bind(args.bind, args.port).await.unwrap();
                found.send(listener.local_addr().unwrap()).unwrap();
                let limits = serving.limits;
                let stopped = async {
                    let _ = stopped.await;
                };
                listen::serve(listener, app::router(serving), limits, stopped).await;
            });
        });
        Self {
            address: address.recv().unwrap(),
            app,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Serves a folder.
    fn of(folder: &Path, options: &[&str]) -> Self {
        let catalogue = Folder::open(folder, None).unwrap();
        Self::start(options, None, Arc::new(catalogue))
    }

    fn get(&self, target: &str) -> Answer {
        self.ask("GET", target, &[])
    }

    fn with_token(&self, token: &str, target: &str) -> Answer {
        let value = format!("Bearer {token}");
        self.ask("GET", target, &[("Authorization", &value)])
    }

    /// Sends exactly this target, as no well-behaved client would.
    fn ask(&self, method: &str, target: &str, headers: &[(&str, &str)]) -> Answer {
        let mut stream = TcpStream::connect(self.address).unwrap();
        let mut head = format!("{method} {target} HTTP/1.1\r\nConnection: close\r\n");
        if !headers.iter().any(|(name, _)| *name == "Host") {
            head += "Host: localhost\r\n";
        }
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        stream.write_all((head + "\r\n").as_bytes()).unwrap();
        Answer::read(stream)
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        drop(self.stop.take());
        let ended = self.thread.take().map(JoinHandle::join);
        assert!(ended.is_none_or(|it| it.is_ok()), "the server panicked");
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Answer {
    status: u16,
    headers: BTreeMap<String, String>,
    body: Vec<u8>,
}

impl Answer {
    fn read(mut stream: impl Read) -> Self {
        let mut bytes = Vec::new();
        stream.read_to_end(&mut bytes).unwrap();
        let end = bytes.windows(4).position(|it| it == b"\r\n\r\n").unwrap();
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        let mut lines = head.lines();
        let status = lines.next().unwrap().split(' ').nth(1).unwrap();
        let headers = lines.map(|line| {
            let (name, value) = line.split_once(':').unwrap();
            (name.to_ascii_lowercase(), value.trim().to_owned())
        });
        Self {
            status: status.parse().unwrap(),
            headers: headers.collect(),
            body: bytes[end + 4..].to_vec(),
        }
    }

    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", String::as_str)
    }

    fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// The sentence of an error.
    fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    /// Without what differs between any two answers.
    fn comparable(mut self) -> Self {
        self.headers.remove("date");
        self
    }
}
