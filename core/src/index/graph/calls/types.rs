//! What a receiver is, by the types of parameters, variables and fields.

use std::borrow::Cow;

use super::{Calls, Resolved};
use crate::index::graph::SymbolId;
use crate::index::graph::scope::{Meaning, Scope};
use crate::lang::family::{Family, Walked};
use crate::lang::{Symbol, SymbolKind};
use crate::lines::Line;
use crate::source::FileId;

/// Maximum number of members between the first name of a receiver and the call.
const MAX_MEMBERS: usize = 4;

/// Maximum number of other names that a type goes through: `type A = B`, `type B = C`.
const MAX_ALIASES: u32 = 3;

/// Types that hold others and are called as what they are: a list of notes is not a note.
const CONTAINERS: [&str; 28] = [
    "Vec",
    "VecDeque",
    "HashMap",
    "HashSet",
    "BTreeMap",
    "BTreeSet",
    "Iterator",
    "Iterable",
    "List",
    "ArrayList",
    "LinkedList",
    "Set",
    "Map",
    "Array",
    "ReadonlyArray",
    "Collection",
    "Sequence",
    "Dict",
    "Tuple",
    "Queue",
    "Deque",
    "Stream",
    "WeakMap",
    "list",
    "dict",
    "set",
    "tuple",
    "frozenset",
];

/// Types whose value is awaited or unwrapped.
const WRAPPERS: [&str; 8] = [
    "Result",
    "Option",
    "Promise",
    "Task",
    "ValueTask",
    "Future",
    "CompletableFuture",
    "Single",
];

/// What ends the name of a class where it is called for an object: `Store.new`.
const NEW: [&str; 3] = [".new", "::new", ".init"];

/// Types that say nothing.
const ANYTHING: [&str; 12] = [
    "any", "Any", "unknown", "object", "Object", "auto", "var", "dynamic", "mixed", "never", "T",
    "type",
];

/// What a name or an expression holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Value {
    /// An object of the first of these classes that has the member that is asked for.
    Of(Vec<SymbolId>),
    /// Something of a library or of the language.
    Outside,
    /// Something local that nothing describes.
    Unknown,
}

