//! What a question wants listed, by the word it uses.

use crate::answer::Span;
use crate::lang::SymbolKind;
use crate::lang::SymbolKind::{
    Class, Constant, Enum, Function, Interface, Macro, Method, Module, Struct, Trait, Type, Union,
    Variable,
};
use crate::source::FileId;

/// What can be listed, in the plural.
macro_rules! things {
    () => {
        "@functions_and_methods|methods_and_functions|classes_and_functions|functions_and_classes|\
         classes_and_methods|classes_and_structs|structs_and_classes|types_and_traits|traits_and_types|\
         structs_and_enums|enums_and_structs|structs_and_traits|\
         traits_and_structs|interfaces_and_types|types_and_interfaces|classes_and_interfaces|\
         interfaces_and_classes|top-level_functions|free_functions|standalone_functions|toplevel_functions|module-level_functions|\
         functions|funcs|methods|classes|structs|structures|enums|enumerations|unions|traits|\
         interfaces|protocols|types|type_aliases|macros|constants|consts|variables|globals|\
         global_variables|namespaces|symbols|definitions|declarations|members|fields|attributes|\
         properties|variants|enum_variants|enum_members|cases"
    };
}

/// What can be listed, in the singular.
macro_rules! thing {
    () => {
        "@function|method|class|struct|enum|union|trait|interface|protocol|type|type_alias|macro|\
         constant|const|variable|global_variable|namespace|symbol|definition|field|attribute|property|\
         variant|member"
    };
}

pub(super) use {thing, things};

/// Definitions of certain kinds, and what they are called.
#[derive(Debug)]
pub(super) struct Wanted {
    /// The words for it, in the singular.
    words: &'static [&'static str],
    pub one: &'static str,
    pub many: &'static str,
    pub kinds: &'static [SymbolKind],
    /// What takes its place if a language has none: a struct for a class.
    pub fallback: &'static [SymbolKind],
    /// Whether only top-level definitions are meant.
    pub is_top_level: bool,
    /// Whether it includes fields and variants.
    pub has_fields: bool,
}

const ALL: &[SymbolKind] = &[
    Module, Class, Interface, Trait, Struct, Enum, Union, Type, Function, Method, Macro, Constant,
    Variable,
];

const OUTER: &[SymbolKind] = &[
    Module, Class, Interface, Trait, Struct, Enum, Union, Type, Function, Macro, Constant, Variable,
];

const TYPES: &[SymbolKind] = &[Class, Interface, Trait, Struct, Enum, Union, Type];

const fn of(
    words: &'static [&'static str],
    one: &'static str,
    many: &'static str,
    kinds: &'static [SymbolKind],
) -> Wanted {
    Wanted {
        words,
        one,
        many,
        kinds,
        fallback: &[],
        is_top_level: false,
        has_fields: false,
    }
}

impl Wanted {
    const fn or(self, fallback: &'static [SymbolKind]) -> Self {
        Self { fallback, ..self }
    }

    const fn with_fields(self) -> Self {
        Self {
            has_fields: true,
            ..self
        }
    }

    const fn at_the_top(self) -> Self {
        Self {
            is_top_level: true,
            ..self
        }
    }
}

