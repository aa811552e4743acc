//! Parses text into a tree, runs the queries, and builds [`Parsed`]. The tree does not leave
//! [`parse`].

use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

use tree_sitter::{Node, QueryCursor, QueryCursorOptions, QueryMatch, StreamingIterator, Tree};

use super::code::{self, Code};
use super::compiled::{self, Compiled, Role};
use super::declared::{Declared, Parameter};
use super::signature::{one_line, slice};
use super::symbols;
use super::symbols::{Found, NAME_CHARS, Raw};
use super::variables::Place;
use super::walk::Walk;
use crate::lang::spec::TokenCall;
use crate::lang::tree::{Work, code_tree};
use crate::lang::{Call, Import, ImportedName, Language, Parsed, Problem};
use crate::lines::{Line, LineRange};
use crate::source::SkipReason;

/// See [`Walk::sibling_steps`]. Ordinary code of 1 MiB needs far less than a tenth of this.
const MAX_SIBLING_STEPS: u64 = 20_000_000;

/// Longest receiver of a call, in characters.
const RECEIVER_CHARS: usize = 80;

/// Maximum number of unfinished matches in a query; beyond it, the oldest are dropped. Each node
/// costs time in proportion to them, and only chains of hundreds of calls reach the limit.
const MATCH_LIMIT: u32 = 512;

/// Number of ticks that a query may take, each about 1,000 checks of a node against an unfinished
/// match: this many, plus one for each [`BYTES_PER_TICK`] bytes.
const MIN_TICKS: usize = 4_000;
const BYTES_PER_TICK: usize = 20;

/// Number of tree levels from which on depth is the reason why a query takes too much.
const DEEP: usize = 1_000;

/// Limit on the imports in one file, times the square of its tree's depth: an import may examine
/// everything around it.
const MAX_IMPORT_STEPS: usize = 2_000_000_000;

/// Parses `text` as a code language; an error if that needs too much.
pub(super) fn parse(language: Language, text: &str) -> Result<Parsed, SkipReason> {
    let mut parsed = Parsed::empty(language);
    let compiled = match compiled::of(language) {
        Some(Ok(compiled)) => compiled,
        Some(Err(reason)) => return Ok(failed(parsed, &reason)),
        None => return Ok(parsed),
    };
    let compiled = &*compiled;
    let tree = code_tree(language, &compiled.grammar, text)?;
    let (walk, mut matches) = found(compiled, &tree, text)?;
    matches.drop_uncalled();
    let nested = symbols::nest(compiled, &walk, matches.found, text)?;
    parsed.calls = calls(&matches.calls, &walk, &nested);
    parsed.imports = imports(matches.imports, compiled, &walk, text)?;
    matches.declared.describe(&mut parsed, &nested, &walk, text);
    parsed.symbols = nested.symbols;
    parsed.breaks = walk.breaks;
    parsed.problems.extend(walk.problems);
    Ok(parsed)
}

/// Reads the code of `text`, token by token; an error if that needs too much, `None` if it is not
/// code.
pub(super) fn code(language: Language, text: &str) -> Result<Option<Code>, SkipReason> {
    let Some(Ok(compiled)) = compiled::of(language) else {
        return Ok(None);
    };
    let compiled = &*compiled;
    let tree = code_tree(language, &compiled.grammar, text)?;
    let (walk, matches) = found(compiled, &tree, text)?;
    let raws = matches.found.values().filter_map(|(_, raw)| raw.doc);
    let docs = raws.map(|doc| doc.byte_range()).collect();
    let nested = symbols::nest(compiled, &walk, matches.found, text)?;
    let root = tree.root_node();
    Ok(Some(code::read(compiled, root, nested, docs, text)))
}

/// Walks a tree and runs the queries on it; an error if that needs too much.
fn found<'tree>(
    compiled: &Compiled,
    tree: &'tree Tree,
    text: &str,
) -> Result<(Walk<'tree>, Matches<'tree>), SkipReason> {
    let mut walk = Walk::new(compiled, tree.root_node(), text)?;
    if walk.sibling_steps > MAX_SIBLING_STEPS {
        return Err(SkipReason::TooMuchWork);
    }
    let mut matches = Matches::default();
    if !matches.collect(compiled, tree.root_node(), text) {
        return Err(match walk.depth > DEEP {
            true => SkipReason::TooDeep,
            false => SkipReason::TooMuchWork,
        });
    }
    let definitions = matches.found.values();
    walk.detach(definitions.map(|(_, raw)| raw.node.start_byte()));
    Ok((walk, matches))
}

