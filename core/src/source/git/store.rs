//! Finds objects by name, loose or packed.

use std::collections::HashMap;
use std::rc::Rc;

use super::files::GitFiles;
use super::object::{Kind, Object, Oid, parse_oid};
use super::pack::{Pack, Packed, apply, inflate};

/// Longest chain of deltas; git itself makes at most 250.
const MAX_CHAIN: usize = 256;
/// Most symbolic references that are followed.
const MAX_REFERENCES: usize = 5;
/// Most bytes of unpacked objects that are cached, because many are bases of the next.
const MAX_KEPT_BYTES: usize = 32 << 20;
/// Most bytes that are unpacked in all; a hostile pack then ends the history.
const MAX_WORK_BYTES: usize = 2 << 30;

/// The objects of a `.git` folder.
pub(crate) struct Store {
    files: GitFiles,
    packs: Vec<String>,
    /// The cache of unpacked entries, by pack and offset.
    kept: HashMap<(usize, usize), Rc<Object>>,
    kept_bytes: usize,
    work_bytes: usize,
}

impl Store {
    pub(crate) fn new(files: GitFiles) -> Self {
        Self {
            packs: files.packs().into_iter().map(str::to_owned).collect(),
            files,
            kept: HashMap::new(),
            kept_bytes: 0,
            work_bytes: 0,
        }
    }

    /// The commit that is checked out.
    pub(crate) fn head(&self) -> Option<Oid> {
        let mut name = "HEAD".to_owned();
        for _ in 0..MAX_REFERENCES {
            let text = self
                .files
                .text(&name)
                .or_else(|| self.packed_reference(&name))?;
            match text.strip_prefix("ref:") {
                Some(next) => name = next.trim().to_owned(),
                None => return parse_oid(text),
            }
        }
        None
    }

    fn packed_reference(&self, name: &str) -> Option<&str> {
        let lines = self.files.text("packed-refs")?.lines();
        let mut references = lines.filter_map(|line| line.split_once(' '));
        references.find(|(_, of)| *of == name).map(|(oid, _)| oid)
    }

    /// The object with this name; `None` if it is missing or unreadable.
    pub(crate) fn get(&mut self, oid: &Oid) -> Option<Rc<Object>> {
        self.named(oid, MAX_CHAIN)
    }

    fn named(&mut self, oid: &Oid, chain: usize) -> Option<Rc<Object>> {
        for at in 0..self.packs.len() {
            if let Some(offset) = self.pack(at).and_then(|pack| pack.find(oid)) {
                return self.packed(at, offset, chain);
            }
        }
        let bytes = inflate(self.files.get(&loose_path(oid))?)?;
        self.count(bytes.len())?;
        loose(bytes).map(Rc::new)
    }

    fn pack(&self, at: usize) -> Option<Pack<'_>> {
        let name = self.packs.get(at)?;
        let data = self.files.get(&format!("{name}.pack"))?;
        Pack::new(data, self.files.get(&format!("{name}.idx"))?)
    }

    fn packed(&mut self, pack: usize, offset: usize, chain: usize) -> Option<Rc<Object>> {
        if let Some(object) = self.kept.get(&(pack, offset)) {
            return Some(Rc::clone(object));
        }
        let chain = chain.checked_sub(1)?;
        let entry = self.pack(pack)?.entry(offset)?;
        let object = match entry {
            Packed::Whole(object) => object,
            Packed::OffsetDelta { base, delta } => {
                let base = self.packed(pack, base, chain)?;
                difference(&base, &delta)?
            }
            Packed::NamedDelta { base, delta } => {
                let base = self.named(&base, chain)?;
                difference(&base, &delta)?
            }
        };
        self.count(object.bytes.len())?;
        let object = Rc::new(object);
        self.keep((pack, offset), &object);
        Some(object)
    }

    fn count(&mut self, bytes: usize) -> Option<()> {
        self.work_bytes = self.work_bytes.saturating_add(bytes);
        (self.work_bytes <= MAX_WORK_BYTES).then_some(())
    }

    fn keep(&mut self, place: (usize, usize), object: &Rc<Object>) {
        if self.kept_bytes + object.bytes.len() > MAX_KEPT_BYTES {
            self.kept.clear();
            self.kept_bytes = 0;
        }
        self.kept_bytes += object.bytes.len();
        self.kept.insert(place, Rc::clone(object));
    }
}

fn difference(base: &Object, delta: &[u8]) -> Option<Object> {
    Some(Object {
        kind: base.kind,
        bytes: apply(&base.bytes, delta)?,
    })
}

/// The path of a loose object: `objects/12/34…`.
fn loose_path(oid: &Oid) -> String {
    let mut path = "objects/".to_owned();
    for (at, byte) in oid.iter().enumerate() {
        path += &format!("{byte:02x}");
        if at == 0 {
            path.push('/');
        }
    }
    path
}

/// Parses a loose object: `commit 123`, a zero byte, the content.
fn loose(mut bytes: Vec<u8>) -> Option<Object> {
    let end = bytes.iter().take(32).position(|&byte| byte == 0)?;
    let kind = match bytes.get(..end)?.split(|&byte| byte == b' ').next()? {
        b"commit" => Kind::Commit,
        b"tree" => Kind::Tree,
        _ => Kind::Other,
    };
    bytes.drain(..=end);
    Some(Object { kind, bytes })
}
