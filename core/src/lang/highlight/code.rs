//! Highlights code in the same way for every grammar: grammars use similar names, so node kinds and
//! field names identify comments, literals, names of definitions and calls.

use std::ops::Range;

use tree_sitter::TreeCursor;

use super::{HighlightClass, Span};
use crate::lang::Language;
use crate::lang::tree::{MAX_DEPTH, syntax_tree};

/// A node in the walk: its kind, and its field in the parent.
#[derive(Clone, Copy, Default)]
struct Place<'t> {
    kind: &'t str,
    field: &'t str,
    is_first: bool,
    in_string: bool,
}

pub(super) fn spans(language: Language, text: &str) -> Vec<Span> {
    let Some(tree) = language
        .grammar()
        .and_then(|grammar| syntax_tree(&grammar, text).ok())
    else {
        return Vec::new();
    };
    let mut spans = Vec::new();
    let mut cursor = tree.walk();
    // The ancestors of the cursor's node.
    let mut path: Vec<Place<'_>> = Vec::new();
    let mut is_first = true;
    loop {
        let place = place(&cursor, &path, is_first);
        let class = classify(&cursor, place, &path, text);
        let node = cursor.node();
        if let Some(class) = class.painted {
            spans.push(Span::new(node.byte_range(), class));
        } else if place.in_string && is_interpolation(place.kind) {
            spans.push(Span {
                bytes: node.byte_range(),
                class: None,
            });
        }
        if class.descend && path.len() < MAX_DEPTH && cursor.goto_first_child() {
            path.push(place);
            is_first = true;
            continue;
        }
        is_first = false;
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                return spans;
            }
            path.pop();
        }
    }
}