fn failed(mut parsed: Parsed, reason: &str) -> Parsed {
    parsed.problems.push(Problem {
        line: Line(1),
        what: reason.to_string(),
    });
    parsed
}

/// One call, not yet assigned to its caller.
pub(super) struct RawCall {
    pub start: usize,
    pub line_at: usize,
    pub name: String,
    pub receiver: Option<String>,
}

/// All matches of one import statement.
struct RawImport<'tree> {
    node: Node<'tree>,
    module: Option<String>,
    names: Vec<ImportedName>,
    known: HashSet<ImportedName>,
}

/// What the queries found, still with nodes.
#[derive(Default)]
struct Matches<'tree> {
    /// By the first byte of the name (or of the definition, if it has none), so that one name is
    /// one symbol; with the pattern that found it.
    found: BTreeMap<usize, (usize, Raw<'tree>)>,
    /// The node whose body was searched last, by id, and where the body begins: one declaration can
    /// define thousands of names.
    last_body: Option<(usize, Option<usize>)>,
    calls: BTreeMap<(usize, usize), RawCall>,
    /// Byte ranges in which nothing is called.
    uncalled: Vec<Range<usize>>,
    imports: BTreeMap<(usize, usize), RawImport<'tree>>,
    declared: Declared<'tree>,
}

