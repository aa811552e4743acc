//! Reads the parameters and exceptions that documentation describes: reStructuredText fields,
//! sections in Google and NumPy style, tags of JSDoc, Javadoc, Doxygen and C#, lists under Rust's
//! headings.

use crate::lines::Line;
use crate::parse::shape::Documentation;

/// A name that documentation describes, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Described {
    pub name: String,
    pub line: Line,
}

/// What documentation describes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Descriptions {
    pub parameters: Vec<Described>,
    /// The exceptions that it says are raised, each as the last part of its name.
    pub exceptions: Vec<Described>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Parameters,
    Exceptions,
    Other,
}

/// The section that a line belongs to.
enum Section {
    None,
    /// `Args:` at the first indentation; its entries have the second.
    Google(What, usize, Option<usize>),
    /// A heading underlined with dashes, at this indentation.
    Numpy(What, usize),
    /// `# Arguments`
    Bullets,
}

/// Reads what `documentation` describes.
pub(super) fn described(documentation: &Documentation) -> Descriptions {
    let mut found = Descriptions::default();
    let mut section = Section::None;
    let lines: Vec<(Line, &str)> = documentation.numbered().collect();
    for (at, &(line, text)) in lines.iter().enumerate() {
        let trimmed = text.trim();
        let indent = text.len() - text.trim_start().len();
        let next = lines.get(at + 1).map_or("", |(_, next)| next.trim());
        if is_dashes(trimmed) || trimmed.is_empty() {
            continue;
        }
        if is_dashes(next) {
            section = Section::Numpy(what(trimmed), indent);
        } else if let Some(heading) = trimmed.strip_suffix(':').filter(|name| is_heading(name)) {
            section = Section::Google(what(heading), indent, None);
        } else if let Some(heading) = trimmed.strip_prefix("# ") {
            section = match what(heading) {
                What::Parameters => Section::Bullets,
                _ => Section::None,
            };
        } else if let Some((what, names)) = tag(trimmed) {
            found.add(what, names, line);
        } else {
            section = found.entry(section, indent, trimmed, line);
        }
    }
    found
}

impl Descriptions {
    fn add(&mut self, what: What, names: Vec<String>, line: Line) {
        let list = match what {
            What::Parameters => &mut self.parameters,
            What::Exceptions => &mut self.exceptions,
            What::Other => return,
        };
        for name in names {
            if list.iter().all(|known| known.name != name) {
                list.push(Described { name, line });
            }
        }
    }

    /// Reads one line of a section; returns the section that the next line belongs to.
    fn entry(&mut self, section: Section, indent: usize, text: &str, line: Line) -> Section {
        match section {
            Section::Google(_, outer, _) if indent <= outer => return Section::None,
            Section::Google(what, outer, entries) => {
                let entries = entries.unwrap_or(indent);
                if indent == entries
                    && let Some((head, _)) = text.split_once(':')
                {
                    self.add(
                        what,
                        names(head.split('(').next().unwrap_or(head), what),
                        line,
                    );
                }
                return Section::Google(what, outer, Some(entries));
            }
            Section::Numpy(what, outer) if indent == outer => {
                let head = text.split(':').next().unwrap_or(text);
                self.add(what, names(head, what), line);
            }
            Section::Bullets => {
                let code = text
                    .strip_prefix(['*', '-'])
                    .and_then(|item| item.trim_start().strip_prefix('`'));
                if let Some((name, _)) = code.and_then(|code| code.split_once('`')) {
                    self.add(What::Parameters, names(name, What::Parameters), line);
                }
            }
            _ => {}
        }
        section
    }
}

fn is_dashes(line: &str) -> bool {
    line.len() >= 3 && line.chars().all(|c| c == '-')
}

