//! Imports inside of functions: where each of them binds its names.

use super::{ImportLink, is_class};
use crate::hash::FastMap;
use crate::lang::family::Reach;
use crate::lang::resolve::World;
use crate::lang::resolve::names::digest;
use crate::lang::{Symbol, SymbolKind};
use crate::lines::{Line, LineRange, Row};
use crate::source::FileId;

/// Maximum number of lines with `global` in a function that are read.
const MAX_GLOBALS: usize = 100;

/// Maximum number of lines before and after an import that its block is looked for in.
const MAX_BLOCK: usize = 2_000;

/// A link that binds its names in one function alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Inside {
    /// The position of the link among those of its file.
    pub link: u32,
    /// The line of its import.
    pub line: Line,
    /// The lines of the block that the import stands in; in Python from the import on.
    pub block: LineRange,
}

/// All such links.
#[derive(Default)]
pub(super) struct InFunctions {
    /// By file, function and digest of the name.
    bound: FastMap<(FileId, u32, u64), Vec<Inside>>,
    /// By file, class and digest: those of all methods.
    in_classes: FastMap<(FileId, u32, u64), Vec<Inside>>,
    /// Those that bind all names, by file and function.
    stars: FastMap<(FileId, u32), Vec<Inside>>,
    /// The function of each, by file and link.
    functions: FastMap<(FileId, u32), u32>,
}

impl InFunctions {
    /// Returns the links of a function that bind a name, in order.
    pub(crate) fn bound(&self, file: FileId, function: u32, name: &str) -> &[Inside] {
        let found = self.bound.get(&(file, function, digest(name)));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the links of a class's methods that bind a name, in order.
    pub(crate) fn in_class(&self, file: FileId, class: u32, name: &str) -> &[Inside] {
        let found = self.in_classes.get(&(file, class, digest(name)));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the links of a function that bind all names, in order.
    pub(crate) fn stars(&self, file: FileId, function: u32) -> &[Inside] {
        let found = self.stars.get(&(file, function));
        found.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the function that a link of a file is in, if it binds its names there alone.
    pub(crate) fn function(&self, file: FileId, link: u32) -> Option<u32> {
        self.functions.get(&(file, link)).copied()
    }

    /// Adds a link of `function` that binds `name`, or all names.
    pub(crate) fn add(
        &mut self,
        text: &Text<'_>,
        function: u32,
        link: (u32, &ImportLink),
        name: Option<&str>,
    ) {
        let (at, link) = link;
        let inside = Inside {
            link: at,
            line: link.lines.start(),
            block: text.block(function, link.lines),
        };
        self.functions.insert((link.file, at), function);
        let Some(name) = name else {
            let stars = self.stars.entry((link.file, function));
            return stars.or_default().push(inside);
        };
        let of_function = (link.file, function, digest(name));
        self.bound.entry(of_function).or_default().push(inside);
        let is_of_class = |at: &u32| text.symbol(*at).is_some_and(|it| is_class(it.kind));
        for class in around(text.symbols(), function).filter(is_of_class) {
            let of_class = (link.file, class, digest(name));
            self.in_classes.entry(of_class).or_default().push(inside);
        }
    }
}

/// What has to be known about the text of a file with imports in functions.
pub(super) struct Text<'a> {
    world: World<'a>,
    file: FileId,
    reach: Reach,
    rows: Vec<Indented<'a>>,
    /// The lines with `global`, and the names that each declares.
    globals: Vec<(Line, Vec<&'a str>)>,
}

impl<'a> Text<'a> {
    /// Reads the text of a file, unless no import in it holds in a function alone.
    pub(crate) fn new(world: World<'a>, links: &[ImportLink]) -> Option<Self> {
        let file = links.first()?.file;
        let reach = world.family(file).imports_reach;
        let is_inside = |link: &ImportLink| function_around(world, link).is_some();
        if reach == Reach::File || !links.iter().any(is_inside) {
            return None;
        }
        let rows: Vec<Indented<'_>> = world.text(file).lines().map(Indented::new).collect();
        let globals = (0..).map(Row).zip(&rows).filter_map(|(row, line)| {
            let names = line.text.strip_prefix("global ")?;
            let names = names.split([',', ';', '#', ' ', '\t']);
            let names = names.filter(|name| !name.is_empty());
            Some((Line::from(row), names.collect()))
        });
        Some(Self {
            world,
            file,
            reach,
            globals: match reach {
                Reach::FunctionFromLine => globals.collect(),
                _ => Vec::new(),
            },
            rows,
        })
    }

    /// Returns the function that a link which binds `name` holds in, if it holds nowhere else.
    pub(crate) fn function_of(&self, link: &ImportLink, name: Option<&str>) -> Option<u32> {
        let function = function_around(self.world, link)?;
        let is_global = name.is_some_and(|name| self.is_global(function, name));
        (!is_global).then_some(function)
    }

    /// Whether a function declares the name as one of the whole file.
    fn is_global(&self, function: u32, name: &str) -> bool {
        let Some(function) = self.symbol(function) else {
            return false;
        };
        let start = function.lines.start();
        let from = self.globals.partition_point(|(line, _)| *line < start);
        let declared = self.globals.get(from..).unwrap_or_default().iter();
        declared
            .take(MAX_GLOBALS)
            .take_while(|(line, _)| *line <= function.lines.end())
            .any(|(_, names)| names.contains(&name))
    }

    fn symbols(&self) -> &'a [Symbol] {
        let parsed = self.world.parsed(self.file);
        parsed.map_or(&[], |parsed| &parsed.symbols)
    }

    fn symbol(&self, at: u32) -> Option<&'a Symbol> {
        self.symbols().get(at as usize)
    }

    /// Returns the lines of the block around an import, found by their indentation.
    fn block(&self, function: u32, import: LineRange) -> LineRange {
        let whole = self.symbol(function).map_or(import, |it| it.lines);
        let row = |line: Line| Row::from(line).0 as usize;
        let (at, mut end) = (row(import.start()), row(import.end()));
        let mut start = at;
        let line = self.rows.get(at).copied().unwrap_or_default();
        let is_block = self.reach == Reach::Block;
        // Then the block begins on the import's line, and may end there.
        let begins_here = is_block && !begins_with_import(line.text);
        if begins_here && is_balanced(line.text) {
            return import;
        }
        let own = line.indent + usize::from(begins_here);
        let is_inside = |at: usize, is_edge: fn(&str) -> bool| {
            let line = self.rows.get(at).copied().unwrap_or_default();
            line.indent >= own || line.text.is_empty() || is_block && !is_edge(line.text)
        };
        let last = row(whole.end()).min(end + MAX_BLOCK);
        while end < last && is_inside(end + 1, |text| text.starts_with('}')) {
            end += 1;
        }
        let first = row(whole.start()).max(start.saturating_sub(MAX_BLOCK));
        if is_block && !begins_here {
            while start > first && is_inside(start - 1, |text| text.ends_with('{')) {
                start -= 1;
            }
        }
        LineRange::from_rows(Row(start as u32), Row(end as u32))
    }
}

/// Returns the innermost function around an import.
fn function_around(world: World<'_>, link: &ImportLink) -> Option<u32> {
    let symbols = &world.parsed(link.file)?.symbols;
    let before = symbols.partition_point(|symbol| symbol.lines.start() <= link.lines.start());
    let last = (before as u32).checked_sub(1)?;
    std::iter::once(last)
        .chain(around(symbols, last))
        .find(|at| {
            symbols
                .get(*at as usize)
                .is_some_and(|symbol| is_function(symbol) && symbol.lines.encloses(link.lines))
        })
}

/// Returns what is around a symbol, innermost first.
fn around(symbols: &[Symbol], at: u32) -> impl Iterator<Item = u32> {
    let parent = |at: &u32| symbols.get(*at as usize)?.parent;
    std::iter::successors(parent(&at), parent)
}

/// Whether imports inside of the definition hold in it.
pub(super) fn is_function(symbol: &Symbol) -> bool {
    matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method)
}

