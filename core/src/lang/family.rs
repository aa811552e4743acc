//! Families of languages that can refer to one another's definitions, and how names lead from one
//! file to another.

use std::any::Any;

use super::Parsed;
use super::resolve::{Found, World};
use crate::lang::Import;
use crate::lines::Line;
use crate::source::{FileId, Repo};

/// What the languages of a family share. A language that stands alone has its own family.
///
/// Start from [`Family::PLAIN`] and set what differs.
pub(crate) struct Family {
    /// Unique.
    pub name: &'static str,
    /// Resolves one import of a file to the files or libraries that it means.
    pub resolve: fn(World<'_>, FileId, &Import) -> Vec<Found>,
    /// The name that an import without names binds: `b` of `a.b`.
    pub local_name: fn(&str) -> &str,
    /// Returns the packages or namespaces that a file belongs to, from its path and those that it
    /// declares; empty if its language has none.
    pub packages: fn(&str, &[String]) -> Vec<String>,
    /// Computes once what resolving imports must know about the whole repository;
    /// [`World::facts_of`] returns it.
    pub facts: Option<fn(&Repo, &[Parsed]) -> RepoFacts>,
    /// Whether a library is part of the language itself.
    pub is_standard: fn(&str) -> bool,
    /// Space-separated objects and classes that the language itself provides: calls on them lead
    /// nowhere in the repository.
    pub globals: &'static str,
    /// Words by which a method refers to its own object or class.
    pub self_words: &'static [&'static str],
    /// Whether members are called without `self` or `this`.
    pub has_implicit_self: bool,
    /// Whether a bare name can mean a definition in a file that was not imported by name.
    pub sees_everything: bool,
    /// Whether imports put whole files into scope and bind no name (`#include`).
    pub includes_files: bool,
    /// Whether an import without names binds the class that its path ends with.
    pub imports_classes: bool,
    /// Where an import inside of a function binds its names.
    pub imports_reach: Reach,
    /// Whether methods of a class may share a name if their parameters differ.
    pub has_overloads: bool,
    /// Whether members of a class may be defined outside the class's own file.
    pub has_members_elsewhere: bool,
    /// Whether a function may be called on an object that it was stored in.
    pub stores_functions: bool,
    /// Finds the definition that a file's text says the module is as a whole.
    pub whole: Option<for<'t> fn(&'t str) -> Option<&'t str>>,
    /// Whether methods may be called without an object, and a bare `super` calls the same method of
    /// the superclass.
    pub calls_methods_bare: bool,
    /// Whether `super()` is an object, not the constructor of the superclass.
    pub is_super_an_object: bool,
    /// Resolves a path before a call on some line (`module::f()`) to a module or library, if names
    /// do not lead there.
    pub walk_path: Option<WalkPath>,
}

/// Where an import inside of a function binds its names.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// In the whole file.
    File,
    /// In the function, from the import on.
    FunctionFromLine,
    /// In the block around it.
    Block,
}

/// See [`Family::facts`].
pub(crate) type RepoFacts = Box<dyn Any + Send + Sync>;

/// See [`Family::walk_path`].
pub(crate) type WalkPath = fn(World<'_>, FileId, Line, &str) -> Option<Walked>;

/// Where a path leads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Walked {
    /// A module's file, and how many parts of the path name things in it.
    Module(FileId, usize),
    /// Something outside of the repository.
    Library,
}

impl Family {
    /// No special features: dotted module names, `this`, no packages, no import that leads
    /// anywhere.
    pub const PLAIN: Family = Family {
        name: "",
        resolve: |_, _, _| Vec::new(),
        local_name: |module| last_part(module, '.'),
        packages: |_, _| Vec::new(),
        is_standard: |_| false,
        globals: "",
        facts: None,
        self_words: &["this"],
        has_implicit_self: false,
        sees_everything: false,
        includes_files: false,
        imports_classes: false,
        imports_reach: Reach::File,
        has_overloads: false,
        has_members_elsewhere: false,
        stores_functions: false,
        whole: None,
        calls_methods_bare: false,
        is_super_an_object: false,
        walk_path: None,
    };
}

impl PartialEq for Family {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

/// Returns what follows the last `separator`; all of `path` if there is none.
pub(crate) fn last_part(path: &str, separator: char) -> &str {
    path.rsplit(separator).next().unwrap_or(path)
}

/// The family of text formats.
pub(super) static TEXT: Family = Family {
    name: "text",
    ..Family::PLAIN
};
