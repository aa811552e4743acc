//! Classes and what they inherit from, read out of their declarations: `class A(B)`, `class A extends
//! B implements C`, `class A : public B`, `class A < B`, `trait A: B`.

use crate::lang::family::Family;

/// Words of a list of bases that name none.
const MODIFIERS: [&str; 8] = [
    "public",
    "private",
    "protected",
    "virtual",
    "open",
    "override",
    "sealed",
    "final",
];

/// The bases that a declaration names, as written without type arguments: `Base`, `module.Base`.
pub(crate) fn bases(family: &Family, signature: &str, name: &str) -> Vec<String> {
    let Some(at) = signature.find(name) else {
        return Vec::new();
    };
    let after = signature.get(at + name.len()..).unwrap_or_default();
    let after = without_arguments(after);
    let after = after.trim();
    let list = (family.bases)(after);
    list.map(names).unwrap_or_default()
}

/// What follows a colon behind a class's constructor parameters, up to `end`.
pub(crate) fn after_colon<'t>(after: &'t str, end: &str) -> Option<&'t str> {
    after_parameters(after).strip_prefix(':')?.split(end).next()
}

/// What follows the first of `words`.
pub(crate) fn after_word<'t>(text: &'t str, words: &[&str]) -> Option<&'t str> {
    let is_space = |c: char| c.is_whitespace();
    let found = words.iter().filter_map(|word| {
        let at = text.find(word)?;
        let end = at + word.len();
        let before = text.get(..at)?;
        let is_word = (before.is_empty() || before.ends_with([' ', ')', '>']))
            && text.get(end..)?.starts_with(is_space);
        is_word.then_some(end)
    });
    text.get(found.min()?..)
}

/// What follows a list of constructor parameters.
pub(crate) fn after_parameters(text: &str) -> &str {
    let mut depth = 0u32;
    for (at, sign) in text.char_indices() {
        match sign {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            ':' if depth == 0 => return text.get(at..).unwrap_or_default(),
            _ => {}
        }
    }
    ""
}

/// Without type arguments and subscripts.
fn without_arguments(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut depth = 0u32;
    let mut last = ' ';
    for sign in text.chars() {
        match sign {
            // `class A < B` of Ruby is no list of arguments.
            '<' if last != ' ' || out.is_empty() && !text.starts_with(" <") => depth += 1,
            '[' => depth += 1,
            '>' | ']' if depth > 0 && last != '=' => depth -= 1,
            sign if depth == 0 => out.push(sign),
            _ => {}
        }
        last = sign;
    }
    out
}

/// The names of a list, without arguments of constructors and keywords such as `metaclass=M`.
fn names(list: &str) -> Vec<String> {
    let mut depth = 0u32;
    let mut plain = String::with_capacity(list.len());
    for sign in list.chars() {
        match sign {
            '(' | '{' => depth += 1,
            ')' | '}' => depth = depth.saturating_sub(1),
            ',' if depth > 0 => {}
            sign if depth == 0 => plain.push(sign),
            _ => {}
        }
    }
    let mut plain = plain.replace(['+', '&'], ",");
    for word in [" with ", " implements ", " extends "] {
        plain = plain.replace(word, ",");
    }
    let parts = plain.split(',').filter(|part| !part.contains('='));
    parts
        .filter_map(|part| {
            let mut words = part
                .split_whitespace()
                .filter(|word| !MODIFIERS.contains(word));
            let name = words.next()?.replace("::", ".").replace('\\', ".");
            let name = name.trim_matches('.').to_owned();
            let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_');
            is_name.then_some(name)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::Language;

    #[test]
    fn bases_are_read_out_of_declarations() {
        for (language, signature, name, expected) in [
            (
                Language::Python,
                "class A(B, mixins.C, metaclass=M)",
                "A",
                vec!["B", "mixins.C"],
            ),
            (
                Language::Python,
                "class A(Generic[T], B[int])",
                "A",
                vec!["Generic", "B"],
            ),
            (Language::Python, "class A", "A", vec![]),
            (
                Language::Java,
                "public final class FolderStore<T extends Note> extends AbstractStore<T> implements Store<T>, X",
                "FolderStore",
                vec!["AbstractStore", "Store", "X"],
            ),
            (
                Language::Kotlin,
                "class Cache<K, V>(private val loader: Loader<K, V>, val ttl: Duration = D.of(5)) : Store<K, V>(), Closeable",
                "Cache",
                vec!["Store", "Closeable"],
            ),
            (
                Language::Scala,
                "class Queue[A](val limit: Int)(implicit ec: Context) extends Base[A] with Closeable",
                "Queue",
                vec!["Base", "Closeable"],
            ),
            (
                Language::CSharp,
                "public class OrderService : ServiceBase, IOrderService",
                "OrderService",
                vec!["ServiceBase", "IOrderService"],
            ),
            (
                Language::Cpp,
                "class Store : public Base, private ns::Other<int>",
                "Store",
                vec!["Base", "ns.Other"],
            ),
            (
                Language::Swift,
                "public final class Client: NSObject, Sending",
                "Client",
                vec!["NSObject", "Sending"],
            ),
            (
                Language::Ruby,
                "class Api::V1::UsersController < ApplicationController",
                "UsersController",
                vec!["ApplicationController"],
            ),
            (
                Language::Php,
                "final class Repository extends Base implements Finds, Counts",
                "Repository",
                vec!["Base", "Finds", "Counts"],
            ),
            (
                Language::TypeScript,
                "export abstract class BaseStore<T extends Note> extends EventEmitter implements Store<T>",
                "BaseStore",
                vec!["EventEmitter", "Store"],
            ),
            (
                Language::Rust,
                "pub trait Backend: Send + fmt::Debug",
                "Backend",
                vec!["Send", "fmt.Debug"],
            ),
            (
                Language::Rust,
                "pub struct Slug(pub String)",
                "Slug",
                vec![],
            ),
        ] {
            assert_eq!(
                bases(language.spec().family, signature, name),
                expected,
                "{signature}"
            );
        }
    }
}
