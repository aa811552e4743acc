//! Queries, compiled once per thread and language, and the meaning of their captures and of node
//! kinds.

use std::cell::OnceCell;
#[cfg(test)]
use std::ops::Range;
use std::rc::Rc;

use tree_sitter::{Node, Query};

use crate::lang::spec::Syntax;
use crate::lang::{Language, SymbolKind};

/// What a capture stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Role {
    Symbol(SymbolKind),
    Scope,
    Name,
    Owner,
    Body,
    Doc,
    Import,
    Module,
    Alias,
    Call,
    Receiver,
    /// Looks like calls but is not.
    Uncalled,
    /// Tokens that the language reads itself.
    Tokens,
    /// A class that another inherits from.
    Base,
    Parameter,
    /// A name that a value is given to.
    Variable,
    /// The same, where a new declaration hides what the name meant before.
    Local,
    /// A member of the class around that a value is given to.
    Field,
    Type,
    /// What is called to make a value.
    Made,
    Package,
    /// Only for a predicate.
    Unused,
}

/// What a node kind means to the driver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Trait {
    Comment = 1,
    Attribute = 2,
    Wrapper = 4,
    Unsigned = 8,
    Block = 16,
    Named = 32,
}

/// Several [`Trait`]s.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Traits(u8);

impl Traits {
    pub(crate) fn has(self, what: Trait) -> bool {
        self.0 & what as u8 != 0
    }
}

/// A language, ready for parsing.
pub(super) struct Compiled {
    pub language: Language,
    pub spec: &'static Syntax,
    pub grammar: tree_sitter::Language,
    pub query: Query,
    roles: Vec<Role>,
    /// [`Trait`] bits by node kind.
    traits: Vec<u8>,
}

/// Returns the compiled form of `language`. `Err` says what is wrong with its queries, which only a
/// change of this crate or of a grammar can cause; `None` means that it is not a code language.
///
/// Cached per thread, not globally: on wasm32 a query may not be shared between threads.
pub(super) fn of(language: Language) -> Option<Result<Rc<Compiled>, Rc<str>>> {
    thread_local! {
        static ALL: [OnceCell<Result<Rc<Compiled>, Rc<str>>>; Language::ALL_CODE.len()] =
            const { [const { OnceCell::new() }; Language::ALL_CODE.len()] };
    }
    let spec = language.syntax()?;
    let at = Language::ALL_CODE
        .iter()
        .position(|&code| code == language)?;
    let compile = || Compiled::new(language, spec).map(Rc::new).map_err(Rc::from);
    ALL.with(|all| Some(all.get(at)?.get_or_init(compile).clone()))
}

impl Compiled {
    fn new(language: Language, spec: &'static Syntax) -> Result<Self, String> {
        let grammar = spec
            .grammar
            .ok_or("this program is built without grammars")?();
        let query = Query::new(&grammar, &spec.query()).map_err(|error| error.to_string())?;
        let roles = query
            .capture_names()
            .iter()
            .map(|name| role(name))
            .collect::<Result<_, _>>()?;
        let traits = traits(spec, &grammar)?;
        Ok(Self {
            language,
            spec,
            grammar,
            query,
            roles,
            traits,
        })
    }

    pub(crate) fn role(&self, capture: u32) -> Role {
        self.roles
            .get(capture as usize)
            .copied()
            .unwrap_or(Role::Unused)
    }

    /// Returns the value of `(#set! key "value")` in a pattern.
    pub(crate) fn setting(&self, pattern: usize, key: &str) -> Option<&str> {
        if pattern >= self.query.pattern_count() {
            return None;
        }
        let settings = self.query.property_settings(pattern);
        let property = settings.iter().find(|property| &*property.key == key)?;
        property.value.as_deref()
    }

    pub(crate) fn traits(&self, node: Node<'_>) -> Traits {
        let bits = self.traits.get(node.kind_id() as usize).copied();
        // Only the kind of broken syntax is missing from the table.
        Traits(bits.unwrap_or(Trait::Named as u8))
    }

    /// Returns the bytes of pattern `at` in the joined query source, for messages.
    #[cfg(test)]
    pub(crate) fn pattern_bytes(&self, at: usize) -> Range<usize> {
        self.query.start_byte_for_pattern(at)..self.query.end_byte_for_pattern(at)
    }
}

fn role(capture: &str) -> Result<Role, String> {
    Ok(match capture {
        "symbol.module" => Role::Symbol(SymbolKind::Module),
        "symbol.class" => Role::Symbol(SymbolKind::Class),
        "symbol.interface" => Role::Symbol(SymbolKind::Interface),
        "symbol.trait" => Role::Symbol(SymbolKind::Trait),
        "symbol.struct" => Role::Symbol(SymbolKind::Struct),
        "symbol.enum" => Role::Symbol(SymbolKind::Enum),
        "symbol.union" => Role::Symbol(SymbolKind::Union),
        "symbol.type" => Role::Symbol(SymbolKind::Type),
        "symbol.function" => Role::Symbol(SymbolKind::Function),
        "symbol.method" => Role::Symbol(SymbolKind::Method),
        "symbol.macro" => Role::Symbol(SymbolKind::Macro),
        "symbol.constant" => Role::Symbol(SymbolKind::Constant),
        "symbol.variable" => Role::Symbol(SymbolKind::Variable),
        "scope" => Role::Scope,
        "name" => Role::Name,
        "owner" => Role::Owner,
        "body" => Role::Body,
        "doc" => Role::Doc,
        "import" => Role::Import,
        "module" => Role::Module,
        "alias" => Role::Alias,
        "call" => Role::Call,
        "receiver" => Role::Receiver,
        "uncalled" => Role::Uncalled,
        "tokens" => Role::Tokens,
        "base" => Role::Base,
        "parameter" => Role::Parameter,
        "variable" => Role::Variable,
        "local" => Role::Local,
        "field" => Role::Field,
        "made" => Role::Made,
        "type" => Role::Type,
        "package" => Role::Package,
        unused if unused.starts_with('_') => Role::Unused,
        unknown => return Err(format!("unknown capture @{unknown}")),
    })
}

/// Returns the trait bits by node kind id. A kind that the grammar lacks is an error: otherwise a
/// query would silently stop matching.
fn traits(spec: &Syntax, grammar: &tree_sitter::Language) -> Result<Vec<u8>, String> {
    let mut traits: Vec<u8> = (0..grammar.node_kind_count())
        .map(|id| u8::from(grammar.node_kind_is_named(id as u16)) * Trait::Named as u8)
        .collect();
    let named = [
        (spec.comments, Trait::Comment),
        (spec.attributes, Trait::Attribute),
        (spec.wrappers, Trait::Wrapper),
        (spec.unsigned, Trait::Unsigned),
        (spec.blocks, Trait::Block),
    ];
    for (kinds, bit) in named {
        for kind in kinds {
            let mut found = false;
            // A kind can have several ids, because a grammar may give two rules the same name.
            for (id, bits) in traits.iter_mut().enumerate() {
                let id = id as u16;
                if grammar.node_kind_is_named(id) && grammar.node_kind_for_id(id) == Some(kind) {
                    *bits |= bit as u8;
                    found = true;
                }
            }
            if !found {
                return Err(format!("the grammar has no node kind {kind}"));
            }
        }
    }
    Ok(traits)
}
