//! The names that a Python file lists in `__all__`: written out, added with `+=`, `extend` or
//! `append`, and taken over from the `__all__` of other files of the project.

use super::listing::parsed;
use super::teller::Teller;
use crate::index::graph::{ImportLink, Target};
use crate::lines::{Line, LineRange};
use crate::source::FileId;

/// Number of lists that are followed from one to the next.
const DEPTH: usize = 4;
/// Functions that change no name.
const KEEPING: [&str; 5] = ["list", "tuple", "sorted", "set", "__all__"];

/// What a file lists in `__all__`.
pub(super) struct ExportList {
    pub names: Vec<Listed>,
    /// Whether all of it could be read.
    pub is_whole: bool,
}

impl ExportList {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.names.iter().any(|it| it.name == name)
    }
}

/// A name in `__all__`.
#[derive(Clone)]
pub(super) struct Listed {
    pub name: String,
    /// The statement that lists it.
    pub lines: LineRange,
    /// What stands there: the name, or the list that contains it.
    pub quote: String,
}

/// Reads what a file lists in `__all__`; `None` if it has none or nothing of it can be read.
pub(super) fn export_list(teller: &Teller<'_, '_>, file: FileId) -> Option<ExportList> {
    let mut own = teller.defined_in(file);
    own.find(|(_, symbol)| symbol.name == "__all__")?;
    let (names, is_whole) = read(teller, file, DEPTH);
    (!names.is_empty()).then_some(ExportList { names, is_whole })
}

fn read(teller: &Teller<'_, '_>, file: FileId, depth: usize) -> (Vec<Listed>, bool) {
    let mut names: Vec<Listed> = Vec::new();
    let mut is_whole = true;
    let lines: Vec<&str> = teller.file_text(file).lines().collect();
    for (at, line) in lines.iter().enumerate() {
        let Some(change) = Change::of(line) else {
            continue;
        };
        let rest = lines.get(at..).unwrap_or_default();
        let (parts, n_lines) = parts(rest);
        let lines = LineRange::new(Line(at as u32 + 1), Line((at + n_lines) as u32));
        // What stands in a branch may not be run.
        is_whole &= !line.starts_with(char::is_whitespace);
        for part in parts {
            match part {
                Part::Name(name) if change == Change::Removes => {
                    names.retain(|it| it.name != name);
                }
                Part::Name(name) => names.push(Listed {
                    quote: name.clone(),
                    name,
                    lines,
                }),
                Part::Other(path) => match taken_over(teller, file, &path, depth) {
                    Some((others, all)) if change == Change::Adds => {
                        is_whole &= all;
                        names.extend(others.into_iter().map(|it| Listed {
                            lines,
                            quote: path.clone(),
                            ..it
                        }));
                    }
                    _ => is_whole = false,
                },
            }
        }
    }
    (names, is_whole)
}

/// Returns what the list of another file, written as `path`, contains, and whether that is all.
fn taken_over(
    teller: &Teller<'_, '_>,
    file: FileId,
    path: &str,
    depth: usize,
) -> Option<(Vec<Listed>, bool)> {
    let other = target(teller, file, path)?;
    let (names, is_whole) = read(teller, other, depth.checked_sub(1)?);
    (!names.is_empty()).then_some((names, is_whole))
}

/// Returns the file whose list is written as `module.__all__`, or as the name that it is imported
/// under.
fn target(teller: &Teller<'_, '_>, file: FileId, path: &str) -> Option<FileId> {
    let imports = parsed(teller, file).map_or(&[][..], |parsed| &parsed.imports);
    let module = path.strip_suffix(".__all__");
    let leads = |link: &&ImportLink| {
        let Some(import) = imports.get(link.import as usize) else {
            return false;
        };
        let name = link.name.and_then(|at| import.names.get(at as usize));
        let known_as = name.map(|name| name.alias.as_ref().unwrap_or(&name.name).as_str());
        match module {
            None => name.is_some_and(|it| it.name == "__all__") && known_as == Some(path),
            Some(module) => {
                let last = import.module.rsplit('.').next();
                // `from .a import *` makes `a` known, too.
                known_as == Some(module) || import.module == module || last == Some(module)
            }
        }
    };
    let links = teller.index.graph.imports(file).iter();
    let mut files = links.filter(leads).filter_map(|link| match link.target {
        Target::File(target) if target != file => Some(target),
        _ => None,
    });
    let first = files.next()?;
    files.all(|it| it == first).then_some(first)
}

/// What a statement does to the list.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    Adds,
    Removes,
}

impl Change {
    /// Returns what a line does to `__all__`; `None` if it does nothing to it.
    fn of(line: &str) -> Option<Self> {
        let rest = line.trim_start().strip_prefix("__all__")?;
        let rest = rest.trim_start();
        let is_set = rest.starts_with('=') && !rest.starts_with("==")
            || rest.starts_with("+=")
            || rest.starts_with(':');
        match rest {
            _ if is_set => Some(Self::Adds),
            _ if rest.starts_with(".extend(") || rest.starts_with(".append(") => Some(Self::Adds),
            _ if rest.starts_with(".remove(") => Some(Self::Removes),
            _ => None,
        }
    }
}

