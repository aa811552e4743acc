//! Maps the words of a sentence to what they mean in the grammar. A word that is not listed here is
//! unknown, and a sentence with an unknown word is never proven.

use std::collections::HashMap;
use std::sync::OnceLock;

use super::relations::{ALL, Relation};
use super::token::{Style, Term, Token};

/// A noun that says what something is, or which part of it is meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Noun {
    Function,
    Method,
    Class,
    Struct,
    Enum,
    Trait,
    Interface,
    Type,
    Constant,
    Variable,
    Field,
    Variant,
    Member,
    Parameter,
    Constructor,
    Macro,
    Module,
    File,
    Package,
    /// A parameter's default.
    Default,
    /// A constant's value.
    Value,
    ReturnType,
    Base,
    Subclass,
    Decorator,
    Exception,
    Line,
    /// `thing`, `name`, `definition`: any kind.
    Any,
}

/// A word before a noun that the declaration must show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Modifier {
    Async,
    Static,
    Private,
    Public,
    Abstract,
    Exported,
    Generator,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preposition {
    /// `of`: part of, member of.
    Of,
    /// `in`, `inside`, `within`, `from`, `on`, `at`.
    In,
    With,
    As,
    To,
    For,
}

/// The voice in which a relation is stated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// `a calls b`
    Active,
    /// `b is called by a`
    Passive,
}

