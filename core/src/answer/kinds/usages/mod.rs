//! Where a name is used: its occurrences in code, split into calls, imports and other references.

mod places;
mod wanted;

use super::Kind;
use super::named;
use super::scope::Scope;
use super::subject::Subject;
use super::teller::{Teller, counted};
use super::texts::{Text, is_of_word, is_polar, polar, words};
use super::wording::Read;
use crate::answer::notes::{Entry, Source, code, text};
use crate::index::graph::SymbolId;
use crate::lines::Line;
use crate::source::FileId;
use places::{Place, find};
use wanted::Wanted;

pub(super) const KIND: Kind = Kind {
    name: "usages",
    wordings: &[
        "where in Y is|are|do|does we|you|they? X used|referenced|called|accessed|read|needed|invoked|instantiated|imported",
        "where is|are the? X used|referenced|accessed|read|needed|consumed|instantiated|applied|employed|utilised|utilized|touched|constructed|created|passed in|inside|within|under Y",
        "where is|are the? X used|referenced|accessed|read|needed|consumed|instantiated|applied|employed|utilised|utilized|touched|constructed|created|passed",
        "where do|does we|you|they|i|it|the_code|one|everyone use|reference|access|read|need|instantiate|apply|consume X in|inside|under Y",
        "where do|does we|you|they|i|it|the_code|one|everyone use|reference|access|read|need|instantiate|apply|consume X",
        "where does|do X get used|referenced|accessed|called|instantiated in|under Y",
        "where does|do X get used|referenced|accessed|called|instantiated",
        "ASK? usages|usage|uses|references|refs|occurrences|use_sites REL? X in|inside|within|under Y",
        "ASK? usages|usage|uses|references|refs|occurrences|use_sites REL? X",
        "who|what else? uses|use|reads|read|references|reference|accesses|access|consumes|instantiates|touches|refers_to X in|under Y",
        "who|what else? uses|use|reads|read|references|reference|accesses|access|consumes|instantiates|touches|refers_to X",
        "ASK @files|file|modules|sources that|which? use|uses|using|reference|references|access|read|reads|refer_to|need X in|under Y",
        "ASK @files|file|modules|sources that|which? use|uses|using|reference|references|access|read|reads|refer_to|need X",
        "@in_which_files|in_what_files|in_which_file|which_files is|are X used|referenced|accessed|read|called",
        "ASK functions|methods|classes|places|code|tests|parts|lines that|which? use|uses|using|reference|references|access|accesses|read|reads|refer_to|need X in|under Y",
        "ASK functions|methods|classes|places|code|tests|parts|lines that|which? use|uses|using|reference|references|access|accesses|read|reads|refer_to|need X",
        "is|are X @unused|unreferenced|uncalled|dead|dead_code|never_used|never_called in|inside|under Y",
        "is|are X @unused|unreferenced|uncalled|dead|dead_code|never_used|never_called",
        "is|are X used|referenced|accessed|read|needed in|inside|under Y",
        "is|are X used|referenced|accessed|read|needed|called|invoked by_anything|at_all|by_anyone?",
        "X usages|usage|references|refs|uses",
        "X is|are used|referenced|accessed|read where|by_whom|by_what|by_who|in_which_files",
        "how often|many_times is|are X used|referenced|read",
        "in how_many|which places|functions is|are X used|referenced|read",
    ],
    state,
};

