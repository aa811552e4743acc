; The tree inside is read by code: it nests without limit.
(use_declaration) @import
(extern_crate_declaration) @import
(mod_item !body) @import