/// A part of a sentence as the grammar sees it.
#[derive(Clone)]
pub(super) enum Symbol {
    Term(Term),
    Relation(&'static Relation, Voice),
    Article,
    /// `its`: the subject's.
    Its,
    /// `all`, after things that were named.
    All,
    InOrder,
    Noun(Noun),
    Modifier(Modifier),
    Preposition(Preposition),
    And,
    Comma,
    Stop,
    Open,
    Close,
    Which,
    Whose,
    It,
    Not,
    No,
    Be,
    Have,
    May,
    ThereIs,
    /// `and then`: what follows comes later in the code.
    Then,
    If,
    Unless,
    ByDefault,
    Genitive,
    /// `called`, `named`: a name follows.
    Named,
    /// `any`, which only occurs in negations.
    Any,
    Among,
    Unlike,
    Unknown,
}

/// Words that do not change what a sentence claims.
const FILLERS: &[&str] = &[
    "of its own",
    "top-level",
    "this",
    "these",
    "own",
    "both",
    "also",
    "as well",
    "too",
    "simply",
    "directly",
    "itself",
    "in turn",
    "internally",
    "here",
    "there",
    "just below",
    "likewise",
    "namely",
    "do",
    "does",
    "did",
    "following",
    "respective",
    "helper",
    "operator",
    "instance of",
    "an instance of",
    "further",
    "furthermore",
    "moreover",
    "additionally",
    "in addition",
    "on the other hand",
    "among other things",
    "among others",
    "actually",
    "explicitly",
];

/// Words and phrases with one meaning each.
const PHRASES: &[(&str, Symbol)] = &[
    ("and", Symbol::And),
    ("or", Symbol::And),
    ("as well as", Symbol::And),
    ("then", Symbol::Then),
    ("and then", Symbol::Then),
    ("and afterwards", Symbol::Then),
    ("but", Symbol::Comma),
    ("while", Symbol::Comma),
    ("a", Symbol::Article),
    ("an", Symbol::Article),
    ("the", Symbol::Article),
    ("its", Symbol::Its),
    ("all", Symbol::All),
    ("any", Symbol::Any),
    ("any other", Symbol::Any),
    ("passing", Symbol::Preposition(Preposition::With)),
    ("in this order", Symbol::InOrder),
    ("in that order", Symbol::InOrder),
    ("which", Symbol::Which),
    ("that", Symbol::Which),
    ("whose", Symbol::Whose),
    ("it", Symbol::It),
    ("they", Symbol::It),
    ("not", Symbol::Not),
    ("never", Symbol::Not),
    ("doesn't", Symbol::Not),
    ("doesn’t", Symbol::Not),
    ("don't", Symbol::Not),
    ("don’t", Symbol::Not),
    ("isn't", Symbol::Not),
    ("isn’t", Symbol::Not),
    ("cannot", Symbol::Not),
    ("no", Symbol::No),
    ("no other", Symbol::No),
    ("no longer", Symbol::Unknown),
    ("without", Symbol::Unknown),
    ("unlike", Symbol::Unlike),
    ("is", Symbol::Be),
    ("are", Symbol::Be),
    ("be", Symbol::Be),
    ("gets", Symbol::Be),
    ("has", Symbol::Have),
    ("have", Symbol::Have),
    ("having", Symbol::Have),
    ("can", Symbol::May),
    ("may", Symbol::May),
    ("might", Symbol::May),
    ("there is", Symbol::ThereIs),
    ("there are", Symbol::ThereIs),
    ("among", Symbol::Among),
    ("if", Symbol::If),
    ("when", Symbol::If),
    ("unless", Symbol::Unless),
    ("by default", Symbol::ByDefault),
    ("called", Symbol::Named),
    ("named", Symbol::Named),
    ("of", Symbol::Preposition(Preposition::Of)),
    ("belonging to", Symbol::Preposition(Preposition::Of)),
    ("in", Symbol::Preposition(Preposition::In)),
    ("inside", Symbol::Preposition(Preposition::In)),
    ("inside of", Symbol::Preposition(Preposition::In)),
    ("within", Symbol::Preposition(Preposition::In)),
    ("from", Symbol::Preposition(Preposition::In)),
    ("on", Symbol::Preposition(Preposition::In)),
    ("at", Symbol::Preposition(Preposition::In)),
    ("by", Symbol::Preposition(Preposition::In)),
    ("with", Symbol::Preposition(Preposition::With)),
    ("as", Symbol::Preposition(Preposition::As)),
    ("to", Symbol::Preposition(Preposition::To)),
    ("for", Symbol::Preposition(Preposition::For)),
    ("async", Symbol::Modifier(Modifier::Async)),
    ("asynchronous", Symbol::Modifier(Modifier::Async)),
    ("static", Symbol::Modifier(Modifier::Static)),
    ("private", Symbol::Modifier(Modifier::Private)),
    ("public", Symbol::Modifier(Modifier::Public)),
    ("abstract", Symbol::Modifier(Modifier::Abstract)),
    ("exported", Symbol::Modifier(Modifier::Exported)),
    ("generator", Symbol::Modifier(Modifier::Generator)),
];

/// Nouns in the singular; the plural adds an `s`, unless it is listed itself.
const NOUNS: &[(&str, Noun)] = &[
    ("function", Noun::Function),
    ("coroutine", Noun::Function),
    ("method", Noun::Method),
    ("class", Noun::Class),
    ("classes", Noun::Class),
    ("struct", Noun::Struct),
    ("structure", Noun::Struct),
    ("enum", Noun::Enum),
    ("enumeration", Noun::Enum),
    ("trait", Noun::Trait),
    ("interface", Noun::Interface),
    ("protocol", Noun::Interface),
    ("type", Noun::Type),
    ("type alias", Noun::Type),
    ("alias", Noun::Type),
    ("constant", Noun::Constant),
    ("variable", Noun::Variable),
    ("field", Noun::Field),
    ("attribute", Noun::Field),
    ("property", Noun::Field),
    ("properties", Noun::Field),
    ("setting", Noun::Field),
    ("key", Noun::Field),
    ("entry", Noun::Field),
    ("variant", Noun::Variant),
    ("member", Noun::Member),
    ("case", Noun::Variant),
    ("parameter", Noun::Parameter),
    ("argument", Noun::Parameter),
    ("keyword argument", Noun::Parameter),
    ("constructor parameter", Noun::Parameter),
    ("option", Noun::Parameter),
    ("constructor", Noun::Constructor),
    ("initialiser", Noun::Constructor),
    ("initializer", Noun::Constructor),
    ("macro", Noun::Macro),
    ("module", Noun::Module),
    ("file", Noun::File),
    ("source file", Noun::File),
    ("package", Noun::Package),
    ("crate", Noun::Package),
    ("project", Noun::Package),
    ("default", Noun::Default),
    ("default value", Noun::Default),
    ("value", Noun::Value),
    ("return type", Noun::ReturnType),
    ("return annotation", Noun::ReturnType),
    ("return value", Noun::ReturnType),
    ("result type", Noun::ReturnType),
    ("base", Noun::Base),
    ("base class", Noun::Base),
    ("base classes", Noun::Base),
    ("parent", Noun::Base),
    ("parent class", Noun::Base),
    ("superclass", Noun::Base),
    ("superclasses", Noun::Base),
    ("subclass", Noun::Subclass),
    ("subclasses", Noun::Subclass),
    ("decorator", Noun::Decorator),
    ("exception", Noun::Exception),
    ("error", Noun::Exception),
    ("line", Noun::Line),
    ("name", Noun::Any),
    ("definition", Noun::Any),
    ("symbol", Noun::Any),
];

type Table = HashMap<&'static str, Vec<(Vec<&'static str>, Symbol)>>;

