//! Records of core's types as they are saved. They borrow from the bytes that they are read from.

use serde::{Deserialize, Serialize};

use super::codes;
use crate::lang::{
    Base, Break, Call, Import, ImportedName, Language, Parsed, Problem, Symbol, Typed,
};
use crate::lines::{Line, LineRange};
use crate::source::{SkipReason, Skipped};

/// The head after magic and version.
#[derive(Serialize, Deserialize)]
pub(super) struct HeadRecord<'a> {
    pub name: &'a str,
    /// One for each section of the body, in order.
    pub checksums: Vec<u64>,
    #[serde(borrow)]
    pub skipped: Vec<SkippedRecord<'a>>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct SkippedRecord<'a> {
    path: &'a str,
    #[serde(borrow)]
    reason: ReasonRecord<'a>,
}

/// New reasons go at the end: postcard writes the index.
#[derive(Serialize, Deserialize)]
enum ReasonRecord<'a> {
    Binary,
    Minified,
    Generated,
    Lock,
    Data,
    Vendored,
    TooLarge { bytes: u64, limit: u64 },
    Ignored { rule_file: &'a str },
    Link,
    UnsafePath,
    Encrypted,
    Duplicate,
    Unreadable(&'a str),
    VersionControl,
    SystemFile,
    Backup,
    LeftOut,
    TooDeep,
    TooMuchWork,
    StoppedEngine,
}

impl<'a> From<&'a Skipped> for SkippedRecord<'a> {
    fn from(skipped: &'a Skipped) -> Self {
        let reason = match &skipped.reason {
            SkipReason::Binary => ReasonRecord::Binary,
            SkipReason::Minified => ReasonRecord::Minified,
            SkipReason::Generated => ReasonRecord::Generated,
            SkipReason::Lock => ReasonRecord::Lock,
            SkipReason::Data => ReasonRecord::Data,
            SkipReason::Vendored => ReasonRecord::Vendored,
            SkipReason::VersionControl => ReasonRecord::VersionControl,
            SkipReason::SystemFile => ReasonRecord::SystemFile,
            SkipReason::Backup => ReasonRecord::Backup,
            SkipReason::LeftOut => ReasonRecord::LeftOut,
            SkipReason::TooDeep => ReasonRecord::TooDeep,
            SkipReason::TooMuchWork => ReasonRecord::TooMuchWork,
            SkipReason::StoppedEngine => ReasonRecord::StoppedEngine,
            &SkipReason::TooLarge { bytes, limit } => ReasonRecord::TooLarge { bytes, limit },
            SkipReason::Ignored { rule_file } => ReasonRecord::Ignored { rule_file },
            SkipReason::Link => ReasonRecord::Link,
            SkipReason::UnsafePath => ReasonRecord::UnsafePath,
            SkipReason::Encrypted => ReasonRecord::Encrypted,
            SkipReason::Duplicate => ReasonRecord::Duplicate,
            SkipReason::Unreadable(why) => ReasonRecord::Unreadable(why),
        };
        Self {
            path: &skipped.path,
            reason,
        }
    }
}

impl SkippedRecord<'_> {
    pub(crate) fn into_skipped(self) -> Skipped {
        let reason = match self.reason {
            ReasonRecord::Binary => SkipReason::Binary,
            ReasonRecord::Minified => SkipReason::Minified,
            ReasonRecord::Generated => SkipReason::Generated,
            ReasonRecord::Lock => SkipReason::Lock,
            ReasonRecord::Data => SkipReason::Data,
            ReasonRecord::Vendored => SkipReason::Vendored,
            ReasonRecord::VersionControl => SkipReason::VersionControl,
            ReasonRecord::SystemFile => SkipReason::SystemFile,
            ReasonRecord::Backup => SkipReason::Backup,
            ReasonRecord::LeftOut => SkipReason::LeftOut,
            ReasonRecord::TooDeep => SkipReason::TooDeep,
            ReasonRecord::TooMuchWork => SkipReason::TooMuchWork,
            ReasonRecord::StoppedEngine => SkipReason::StoppedEngine,
            ReasonRecord::TooLarge { bytes, limit } => SkipReason::TooLarge { bytes, limit },
            ReasonRecord::Ignored { rule_file } => SkipReason::Ignored {
                rule_file: rule_file.to_owned(),
            },
            ReasonRecord::Link => SkipReason::Link,
            ReasonRecord::UnsafePath => SkipReason::UnsafePath,
            ReasonRecord::Encrypted => SkipReason::Encrypted,
            ReasonRecord::Duplicate => SkipReason::Duplicate,
            ReasonRecord::Unreadable(why) => SkipReason::Unreadable(why.to_owned()),
        };
        Skipped {
            path: self.path.to_owned(),
            reason,
        }
    }
}

