//! Compares code with its documentation: what one has and the other lacks.
//!
//! It states only what syntax shows: names of parameters, exceptions that a body raises itself, and
//! a body that is empty or only returns what it was given. Whether such a body contradicts the
//! documentation is left to the reader.

mod described;
#[cfg(test)]
mod tests;

use described::{Described, Descriptions, described};

use super::Span;
use super::definition::Definition;
use super::notes::{QUOTED, SEARCHED, Source, code, text, tidy};
use super::prose::{code_list, code_some};
use super::syntax::Syntax;
use crate::index::Index;
use crate::lang::{Language, SymbolKind};
use crate::lines::LineRange;
use crate::parse::shape::{Documentation, Parameter, Shape, When};

/// Maximum number of names in one list.
const MAX_NAMES: usize = 4;
/// Longest body, in lines, that is cited for what it does not do.
const MAX_BODY: u32 = 60;

/// Languages in which every way to raise an exception is recognised.
const RAISING: [Language; 7] = [
    Language::Python,
    Language::JavaScript,
    Language::TypeScript,
    Language::Java,
    Language::CSharp,
    Language::Php,
    Language::Cpp,
];

/// The part of a definition that a finding is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Body,
    Signature,
    Documentation,
}

/// What is stated about a part, and the lines that show it.
struct Finding {
    part: Part,
    spans: Vec<Span>,
    sources: Vec<Source>,
}

/// Returns how a documented definition's code and documentation differ, with the lines that show
/// it; `None` if nothing can be compared or everything agrees.
pub(super) fn differences(
    index: &Index,
    syntax: &Syntax<'_>,
    definition: &Definition<'_>,
) -> Option<(Vec<Span>, Vec<Source>)> {
    let shape = syntax.shape(definition);
    let mut findings: Vec<Finding> = Vec::new();
    findings.extend(bare_body(definition, &shape));
    if let Some(documentation) = &shape.documentation {
        let descriptions = described(documentation);
        // The documentation of a class describes what its constructor takes.
        let constructor = constructor(index, definition);
        match (definition.is_container(), constructor) {
            (false, _) => {
                let compared = Compared::new(definition, &shape, documentation);
                findings.extend(compared.parameters(&descriptions));
                findings.extend(compared.exceptions(&descriptions));
            }
            (true, Some(constructor)) => {
                let own = syntax.shape(&constructor);
                let is_described = own
                    .documentation
                    .as_ref()
                    .is_some_and(|own| !described(own).parameters.is_empty());
                if !is_described {
                    let compared = Compared::new(&constructor, &own, documentation);
                    findings.extend(compared.parameters(&descriptions));
                }
            }
            (true, None) => {}
        }
    }
    said(definition, findings)
}

/// Makes one statement of all findings.
fn said(definition: &Definition<'_>, findings: Vec<Finding>) -> Option<(Vec<Span>, Vec<Source>)> {
    let mut spans = Vec::new();
    let mut sources = Vec::new();
    let mut last = None;
    for finding in findings {
        let part = match finding.part {
            Part::Body => "body",
            Part::Signature => "signature",
            Part::Documentation => "documentation",
        };
        if spans.is_empty() {
            spans.push(text(format!("The {part} of ")));
            spans.push(code(definition.symbol.qualified.clone()));
        } else if last == Some(finding.part) {
            spans.push(text(", and"));
        } else {
            spans.push(text(format!("; its {part}")));
        }
        last = Some(finding.part);
        spans.extend(finding.spans);
        sources.extend(finding.sources);
    }
    if spans.is_empty() {
        return None;
    }
    spans.push(text("."));
    Some((tidy(spans), sources))
}

fn is_constructor(definition: &Definition<'_>) -> bool {
    let symbol = definition.symbol;
    let owner = symbol
        .parent
        .and_then(|parent| definition.parsed.symbols.get(parent as usize));
    let is_class_name = owner.is_some_and(|owner| owner.name == symbol.name);
    let usual = ["__init__", "constructor", "__construct", "init"];
    is_class_name || usual.contains(&symbol.name.as_str()) || symbol.name.starts_with('~')
}