/// A part of what is assigned or added.
#[derive(Debug, PartialEq, Eq)]
enum Part {
    Name(String),
    /// Anything that is no literal, as it is written.
    Other(String),
}

/// Returns the parts of the statement that the first of these lines begins, and how many lines it
/// has.
fn parts(lines: &[&str]) -> (Vec<Part>, usize) {
    let mut parts = Vec::new();
    let mut depth = 0i32;
    for (at, line) in lines.iter().enumerate() {
        let line = match at {
            0 => without_target(line),
            _ => line,
        };
        let is_continued = read_line(line, &mut parts, &mut depth);
        if depth <= 0 && !is_continued {
            return (parts, at + 1);
        }
    }
    (parts, lines.len())
}

/// Returns a statement behind `__all__`, its type, and the sign or method.
fn without_target(line: &str) -> &str {
    let rest = line.trim_start().trim_start_matches("__all__");
    let rest = rest.trim_start();
    let method = [".extend", ".append", ".remove"];
    match method.iter().find_map(|it| rest.strip_prefix(it)) {
        Some(rest) => rest,
        None => rest.split_once('=').map_or("", |(_, value)| value),
    }
}

/// Reads a line's parts and brackets; returns whether it goes on behind a backslash.
fn read_line(line: &str, parts: &mut Vec<Part>, depth: &mut i32) -> bool {
    let mut rest = line;
    while let Some(c) = rest.chars().next() {
        let behind = rest.get(c.len_utf8()..).unwrap_or_default();
        rest = match c {
            '#' => return false,
            '\\' => return true,
            '"' | '\'' => {
                let (name, behind) = behind.split_once(c).unwrap_or((behind, ""));
                if !name.is_empty() {
                    parts.push(Part::Name(name.to_owned()));
                }
                behind
            }
            _ if c.is_alphabetic() || c == '_' => {
                let is_end = |c: char| !(c.is_alphanumeric() || c == '_' || c == '.');
                let end = rest.find(is_end).unwrap_or(rest.len());
                let (path, behind) = rest.split_at(end);
                if !KEEPING.contains(&path) {
                    parts.push(Part::Other(path.to_owned()));
                }
                behind
            }
            _ => {
                *depth += match c {
                    '(' | '[' | '{' => 1,
                    ')' | ']' | '}' => -1,
                    _ => 0,
                };
                behind
            }
        };
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::answer::tests::answered;
    use crate::index::tests::index;

    const NET: &str =
        "__all__ = ['open_net']\n\n\ndef open_net():\n    pass\n\n\ndef helper():\n    pass\n";
    const DISK: &str =
        "__all__ = []\n\n\n__all__ += ['open_disk']\n\n\ndef open_disk():\n    pass\n";

    fn public(init: &str, package: &str) -> String {
        let files = [
            ("tern/__init__.py", init),
            ("tern/net.py", NET),
            ("tern/disk.py", DISK),
        ];
        let index = index(&files);
        answered(&index, &format!("what does {package} export?")).cited(&index.repo)
    }

    #[test]
    fn lists_of_other_files_are_taken_over() {
        let init = "from .net import *\nfrom .disk import *\n\n__all__ = net.__all__ + \
                    disk.__all__\n";
        let said = public(init, "tern/__init__.py");
        let expected = "has 2 public definitions (named in `__all__`): `open_net` and `open_disk`";
        assert!(said.contains(expected), "{said}");
        let said = public("", "tern/disk.py");
        assert!(said.contains("(named in `__all__`): `open_disk`"), "{said}");
        let said = public("", "tern/net.py");
        assert!(!said.contains("helper"), "{said}");
    }

    #[test]
    fn what_is_computed_is_not_claimed_to_be_known() {
        let init = "from .net import *\n\n__all__ = ['open_net', *(name for name in dir())]\n";
        let said = public(init, "tern/__init__.py");
        assert!(said.contains("as far as it is written out"), "{said}");
    }

    #[test]
    fn a_list_is_read_part_by_part() {
        for (text, expected, n_lines) in [
            ("__all__ = ['a', \"b\"]", "a b", 1),
            ("__all__ = [  # 'no'\n    'a',\n]\nb = 1", "a", 3),
            ("__all__ = a.__all__ + ['b']", "{a.__all__} b", 1),
            ("__all__ = ('a',) + \\\n    b.__all__", "a {b.__all__}", 2),
            ("__all__: list[str] = [*a.__all__]", "{a.__all__}", 1),
            ("__all__ += sorted(names)", "{names}", 1),
            ("__all__.extend(['a'])", "a", 1),
        ] {
            let lines: Vec<&str> = text.lines().collect();
            let (parts, found) = parts(&lines);
            let shown = parts.into_iter().map(|part| match part {
                Part::Name(name) => name,
                Part::Other(path) => format!("{{{path}}}"),
            });
            assert_eq!(shown.collect::<Vec<_>>().join(" "), expected, "{text}");
            assert_eq!(found, n_lines, "{text}");
        }
    }

    #[test]
    fn what_only_reads_the_list_changes_nothing() {
        for line in [
            "__all__ == a",
            "__all__.sort()",
            "print(__all__)",
            "all_ = 1",
        ] {
            assert!(Change::of(line).is_none(), "{line}");
        }
    }
}
