(inheritance_specifier inherits_from: (user_type) @base)
(associatedtype_declaration ":" . (user_type) @base)