/// First line and number of further lines.
type LinesRecord = (u32, u32);

fn of_lines(lines: LineRange) -> LinesRecord {
    (lines.start().0, lines.count() - 1)
}

fn to_lines((first, more): LinesRecord) -> LineRange {
    LineRange::new(Line(first), Line(first.saturating_add(more)))
}

/// One file's [`Parsed`].
#[derive(Serialize, Deserialize)]
pub(super) struct ParsedRecord<'a> {
    language: u8,
    #[serde(borrow)]
    symbols: Vec<SymbolRecord<'a>>,
    #[serde(borrow)]
    imports: Vec<ImportRecord<'a>>,
    #[serde(borrow)]
    calls: Vec<CallRecord<'a>>,
    /// Line and depth.
    breaks: Vec<(u32, u16)>,
    #[serde(borrow)]
    problems: Vec<(u32, &'a str)>,
}

#[derive(Serialize, Deserialize)]
struct SymbolRecord<'a> {
    kind: u8,
    name: &'a str,
    qualified: &'a str,
    signature: &'a str,
    doc: &'a str,
    lines: LinesRecord,
    name_line: u32,
    parent: Option<u32>,
}

#[derive(Serialize, Deserialize)]
struct ImportRecord<'a> {
    module: &'a str,
    /// Name and alias.
    #[serde(borrow)]
    names: Vec<(&'a str, Option<&'a str>)>,
    lines: LinesRecord,
}

#[derive(Serialize, Deserialize)]
struct CallRecord<'a> {
    name: &'a str,
    receiver: Option<&'a str>,
    line: u32,
    caller: Option<u32>,
}

impl<'a> From<&'a Parsed> for ParsedRecord<'a> {
    fn from(parsed: &'a Parsed) -> Self {
        let breaks = parsed.breaks.iter().map(|at| (at.line.0, at.depth));
        let problems = parsed.problems.iter();
        Self {
            language: parsed.language.number(),
            symbols: parsed.symbols.iter().map(SymbolRecord::from).collect(),
            imports: parsed.imports.iter().map(ImportRecord::from).collect(),
            calls: parsed.calls.iter().map(CallRecord::from).collect(),
            breaks: breaks.collect(),
            problems: problems.map(|at| (at.line.0, at.what.as_str())).collect(),
        }
    }
}

impl ParsedRecord<'_> {
    /// Returns `None` if a language or kind has an unknown number, or a parent or caller does not
    /// exist.
    pub(crate) fn into_parsed(self) -> Option<Parsed> {
        let count = self.symbols.len() as u32;
        let symbols = self.symbols.into_iter().enumerate();
        let symbols = symbols.map(|(at, symbol)| symbol.into_symbol(at as u32));
        let calls = self.calls.into_iter().map(|call| call.into_call(count));
        let breaks = self.breaks.into_iter().map(|(line, depth)| Break {
            line: Line(line),
            depth,
        });
        let problems = self.problems.into_iter().map(|(line, what)| Problem {
            line: Line(line),
            what: what.to_owned(),
        });
        Some(Parsed {
            symbols: symbols.collect::<Option<_>>()?,
            imports: self
                .imports
                .into_iter()
                .map(ImportRecord::into_import)
                .collect(),
            calls: calls.collect::<Option<_>>()?,
            breaks: breaks.collect(),
            problems: problems.collect(),
            ..Parsed::empty(Language::of_number(self.language)?)
        })
    }
}

