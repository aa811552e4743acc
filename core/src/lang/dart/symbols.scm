(class_declaration name: (identifier) @name) @symbol.class

; class Pair = Base<int> with Counting;
(class_declaration (mixin_application_class . (identifier) @name)) @symbol.class

(mixin_declaration name: (identifier) @name) @symbol.trait
(enum_declaration name: (identifier) @name) @symbol.enum
(enum_entry name: (identifier) @name) @symbol.constant
(extension_type_declaration name: (extension_type_name (identifier) @name)) @symbol.class
(extension_declaration name: (identifier) @name) @symbol.class

; An extension without a name is known by its type.
(extension_declaration !name class: (type . (type_identifier) @name)) @scope

; typedef Reader = …; typedef int Compare(…);
(type_alias (type_identifier) @name) @symbol.type

[
  (function_declaration signature: (function_signature name: (identifier) @name))
  (getter_declaration signature: (getter_signature name: (identifier) @name))
  (setter_declaration signature: (setter_signature name: (identifier) @name))
] @symbol.function

(local_function_declaration
  (function_signature name: (identifier) @name)
  (function_body) @body) @symbol.function

; Members with a body, then those without.
(method_declaration
  signature: (method_signature
    [
      (function_signature name: (identifier) @name)
      (getter_signature name: (identifier) @name)
      (setter_signature name: (identifier) @name)
      (operator_signature operator: _ @name)
    ])) @symbol.method
(declaration
  [
    (function_signature name: (identifier) @name)
    (getter_signature name: (identifier) @name)
    (setter_signature name: (identifier) @name)
    (operator_signature operator: _ @name)
  ]) @symbol.method

; Store(this.root); Store.home(); const Store._(); factory Store.of(…)
(method_declaration
  signature: (method_signature
    [
      (constructor_signature name: (identifier) @name . parameters: (_))
      (constant_constructor_signature name: (identifier) @name . parameters: (_))
      (factory_constructor_signature name: (identifier) @name . parameters: (_))
    ])) @symbol.method
(declaration
  [
    (constructor_signature name: (identifier) @name . parameters: (_))
    (constant_constructor_signature name: (identifier) @name . parameters: (_))
    (redirecting_factory_constructor_signature name: (identifier) @name . parameters: (_))
  ]) @symbol.method

; static const ignored = [];
(declaration
  "static"
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))
  ) @symbol.constant

; const and final of a file, then its state.
(top_level_variable_declaration
  (static_final_declaration_list (static_final_declaration name: (identifier) @name))
  ) @symbol.constant
(top_level_variable_declaration
  (initialized_identifier_list (initialized_identifier name: (identifier) @name))
  ) @symbol.variable