/// Returns the constructor of a class if it has exactly one.
fn constructor<'i>(index: &'i Index, class: &Definition<'i>) -> Option<Definition<'i>> {
    let mut found = class
        .inner()
        .filter_map(|at| Definition::new(index, class.file, at))
        .filter(|inner| inner.symbol.parent == Some(class.at) && is_constructor(inner));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// Finds a body that does nothing, or only returns something that needs no work.
fn bare_body(definition: &Definition<'_>, shape: &Shape) -> Option<Finding> {
    let is_function = matches!(
        definition.symbol.kind,
        SymbolKind::Function | SymbolKind::Method
    );
    let is_left_open = shape.decorators.iter().any(|decorator| {
        let decorator = &decorator.text;
        decorator.contains("overload") || decorator.contains("abstract")
    });
    if !is_function || !shape.has_body || is_left_open || is_constructor(definition) {
        return None;
    }
    let finding = |spans: Vec<Span>, lines: LineRange, quotes: Vec<String>| Finding {
        part: Part::Body,
        spans,
        sources: vec![Source {
            file: definition.file,
            lines,
            quotes,
            why: "body".to_owned(),
        }],
    };
    if shape.n_statements == 0 {
        return Some(finding(
            vec![text(" is empty")],
            shape.body_lines?,
            Vec::new(),
        ));
    }
    let (does, exit) = match (shape.returned.as_slice(), shape.raised.as_slice()) {
        ([exit], []) => (" only returns ", exit),
        ([], [exit]) => (" only raises ", exit),
        _ => return None,
    };
    let value = exit.value.text.as_str();
    let shown = match shape.raised.is_empty() {
        true => (is_parameter(shape, value) || is_constant(value)).then_some(value),
        false => raised_name(value).filter(|name| name.starts_with("NotImplemented")),
    };
    let shown = shown.filter(|_| shape.is_only_exit && exit.when == When::Always)?;
    let line = exit.value.line;
    Some(finding(
        vec![text(does), code(shown)],
        LineRange::new(line, line),
        vec![shown.to_owned()],
    ))
}

fn is_parameter(shape: &Shape, value: &str) -> bool {
    let mut known = shape.parameters.iter().flatten();
    ["self", "this"].contains(&value) || known.any(|parameter| parameter.name == value)
}

/// Whether a value is a literal that needs no work.
fn is_constant(value: &str) -> bool {
    const WORDS: [&str; 14] = [
        "true",
        "false",
        "True",
        "False",
        "None",
        "null",
        "nil",
        "undefined",
        "Ok(())",
        "{}",
        "[]",
        "()",
        "nullptr",
        "NULL",
    ];
    let number = value.trim_start_matches('-');
    let is_number = number.starts_with(|c: char| c.is_ascii_digit())
        && number
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '_'));
    let is_text = ['"', '\''].iter().any(|&quote| {
        let inner = value
            .strip_prefix(quote)
            .and_then(|it| it.strip_suffix(quote));
        inner.is_some_and(|inner| !inner.contains([quote, '\n']))
    });
    WORDS.contains(&value) || is_number || is_text
}

/// Returns the last part of the name of what is raised: `Late` of `new app.Late("x")`.
pub(super) fn raised_name(value: &str) -> Option<&str> {
    let value = value.strip_prefix("new ").unwrap_or(value).trim_start();
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | ':' | '\\');
    let end = value.find(|c: char| !is_part(c)).unwrap_or(value.len());
    let name = value.get(..end)?.rsplit(['.', ':', '\\']).next()?;
    (!name.is_empty()).then_some(name)
}

/// A function next to the documentation that describes its parts.
struct Compared<'a> {
    definition: &'a Definition<'a>,
    shape: &'a Shape,
    documentation: &'a Documentation,
}

impl<'a> Compared<'a> {
    fn new(
        definition: &'a Definition<'a>,
        shape: &'a Shape,
        documentation: &'a Documentation,
    ) -> Self {
        Self {
            definition,
            shape,
            documentation,
        }
    }

    /// Finds parameters that only the code or only the documentation has.
    fn parameters(&self, descriptions: &Descriptions) -> Vec<Finding> {
        let Some(parameters) = &self.shape.parameters else {
            return Vec::new();
        };
        let described = &descriptions.parameters;
        let is_same = |a: &str, b: &str| a.trim_matches('_') == b.trim_matches('_');
        let takes_all = parameters.iter().any(|parameter| parameter.is_rest)
            || self.shape.names.contains_key("arguments");
        let mut findings = Vec::new();
        let foreign: Vec<&Described> = described
            .iter()
            .filter(|described| !["self", "cls", "this"].contains(&described.name.as_str()))
            .filter(|described| {
                let mut own = parameters.iter();
                !own.any(|own| is_same(&own.name, &described.name))
            })
            .collect();
        if !foreign.is_empty() && !takes_all {
            findings.push(self.foreign(&foreign, parameters));
        }
        let left_out: Vec<&Parameter> = parameters
            .iter()
            .filter(|own| !own.is_rest && !own.name.starts_with('_'))
            .filter(|own| {
                let mut described = described.iter();
                !described.any(|described| is_same(&own.name, &described.name))
            })
            .collect();
        if !left_out.is_empty() && !described.is_empty() {
            findings.push(self.left_out(&left_out, parameters));
        }
        findings
    }