fn place<'t>(cursor: &TreeCursor<'t>, path: &[Place<'t>], is_first: bool) -> Place<'t> {
    let kind = cursor.node().kind();
    let parent = path.last().copied().unwrap_or_default();
    Place {
        kind,
        field: cursor.field_name().unwrap_or(""),
        is_first,
        in_string: (parent.in_string && !is_interpolation(parent.kind)) || is_string(parent.kind),
    }
}

/// The class of a node, and whether to visit its children.
struct Class {
    painted: Option<HighlightClass>,
    descend: bool,
}

fn classify(cursor: &TreeCursor<'_>, place: Place<'_>, path: &[Place<'_>], text: &str) -> Class {
    let node = cursor.node();
    let whole = |class| Class {
        painted: Some(class),
        descend: false,
    };
    let is_leaf = node.child_count() == 0;
    if !node.is_named() {
        let is_keyword = is_leaf && !place.in_string && is_word(slice(text, node.byte_range()));
        return Class {
            painted: is_keyword.then_some(HighlightClass::Keyword),
            descend: true,
        };
    }
    let kind = place.kind;
    if is_comment(kind) {
        return whole(HighlightClass::Comment);
    }
    if is_string(kind) {
        return Class {
            painted: Some(HighlightClass::String),
            descend: true,
        };
    }
    if is_type(kind) {
        return whole(HighlightClass::Type);
    }
    if is_number(kind) {
        return whole(HighlightClass::Number);
    }
    if is_leaf && is_constant(kind) {
        return whole(HighlightClass::Keyword);
    }
    Class {
        painted: is_leaf.then(|| name(place, path)).flatten(),
        descend: true,
    }
}

fn is_comment(kind: &str) -> bool {
    kind.contains("comment") || matches!(kind, "hash_bang_line" | "shebang" | "shebang_line")
}

fn is_string(kind: &str) -> bool {
    if kind.ends_with("_type") {
        return false;
    }
    kind.contains("string")
        || kind.contains("heredoc")
        || matches!(
            kind,
            "char_literal"
                | "character_literal"
                | "character"
                | "rune_literal"
                | "regex"
                | "regex_literal"
                | "nowdoc"
                | "simple_symbol"
                | "hash_key_symbol"
                | "delimited_symbol"
                | "bare_symbol"
        )
}

/// Whether a node is code inside a string.
fn is_interpolation(kind: &str) -> bool {
    matches!(
        kind,
        "interpolation"
            | "template_substitution"
            | "interpolated_expression"
            | "interpolated_identifier"
            | "command_substitution"
            | "expansion"
            | "simple_expansion"
            | "arithmetic_expansion"
    )
}

fn is_number(kind: &str) -> bool {
    matches!(
        kind,
        "int_literal" | "imaginary_literal" | "real_literal" | "rational" | "complex"
    ) || kind.contains("number")
        || kind.contains("integer")
        || kind.contains("float")
}

/// Whether a kind is always a type.
fn is_type(kind: &str) -> bool {
    matches!(
        kind,
        "type_identifier"
            | "primitive_type"
            | "predefined_type"
            | "builtin_type"
            | "integral_type"
            | "floating_point_type"
            | "boolean_type"
            | "void_type"
            | "unit_type"
            | "never_type"
            | "sized_type_specifier"
    )
}

/// Whether a named node is a word of the language.
fn is_constant(kind: &str) -> bool {
    matches!(
        kind,
        "true"
            | "false"
            | "none"
            | "null"
            | "nil"
            | "undefined"
            | "self"
            | "super"
            | "this"
            | "crate"
            | "iota"
            | "auto"
            | "boolean"
            | "boolean_literal"
            | "bool_literal"
            | "null_literal"
            | "this_expression"
            | "self_expression"
            | "super_expression"
            | "base"
            | "mutable_specifier"
            | "visibility_modifier"
            | "modifier"
            | "storage_class_specifier"
            | "type_qualifier"
            | "virtual"
            | "ellipsis"
            | "php_tag"
            | "var_modifier"
    )
}

/// Whether a token is a word, optionally after one sign: `if`, `#include`, `@interface`.
fn is_word(token: &str) -> bool {
    let word = token.strip_prefix(['#', '@']).unwrap_or(token);
    let mut signs = word.chars();
    signs.next().is_some_and(char::is_alphabetic)
        && signs.all(|sign| sign.is_alphanumeric() || matches!(sign, '_' | '-' | '!' | '?'))
}

/// Returns the class of a name by what it names.
fn name(place: Place<'_>, path: &[Place<'_>]) -> Option<HighlightClass> {
    let is_name = place.kind.ends_with("identifier")
        || matches!(place.kind, "name" | "constant" | "word" | "operator_name");
    if !is_name {
        return None;
    }
    let mut ancestors = path.iter().rev();
    let parent = ancestors.next().copied().unwrap_or_default();
    let outer = ancestors.next().copied().unwrap_or_default();
    if is_called(place, parent, outer) || is_function_name(place, parent, path) {
        return Some(HighlightClass::Function);
    }
    if is_type_name(place, parent, outer) {
        return Some(HighlightClass::Type);
    }
    None
}

fn is_call(kind: &str) -> bool {
    (kind.contains("call") || kind.contains("invocation") || kind == "command_name")
        && !kind.contains("arguments")
        && !kind.contains("suffix")
}

fn is_called(place: Place<'_>, parent: Place<'_>, outer: Place<'_>) -> bool {
    let by_field = matches!(place.field, "function" | "method" | "macro" | "name");
    if parent.kind == "command_name" || parent.kind == "decorator" {
        return true;
    }
    if is_call(parent.kind) && (by_field || (place.field.is_empty() && place.is_first)) {
        return true;
    }
    // `a.b()`: only the last name of the callee.
    let is_last = matches!(
        place.field,
        "attribute" | "property" | "field" | "name" | "suffix"
    ) || (!place.is_first && place.field.is_empty());
    let called = matches!(parent.field, "function" | "method")
        || (parent.field.is_empty() && parent.is_first);
    let is_member = [
        "member",
        "attribute",
        "selector",
        "field",
        "navigation",
        "scoped",
        "qualified",
    ]
    .iter()
    .any(|part| parent.kind.contains(part));
    is_last && called && is_member && (is_call(outer.kind) || outer.kind == "navigation_expression")
}

fn is_function_name(place: Place<'_>, parent: Place<'_>, path: &[Place<'_>]) -> bool {
    let is_definition = |kind: &str| {
        [
            "function",
            "method",
            "constructor",
            "destructor",
            "subroutine",
        ]
        .iter()
        .any(|part| kind.contains(part))
            && !kind.contains("type")
    };
    if place.field == "name" && is_definition(parent.kind) {
        return true;
    }
    // C and C++ declarations mirror use: the name is the innermost declarator. The field is checked
    // first, so that only one name of a deep declarator climbs all of it.
    let is_declarator =
        |up: &&Place<'_>| up.kind.contains("declarator") || up.kind == "qualified_identifier";
    matches!(place.field, "declarator" | "name")
        && path
            .iter()
            .rev()
            .take_while(is_declarator)
            .any(|up| up.kind == "function_declarator")
}

fn is_type_name(place: Place<'_>, parent: Place<'_>, outer: Place<'_>) -> bool {
    const DEFINITIONS: [&str; 11] = [
        "class",
        "struct",
        "interface",
        "enum",
        "trait",
        "protocol",
        "record",
        "object",
        "module",
        "annotation",
        "type_",
    ];
    let defines = |kind: &str| DEFINITIONS.iter().any(|part| kind.contains(part));
    if place.kind == "constant" {
        return true;
    }
    if place.field == "name" && defines(parent.kind) && !parent.kind.contains("member") {
        return true;
    }
    let is_in_type = |place: Place<'_>, parent: Place| {
        matches!(
            place.field,
            "type" | "return_type" | "returns" | "superclass"
        ) || matches!(
            parent.kind,
            "type"
                | "user_type"
                | "named_type"
                | "generic_type"
                | "generic_name"
                | "base_list"
                | "superclass"
                | "type_annotation"
                | "nullable_type"
                | "array_type"
                | "pointer_type"
                | "optional_type"
                | "type_argument_list"
                | "base_clause"
                | "class_interface_clause"
                | "extends_clause"
                | "object_creation_expression"
        )
    };
    is_in_type(place, parent) || (parent.kind == "generic_name" && is_in_type(parent, outer))
}

fn slice(text: &str, bytes: Range<usize>) -> &str {
    text.get(bytes).unwrap_or("")
}
