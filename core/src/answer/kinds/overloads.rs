//! Whether one of several methods with a name can override another.

use super::parameters::parameters;
use super::teller::Teller;
use crate::lang::SymbolId;
use crate::parse::shape::Parameter;

/// Whether a method of a subclass can override `base`, which has its name. Where methods with other
/// parameters are overloads, the number of parameters must be the same, and so must types that are
/// written alike in most code: those of the language itself.
pub(super) fn may_override(teller: &Teller<'_, '_>, base: SymbolId, other: SymbolId) -> bool {
    let language = teller.index.file(base.file).map(|(_, it)| it.language);
    if !language.is_some_and(|language| language.spec().family.has_overloads) {
        return true;
    }
    let of = |id: SymbolId| parameters(teller, &teller.definition(id)?);
    match (of(base), of(other)) {
        (Some(base), Some(other)) => {
            base.len() == other.len() && base.iter().zip(&other).all(|(a, b)| may_agree(a, b))
        }
        // What cannot be read proves nothing.
        _ => true,
    }
}

/// Whether two parameters can have one type. Only what the language itself names by a word in lower
/// case has no other name: a class can be generic here, and imported under its full name there.
fn may_agree(a: &Parameter, b: &Parameter) -> bool {
    let of = |parameter: &Parameter| parameter.written.clone().unwrap_or_default();
    let (a, b) = (of(a), of(b));
    let is_basic = |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_lowercase());
    a == b || !(is_basic(&a) && is_basic(&b))
}

#[cfg(test)]
mod tests {
    use crate::answer::tests::answered;
    use crate::index::tests::index;

    const SINK: &str = "class Sink {\n  void put(int a) {}\n  void put(int a, int b) {}\n  void \
                        put(char a) {}\n}\n";
    const FILE: &str = "class FileSink extends Sink {\n  void put(int c) {}\n}\n";

    fn said(question: &str) -> String {
        let index = index(&[("Sink.java", SINK), ("FileSink.java", FILE)]);
        answered(&index, question).cited(&index.repo)
    }

    #[test]
    fn an_overload_is_not_overridden_by_a_method_with_other_parameters() {
        let text = said("which methods does FileSink override?");
        assert!(text.contains("overrides 1 method"), "{text}");
        let text = said("which methods of Sink are overridden?");
        assert!(text.contains("has 1 overridden method"), "{text}");
        assert!(said("does FileSink override put?").contains("Yes. "));
    }

    #[test]
    fn a_method_that_only_adds_an_overload_overrides_nothing() {
        let files = [
            ("Sink.java", "class Sink {\n  void put(int a) {}\n}\n"),
            (
                "FileSink.java",
                "class FileSink extends Sink {\n  void put(String a, int b) {}\n}\n",
            ),
        ];
        let index = index(&files);
        let text = answered(&index, "does FileSink override put?").cited(&index.repo);
        assert!(text.contains("take other parameters"), "{text}");
    }
}