/// Returns all phrases by their first word, longest first. The symbol `None` marks a filler.
fn table() -> &'static (Table, Vec<Vec<&'static str>>) {
    static TABLE: OnceLock<(Table, Vec<Vec<&'static str>>)> = OnceLock::new();
    TABLE.get_or_init(|| {
        let mut table: Table = HashMap::new();
        let mut add = |phrase: &'static str, symbol: Symbol| {
            let words: Vec<&str> = phrase.split(' ').collect();
            if let Some(first) = words.first().copied() {
                table.entry(first).or_default().push((words, symbol));
            }
        };
        for (phrase, symbol) in PHRASES {
            add(phrase, symbol.clone());
        }
        for (noun, meaning) in NOUNS {
            add(noun, Symbol::Noun(*meaning));
        }
        for relation in ALL {
            for phrase in relation.active {
                add(phrase, Symbol::Relation(relation, Voice::Active));
            }
            for phrase in relation.passive {
                add(phrase, Symbol::Relation(relation, Voice::Passive));
            }
        }
        for phrases in table.values_mut() {
            phrases.sort_by_key(|(words, _)| std::cmp::Reverse(words.len()));
        }
        let mut fillers: Vec<Vec<&str>> = FILLERS
            .iter()
            .map(|text| text.split(' ').collect())
            .collect();
        fillers.sort_by_key(|words| std::cmp::Reverse(words.len()));
        (table, fillers)
    })
}

/// Returns the meanings of the tokens in order.
pub(super) fn symbols(tokens: &[Token]) -> Vec<Symbol> {
    let (table, fillers) = table();
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        at += 1;
        let word = match token {
            Token::Term(term) => {
                found.push(Symbol::Term(term.clone()));
                continue;
            }
            Token::Sign(sign) => {
                found.push(match sign {
                    's' => Symbol::Genitive,
                    '(' => Symbol::Open,
                    ')' => Symbol::Close,
                    ',' | '—' => Symbol::Comma,
                    _ => Symbol::Stop,
                });
                continue;
            }
            Token::Word(word) => word.as_str(),
        };
        let rest = tokens.get(at..).unwrap_or_default();
        let known = table.get(word).into_iter().flatten();
        let phrase = known
            .into_iter()
            .find(|(words, _)| follows(rest, words.get(1..)));
        let filler = fillers
            .iter()
            .find(|words| words.first() == Some(&word) && follows(rest, words.get(1..)));
        let plural = || {
            let singular = word.strip_suffix('s')?;
            let mut nouns = NOUNS.iter();
            nouns
                .find(|(noun, _)| *noun == singular)
                .map(|(_, noun)| *noun)
        };
        match (phrase, filler) {
            (Some((words, _)), Some(filler)) if filler.len() > words.len() => {
                at += filler.len() - 1
            }
            (Some((words, symbol)), _) => {
                at += words.len() - 1;
                found.push(symbol.clone());
            }
            (None, Some(filler)) => at += filler.len() - 1,
            (None, None) => found.push(match plural() {
                Some(noun) => Symbol::Noun(noun),
                None => Symbol::Unknown,
            }),
        }
    }
    found
}

/// Whether `tokens` start with these words.
fn follows(tokens: &[Token], words: Option<&[&str]>) -> bool {
    let words = words.unwrap_or_default();
    words.len() <= tokens.len()
        && words.iter().zip(tokens).all(|(word, token)| match token {
            Token::Word(found) => found == word,
            _ => false,
        })
}

impl Term {
    /// Whether it can be a definition's name: `a`, `a.b()`, `A::b`; not a string or a number.
    pub(crate) fn is_name(&self) -> bool {
        matches!(self.style, Style::Code | Style::Bare)
            && !super::names::parts(&self.text).is_empty()
    }
}
