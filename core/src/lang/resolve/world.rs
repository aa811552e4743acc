//! What must be known about the whole repository before any import can be resolved: names, folders,
//! declared packages, and what each language's build files say.

use super::names::{FileNames, Names, folder};
use crate::hash::FastMap;
use crate::lang::family::{Family, RepoFacts};
use crate::lang::{Import, Language, Parsed, Role};
use crate::lines::Row;
use crate::source::{FileId, Repo};

/// See the [module](self). Owned, so that a build can pause between two steps.
#[derive(Default)]
pub(crate) struct Facts {
    pub names: Names,
    pub file_names: FileNames,
    /// The files directly in each folder that has any.
    pub folders: FastMap<String, Vec<FileId>>,
    /// The files of each declared package or namespace, by [`package_key`].
    pub packages: FastMap<String, Vec<FileId>>,
    /// What modules of CommonJS are as a whole, if that is one of their own names: `Store` of
    /// `module.exports = Store`.
    pub wholes: FastMap<FileId, String>,
    /// The package of each file.
    package_of: Vec<Option<String>>,
    roles: Vec<Role>,
    /// The facts that each family of languages needs, by its name.
    of_families: FastMap<&'static str, RepoFacts>,
}

impl Facts {
    pub fn new(repo: &Repo, parsed: &[Parsed]) -> Self {
        let mut facts = Self {
            names: Names::new(parsed),
            file_names: FileNames::new(repo),
            ..Self::default()
        };
        for (at, (file, parsed)) in repo.files.iter().zip(parsed).enumerate() {
            let id = FileId(at as u32);
            let of_folder = facts.folders.entry(folder(&file.path).to_owned());
            of_folder.or_default().push(id);
            facts.roles.push(if parsed.language.is_code() {
                Role::of(&file.path)
            } else {
                Role::Docs
            });
            let family = parsed.language.spec().family;
            if let Some(whole) = family.whole.and_then(|whole| whole(&file.text)) {
                facts.wholes.insert(id, whole.to_owned());
            }
            let packages = (family.packages)(&file.path, &parsed.packages);
            let declared: Vec<String> = packages
                .iter()
                .map(|name| package_key(family, name))
                .collect();
            for key in &declared {
                facts.packages.entry(key.clone()).or_default().push(id);
            }
            facts.package_of.push(declared.into_iter().next());
        }
        for language in Language::ALL_CODE {
            let family = language.spec().family;
            if let Some(make) = family.facts
                && !facts.of_families.contains_key(family.name)
            {
                facts.of_families.insert(family.name, make(repo, parsed));
            }
        }
        facts
    }
}

/// The repository with its facts: the input of every rule.
#[derive(Clone, Copy)]
pub(crate) struct World<'a> {
    pub repo: &'a Repo,
    pub parsed: &'a [Parsed],
    pub facts: &'a Facts,
    /// A file in addition to those of the repository, whose imports are resolved like theirs.
    pub guest: Option<Guest<'a>>,
}

/// A file that is not in the repository. Its id follows the last file's.
#[derive(Clone, Copy)]
pub(crate) struct Guest<'a> {
    pub path: &'a str,
    pub text: &'a str,
    pub parsed: &'a Parsed,
    /// The key of the package that it declares.
    pub package: Option<&'a str>,
}

impl<'a> World<'a> {
    /// Returns the guest if `file` is its id.
    fn guest(&self, file: FileId) -> Option<Guest<'a>> {
        let is_guest = file.0 as usize == self.repo.files.len();
        self.guest.filter(|_| is_guest)
    }

    pub fn path(&self, file: FileId) -> &'a str {
        match self.guest(file) {
            Some(guest) => guest.path,
            None => self.repo.file(file).map_or("", |file| &file.path),
        }
    }

    pub fn text(&self, file: FileId) -> &'a str {
        match self.guest(file) {
            Some(guest) => guest.text,
            None => self.repo.file(file).map_or("", |file| &file.text),
        }
    }

    pub fn parsed(&self, file: FileId) -> Option<&'a Parsed> {
        match self.guest(file) {
            Some(guest) => Some(guest.parsed),
            None => self.parsed.get(file.0 as usize),
        }
    }

    pub fn find(&self, path: &str) -> Option<FileId> {
        self.repo.find(path)
    }

    /// Returns the family of a file's language.
    pub fn family(&self, file: FileId) -> &'static Family {
        let language = self
            .parsed(file)
            .map_or(Language::Text, |parsed| parsed.language);
        language.spec().family
    }

    /// Returns the facts of a family about the repository: see [`Family::facts`].
    pub fn facts_of<T: 'static>(&self, family: &Family) -> Option<&'a T> {
        self.facts.of_families.get(family.name)?.downcast_ref()
    }

    pub fn is_test(&self, file: FileId) -> bool {
        self.role(file) == Some(Role::Test)
    }

    /// Returns the role of a code file.
    pub fn role(&self, file: FileId) -> Option<Role> {
        self.facts.roles.get(file.0 as usize).copied()
    }

    /// Returns the key of the package that a file declares.
    pub fn package(&self, file: FileId) -> Option<&'a str> {
        if let Some(guest) = self.guest(file) {
            return guest.package;
        }
        let package = self.facts.package_of.get(file.0 as usize)?;
        package.as_deref()
    }

    /// Returns the files of a package.
    pub fn files_of(&self, key: &str) -> &'a [FileId] {
        let files = self.facts.packages.get(key);
        files.map(Vec::as_slice).unwrap_or_default()
    }

    /// Returns the first line of an import as written, for details that parsing does not keep.
    pub fn written(&self, file: FileId, import: &Import) -> &'a str {
        let row = Row::from(import.lines.start()).0 as usize;
        self.text(file).lines().nth(row).unwrap_or_default()
    }
}

/// Returns the key of a package in [`Facts::packages`]: languages do not share packages, except on
/// the JVM.
pub(crate) fn package_key(family: &Family, name: &str) -> String {
    format!("{} {name}", family.name)
}