    fn foreign(&self, foreign: &[&Described], parameters: &[Parameter]) -> Finding {
        let names: Vec<String> = foreign.iter().map(|it| it.name.clone()).collect();
        let mut spans = match names.as_slice() {
            [_] => vec![text(" describes a parameter ")],
            _ => vec![text(" describes parameters ")],
        };
        spans.extend(code_some(&names, MAX_NAMES));
        spans.push(text(" that the signature does not have"));
        Finding {
            part: Part::Documentation,
            spans,
            sources: vec![self.quoted(foreign), self.signature(parameters, &[])],
        }
    }

    fn left_out(&self, left_out: &[&Parameter], parameters: &[Parameter]) -> Finding {
        let names: Vec<String> = left_out.iter().map(|it| it.name.clone()).collect();
        let mut spans = vec![text(" has ")];
        spans.extend(code_some(&names, MAX_NAMES));
        spans.push(text(", which the documentation does not describe"));
        Finding {
            part: Part::Signature,
            spans,
            sources: vec![
                self.signature(parameters, &names),
                Source {
                    file: self.definition.file,
                    lines: self.documentation.lines,
                    quotes: Vec::new(),
                    why: SEARCHED.to_owned(),
                },
            ],
        }
    }

    /// Finds documented exceptions whose names the body never raises.
    fn exceptions(&self, descriptions: &Descriptions) -> Option<Finding> {
        let shape = self.shape;
        let lines = shape.body_lines?;
        // A raised variable may hold anything.
        let raised: Option<Vec<&str>> = shape
            .raised
            .iter()
            .map(|exit| {
                let name = raised_name(&exit.value.text)?;
                name.starts_with(char::is_uppercase).then_some(name)
            })
            .collect();
        let raised = raised?;
        if !RAISING.contains(&self.definition.parsed.language) {
            return None;
        }
        let missing: Vec<&Described> = descriptions
            .exceptions
            .iter()
            .filter(|described| {
                let name = described.name.as_str();
                !raised.contains(&name) && !shape.names.contains_key(name)
            })
            .collect();
        if missing.is_empty() {
            return None;
        }
        let names: Vec<String> = missing.iter().map(|it| it.name.clone()).collect();
        let mut spans = vec![text(" says that it raises ")];
        spans.extend(code_some(&names, MAX_NAMES));
        spans.push(text(", but the body raises no "));
        spans.extend(code_list(names.get(..MAX_NAMES).unwrap_or(&names), "or"));
        spans.push(text(" itself"));
        let mut sources = vec![self.quoted(&missing)];
        if lines.count() <= MAX_BODY {
            sources.push(Source {
                file: self.definition.file,
                lines,
                quotes: Vec::new(),
                why: SEARCHED.to_owned(),
            });
        }
        Some(Finding {
            part: Part::Documentation,
            spans,
            sources,
        })
    }

    /// Returns the lines that describe `named`.
    fn quoted(&self, named: &[&Described]) -> Source {
        let lines = named.iter().map(|it| it.line);
        let first = lines
            .clone()
            .min()
            .unwrap_or(self.documentation.lines.start());
        let last = lines.max().unwrap_or(first);
        Source {
            file: self.definition.file,
            lines: LineRange::new(first, last),
            quotes: named.iter().map(|it| it.name.clone()).collect(),
            why: QUOTED.to_owned(),
        }
    }

    /// Returns the lines of the parameter list.
    fn signature(&self, parameters: &[Parameter], names: &[String]) -> Source {
        let symbol = self.definition.symbol;
        let last = parameters.iter().map(|parameter| parameter.line).max();
        let mut quotes = vec![symbol.name.clone()];
        quotes.extend_from_slice(names);
        Source {
            file: self.definition.file,
            lines: LineRange::new(symbol.name_line, last.unwrap_or(symbol.name_line)),
            quotes,
            why: "signature".to_owned(),
        }
    }
}