impl Calls<'_> {
    /// Returns what the receiver of a call holds: `store`, `self.store`, `app.store`. `None` if no
    /// type is known of its first name, which may mean a module or a class.
    pub(super) fn value(
        &self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        receiver: &str,
    ) -> Option<Value> {
        let parts = members(receiver)?;
        let (first, rest) = parts.split_first()?;
        let class = caller.and_then(|caller| self.enclosing_class(caller));
        let is_own = family.self_words.contains(first);
        let value = match is_own {
            true if rest.is_empty() => return None,
            true => Value::Of(vec![class?]),
            false => self.named(file, family, caller, class, first)?,
        };
        let value = rest.iter().try_fold(value, |value, part| match value {
            Value::Of(classes) => classes.iter().find_map(|class| self.field(*class, part)),
            other => Some(other),
        });
        // A member without a type can be anything except a module.
        match value {
            None if is_own => None,
            None => Some(Value::Unknown),
            found => found,
        }
    }

    /// Returns what a name holds in `caller`.
    fn named(
        &self,
        file: FileId,
        family: &'static Family,
        caller: Option<SymbolId>,
        class: Option<SymbolId>,
        name: &str,
    ) -> Option<Value> {
        let parsed = self.world().parsed(file)?;
        if let Some(caller) = caller
            && let Some(written) = parsed.type_of(caller.at, name)
        {
            return self.read(caller, written);
        }
        if (family.has_implicit_self || name.starts_with('@'))
            && let Some(found) = class.and_then(|class| self.field(class, name))
        {
            return Some(found);
        }
        let Some(Meaning::Symbol(variable)) = self.scope.meaning(file, name) else {
            return None;
        };
        let is_variable =
            |symbol: &Symbol| matches!(symbol.kind, SymbolKind::Variable | SymbolKind::Constant);
        self.symbol(variable).filter(|it| is_variable(it))?;
        let written = self.world().parsed(variable.file)?;
        self.read(variable, written.type_of(variable.at, name)?)
    }

    /// Returns what a field of a class, or of one that it inherits from, holds.
    fn field(&self, class: SymbolId, name: &str) -> Option<Value> {
        let classes = self.owners.with_bases(class).into_iter();
        let mut written = classes.filter_map(|class| {
            let parsed = self.world().parsed(class.file)?;
            Some((class, parsed.type_of(class.at, name)?))
        });
        let (class, written) = written.next()?;
        self.read(class, written)
    }

    /// Reads a type as [`Typed::written`](crate::lang::Typed) has it, where `at` is written.
    fn read(&self, at: SymbolId, written: &str) -> Option<Value> {
        if written.is_empty() {
            return Some(Value::Unknown);
        }
        match written.split_once("()") {
            Some((made, mark)) => Some(self.made(at, made, mark == "?").unwrap_or(Value::Unknown)),
            None => self.declared(at, written),
        }
    }

    /// Returns what a call of `made` gives: an object of a class, or what the function returns.
    fn made(&self, at: SymbolId, made: &str, is_unwrapped: bool) -> Option<Value> {
        let family = self.world().family(at.file);
        let plain = NEW.iter().find_map(|new| made.strip_suffix(new));
        let class = plain.unwrap_or(made);
        let last = class.rsplit(['.', ':', '\\']).next()?;
        let is_capital = last.starts_with(char::is_uppercase);
        // Only a class is sure to give its own objects.
        let is_class = plain.is_some() || is_capital;
        if let Some((owner, name)) = made.rsplit_once("::").or(made.rsplit_once('.')) {
            match self.class(at, family, owner) {
                Some(Value::Of(classes)) => {
                    let mut found = classes.iter().filter_map(|it| self.own_member(*it, name));
                    if let Some(function) = found.next() {
                        return self.returned(function, is_unwrapped);
                    }
                }
                Some(Value::Outside) if is_class => return Some(Value::Outside),
                _ => {}
            }
        }
        match self.class(at, family, class) {
            Some(Value::Outside) if !is_class => return None,
            None => {}
            found => return found,
        }
        match self.function(at, family, made) {
            Some(function) => self.returned(function, is_unwrapped),
            // A class of the language: `new Map()`.
            None if is_capital && self.defined(last).next().is_none() => Some(Value::Outside),
            None => None,
        }
    }

    /// Returns the names as the values of a function's variables or of a class's fields read them.
    fn place(&self, at: SymbolId) -> Scope<'_> {
        match self.is_class(at) {
            true => self.scope.in_types(at),
            false => self.scope.in_code(Some(at), None),
        }
    }

    /// Returns what a name that is called means where `at` stands.
    fn function(&self, at: SymbolId, family: &'static Family, name: &str) -> Option<SymbolId> {
        let found = match self.place(at).meaning(at.file, name) {
            Some(Meaning::Symbol(found)) => Some(found),
            Some(_) => None,
            None => match self.of_package(at.file, name) {
                Some(Resolved::Certain(found)) => Some(found),
                _ => None,
            },
        };
        let class = || {
            self.enclosing_class(at)
                .filter(|_| family.has_implicit_self)
        };
        found.or_else(|| self.member(class()?, name))
    }

    /// Returns the class that a name or path means.
    fn class(&self, at: SymbolId, family: &'static Family, path: &str) -> Option<Value> {
        if matches!(path, "Self" | "self" | "static" | "cls" | "this" | "$this") {
            return Some(Value::Of(vec![self.enclosing_class(at)?]));
        }
        match self.walk(self.place(at), at.file, family, path)? {
            Meaning::Symbol(class) => Some(Value::Of(vec![class])),
            Meaning::Outside => Some(Value::Outside),
            Meaning::Unclear => Some(Value::Unknown),
            Meaning::File(target) => {
                let found = self.exported_whole(target);
                let class = found.filter(|found| self.is_class(*found));
                class.map(|class| Value::Of(vec![class]))
            }
        }
    }

    /// Returns what a function returns, as its signature says.
    fn returned(&self, function: SymbolId, is_unwrapped: bool) -> Option<Value> {
        let symbol = self.symbol(function)?;
        if !matches!(symbol.kind, SymbolKind::Function | SymbolKind::Method) {
            return None;
        }
        let written = return_type(&symbol.signature, &symbol.name)?;
        let (head, inner) = match written.split_once(['<', '[']) {
            Some((head, inner)) => (head.rsplit([':', '.']).next()?, inner),
            None => return self.declared(function, written),
        };
        match WRAPPERS.contains(&head.trim()) {
            true if is_unwrapped => self.declared(function, inner.split([',', '>', ']']).next()?),
            true => None,
            false => self.declared(function, written),
        }
    }

    /// Whether a word is a type parameter of a definition or of its class.
    fn is_parameter(&self, at: SymbolId, word: &str) -> bool {
        let owners = [Some(at), self.enclosing_class(at)].into_iter().flatten();
        let mut signatures = owners.filter_map(|id| self.symbol(id));
        word.len() <= 2 || signatures.any(|it| has_parameter(&it.signature, word))
    }

    /// Reads a written type: the classes that it names, unless it is one of a library.
    fn declared(&self, at: SymbolId, written: &str) -> Option<Value> {
        self.declared_through(at, written, MAX_ALIASES)
    }

    /// Returns the class that another name for a type stands for: `type Server<S> = Dispatcher<S>`.
    /// A choice, a list or a function is not a class, nor is a name of two types in the file.
    fn aliased(&self, alias: SymbolId, most: u32) -> Option<SymbolId> {
        let symbol = self.symbol(alias)?;
        let is_alias = symbol.kind == SymbolKind::Type && most > 0;
        let (_, written) = symbol.signature.split_once('=').filter(|_| is_alias)?;
        let world = self.world();
        let mut same = world
            .facts
            .names
            .in_file(world.parsed, alias.file, &symbol.name);
        let written = written.trim().trim_end_matches(';').trim_end();
        let head = match written.split_once('<') {
            Some((head, _)) if written.ends_with('>') => head,
            Some(_) => return None,
            None => written,
        };
        let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '.');
        if same.nth(1).is_some() || !head.chars().all(is_path) || WRAPPERS.contains(&head) {
            return None;
        }
        match self.declared_through(alias, head, most - 1)? {
            Value::Of(classes) => classes.first().copied(),
            Value::Outside | Value::Unknown => None,
        }
    }

    /// Returns a type without the paths in it that lead out of the repository, such as
    /// `kqueue::Watcher` where `kqueue` means nothing in the file; `None` if that is all of it, or
    /// what holds the rest.
    fn without_libraries<'w>(&self, at: SymbolId, written: &'w str) -> Option<Cow<'w, str>> {
        let walk = self.world().family(at.file).walk_path;
        let Some(walk) = walk.filter(|_| written.contains("::")) else {
            return Some(Cow::Borrowed(written));
        };
        let line = self.symbol(at).map_or(Line(1), |it| it.name_line);
        let is_outside = |path: &str| {
            let scope = self.scope.in_types(at);
            path.split_once("::").is_some_and(|(first, _)| {
                let meaning = scope.meaning(at.file, first);
                matches!(meaning, None | Some(Meaning::Outside))
                    && walk(self.world(), at.file, line, path) == Some(Walked::Library)
            })
        };
        let is_end = |c: char| !(c.is_alphanumeric() || matches!(c, '_' | ':'));
        let parts = written.split_inclusive(is_end);
        let (outside, kept): (Vec<&str>, Vec<&str>) =
            parts.partition(|part| is_outside(part.trim_end_matches(is_end)));
        let holds = |path: &&str| {
            let last = path.trim_end_matches(is_end).rsplit("::").next();
            last.is_some_and(|last| CONTAINERS.contains(&last))
        };
        let kept = kept.concat();
        let is_something = kept.contains(char::is_alphanumeric);
        (outside.is_empty() || is_something && !outside.iter().any(holds))
            .then_some(Cow::Owned(kept))
    }

    /// Like [`Self::declared`], through at most `most` other names of types.
    fn declared_through(&self, at: SymbolId, written: &str, most: u32) -> Option<Value> {
        let (file, scope) = (at.file, self.scope.in_types(at));
        if is_list(written) {
            return Some(Value::Outside);
        }
        let Some(written) = self.without_libraries(at, written) else {
            return Some(Value::Outside);
        };
        let words = written.split(|c: char| !(c.is_alphanumeric() || c == '_'));
        let words =
            words.filter(|word| !word.is_empty() && !matches!(*word, "mut" | "dyn" | "impl"));
        // The modules of a qualified type: `store.Store`, `models::Note`.
        let mut modules: Vec<FileId> = Vec::new();
        let mut classes = Vec::new();
        let mut is_known = true;
        for word in words {
            if classes.is_empty()
                && CONTAINERS.contains(&word)
                && self.defined(word).next().is_none()
            {
                return Some(Value::Outside);
            }
            let mut within = std::mem::take(&mut modules).into_iter();
            let qualified = within.find_map(|module| scope.outside().meaning(module, word));
            let class = match qualified.or_else(|| scope.meaning(file, word)) {
                Some(Meaning::Symbol(class)) => Some(class),
                Some(Meaning::File(module)) => {
                    modules.push(module);
                    modules.extend(self.scope.files(file, word));
                    None
                }
                Some(Meaning::Unclear) => return Some(Value::Unknown),
                Some(Meaning::Outside) => None,
                None if word == "Self" => self.enclosing_class(at),
                None => self.class_of_package(file, word),
            };
            if let Some(class) = class.filter(|class| self.is_class(*class)) {
                classes.push(class);
                classes.extend(self.aliased(class, most));
            }
            is_known &= !self.is_parameter(at, word)
                && !ANYTHING.contains(&word)
                && self.defined(word).next().is_none();
        }
        match classes.is_empty() {
            false => Some(Value::Of(classes)),
            // No definition of the repository has a name that the type contains.
            true if is_known => Some(Value::Outside),
            true => None,
        }
    }
}

