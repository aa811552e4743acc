//! Numbers of kinds and languages in saved indexes. A number is never reused.

use crate::chunk::ChunkKind;
use crate::lang::SymbolKind;

/// Defines both directions of a numbering from one list.
macro_rules! codes {
    ($of:ident, $to:ident, $type:ident { $($variant:ident = $code:literal),* $(,)? }) => {
        pub(super) fn $of(value: $type) -> u8 {
            match value {
                $($type::$variant => $code,)*
            }
        }

        pub(super) fn $to(code: u8) -> Option<$type> {
            match code {
                $($code => Some($type::$variant),)*
                _ => None,
            }
        }
    };
}

codes!(of_chunk, to_chunk, ChunkKind {
    Symbol = 0,
    Head = 1,
    Part = 2,
    Between = 3,
    Section = 4,
    Window = 5,
});

codes!(of_symbol, to_symbol, SymbolKind {
    Module = 0,
    Class = 1,
    Interface = 2,
    Trait = 3,
    Struct = 4,
    Enum = 5,
    Union = 6,
    Type = 7,
    Function = 8,
    Method = 9,
    Macro = 10,
    Constant = 11,
    Variable = 12,
    Section = 13,
    Key = 14,
});