/// Whether a line that ends in a colon opens a Google-style section.
fn is_heading(name: &str) -> bool {
    const OTHERS: [&str; 12] = [
        "Attributes",
        "Example",
        "Examples",
        "Note",
        "Notes",
        "References",
        "Return",
        "Returns",
        "See Also",
        "Warnings",
        "Yield",
        "Yields",
    ];
    what(name) != What::Other || OTHERS.contains(&name)
}

fn what(heading: &str) -> What {
    match heading {
        "Args" | "Arguments" | "Parameters" | "Params" | "Other Parameters" => What::Parameters,
        "Raises" | "Exceptions" | "Throws" => What::Exceptions,
        _ => What::Other,
    }
}

/// Returns the names in `a, *b` if it consists of nothing but names.
fn names(head: &str, what: What) -> Vec<String> {
    let each = head.split(',').map(|name| name_of(name, what));
    each.collect::<Option<Vec<String>>>().unwrap_or_default()
}

/// Returns a name without the punctuation around it; of an exception, the last part.
fn name_of(written: &str, what: What) -> Option<String> {
    let name = written.trim().trim_matches(['\\', '*', '`', '?', '&']);
    let name = match what {
        What::Exceptions => name.rsplit(['.', ':', '\\']).next().unwrap_or(name),
        _ => name.trim_matches('.'),
    };
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_error = what != What::Exceptions || name.starts_with(char::is_uppercase);
    (is_name && is_error).then(|| name.to_owned())
}

/// Reads a line that describes one item by itself: `:param x:`, `@throws X`, `<param name="x">`.
fn tag(line: &str) -> Option<(What, Vec<String>)> {
    if let Some(field) = line.strip_prefix(':') {
        return rest_field(field);
    }
    for (opening, what) in [
        ("<param name=\"", What::Parameters),
        ("<exception cref=\"", What::Exceptions),
    ] {
        if let Some((name, _)) = line
            .strip_prefix(opening)
            .and_then(|rest| rest.split_once('"'))
        {
            return Some((what, names(name, what)));
        }
    }
    let (tag, rest) = word(line.strip_prefix(['@', '\\'])?);
    match tag.split('[').next().unwrap_or(tag) {
        "param" | "arg" | "argument" => Some((What::Parameters, tagged_parameter(rest))),
        "throws" | "throw" | "exception" => Some((
            What::Exceptions,
            tagged_exception(rest).into_iter().collect(),
        )),
        _ => Some((What::Other, Vec::new())),
    }
}

/// Reads `param int x: …` and `raises A, B: …`.
fn rest_field(field: &str) -> Option<(What, Vec<String>)> {
    let (head, _) = field.split_once(": ").or(field.split_once(':'))?;
    let (kind, rest) = word(head);
    match kind {
        "param" | "parameter" | "arg" | "argument" => {
            let name = rest.split_whitespace().last()?;
            Some((What::Parameters, names(name, What::Parameters)))
        }
        "raises" | "raise" | "except" | "exception" => {
            Some((What::Exceptions, names(rest, What::Exceptions)))
        }
        _ => None,
    }
}

fn word(text: &str) -> (&str, &str) {
    let text = text.trim_start();
    text.split_once(char::is_whitespace).unwrap_or((text, ""))
}

/// Splits text into what stands between braces at its start and what follows.
fn braced(text: &str) -> (Option<&str>, &str) {
    let text = text.trim_start();
    let mut depth = 0;
    for (at, sign) in text.char_indices() {
        match sign {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            let inner = text.get(1..at).filter(|_| sign == '}');
            let rest = inner.and_then(|_| text.get(at + 1..));
            return (inner, rest.unwrap_or(text));
        }
    }
    (None, text)
}

/// Reads a tagged parameter: `{type} name …`, `[name=default]`, `options.name`, PHP's `type $name`.
fn tagged_parameter(rest: &str) -> Vec<String> {
    let (_, rest) = braced(rest);
    let in_php = rest.split_whitespace().take(3);
    let in_php = in_php.into_iter().find_map(|word| {
        let name = word.trim_start_matches(['&', '.']);
        name.strip_prefix('$')
    });
    let (first, _) = word(rest);
    let first = first.trim_start_matches(['[', '.', '*']);
    let name = in_php.unwrap_or(first);
    let end = |c: char| matches!(c, '=' | ']' | '.' | '[' | ',' | ':' | '-' | '?' | ')');
    let name = name.split(end).next().unwrap_or(name);
    names(name, What::Parameters)
}