/// Whether a line of Rust begins with an import, after its attributes.
fn begins_with_import(text: &str) -> bool {
    let mut text = text;
    while let Some((_, rest)) = text.strip_prefix("#[").and_then(|it| it.split_once(']')) {
        text = rest.trim_start();
    }
    text.starts_with("use ")
}

fn is_balanced(text: &str) -> bool {
    let count = |sign: char| text.matches(sign).count();
    count('{') == count('}')
}

/// A line without the blanks around it.
#[derive(Clone, Copy, Default)]
struct Indented<'a> {
    text: &'a str,
    /// The number of bytes before the text.
    indent: usize,
}

impl<'a> Indented<'a> {
    fn new(line: &'a str) -> Self {
        let text = line.trim_start();
        let indent = line.len() - text.len();
        let text = text.trim_end();
        Self { text, indent }
    }
}

/// Returns those of the links that bind a name on `line`: the one whose block is innermost, else in
/// Python those before it, any of which may have run.
pub(super) fn holding(reach: Reach, all: &[Inside], line: Option<Line>) -> Vec<Inside> {
    let Some(line) = line else {
        return all.to_vec();
    };
    let around = all.iter().filter(|inside| inside.block.contains(line));
    let innermost = around.max_by_key(|inside| (inside.block.start(), inside.line));
    match (innermost, reach) {
        (Some(one), _) => vec![*one],
        (None, Reach::FunctionFromLine) => {
            let before = all.iter().filter(|inside| inside.line < line);
            before.copied().collect()
        }
        (None, _) => Vec::new(),
    }
}
