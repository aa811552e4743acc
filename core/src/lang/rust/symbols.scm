(function_item name: (_) @name) @symbol.function
(function_signature_item name: (_) @name) @symbol.function

; An impl block gives its functions an owner, but is no definition of its own.
(impl_item type: (_) @name) @scope

; The fields of a tuple struct belong to its signature.
((struct_item
  name: (type_identifier) @name
  body: (ordered_field_declaration_list)) @symbol.struct
  (#set! body "none"))
(struct_item name: (type_identifier) @name) @symbol.struct
(enum_item name: (type_identifier) @name) @symbol.enum
(union_item name: (type_identifier) @name) @symbol.union
(trait_item name: (type_identifier) @name) @symbol.trait
(type_item name: (type_identifier) @name) @symbol.type
(mod_item name: (identifier) @name body: (_)) @symbol.module
(macro_definition name: (identifier) @name "{" @body) @symbol.macro
(const_item name: (identifier) @name) @symbol.constant
(static_item name: (identifier) @name) @symbol.variable