/// The captures of one match by role.
#[derive(Default)]
struct Captured<'tree> {
    symbol: Option<(Found, Node<'tree>)>,
    name: Option<Node<'tree>>,
    owner: Option<Node<'tree>>,
    body: Option<Node<'tree>>,
    doc: Option<Node<'tree>>,
    import: Option<Node<'tree>>,
    module: Option<Node<'tree>>,
    alias: Option<Node<'tree>>,
    call: Option<Node<'tree>>,
    receiver: Option<Node<'tree>>,
    uncalled: Option<Node<'tree>>,
    tokens: Option<Node<'tree>>,
    base: Option<Node<'tree>>,
    parameter: Option<Node<'tree>>,
    variable: Option<(Place, Node<'tree>)>,
    written: Option<Node<'tree>>,
    made: Option<Node<'tree>>,
    package: Option<Node<'tree>>,
}

impl<'tree> Captured<'tree> {
    fn new(compiled: &Compiled, found: &QueryMatch<'_, 'tree>) -> Self {
        let mut captured = Self::default();
        for capture in found.captures() {
            let node = Some(capture.node);
            match compiled.role(capture.index) {
                Role::Symbol(kind) => captured.symbol = Some((Found::Symbol(kind), capture.node)),
                Role::Scope => captured.symbol = Some((Found::Scope, capture.node)),
                Role::Name => captured.name = node,
                Role::Owner => captured.owner = node,
                Role::Body => captured.body = node,
                Role::Doc => captured.doc = node,
                Role::Import => captured.import = node,
                Role::Module => captured.module = node,
                Role::Alias => captured.alias = node,
                Role::Call => captured.call = node,
                Role::Receiver => captured.receiver = node,
                Role::Uncalled => captured.uncalled = node,
                Role::Tokens => captured.tokens = node,
                Role::Base => captured.base = node,
                Role::Parameter => captured.parameter = node,
                Role::Variable => captured.variable = Some((Place::Variable, capture.node)),
                Role::Local => captured.variable = Some((Place::Local, capture.node)),
                Role::Field => captured.variable = Some((Place::Field, capture.node)),
                Role::Type => captured.written = node,
                Role::Made => captured.made = node,
                Role::Package => captured.package = node,
                Role::Unused => {}
            }
        }
        captured
    }
}

impl<'tree> Matches<'tree> {
    /// Returns false if that needs too much work.
    fn collect(&mut self, compiled: &Compiled, root: Node<'tree>, text: &str) -> bool {
        let mut cursor = QueryCursor::new();
        cursor.set_match_limit(MATCH_LIMIT);
        let mut work = Work::new(MIN_TICKS + text.len() / BYTES_PER_TICK);
        let mut progress = |_: &_| work.tick();
        let options = QueryCursorOptions::new().progress_callback(&mut progress);
        let bytes = text.as_bytes();
        let mut matches = cursor.matches_with_options(&compiled.query, root, bytes, options);
        while let Some(found) = matches.next() {
            let captured = Captured::new(compiled, found);
            let pattern = found.pattern_index;
            let name = match captured.name {
                Some(node) => Some(slice(text, node.byte_range())),
                None => compiled.setting(pattern, "name"),
            };
            if let Some((kind, node)) = captured.symbol {
                self.add_symbol(compiled, pattern, kind, node, name, &captured);
            }
            if let Some(node) = captured.import {
                let module = match captured.module {
                    Some(module) => Some(slice(text, module.byte_range())),
                    None => compiled.setting(pattern, "module"),
                };
                let alias = captured.alias.map(|alias| slice(text, alias.byte_range()));
                self.add_import(node, module, name, alias);
            }
            if let (Some(node), Some(name)) = (captured.call, name) {
                self.add_call(compiled, node, name, &captured, text);
            }
            if let Some(node) = captured.tokens {
                self.add_token_calls(compiled, node, text);
            }
            self.uncalled
                .extend(captured.uncalled.map(|node| node.byte_range()));
            self.declared.bases.extend(captured.base);
            self.declared.packages.extend(captured.package);
            if let (Some(node), Some(name), Some(written)) =
                (captured.parameter, captured.name, captured.written)
            {
                let parameter = Parameter {
                    node,
                    name,
                    written,
                };
                self.declared.parameters.push(parameter);
            }
            if let Some((place, name)) = captured.variable {
                let (written, made) = (captured.written, captured.made);
                self.declared.variables.add(place, name, written, made);
            }
        }
        drop(matches);
        !work.is_spent()
    }

    /// Drops the calls whose name stands where nothing is called.
    fn drop_uncalled(&mut self) {
        if self.uncalled.is_empty() {
            return;
        }
        self.uncalled.sort_by_key(|bytes| bytes.start);
        // Without overlaps, so that one lookup finds the only range that can contain a byte.
        let mut apart: Vec<Range<usize>> = Vec::with_capacity(self.uncalled.len());
        for bytes in self.uncalled.drain(..) {
            match apart.last_mut() {
                Some(last) if bytes.start < last.end => last.end = last.end.max(bytes.end),
                _ => apart.push(bytes),
            }
        }
        self.calls.retain(|_, call| {
            let after = apart.partition_point(|bytes| bytes.start <= call.line_at);
            let before = after.checked_sub(1).and_then(|at| apart.get(at));
            !before.is_some_and(|bytes| bytes.contains(&call.line_at))
        });
    }

    fn add_symbol(
        &mut self,
        compiled: &Compiled,
        pattern: usize,
        found: Found,
        node: Node<'tree>,
        name: Option<&str>,
        captured: &Captured<'tree>,
    ) {
        let Some(name) = name.filter(|name| !name.trim_matches(['"', '\'', ' ']).is_empty()) else {
            return;
        };
        let key = captured.name.unwrap_or(node).start_byte();
        if self
            .found
            .get(&key)
            .is_some_and(|(first, _)| *first <= pattern)
        {
            return;
        }
        let body = match compiled.setting(pattern, "body") {
            Some(_) => None,
            None => match captured.body {
                Some(body) => Some(body.start_byte()),
                None => self.body_of(node),
            },
        };
        let raw = Raw {
            found,
            node,
            name: name.trim_matches(['"', '\'']).to_string(),
            name_at: key,
            owner: captured.owner,
            body,
            doc: captured.doc,
        };
        self.found.insert(key, (pattern, raw));
    }

    fn body_of(&mut self, node: Node<'tree>) -> Option<usize> {
        if let Some((last, body)) = self.last_body
            && last == node.id()
        {
            return body;
        }
        let body = node.child_by_field_name("body");
        let body = body.map(|body| body.start_byte());
        self.last_body = Some((node.id(), body));
        body
    }

    fn add_import(
        &mut self,
        node: Node<'tree>,
        module: Option<&str>,
        name: Option<&str>,
        alias: Option<&str>,
    ) {
        let key = (node.start_byte(), node.id());
        let import = self.imports.entry(key).or_insert_with(|| RawImport {
            node,
            module: None,
            names: Vec::new(),
            known: HashSet::new(),
        });
        if let Some(module) = module {
            import.module = Some(unquoted(module));
        }
        if name.is_none() && alias.is_none() {
            return;
        }
        let imported = ImportedName {
            name: one_line(name.unwrap_or("*"), RECEIVER_CHARS),
            alias: alias.map(|alias| one_line(alias, RECEIVER_CHARS)),
        };
        if import.known.insert(imported.clone()) {
            import.names.push(imported);
        }
    }

    fn add_token_calls(&mut self, compiled: &Compiled, node: Node<'tree>, text: &str) {
        let Some(read) = compiled.language.spec().token_calls else {
            return;
        };
        for TokenCall { name, receiver } in read(node, text) {
            let start = receiver.as_ref().unwrap_or(&name).start;
            let written = |bytes: Range<usize>, most| one_line(slice(text, bytes), most);
            // No node has this id, and no other call this name.
            let key = (start, usize::MAX - name.start);
            self.calls.entry(key).or_insert_with(|| RawCall {
                start,
                line_at: name.start,
                name: written(name, NAME_CHARS),
                receiver: receiver.map(|bytes| written(bytes, RECEIVER_CHARS)),
            });
        }
    }

    fn add_call(
        &mut self,
        compiled: &Compiled,
        node: Node<'tree>,
        name: &str,
        captured: &Captured<'tree>,
        text: &str,
    ) {
        let key = (node.start_byte(), node.id());
        let receiver = captured.receiver.map(|receiver| {
            let bytes = receiver.byte_range();
            let end = bytes.end.min(bytes.start + 8 * RECEIVER_CHARS);
            // Zig's grammar includes the `!` of `!a.b.c()` in the receiver.
            let written = slice(text, bytes.start..end).trim_start_matches('!');
            one_line(written, RECEIVER_CHARS)
        });
        let (scope, name) = symbols::split(&one_line(name, NAME_CHARS), compiled.spec.separator);
        // `make_unique<T>` is called `make_unique`.
        let name = match name.find('<') {
            Some(at) if at > 0 && !scope.is_empty() => name.get(..at).unwrap_or("").to_string(),
            _ => name,
        };
        let receiver = receiver.or((!scope.is_empty()).then_some(scope));
        self.calls.entry(key).or_insert_with(|| RawCall {
            start: node.start_byte(),
            // The name's line, not that of the chain's first receiver: `a\n .b()\n .c()`.
            line_at: captured.name.unwrap_or(node).start_byte(),
            name,
            receiver: receiver.map(|receiver| one_line(&receiver, RECEIVER_CHARS)),
        });
    }
}

/// Returns a module name without quotes or angle brackets.
fn unquoted(module: &str) -> String {
    module
        .trim()
        .trim_matches(['"', '\'', '`'])
        .trim_start_matches('<')
        .trim_end_matches('>')
        .trim()
        .to_string()
}

fn imports(
    raw: BTreeMap<(usize, usize), RawImport<'_>>,
    compiled: &Compiled,
    walk: &Walk<'_>,
    text: &str,
) -> Result<Vec<Import>, SkipReason> {
    let steps = raw
        .len()
        .saturating_mul(walk.depth)
        .saturating_mul(walk.depth);
    if compiled.spec.import.is_some() && steps > MAX_IMPORT_STEPS {
        return Err(SkipReason::TooMuchWork);
    }
    let mut imports = Vec::new();
    for import in raw.into_values() {
        if let Some(read) = compiled.spec.import {
            read(import.node, text, &mut imports);
            continue;
        }
        let bytes = import.node.byte_range();
        if let Some(module) = import.module {
            imports.push(Import {
                module,
                names: import.names,
                lines: LineRange::new(walk.line_of(bytes.start), walk.last_line(bytes, text)),
            });
        }
    }
    // Unfinished code can import from nothing: `use *;`.
    imports.retain(|import: &Import| !import.module.is_empty());
    Ok(imports)
}

fn calls(
    raw: &BTreeMap<(usize, usize), RawCall>,
    walk: &Walk<'_>,
    nested: &symbols::Nested,
) -> Vec<Call> {
    let mut calls: Vec<(usize, Call)> = raw
        .values()
        .map(|call| {
            let found = Call {
                name: call.name.clone(),
                receiver: call.receiver.clone(),
                line: walk.line_of(call.line_at),
                caller: nested.innermost(call.start),
            };
            (call.line_at, found)
        })
        .collect();
    calls.sort_by_key(|(at, _)| *at);
    calls.into_iter().map(|(_, call)| call).collect()
}
