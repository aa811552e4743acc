//! The types of variables and fields, as far as declarations and the values given to them say.

use std::collections::{BTreeMap, HashMap, HashSet};

use tree_sitter::Node;

use super::declared::written_type;
use super::signature::{one_line, slice};
use super::symbols::Nested;
use crate::lang::{Parsed, Symbol, SymbolKind, Typed};
use crate::lines::{Line, LineRange, Row};

/// Longest written name of what makes a value, in characters.
const MADE_CHARS: usize = 80;

/// Maximum number of names that a value is given to in one file.
const MAX_VARIABLES: usize = 50_000;

/// The words before a field in a method of its class.
const OWN: [&str; 4] = ["self.", "this.", "cls.", "$this->"];

/// What a name stands for where a value is given to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// A variable: what declares its type holds for all values.
    Variable,
    /// A new variable, which hides those of the same name.
    Local,
    /// A member of the class around.
    Field,
}

/// What is known of one value that a name is given.
#[derive(Clone, Copy, Debug)]
enum Value<'tree> {
    Unknown,
    /// It is what this calls.
    Made(Node<'tree>),
    /// Its type is written.
    Declared(Node<'tree>),
}

/// All names that values are given to, by the first byte of the name: of several patterns that
/// match there, the one that knows most counts.
#[derive(Default)]
pub(super) struct Variables<'tree>(BTreeMap<usize, (Place, Node<'tree>, Value<'tree>)>);

/// The types that one name is given in one function or class.
#[derive(Default)]
struct Types {
    declared: Option<String>,
    made: Vec<String>,
    is_unknown: bool,
    is_hidden: bool,
}

impl<'tree> Variables<'tree> {
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub(super) fn add(
        &mut self,
        place: Place,
        name: Node<'tree>,
        written: Option<Node<'tree>>,
        made: Option<Node<'tree>>,
    ) {
        let value = match (written, made) {
            (Some(written), _) => Value::Declared(written),
            (None, Some(made)) => Value::Made(made),
            (None, None) => Value::Unknown,
        };
        let rank = |value: &Value<'_>| match value {
            Value::Unknown => 0,
            Value::Made(_) => 1,
            Value::Declared(_) => 2,
        };
        let known = self.0.get(&name.start_byte());
        let is_better = known.is_none_or(|(_, _, known)| rank(known) < rank(&value));
        if is_better && (known.is_some() || self.0.len() < MAX_VARIABLES) {
            self.0.insert(name.start_byte(), (place, name, value));
        }
    }

    /// Returns the types of fields, of variables of the file, and of those of a function that calls
    /// begin with; `parameters` are their functions, names and types. A name that is given values
    /// of several types, or of one that nothing says, has none; it is kept without a type if it
    /// hides another.
    pub(super) fn types<'t>(
        self,
        parameters: impl Iterator<Item = (u32, &'t str, String)>,
        parsed: &Parsed,
        nested: &Nested,
        text: &'t str,
    ) -> Vec<Typed> {
        let called = Called::of(parsed, nested);
        let imported = imported(parsed);
        let is_shared = |symbol: u32| nested.symbols.get(symbol as usize).is_some_and(is_shared);
        let is_kept = |symbol: u32, name| is_shared(symbol) || called.has(symbol, name);
        let mut all: BTreeMap<(u32, &str), Types> = BTreeMap::new();
        for (symbol, name, written) in parameters {
            if is_kept(symbol, name) {
                all.entry((symbol, name)).or_default().declare(written);
            }
        }
        for (place, node, value) in self.0.into_values() {
            if let Some((symbol, name)) = owner(place, node, nested, text)
                && is_kept(symbol, name)
                && !is_import(&imported, name, node)
            {
                all.entry((symbol, name))
                    .or_default()
                    .add(place, value, text);
            }
        }
        let fields = all.keys().filter(|(symbol, _)| is_shared(*symbol));
        let mut shared: HashSet<&str> = fields.map(|(_, name)| *name).collect();
        shared.extend(names_of_file(parsed, nested));
        let typed = |((symbol, name), types): ((u32, &str), Types)| {
            let written = types.only().unwrap_or_default();
            let hides = || match is_shared(symbol) {
                true => false,
                false => shared.contains(name) || called.alone.contains(&(symbol, name)),
            };
            (!written.is_empty() || hides()).then_some(Typed {
                symbol,
                name: name.to_owned(),
                written,
            })
        };
        all.into_iter().filter_map(typed).collect()
    }
}

impl Types {
    fn add(&mut self, place: Place, value: Value<'_>, text: &str) {
        self.is_hidden |= place == Place::Local;
        match value {
            Value::Unknown => self.is_unknown = true,
            Value::Made(node) => match made(node, text) {
                Some(made) => self.made.push(made),
                None => self.is_unknown = true,
            },
            Value::Declared(node) => {
                self.declare(written_type(slice(text, node.byte_range())));
            }
        }
    }

    fn declare(&mut self, written: String) {
        match &self.declared {
            Some(known) if *known != written => {
                self.is_hidden = true;
                self.is_unknown = true;
            }
            Some(_) => {}
            None => self.declared = Some(written),
        }
    }