/// Whether a type is a list of others or a function: `Route[]`, `&[Token]`, `(route) => void`.
fn is_list(written: &str) -> bool {
    let inner = written.trim_start_matches(['&', ' ']);
    let inner = inner.strip_prefix("mut ").unwrap_or(inner);
    inner.starts_with('[') || inner.ends_with("[]") || inner.contains("=>")
}

/// Whether a signature has a word between its first angle or square brackets.
fn has_parameter(signature: &str, word: &str) -> bool {
    let Some((_, after)) = signature.split_once(['<', '[']) else {
        return false;
    };
    let mut words = after.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.any(|part| part == word)
}

/// Splits `self.store` at its members; `None` if it is more than names.
fn members(receiver: &str) -> Option<Vec<&str>> {
    let parts: Vec<&str> = receiver
        .split('.')
        .flat_map(|part| part.split("->"))
        .map(|part| part.trim().trim_end_matches(['?', '!']))
        .collect();
    let is_name = |part: &&str| {
        !part.is_empty()
            && part
                .chars()
                .all(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '@' | '#'))
    };
    (parts.len() <= MAX_MEMBERS && parts.iter().all(is_name)).then_some(parts)
}

/// Returns the type that a signature ends with (`-> T`, `): T`, Go's `) (T, error)`) or begins with
/// (`T open(`).
fn return_type<'s>(signature: &'s str, name: &str) -> Option<&'s str> {
    if let Some((_, after)) = signature.rsplit_once("->") {
        return plain_type(after);
    }
    let (before, after) = signature.split_once(&format!("{name}("))?;
    let after = after_parameters(after)?.trim();
    if let Some(after) = after.strip_prefix(':') {
        return plain_type(after);
    }
    if let Some(several) = after.strip_prefix('(') {
        return plain_type(several.split([',', ')']).next()?);
    }
    if after.starts_with(['*', '[']) || after.starts_with(char::is_uppercase) {
        return plain_type(after);
    }
    let before = before.trim_end().rsplit(char::is_whitespace).next()?;
    before.starts_with(char::is_uppercase).then_some(before)
}

/// Returns what follows the parenthesis that ends a list of parameters.
fn after_parameters(list: &str) -> Option<&str> {
    let mut depth = 1;
    let end = list.char_indices().find(|(_, c)| {
        depth += match c {
            '(' => 1,
            ')' => -1,
            _ => 0,
        };
        depth == 0
    });
    list.get(end?.0 + 1..)
}

fn plain_type(written: &str) -> Option<&str> {
    let written = written.split(" where ").next()?.trim();
    let written = written.trim_end_matches([':', '{', ';', '=', ' ']);
    (!written.is_empty()).then_some(written)
}
