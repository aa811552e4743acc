//! What usages are looked for.

use crate::answer::kinds::teller::Teller;
use crate::answer::kinds::texts::is_callable;
use crate::index::graph::SymbolId;
use crate::lang::SymbolKind;
use crate::lines::LineRange;
use crate::source::FileId;

/// What is looked for.
pub(super) struct Wanted {
    /// The definitions that are meant; empty for a name that only outside code defines.
    pub symbols: Vec<SymbolId>,
    /// The last part of the name.
    pub name: String,
    /// What must stand before it, with its separator: `Store.`.
    pub owner: Option<String>,
    /// The name as shown.
    pub shown: String,
    /// Whether others share the name, so that only uses that name the owner are certain.
    pub is_by_owner: bool,
    pub is_member: bool,
    pub is_macro: bool,
}

impl Wanted {
    pub(crate) fn of(teller: &Teller<'_, '_>, ids: &[SymbolId], shown: &str) -> Self {
        let symbols: Vec<_> = ids
            .iter()
            .filter_map(|id| teller.index.symbol(*id))
            .collect();
        let name = symbols
            .first()
            .map_or(shown, |symbol| &symbol.name)
            .to_owned();
        let all = (0..).map(FileId).zip(teller.index.parsed.iter());
        let mut others = all.flat_map(|(file, parsed)| {
            let of_file = (0..).zip(&parsed.symbols);
            of_file.map(move |(at, symbol)| (SymbolId { file, at }, symbol))
        });
        // A constructor shares the name of its class.
        let is_part = |id: SymbolId, lines: LineRange| {
            let mut own = ids.iter().filter(|own| own.file == id.file);
            own.any(|own| {
                let own = teller.index.symbol(*own);
                own.is_some_and(|own| own.lines.encloses(lines))
            })
        };
        let is_shared = others.any(|(id, symbol)| {
            let is_code = is_callable(symbol.kind) || symbol.kind.is_container();
            is_code && symbol.name == name && !is_part(id, symbol.lines)
        });
        let is_member = symbols
            .iter()
            .any(|symbol| symbol.kind == SymbolKind::Method);
        let owner = symbols.first().and_then(|symbol| {
            let (owner, _) = symbol.qualified.rsplit_once('.')?;
            Some(owner.rsplit('.').next().unwrap_or(owner).to_owned())
        });
        Self {
            symbols: ids.to_vec(),
            name,
            owner: owner.filter(|_| is_shared),
            shown: shown.to_owned(),
            is_by_owner: is_shared,
            is_member,
            is_macro: symbols
                .iter()
                .any(|symbol| symbol.kind == SymbolKind::Macro),
        }
    }

    /// Looks for a name that is used but not defined: `Object.setPrototypeOf`.
    pub(crate) fn unknown(plain: &str, shown: String) -> Self {
        let (owner, name) = match plain.rsplit_once('.') {
            Some((owner, name)) => (Some(owner.to_owned()), name),
            None => (None, plain),
        };
        Self {
            symbols: Vec::new(),
            name: name.to_owned(),
            is_by_owner: owner.is_some(),
            owner,
            shown,
            is_member: false,
            is_macro: false,
        }
    }
}