fn state(teller: &mut Teller<'_, '_>, read: &Read) -> bool {
    let place = read.y.as_deref().unwrap_or_default();
    let Some(scope) = Scope::read(teller, place) else {
        return false;
    };
    let Some(wanted) = wanted(teller, &read.x) else {
        return false;
    };
    let mut found = find(teller, &scope.only_code(teller).files, &wanted);
    if found.is_empty() {
        return unused(teller, &wanted, place, is_negative(&read.word));
    }
    found.sort_by_key(|place| place.order);
    let n = counted(found.len(), "place", "places");
    let subject = code(wanted.shown.clone());
    let is_unused = is_negative(&read.word);
    if let Some(why) = hardly(teller, &wanted, &found).filter(|_| is_polar(teller)) {
        let entries = found.into_iter().map(|place| place.entry).collect();
        let lead = text(polar(teller, is_unused));
        return teller.list(
            vec![lead, subject, text(format!(" {why} at {n}: in "))],
            entries,
        );
    }
    let lead = text(polar(teller, !is_unused));
    if read.word.is_empty() || is_unused {
        let entries = found.into_iter().map(|place| place.entry).collect();
        return teller.list(
            vec![lead, subject, text(format!(" is used at {n}: in "))],
            entries,
        );
    }
    let entries = by_file(found);
    let files = counted(entries.len(), "file", "files");
    let verb = format!(" is used in {files}, at {n}: ");
    teller.list(vec![lead, subject, text(verb)], entries)
}

/// Whether the question asks if something is not used.
fn is_negative(word: &str) -> bool {
    ["un", "dead", "never"]
        .iter()
        .any(|start| word.starts_with(start))
}

/// Says how a definition occurs if nothing but imports and its own code names it: that is no use
/// that somebody who asks whether it is used means.
fn hardly(teller: &Teller<'_, '_>, wanted: &Wanted, found: &[Place]) -> Option<&'static str> {
    let is_import = |place: &Place| place.how == "import";
    let is_own = |place: &Place| {
        let source = &place.entry.source;
        let mut symbols = wanted.symbols.iter().filter(|id| id.file == source.file);
        symbols.any(|id| {
            let symbol = teller.index.symbol(*id);
            symbol.is_some_and(|symbol| symbol.lines.encloses(source.lines))
        })
    };
    let is_hardly = found.iter().all(|place| is_import(place) || is_own(place));
    is_hardly.then(|| match found.iter().any(is_import) {
        true if found.iter().any(is_own) => "is only imported, and used by itself,",
        true => "is only imported,",
        false => "is used by itself alone,",
    })
}

/// Returns what is looked for: definitions, or a name that the code uses but does not define.
fn wanted(teller: &Teller<'_, '_>, words: &str) -> Option<Wanted> {
    let name = named::bare(words);
    let plain = name.replace("::", ".").replace('#', ".");
    let is_name = |part: &str| !part.is_empty() && part.chars().all(|c| is_of_word(c) || c == '$');
    // A file, a library or the project is used through imports.
    let is_other = !matches!(teller.subject(words), None | Some(Subject::Symbols(..)));
    if let Some((ids, shown)) = named::symbols(teller, words) {
        let is_written_so =
            plain.contains('.') || name.contains(char::is_uppercase) || name.contains('_');
        return (!is_other || is_written_so).then(|| Wanted::of(teller, &ids, &shown));
    }
    let parts: Vec<&str> = plain.trim_matches('.').split('.').collect();
    if is_other || !parts.iter().all(|part| is_name(part)) || parts.len() > 4 {
        return None;
    }
    Some(Wanted::unknown(&plain, name))
}

/// Combines usages into one entry per file, with counts.
fn by_file(found: Vec<Place>) -> Vec<Entry> {
    let mut files: Vec<(FileId, Vec<Place>)> = Vec::new();
    for place in found {
        let file = place.entry.source.file;
        match files.last_mut() {
            Some((last, places)) if *last == file => places.push(place),
            _ => files.push((file, vec![place])),
        }
    }
    let whole = files.into_iter().filter_map(|(_, places)| {
        let count = |how: &str| places.iter().filter(|place| place.how == how).count();
        let parts = [
            ("call", "calls"),
            ("import", "imports"),
            ("reference", "references"),
        ];
        let parts = parts.iter().filter(|(one, _)| count(one) > 0);
        let detail: Vec<String> = parts
            .map(|(one, many)| counted(count(one), one, many))
            .collect();
        let first = places.into_iter().next()?;
        Some(Entry {
            name: first.path,
            detail: detail.join(", "),
            source: first.entry.source,
        })
    });
    whole.collect()
}

