//! The code of one file, prepared for comparison: its definitions with digests of their code.

use std::ops::Range;

use super::Definition;
use crate::cite::{Checker, Verified};
use crate::index::Index;
use crate::lang::Symbol;
use crate::lines::{Line, LineRange};
use crate::parse::{Code, Token, code};
use crate::source::FileId;

/// 16 bytes of the BLAKE3 digest of some tokens.
pub(super) type Digest = [u8; 16];

/// Replaces the definition's own name in a digest.
const OWN_NAME: &[u8] = &[0xfe];

/// Ends a token in a digest; the byte occurs in no text.
const END: u8 = 0xff;

/// Digests and sizes that identify a definition's code, independent of its own name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Print {
    /// The digest of what stands before the body.
    pub head: Digest,
    /// The digest of the body without members.
    pub own: Digest,
    /// The digest of the body with all members.
    pub inner: Digest,
    /// Number of tokens in the body and its members.
    pub n_inner: u32,
    /// Number of tokens in all.
    pub n_all: u32,
}

/// A file of one version.
pub(super) struct FileCode<'i> {
    text: &'i str,
    checker: Checker<'i>,
    pub code: Code,
    /// One for each symbol.
    pub prints: Vec<Print>,
    /// The tokens of each symbol, without those of its members.
    own: Vec<Vec<u32>>,
    /// The tokens outside of definitions; for a file that is not code, its lines.
    outside: Vec<u32>,
    /// For each symbol, the index after that of its last member.
    pub ends: Vec<u32>,
}

impl<'i> FileCode<'i> {
    /// Reads a file; `None` if the index does not have it.
    pub(crate) fn read(index: &'i Index, file: FileId) -> Option<Self> {
        let (source, parsed) = index.file(file)?;
        let text = source.text.as_str();
        let code = code(parsed.language, text).unwrap_or_else(|| as_lines(text));
        let mut own = vec![Vec::new(); code.symbols.len()];
        let mut outside = Vec::new();
        for (at, token) in (0..).zip(&code.tokens) {
            let owner = token.owner.and_then(|owner| own.get_mut(owner as usize));
            owner.unwrap_or(&mut outside).push(at);
        }
        let mut read = Self {
            text,
            checker: Checker::new(&index.repo, file)?,
            ends: ends(&code.symbols),
            code,
            prints: Vec::new(),
            own,
            outside,
        };
        read.prints = read.all_prints();
        Some(read)
    }

    fn token(&self, at: u32) -> Option<&Token> {
        self.code.tokens.get(at as usize)
    }

    fn said(&self, token: &Token) -> &'i str {
        let bytes = token.bytes.start as usize..token.bytes.end as usize;
        self.text.get(bytes).unwrap_or_default()
    }

    fn all_prints(&self) -> Vec<Print> {
        let spans = self.spans();
        let mut prints = Vec::with_capacity(self.code.symbols.len());
        for (at, (symbol, span)) in (0..).zip(self.code.symbols.iter().zip(spans)) {
            let mut digests = Digests::default();
            let end = self.ends.get(at as usize).copied().unwrap_or(at);
            for token in span.filter_map(|at| self.token(at)) {
                let Some(owner) = token.owner.filter(|owner| (at..end).contains(owner)) else {
                    continue;
                };
                let said = self.said(token);
                digests.add(token, said, owner == at, said == symbol.name);
            }
            prints.push(digests.finish());
        }
        prints
    }

    /// The range of tokens of each symbol, members included.
    fn spans(&self) -> Vec<Range<u32>> {
        let mut spans: Vec<Range<u32>> = self
            .own
            .iter()
            .map(|own| match (own.first(), own.last()) {
                (Some(&first), Some(&last)) => first..last + 1,
                _ => 0..0,
            })
            .collect();
        for at in (0..spans.len()).rev() {
            let inner = spans.get(at).cloned().unwrap_or_default();
            let parent = self.code.symbols.get(at).and_then(|symbol| symbol.parent);
            let outer = parent.and_then(|parent| spans.get_mut(parent as usize));
            if let Some(outer) = outer.filter(|_| inner.start < inner.end) {
                *outer = match outer.start >= outer.end {
                    true => inner,
                    false => outer.start.min(inner.start)..outer.end.max(inner.end),
                };
            }
        }
        spans
    }

    /// A definition with its verified lines.
    pub(crate) fn definition(&self, at: u32) -> Option<Definition> {
        let symbol = self.code.symbols.get(at as usize)?;
        let named = self.checker.verify(symbol.lines, &[symbol.name.as_str()]);
        // A constructor may have a name that does not occur in its lines.
        let source = named.or_else(|_| self.checker.verify(symbol.lines, &[""; 0]));
        Some(Definition {
            kind: symbol.kind,
            name: symbol.name.clone(),
            qualified: symbol.qualified.clone(),
            signature: symbol.signature.clone(),
            source: source.ok()?,
        })
    }

    /// The tokens of a symbol without its members; for `None`, those outside of all symbols.
    pub(crate) fn own(&self, at: Option<u32>) -> &[u32] {
        match at {
            Some(at) => self.own.get(at as usize).map_or(&[], Vec::as_slice),
            None => &self.outside,
        }
    }

    /// The lines from the first to the last of `tokens`.
    pub(crate) fn lines(&self, tokens: &[u32]) -> Option<Verified> {
        let line = |at: &u32| Some(self.token(*at)?.line);
        let (first, last) = (line(tokens.first()?)?, line(tokens.last()?)?);
        let lines = LineRange::new(first, last);
        self.checker.verify(lines, &[""; 0]).ok()
    }

    /// What makes two tokens of a definition equal: their text, and their depth within it.
    pub(crate) fn key(&self, at: u32, base: u16) -> (&'i str, i32) {
        let token = self.token(at);
        let depth = token.map_or(0, |token| i32::from(token.depth) - i32::from(base));
        (token.map_or("", |token| self.said(token)), depth)
    }

    /// The depth of a token.
    pub(crate) fn depth(&self, at: Option<&u32>) -> u16 {
        at.and_then(|at| self.token(*at)).map_or(0, |it| it.depth)
    }
}

