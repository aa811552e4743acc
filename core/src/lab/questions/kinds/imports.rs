//! Which libraries a file imports, and whether it imports a given one (RepoQA-SA, dependency
//! questions): exact, even if the answer is no.

use super::Kind;
use crate::lab::questions::draft::{Drafts, Gold};
use crate::lab::questions::libraries::{Libraries, by_language, libraries};
use crate::lab::questions::world::World;
use crate::lang::{Language, Role};

pub(super) const KIND: Kind = Kind {
    name: "imports",
    title: "Which libraries does a file import, and does it import a given one?",
    draft,
};

fn draft(world: &World<'_>, drafts: &mut Drafts) {
    let all = by_language(world);
    for file in world.files(Role::Source) {
        let libraries = libraries(world, file);
        let language = world.index.file(file).map(|(_, parsed)| parsed.language);
        let Some(language) = language.filter(|_| !libraries.is_empty()) else {
            continue;
        };
        let asked = Asked {
            called: world.file_called(file),
            terms: Terms::of(language),
        };
        asked.list(drafts, &libraries);
        let at = world.below(libraries.len());
        if let Some((library, gold)) = libraries.iter().nth(at) {
            asked.is_imported(drafts, library, gold);
        }
        let all: Vec<&&str> = all.get(&language).into_iter().flatten().collect();
        let other = all.get(world.below(all.len()));
        if let Some(other) = other.filter(|other| !libraries.contains_key(***other)) {
            asked.is_not_imported(drafts, other, &libraries);
        }
    }
}

/// What a language calls its imports.
struct Terms {
    /// `import`, `include`
    verb: &'static str,
    /// One imported library, before its name.
    one: &'static str,
    /// Several.
    many: &'static str,
}

impl Terms {
    fn of(language: Language) -> Self {
        let (verb, one, many) = match language {
            Language::C | Language::Cpp => ("include", "", "headers"),
            // `use std::time` imports no crate `time`.
            Language::Rust => ("import", "the crate ", "crates"),
            _ => ("import", "", "libraries"),
        };
        Self { verb, one, many }
    }
}

/// A file whose imports are asked about.
struct Asked<'a> {
    called: &'a str,
    terms: Terms,
}

impl Asked<'_> {
    fn list(&self, drafts: &mut Drafts, libraries: &Libraries<'_>) {
        let Self { called, terms } = self;
        let Terms { verb, many, .. } = terms;
        let wordings = [
            format!("Which {many} from outside of this repository does {called} {verb}?"),
            format!("Which {many} that are not part of this repository does {called} {verb}?"),
        ];
        let gold = libraries.values().flatten().copied().collect();
        let answer = format!("It {verb}s {}.", names(libraries));
        drafts.push(&wordings, gold, answer);
    }

    fn is_imported(&self, drafts: &mut Drafts, library: &str, gold: &[Gold]) {
        let answer = format!("Yes, `{}` {}s `{library}`.", self.called, self.terms.verb);
        drafts.push(&[self.asks_for(library)], gold.to_vec(), answer);
    }

    fn is_not_imported(&self, drafts: &mut Drafts, library: &str, own: &Libraries<'_>) {
        let gold = own.values().flatten().copied().collect();
        let (called, verb) = (self.called, self.terms.verb);
        let answer = format!("No. `{called}` {verb}s {}, not `{library}`.", names(own));
        drafts.push(&[self.asks_for(library)], gold, answer);
    }

    fn asks_for(&self, library: &str) -> String {
        let Terms { verb, one, .. } = self.terms;
        format!("Does {} {verb} {one}{library}?", self.called)
    }
}

fn names(libraries: &Libraries<'_>) -> String {
    let names: Vec<String> = libraries.keys().map(|name| format!("`{name}`")).collect();
    names.join(", ")
}