/// Reads a tagged exception: `{Error} …` or `Error …`. Words that open a sentence are not names.
fn tagged_exception(rest: &str) -> Option<String> {
    let (inner, rest) = braced(rest);
    if let Some(inner) = inner {
        return name_of(inner, What::Exceptions);
    }
    let (first, _) = word(rest);
    let name = name_of(first.trim_end_matches([',', '.', ':']), What::Exceptions)?;
    let has_humps = name.chars().skip(1).any(char::is_uppercase);
    let is_usual = ["Error", "Exception"].contains(&name.as_str());
    (has_humps || is_usual).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lines::LineRange;

    fn read(text: &str) -> (Vec<String>, Vec<String>) {
        let text: Vec<String> = text.lines().map(str::to_owned).collect();
        let found = described(&Documentation {
            lines: LineRange::new(Line(10), Line(9 + text.len() as u32)),
            text,
        });
        let plain = |list: Vec<Described>| list.into_iter().map(|it| it.name).collect();
        (plain(found.parameters), plain(found.exceptions))
    }

    #[test]
    fn every_style_names_its_parameters_and_exceptions() {
        for (text, parameters, exceptions) in [
            (
                "Sends.\n\n:param url: the\n    url: again\n:param dict(str, int) \\*\\*rest: x\n\
                 :type url: str\n:raises a.TimeoutError: late\n:raise ValueError, KeyError: bad\n\
                 :rtype: int",
                vec!["url", "rest"],
                vec!["TimeoutError", "ValueError", "KeyError"],
            ),
            (
                "Sends.\n\nArgs:\n    url (str): where: to\n        and: so on\n    *rest: more\n\n\
                 \u{20}   **named: x\nReturns:\n    int: none\nRaises:\n    OSError: if it fails\n",
                vec!["url", "rest", "named"],
                vec!["OSError"],
            ),
            (
                "Sends.\n\nParameters\n----------\nx, y : float\n    Where: here\ndata\n    All\n\n\
                 Returns\n-------\nz : int\n\nRaises\n------\nValueError\n    If bad\n",
                vec!["x", "y", "data"],
                vec!["ValueError"],
            ),
            (
                "Sends.\n@param {Object<string, {a: b}>} options - all\n@param options.a one\n\
                 @param {string} [name='x'] The\n@param {...number} more\n@param <T> type\n\
                 @return it\n@throws {RangeError} far\n@throws If it fails\n@throws IOException x",
                vec!["options", "name", "more"],
                vec!["RangeError", "IOException"],
            ),
            (
                "\\brief Sends.\n\\param[in] url where\n@param[out] n how many\n\\throws std::bad_alloc",
                vec!["url", "n"],
                vec![],
            ),
            (
                "<summary>Sends</summary>\n<param name=\"url\">x</param>\n\
                 <exception cref=\"System.IOException\">y</exception>",
                vec!["url"],
                vec!["IOException"],
            ),
            (
                "@param string|null $url Where\n@param int ...$more x\n@throws \\App\\SendError",
                vec!["url", "more"],
                vec!["SendError"],
            ),
            (
                "Sends.\n\n# Arguments\n\n* `url` - where\n- `n`: many\n\n# Errors\n\n* `other`",
                vec!["url", "n"],
                vec![],
            ),
            ("Note: this, that: no\n\nUse it: so", vec![], vec![]),
        ] {
            let (found, raised) = read(text);
            assert_eq!(found, parameters, "{text}");
            assert_eq!(raised, exceptions, "{text}");
        }
    }
}