#[rustfmt::skip]
const WANTED: &[Wanted] = &[
    of(&["function", "func", "top-level function", "toplevel function", "module-level function",
         "free function", "standalone function"],
       "function", "functions", &[Function]).or(&[Method]),
    of(&["method"], "method", "methods", &[Method]).or(&[Function]),
    of(&["functions and method", "methods and function"],
       "function or method", "functions and methods", &[Function, Method]),
    of(&["class"], "class", "classes", &[Class]).or(&[Struct]),
    of(&["classes and function", "functions and class"],
       "class or function", "classes and functions", &[Class, Struct, Function]),
    of(&["classes and struct", "structs and class"],
       "class or struct", "classes and structs", &[Class, Struct]),
    of(&["types and trait", "traits and type"], "type", "types", TYPES),
    of(&["classes and method"],
       "class or method", "classes and methods", &[Class, Struct, Method]),
    of(&["classes and interface", "interfaces and class"],
       "class or interface", "classes and interfaces", &[Class, Interface]),
    of(&["struct", "structure"], "struct", "structs", &[Struct]),
    of(&["structs and enum", "enums and struct"],
       "struct or enum", "structs and enums", &[Struct, Enum]),
    of(&["structs and trait", "traits and struct"],
       "struct or trait", "structs and traits", &[Struct, Trait]),
    of(&["enum", "enumeration"], "enum", "enums", &[Enum]),
    of(&["union"], "union", "unions", &[Union]),
    of(&["trait"], "trait", "traits", &[Trait]).or(&[Interface]),
    of(&["interface"], "interface", "interfaces", &[Interface]).or(&[Trait]),
    of(&["protocol"], "protocol", "protocols", &[Interface]),
    of(&["interfaces and type", "types and interface"],
       "interface or type", "interfaces and types", &[Interface, Type]),
    of(&["type"], "type", "types", TYPES),
    of(&["type alias"], "type alias", "type aliases", &[Type]),
    of(&["macro"], "macro", "macros", &[Macro]),
    of(&["constant", "const"], "constant", "constants", &[Constant]).or(&[Variable]),
    of(&["variable", "global", "global variable"],
       "variable", "variables", &[Variable]).or(&[Constant]),
    of(&["namespace"], "namespace", "namespaces", &[Module]),
    of(&["symbol", "definition", "declaration", "outline", "content", "table of content"],
       "definition", "definitions", ALL).with_fields(),
    of(&["define", "declare", "defined", "declared", "in", "inside"],
       "top-level definition", "top-level definitions", OUTER).at_the_top(),
    of(&["member"], "member", "members", ALL).with_fields(),
    of(&["field", "attribute"], "field", "fields", &[Constant, Variable]).with_fields(),
    of(&["property"], "property", "properties", &[Constant, Variable]).with_fields(),
    of(&["variant", "enum variant", "enum member", "case"],
       "variant", "variants", &[Constant]).with_fields(),
];

impl Wanted {
    /// Returns it by a word of a question, in the singular or the plural.
    pub(crate) fn of(word: &str) -> Option<&'static Self> {
        let without = |end: &str| word.strip_suffix(end).unwrap_or(word);
        let mut spellings = [
            word.to_owned(),
            without("s").to_owned(),
            without("es").to_owned(),
        ]
        .to_vec();
        spellings.extend(word.strip_suffix("ies").map(|stem| format!("{stem}y")));
        let mut spellings = spellings.iter();
        spellings.find_map(|word| {
            WANTED
                .iter()
                .find(|known| known.words.contains(&word.as_str()))
        })
    }

    /// Whether only a class can have it: fields, variants, members.
    pub(crate) fn is_of_class(&self) -> bool {
        self.has_fields && self.one != "definition"
    }

    /// Whether a word means it.
    pub(crate) fn words_say(&self, word: &str) -> bool {
        self.words.contains(&word)
    }

    /// Whether it includes functions or methods.
    pub(crate) fn is_of_functions(&self) -> bool {
        self.kinds.contains(&Function) || self.kinds.contains(&Method)
    }

    /// Returns what the fallback is called.
    pub(crate) fn instead(&self) -> (&'static str, &'static str) {
        match self.fallback {
            [Method] => ("method", "methods"),
            [Function] => ("function", "functions"),
            [Struct] => ("struct", "structs"),
            [Interface] => ("interface", "interfaces"),
            [Trait] => ("trait", "traits"),
            [Variable] => ("variable", "variables"),
            _ => ("constant", "constants"),
        }
    }

    /// Returns what it means inside a class, where functions are methods.
    pub(crate) fn of_class(&'static self) -> &'static Self {
        let method = || WANTED.iter().find(|known| known.one == "method");
        match self.kinds {
            [Function] => method().unwrap_or(self),
            _ => self,
        }
    }

    /// Returns the verb to use after the files that are looked at.
    pub(crate) fn verb(&self, files: &[FileId], shown: &[Span]) -> &'static str {
        let is_folder = shown
            .iter()
            .any(|span| matches!(span, Span::Code(name) if name.ends_with('/')));
        match (
            is_folder && files.len() > 1,
            self.kinds.len() >= OUTER.len(),
        ) {
            (true, _) => "contains",
            (_, true) => "has",
            _ => "defines",
        }
    }
}