/// A text that is not code: each line becomes a token, without leading and trailing white space.
fn as_lines(text: &str) -> Code {
    let mut tokens = Vec::new();
    let mut start = 0;
    for (line, said) in (1..).zip(text.split_inclusive('\n')) {
        let end = start + said.trim_end().len();
        if !said.trim().is_empty() {
            tokens.push(Token {
                bytes: start as u32..end as u32,
                line: Line(line),
                depth: 0,
                owner: None,
                in_head: false,
            });
        }
        start += said.len();
    }
    Code {
        symbols: Vec::new(),
        tokens,
    }
}

/// For each symbol, the index after that of its last member; members follow their owner.
fn ends(symbols: &[Symbol]) -> Vec<u32> {
    let mut ends: Vec<u32> = (1..).take(symbols.len()).collect();
    for (at, symbol) in symbols.iter().enumerate().rev() {
        let end = ends.get(at).copied().unwrap_or_default();
        let outer = symbol
            .parent
            .and_then(|parent| ends.get_mut(parent as usize));
        if let Some(outer) = outer {
            *outer = end.max(*outer);
        }
    }
    ends
}

/// The digests of a definition, while they are computed.
#[derive(Default)]
struct Digests {
    head: blake3::Hasher,
    own: blake3::Hasher,
    inner: blake3::Hasher,
    /// The depth of the body's first token.
    base: Option<u16>,
    n_inner: u32,
    n_all: u32,
    bytes: Vec<u8>,
}

impl Digests {
    fn add(&mut self, token: &Token, said: &str, is_own: bool, is_name: bool) {
        self.n_all += 1;
        self.bytes.clear();
        match is_name {
            true => self.bytes.extend(OWN_NAME),
            false => self.bytes.extend(said.as_bytes()),
        }
        self.bytes.push(END);
        if is_own && token.in_head {
            self.head.update(&self.bytes);
            return;
        }
        let base = *self.base.get_or_insert(token.depth);
        let depth = i32::from(token.depth) - i32::from(base);
        self.bytes.extend(depth.to_le_bytes());
        self.n_inner += 1;
        self.inner.update(&self.bytes);
        if is_own {
            self.own.update(&self.bytes);
        }
    }

    fn finish(self) -> Print {
        let digest = |hasher: &blake3::Hasher| {
            let mut digest = [0; 16];
            for (to, from) in digest.iter_mut().zip(hasher.finalize().as_bytes()) {
                *to = *from;
            }
            digest
        };
        Print {
            head: digest(&self.head),
            own: digest(&self.own),
            inner: digest(&self.inner),
            n_inner: self.n_inner,
            n_all: self.n_all,
        }
    }
}