impl<'a> From<&'a Symbol> for SymbolRecord<'a> {
    fn from(symbol: &'a Symbol) -> Self {
        Self {
            kind: codes::of_symbol(symbol.kind),
            name: &symbol.name,
            qualified: &symbol.qualified,
            signature: &symbol.signature,
            doc: &symbol.doc,
            lines: of_lines(symbol.lines),
            name_line: symbol.name_line.0,
            parent: symbol.parent,
        }
    }
}

impl SymbolRecord<'_> {
    fn into_symbol(self, at: u32) -> Option<Symbol> {
        if self.parent.is_some_and(|parent| parent >= at) {
            return None;
        }
        Some(Symbol {
            kind: codes::to_symbol(self.kind)?,
            name: self.name.to_owned(),
            qualified: self.qualified.to_owned(),
            signature: self.signature.to_owned(),
            doc: self.doc.to_owned(),
            lines: to_lines(self.lines),
            name_line: Line(self.name_line),
            parent: self.parent,
        })
    }
}

impl<'a> From<&'a Import> for ImportRecord<'a> {
    fn from(import: &'a Import) -> Self {
        let names = import.names.iter();
        Self {
            module: &import.module,
            names: names
                .map(|of| (of.name.as_str(), of.alias.as_deref()))
                .collect(),
            lines: of_lines(import.lines),
        }
    }
}

impl ImportRecord<'_> {
    fn into_import(self) -> Import {
        let names = self.names.into_iter().map(|(name, alias)| ImportedName {
            name: name.to_owned(),
            alias: alias.map(str::to_owned),
        });
        Import {
            module: self.module.to_owned(),
            names: names.collect(),
            lines: to_lines(self.lines),
        }
    }
}

impl<'a> From<&'a Call> for CallRecord<'a> {
    fn from(call: &'a Call) -> Self {
        Self {
            name: &call.name,
            receiver: call.receiver.as_deref(),
            line: call.line.0,
            caller: call.caller,
        }
    }
}

impl CallRecord<'_> {
    fn into_call(self, symbols: u32) -> Option<Call> {
        if self.caller.is_some_and(|caller| caller >= symbols) {
            return None;
        }
        Some(Call {
            name: self.name.to_owned(),
            receiver: self.receiver.map(str::to_owned),
            line: Line(self.line),
            caller: self.caller,
        })
    }
}

/// What a file's declarations name, which [`ParsedRecord`] lacks: that record stays as in
/// version 1.
#[derive(Serialize, Deserialize)]
pub(super) struct DeclaredRecord<'a> {
    /// Symbol, name and line.
    #[serde(borrow)]
    bases: Vec<(u32, &'a str, u32)>,
    /// Symbol, name and type.
    #[serde(borrow)]
    types: Vec<(u32, &'a str, &'a str)>,
    #[serde(borrow)]
    packages: Vec<&'a str>,
}

impl<'a> From<&'a Parsed> for DeclaredRecord<'a> {
    fn from(parsed: &'a Parsed) -> Self {
        let bases = parsed.bases.iter();
        let types = parsed.types.iter();
        Self {
            bases: bases
                .map(|base| (base.symbol, base.name.as_str(), base.line.0))
                .collect(),
            types: types
                .map(|typed| (typed.symbol, typed.name.as_str(), typed.written.as_str()))
                .collect(),
            packages: parsed.packages.iter().map(String::as_str).collect(),
        }
    }
}

impl DeclaredRecord<'_> {
    /// Returns `None` if a symbol does not exist.
    pub(crate) fn add_to(self, parsed: &mut Parsed) -> Option<()> {
        let count = parsed.symbols.len() as u32;
        let bases = self.bases.into_iter().map(|(symbol, name, line)| {
            let (name, line) = (name.to_owned(), Line(line));
            (symbol < count).then_some(Base { symbol, name, line })
        });
        parsed.bases = bases.collect::<Option<_>>()?;
        let types = self.types.into_iter().map(|(symbol, name, written)| {
            (symbol < count).then(|| Typed {
                symbol,
                name: name.to_owned(),
                written: written.to_owned(),
            })
        });
        parsed.types = types.collect::<Option<_>>()?;
        parsed.packages = self.packages.into_iter().map(str::to_owned).collect();
        Some(())
    }
}
