(class_declaration name: (type_identifier) @name) @symbol.class
(abstract_class_declaration name: (type_identifier) @name) @symbol.class
(interface_declaration name: (type_identifier) @name) @symbol.interface
(enum_declaration name: (identifier) @name) @symbol.enum
(type_alias_declaration name: (type_identifier) @name) @symbol.type
(internal_module name: (_) @name) @symbol.module
(module name: (_) @name) @symbol.module

; Overloads and declarations without a body.
(function_signature name: (identifier) @name) @symbol.function
(method_signature name: (_) @name) @symbol.method
(abstract_method_signature name: (_) @name) @symbol.method

; class A { handle = () => … }
(public_field_definition
  name: (_) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
  ]) @symbol.method

(public_field_definition
  name: (property_identifier) @name
  (#match? @name "^_*[A-Z][A-Z0-9_]*$")) @symbol.constant

; declare const version: string
(ambient_declaration
  [
    (lexical_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
    (variable_declaration (variable_declarator name: (identifier) @name) @symbol.variable)
  ])
