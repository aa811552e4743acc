//! Parses commits and trees.

/// The SHA-1 name of an object.
pub(crate) type Oid = [u8; 20];

/// The kind of an object; blobs and tags are not read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Commit,
    Tree,
    Other,
}

/// An unpacked object.
#[derive(Clone, Debug)]
pub(crate) struct Object {
    pub kind: Kind,
    pub bytes: Vec<u8>,
}

/// The part of a commit that is needed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Commit {
    pub tree: Oid,
    pub parents: Vec<Oid>,
    /// The time it was committed, in seconds since 1970.
    pub time: i64,
    pub subject: String,
}

/// Longest subject that is kept, in characters.
const MAX_SUBJECT: usize = 200;
/// Most parents that are read for one commit.
const MAX_PARENTS: usize = 16;

impl Commit {
    pub(crate) fn read(object: &Object) -> Option<Self> {
        if object.kind != Kind::Commit {
            return None;
        }
        let text = String::from_utf8_lossy(&object.bytes);
        let (head, message) = text.split_once("\n\n").unwrap_or((&text, ""));
        let mut commit = Self {
            tree: Oid::default(),
            parents: Vec::new(),
            time: 0,
            subject: message
                .trim_start()
                .lines()
                .next()
                .unwrap_or("")
                .trim()
                .chars()
                .take(MAX_SUBJECT)
                .collect(),
        };
        let mut has_tree = false;
        for line in head.lines() {
            match line.split_once(' ') {
                Some(("tree", name)) => {
                    commit.tree = parse_oid(name)?;
                    has_tree = true;
                }
                Some(("parent", name)) if commit.parents.len() < MAX_PARENTS => {
                    commit.parents.push(parse_oid(name)?);
                }
                Some(("committer", who)) => {
                    let mut words = who.rsplit(' ');
                    commit.time = words.nth(1).and_then(|time| time.parse().ok()).unwrap_or(0);
                }
                _ => {}
            }
        }
        has_tree.then_some(commit)
    }
}

/// An entry of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry<'a> {
    pub name: &'a [u8],
    pub is_tree: bool,
    pub oid: Oid,
}

/// The entries of a tree, in its order; stops where it is damaged.
pub(crate) fn entries(mut tree: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    std::iter::from_fn(move || {
        let space = tree.iter().position(|&byte| byte == b' ')?;
        let (mode, rest) = tree.split_at_checked(space)?;
        let rest = rest.get(1..)?;
        let end = rest.iter().position(|&byte| byte == 0)?;
        let (name, rest) = rest.split_at_checked(end)?;
        let (oid, rest) = rest.get(1..)?.split_first_chunk::<20>()?;
        tree = rest;
        Some(Entry {
            name,
            is_tree: matches!(mode, b"40000" | b"040000"),
            oid: *oid,
        })
    })
}

/// Reads 40 hexadecimal digits.
pub(crate) fn parse_oid(text: &str) -> Option<Oid> {
    let digits = text.trim().as_bytes();
    if digits.len() != 40 {
        return None;
    }
    let mut oid = Oid::default();
    for (byte, pair) in oid.iter_mut().zip(digits.chunks_exact(2)) {
        let pair = std::str::from_utf8(pair).ok()?;
        *byte = u8::from_str_radix(pair, 16).ok()?;
    }
    Some(oid)
}