    /// Returns the only type that the name can have.
    fn only(mut self) -> Option<String> {
        self.made.dedup();
        match self.declared {
            Some(_) if self.is_hidden && (self.is_unknown || !self.made.is_empty()) => None,
            Some(written) => Some(written),
            None if self.is_unknown || self.made.len() > 1 => None,
            None => self.made.pop(),
        }
    }
}

/// Returns the symbol that a name belongs to, and the name without `self`.
fn owner<'t>(
    place: Place,
    node: Node<'_>,
    nested: &Nested,
    text: &'t str,
) -> Option<(u32, &'t str)> {
    let written = slice(text, node.byte_range());
    let of = |at: u32| nested.symbols.get(at as usize);
    let mut at = nested.innermost(node.start_byte())?;
    let field = OWN.iter().find_map(|own| written.strip_prefix(own));
    // Ruby's `@store` and PHP's `private Store $store` are fields too.
    if field.is_some() || place == Place::Field || written.starts_with('@') {
        while !of(at)?.kind.is_container() {
            at = of(at)?.parent?;
        }
        return Some((at, field.unwrap_or(written).trim_start_matches('$')));
    }
    // `const load = () => …` is a function, not a variable that hides one.
    let is_function = |it: &Symbol| it.name == written && !is_shared(it);
    if of(at).is_some_and(is_function) {
        return None;
    }
    // A variable of a file or of a class can be a symbol of its own.
    let symbol = of(at)?;
    if symbol.name == written
        && matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
        && let Some(class) = symbol.parent
        && of(class)?.kind.is_container()
    {
        at = class;
    }
    Some((at, written))
}

/// Whether more than one function can use the variables of a symbol.
fn is_shared(symbol: &Symbol) -> bool {
    symbol.kind.is_container() || matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant)
}

/// The names that calls begin with, by caller.
struct Called<'a> {
    /// `store` of `store.notes.load()`.
    on: HashSet<(u32, &'a str)>,
    /// `load` of `load()`, by the caller and by every function around it.
    alone: HashSet<(u32, &'a str)>,
}

impl<'a> Called<'a> {
    fn of(parsed: &'a Parsed, nested: &Nested) -> Self {
        let mut called = Self {
            on: HashSet::new(),
            alone: HashSet::new(),
        };
        for call in &parsed.calls {
            match (call.caller, call.receiver.as_deref()) {
                (Some(caller), Some(receiver)) => {
                    called.on.insert((caller, first_name(receiver)));
                }
                (mut around, None) => {
                    while let Some(at) = around {
                        called.alone.insert((at, call.name.as_str()));
                        around = nested.symbols.get(at as usize).and_then(|it| it.parent);
                    }
                }
                (None, Some(_)) => {}
            }
        }
        called
    }

    fn has(&self, symbol: u32, name: &str) -> bool {
        self.on.contains(&(symbol, name)) || self.alone.contains(&(symbol, name))
    }
}

/// Returns where imports bring a name into the file.
fn imported(parsed: &Parsed) -> HashMap<&str, Vec<LineRange>> {
    let mut all: HashMap<&str, Vec<LineRange>> = HashMap::new();
    for import in &parsed.imports {
        for name in &import.names {
            let name = name.alias.as_deref().unwrap_or(&name.name);
            all.entry(name).or_default().push(import.lines);
        }
    }
    all
}

/// Whether a variable is an import: `const { load } = require('./store')`.
fn is_import(imported: &HashMap<&str, Vec<LineRange>>, name: &str, node: Node<'_>) -> bool {
    let line = Line::from(Row(node.start_position().row as u32));
    let lines = imported.get(name);
    lines.is_some_and(|all| all.iter().any(|lines| lines.contains(line)))
}

/// Returns the part of a receiver before its first member.
fn first_name(receiver: &str) -> &str {
    let end = receiver.find(['.', '?', '!']).or(receiver.find("->"));
    end.map_or(receiver, |end| &receiver[..end])
}

/// Returns the names that mean something in the whole file.
fn names_of_file<'a>(parsed: &'a Parsed, nested: &'a Nested) -> HashSet<&'a str> {
    let symbols = nested.symbols.iter().map(|symbol| symbol.name.as_str());
    let imported = parsed.imports.iter().flat_map(|import| &import.names);
    let imported = imported.map(|it| it.alias.as_deref().unwrap_or(&it.name));
    let modules = parsed.imports.iter();
    let modules = modules.filter_map(|it| it.module.rsplit(['.', '/', ':']).next());
    symbols.chain(imported).chain(modules).collect()
}

/// Returns what makes a value as `Store()` or `Store::open()`, with a `?` after it if the value is
/// what that result contains.
fn made(node: Node<'_>, text: &str) -> Option<String> {
    let name: String = slice(text, node.byte_range()).split_whitespace().collect();
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '$' | '\\' | '@');
    let name = name.split(['<', '(']).next().unwrap_or(&name);
    if name.is_empty() || !name.chars().all(is_path) {
        return None;
    }
    let call = node.parent()?;
    let is_unwrapped = call.parent().is_some_and(|outer| {
        let kind = outer.kind();
        kind.contains("await") || kind == "try_expression" || kind == "field_expression"
    });
    let mark = if is_unwrapped { "?" } else { "" };
    Some(format!("{}(){mark}", one_line(name, MADE_CHARS)))
}