/// Whether a line outside the definitions contains the name as a word.
fn is_named_elsewhere(teller: &Teller<'_, '_>, wanted: &Wanted, name: &str) -> bool {
    let is_inside = |file: FileId, line: Line| {
        let mut own = wanted.symbols.iter().filter(|id| id.file == file);
        own.any(|id| {
            let symbol = teller.index.symbol(*id);
            symbol.is_some_and(|symbol| symbol.lines.contains(line))
        })
    };
    let mut files = (0..teller.index.parsed.len() as u32).map(FileId);
    files.any(|file| {
        let found = words(teller.file_text(file), name);
        let text = (!found.is_empty())
            .then(|| Text::plain(teller.index, file))
            .flatten();
        text.is_some_and(|text| found.into_iter().any(|at| !is_inside(file, text.line(at))))
    })
}

/// States that nothing uses a definition.
fn unused(
    teller: &mut Teller<'_, '_>,
    wanted: &Wanted,
    place: &str,
    asks_whether_unused: bool,
) -> bool {
    let sources: Vec<Source> = wanted
        .symbols
        .iter()
        .filter_map(|id: &SymbolId| teller.defined(*id))
        .map(|entry| entry.source)
        .collect();
    // A name that no rule resolves but that occurs elsewhere is not known to be unused.
    let named = wanted.shown.rsplit('.').next().unwrap_or_default();
    if wanted.is_by_owner && is_named_elsewhere(teller, wanted, named) {
        return false;
    }
    let lead = match asks_whether_unused && wanted.is_by_owner {
        // Nothing certain is not nothing.
        true => text(""),
        false => text(polar(teller, asks_whether_unused)),
    };
    let mut spans = vec![lead, code(wanted.shown.clone())];
    spans.push(text(match wanted.is_by_owner {
        true => " has no certain use: it is never the only possible meaning of a call or reference",
        false => " is defined but used nowhere else in code",
    }));
    if !place.is_empty() {
        spans.extend([text(" of "), code(place.to_owned())]);
    }
    !sources.is_empty() && teller.say(spans, &sources)
}

#[cfg(test)]
mod tests {
    use crate::answer::tests::says;
    use crate::index::tests::index;

    const INIT: &str = "from .b import again, shown\n";
    const CODE: &str = "def again(n):\n    return again(n - 1)\n\n\ndef shown():\n    pass\n\n\ndef \
                        caller():\n    return called()\n\n\ndef called():\n    pass\n\n\ndef \
                        orphan():\n    pass\n\n\ndef inner(n):\n    return inner(n)\n";

    #[test]
    fn whether_something_is_used_is_answered_in_both_directions() {
        let index = index(&[("p/__init__.py", INIT), ("p/b.py", CODE)]);
        says(
            &index,
            &[
                (
                    "is called used anywhere?",
                    "Yes. `called` is used at 1 place: in `caller`.",
                ),
                (
                    "is called unused?",
                    "No. `called` is used at 1 place: in `caller`.",
                ),
                ("is called dead code?", "No. `called` is used at 1 place"),
                (
                    "is orphan unused?",
                    "Yes. `orphan` is defined but used nowhere else in code.",
                ),
                (
                    "is orphan used?",
                    "No. `orphan` is defined but used nowhere else in code.",
                ),
                (
                    "is shown used?",
                    "No. `shown` is only imported, at 1 place: in `p/__init__.py`.",
                ),
                (
                    "is inner used?",
                    "No. `inner` is used by itself alone, at 1 place: in `inner`.",
                ),
                (
                    "is again unused?",
                    "Yes. `again` is only imported, and used by itself, at 2 places",
                ),
            ],
        );
    }
}
