//! What a question wants listed, by the word that it uses.

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
         classes_and_methods|structs_and_enums|enums_and_structs|structs_and_traits|\
         traits_and_structs|interfaces_and_types|types_and_interfaces|classes_and_interfaces|\
         interfaces_and_classes|top-level_functions|toplevel_functions|module-level_functions|\
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

/// Definitions of some kinds, and how they are called.
#[derive(Debug)]
pub(super) struct Wanted {
    /// The words that mean it, in the singular.
    words: &'static [&'static str],
    pub one: &'static str,
    pub many: &'static str,
    pub kinds: &'static [SymbolKind],
    /// What stands in its place where a language has none: a struct for a class.
    pub fallback: &'static [SymbolKind],
    /// Whether only what nothing holds is meant.
    pub is_top_level: bool,
    /// Whether fields and variants are of it.
    pub has_fields: bool,
}

const NONE: Wanted = Wanted {
    words: &[],
    one: "",
    many: "",
    kinds: &[],
    fallback: &[],
    is_top_level: false,
    has_fields: false,
};

const ALL: &[SymbolKind] = &[
    Module, Class, Interface, Trait, Struct, Enum, Union, Type, Function, Method, Macro, Constant,
    Variable,
];

const OUTER: &[SymbolKind] = &[
    Module, Class, Interface, Trait, Struct, Enum, Union, Type, Function, Macro, Constant, Variable,
];

const WANTED: &[Wanted] = &[
    Wanted {
        words: &[
            "function",
            "func",
            "top-level function",
            "toplevel function",
            "module-level function",
        ],
        one: "function",
        many: "functions",
        kinds: &[Function],
        fallback: &[Method],
        ..NONE
    },
    Wanted {
        words: &["method"],
        one: "method",
        many: "methods",
        kinds: &[Method],
        fallback: &[Function],
        ..NONE
    },
    Wanted {
        words: &["functions and method", "methods and function"],
        one: "function or method",
        many: "functions and methods",
        kinds: &[Function, Method],
        ..NONE
    },
    Wanted {
        words: &["class"],
        one: "class",
        many: "classes",
        kinds: &[Class],
        fallback: &[Struct],
        ..NONE
    },
    Wanted {
        words: &["classes and function", "functions and class"],
        one: "class or function",
        many: "classes and functions",
        kinds: &[Class, Struct, Function],
        ..NONE
    },
    Wanted {
        words: &["classes and method"],
        one: "class or method",
        many: "classes and methods",
        kinds: &[Class, Struct, Method],
        ..NONE
    },
    Wanted {
        words: &["classes and interface", "interfaces and class"],
        one: "class or interface",
        many: "classes and interfaces",
        kinds: &[Class, Interface],
        ..NONE
    },
    Wanted {
        words: &["struct", "structure"],
        one: "struct",
        many: "structs",
        kinds: &[Struct],
        ..NONE
    },
    Wanted {
        words: &["structs and enum", "enums and struct"],
        one: "struct or enum",
        many: "structs and enums",
        kinds: &[Struct, Enum],
        ..NONE
    },
    Wanted {
        words: &["structs and trait", "traits and struct"],
        one: "struct or trait",
        many: "structs and traits",
        kinds: &[Struct, Trait],
        ..NONE
    },
    Wanted {
        words: &["enum", "enumeration"],
        one: "enum",
        many: "enums",
        kinds: &[Enum],
        ..NONE
    },
    Wanted {
        words: &["union"],
        one: "union",
        many: "unions",
        kinds: &[Union],
        ..NONE
    },
    Wanted {
        words: &["trait"],
        one: "trait",
        many: "traits",
        kinds: &[Trait],
        fallback: &[Interface],
        ..NONE
    },
    Wanted {
        words: &["interface"],
        one: "interface",
        many: "interfaces",
        kinds: &[Interface],
        fallback: &[Trait],
        ..NONE
    },
    Wanted {
        words: &["protocol"],
        one: "protocol",
        many: "protocols",
        kinds: &[Interface],
        ..NONE
    },
    Wanted {
        words: &["interfaces and type", "types and interface"],
        one: "interface or type",
        many: "interfaces and types",
        kinds: &[Interface, Type],
        ..NONE
    },
    Wanted {
        words: &["type"],
        one: "type",
        many: "types",
        kinds: &[Class, Interface, Trait, Struct, Enum, Union, Type],
        ..NONE
    },
    Wanted {
        words: &["type alias"],
        one: "type alias",
        many: "type aliases",
        kinds: &[Type],
        ..NONE
    },
    Wanted {
        words: &["macro"],
        one: "macro",
        many: "macros",
        kinds: &[Macro],
        ..NONE
    },
    Wanted {
        words: &["constant", "const"],
        one: "constant",
        many: "constants",
        kinds: &[Constant],
        fallback: &[Variable],
        ..NONE
    },
    Wanted {
        words: &["variable", "global", "global variable"],
        one: "variable",
        many: "variables",
        kinds: &[Variable],
        fallback: &[Constant],
        ..NONE
    },
    Wanted {
        words: &["namespace"],
        one: "namespace",
        many: "namespaces",
        kinds: &[Module],
        ..NONE
    },
    Wanted {
        words: &[
            "symbol",
            "definition",
            "declaration",
            "outline",
            "content",
            "table of content",
        ],
        one: "definition",
        many: "definitions",
        kinds: ALL,
        has_fields: true,
        ..NONE
    },
    Wanted {
        words: &["define", "declare", "defined", "declared", "in", "inside"],
        one: "top-level definition",
        many: "top-level definitions",
        kinds: OUTER,
        is_top_level: true,
        ..NONE
    },
    Wanted {
        words: &["member"],
        one: "member",
        many: "members",
        kinds: ALL,
        has_fields: true,
        ..NONE
    },
    Wanted {
        words: &["field", "attribute", "property"],
        one: "field",
        many: "fields",
        kinds: &[Constant, Variable],
        has_fields: true,
        ..NONE
    },
    Wanted {
        words: &["variant", "enum variant", "enum member", "case"],
        one: "variant",
        many: "variants",
        kinds: &[Constant],
        has_fields: true,
        ..NONE
    },
];

impl Wanted {
    /// By a word of a question, in the singular or the plural.
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

    /// Whether only a class has it: fields, variants, members.
    pub(crate) fn is_of_class(&self) -> bool {
        self.has_fields && self.one != "definition"
    }

    /// What the fallback is called.
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

    /// What is meant of a class: its functions are its methods.
    pub(crate) fn of_class(&'static self) -> &'static Self {
        let method = || WANTED.iter().find(|known| known.one == "method");
        match self.kinds {
            [Function] => method().unwrap_or(self),
            _ => self,
        }
    }

    /// The verb behind the files that are looked at.
    pub(crate) fn verb(&self, files: &[FileId], shown: &[Span]) -> &'static str {
        let is_folder = shown
            .iter()
            .any(|span| matches!(span, Span::Code(name) if name.ends_with('/')));
        match (
            is_folder && files.len() > 1,
            self.kinds.len() >= OUTER.len(),
        ) {
            (true, _) => "holds",
            (_, true) => "has",
            _ => "defines",
        }
    }
}
