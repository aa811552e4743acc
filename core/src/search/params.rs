//! The numbers of the ranking rules, by name, so that `evaluate` can sweep each.

/// Declares [`Params`] with a default and a name for each field.
macro_rules! params {
    ($($(#[$doc:meta])* $name:ident: $default:expr,)*) => {
        /// What the steps multiply with. The defaults are the measured best; the sweeps are kept in
        /// `benches/runs`.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Params {
            $($(#[$doc])* pub $name: f32,)*
        }

        impl Default for Params {
            fn default() -> Self {
                Self { $($name: $default,)* }
            }
        }

        impl Params {
            /// The names that [`Params::set`] knows.
            pub const NAMES: &'static [&'static str] = &[$(stringify!($name)),*];

            /// Sets a parameter by name; whether there is one of that name.
            pub fn set(&mut self, name: &str, value: f32) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value,)*
                    _ => return false,
                }
                true
            }
        }
    };
}

params! {
    /// Chunks taken from each list.
    candidates: 200.0,
    /// Share of meaning when the question is a sentence.
    dense_prose: 0.6,
    /// Share of meaning when a sentence holds a name written as code.
    dense_named: 0.4,
    /// Share of meaning when the question is a name.
    dense_symbol: 0.3,
    /// Weight of other forms of a word of the question.
    forms: 0.25,
    /// Further weight of the words of a long question's first line.
    title: 1.0,
    /// Score of the file as one document.
    whole_file: 0.3,
    /// A chunk that defines a name of the question.
    definition: 0.5,
    /// Share of `definition` for a plain word that is a name too.
    definition_word: 0.6,
    /// Parts of a chunk's names that are words of the question.
    names: 0.2,
    /// The file's own name.
    stem: 0.25,
    /// The folders' names.
    path: 0.1,
    /// A file whose path stands in the question.
    named_path: 0.6,
    /// A "subsystem:" prefix that is a folder or a file.
    subsystem: 0.4,
    /// A place of a pasted stack trace.
    frames: 1.0,
    /// A quotation that stands in the chunk.
    quotes: 0.4,
    /// What commits said of the file, where the archive is a clone with its commits.
    history: 0.2,
    /// The language that the question names.
    language: 0.1,
    /// Tests and documents that the question does not ask for.
    tests: 0.3,
    /// Factor of documentation that the question does not ask for.
    docs: 0.3,
    /// Factor of examples that the question does not ask for.
    examples: 0.3,
    /// Manifests and configuration.
    config: 0.2,
    /// Lists of changes.
    changelog: 0.2,
    /// Copies of other projects.
    vendored: 0.5,
    /// The factor of a kind that the question asks for.
    asked: 0.6,
    /// Files with several good chunks.
    coherence: 0.1,
    /// What the best hits call, where something is asked.
    callees: 0.25,
    /// What calls the best hits, where a change is described.
    callers: 0.05,
    /// What a thin function leaves its work to.
    delegate: 0.1,
    /// Where a package hands on a name that another one defines.
    reexport: 0.5,
    /// Files that the best ones lead to: behind the first three, where something is asked.
    walk: 0.25,
    /// The same, of all files, where a change is described.
    walk_change: 0.25,
    /// Share of the walk that goes from what is used to what uses it.
    walk_back: 0.5,
    /// What an import weighs beside a call.
    walk_imports: 0.2,
    /// How much the walk prefers to start in the best files.
    walk_power: 2.0,
    /// The factor of a near copy of a better hit.
    copy: 0.5,
    /// Share of the token by token comparison, where a strategy has it.
    late: 0.2,
    /// Share of a further chunk's score that its file gains, halved from chunk to chunk.
    pool: 0.15,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_can_be_set_by_its_name() {
        let mut params = Params::default();
        for name in Params::NAMES {
            assert!(params.set(name, 7.0), "{name}");
        }
        assert_eq!(params.definition, 7.0);
        assert!(!params.set("no such", 1.0));
    }
}
