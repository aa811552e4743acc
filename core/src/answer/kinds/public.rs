//! Whether a definition is visible outside its own file or class, by the rule of its language.

use std::collections::BTreeSet;

use super::export_list::{ExportList, export_list};
use super::listing::{is_local, owners, parsed, slice};
use super::teller::Teller;
use crate::lang::spec::Public;
use crate::lang::{Language, Parsed, Symbol, SymbolKind};
use crate::lines::LineRange;
use crate::source::FileId;

/// Describes the rule.
pub(super) fn rule_in_words(language: Language) -> String {
    let list = |words: &[&str]| words.join("` or `");
    match language.spec().public {
        Public::Untold => String::new(),
        Public::With(words) => format!("declared `{}`", list(words)),
        Public::Without(words) => format!("not declared `{}`", list(words)),
        Public::NoUnderscore => "without a leading underscore".to_owned(),
        Public::Capital => "with a capital letter".to_owned(),
        Public::Exported => "exported".to_owned(),
    }
}

/// What a file makes public.
pub(super) struct Publics<'i> {
    file: FileId,
    parsed: &'i Parsed,
    /// Names that the file exports separately from their definitions.
    pub exported: BTreeSet<String>,
    /// What a Python file lists in `__all__`, if it does.
    pub all: Option<ExportList>,
}

impl<'i> Publics<'i> {
    /// Returns `None` for text, and for languages that do not show what is public.
    pub(crate) fn new(teller: &Teller<'_, 'i>, file: FileId) -> Option<Self> {
        let parsed = parsed(teller, file)?;
        let rule = parsed.language.spec().public;
        let exported = match rule {
            Public::Exported => exported_names(teller.file_text(file)),
            _ => BTreeSet::new(),
        };
        (rule != Public::Untold).then(|| Self {
            file,
            parsed,
            exported,
            all: export_list(teller, file),
        })
    }

    /// Whether the symbol and everything it belongs to are public.
    pub(crate) fn has(&self, teller: &Teller<'_, 'i>, symbol: &Symbol) -> bool {
        let owner = self.owner(symbol);
        owner.is_none_or(|owner| self.has(teller, owner)) && self.is_declared(teller, symbol)
    }

    /// Whether the symbol's own declaration makes it public.
    pub(crate) fn is_declared(&self, teller: &Teller<'_, 'i>, symbol: &Symbol) -> bool {
        let is_own = match self.parsed.language.spec().public {
            Public::Untold => false,
            Public::With(words) => {
                let owner = self.owner(symbol);
                let of_interface = owner.is_some_and(|owner| {
                    matches!(owner.kind, SymbolKind::Interface | SymbolKind::Trait)
                });
                // What an interface declares is as public as the interface.
                let is_macro =
                    symbol.kind == SymbolKind::Macro && self.is_exported_macro(teller, symbol);
                of_interface || is_macro || says(symbol, words)
            }
            Public::Without(words) => !says(symbol, words),
            Public::NoUnderscore => match &self.all {
                Some(list) if symbol.parent.is_none() => list.has(&symbol.name),
                _ => !symbol.name.starts_with('_'),
            },
            Public::Capital => symbol.name.starts_with(char::is_uppercase),
            Public::Exported => self.is_exported(teller, symbol),
        };
        is_own && !is_local(self.parsed, symbol)
    }

    /// Returns what the symbol belongs to, even if it is written apart from it.
    fn owner(&self, symbol: &Symbol) -> Option<&'i Symbol> {
        if let Some(parent) = symbol.parent {
            return self.parsed.symbols.get(parent as usize);
        }
        let (owner, _) = symbol.qualified.rsplit_once('.')?;
        let mut all = self.parsed.symbols.iter();
        all.find(|other| other.qualified == owner && other.lines != symbol.lines)
    }

    fn is_exported(&self, teller: &Teller<'_, 'i>, symbol: &Symbol) -> bool {
        let is_hidden = symbol.name.starts_with('#') || says(symbol, &["private", "protected"]);
        if owners(self.parsed, symbol).next().is_some() {
            return !is_hidden;
        }
        let head = LineRange::new(symbol.lines.start(), symbol.name_line);
        let mut lines = slice(teller, self.file, head).lines().map(str::trim_start);
        let (owner, _) = symbol
            .qualified
            .split_once('.')
            .unwrap_or((symbol.name.as_str(), ""));
        self.exported.contains(owner)
            || lines.any(|line| {
                ["export ", "exports.", "module.exports"]
                    .iter()
                    .any(|start| line.starts_with(start))
            })
    }

    fn is_exported_macro(&self, teller: &Teller<'_, 'i>, symbol: &Symbol) -> bool {
        let head = LineRange::new(symbol.lines.start(), symbol.name_line);
        slice(teller, self.file, head).contains("macro_export")
    }
}

/// Whether the declaration has one of the words before the name. `pub(crate)` is not `pub`.
fn says(symbol: &Symbol, words: &[&str]) -> bool {
    let signature = symbol.signature.replace("pub(", "restricted(");
    let mut before = signature
        .split(|c: char| !(c.is_alphanumeric() || c == '_'))
        .take_while(|word| *word != symbol.name);
    before.any(|word| words.contains(&word))
}

/// Returns the names that a JavaScript or TypeScript file exports separately from their
/// definitions.
fn exported_names(text: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for start in ["export {", "module.exports = {", "export type {"] {
        for (at, _) in text.match_indices(start) {
            let rest = text.get(at + start.len()..).unwrap_or_default();
            let (list, behind) = rest.split_once('}').unwrap_or((rest, ""));
            if !behind.trim_start().starts_with("from") {
                names.extend(list.split(',').filter_map(listed_name));
            }
        }
    }
    for line in text.lines().map(str::trim) {
        let value = line.strip_prefix("export default ");
        if let Some(name) = value.and_then(first_word) {
            names.insert(name);
        }
        names.extend(chained(line));
    }
    names
}

/// Returns the names in `var app = exports = module.exports = {}` and `exports.send = send`.
fn chained(line: &str) -> Vec<String> {
    if !line.contains("exports") {
        return Vec::new();
    }
    let of = |part: &str| {
        let words = ["var ", "let ", "const "];
        let bare = words.iter().find_map(|word| part.strip_prefix(word));
        bare.unwrap_or(part).trim_end_matches(';').trim().to_owned()
    };
    let parts: Vec<String> = line.split('=').map(|part| of(part.trim())).collect();
    let stores = |part: &String| part.starts_with("exports") || part.starts_with("module.exports");
    let is_name = |part: &String| {
        let mut signs = part.chars();
        let is_word = signs.all(|c| c.is_alphanumeric() || c == '_' || c == '$');
        is_word && !part.is_empty() && part != "exports"
    };
    match parts.len() > 1 && parts.iter().any(stores) {
        true => parts.into_iter().filter(is_name).collect(),
        false => Vec::new(),
    }
}

/// Returns the listed name: `a` of `a as b`, `b` of `a: b`.
fn listed_name(part: &str) -> Option<String> {
    let part = part.trim();
    let value = part.rsplit(':').next().unwrap_or(part).trim();
    first_word(value.strip_prefix("type ").unwrap_or(value))
}

fn first_word(text: &str) -> Option<String> {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '$'));
    words
        .next()
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
}
