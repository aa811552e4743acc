(class_declaration "struct" name: (type_identifier) @name) @symbol.struct
(class_declaration "enum" name: (type_identifier) @name) @symbol.enum
(class_declaration ["class" "actor"] name: (type_identifier) @name) @symbol.class
(class_declaration "extension" name: (_) @name) @scope
(protocol_declaration name: (type_identifier) @name) @symbol.interface

(typealias_declaration name: (type_identifier) @name) @symbol.type
(associatedtype_declaration name: (type_identifier) @name) @symbol.type
(enum_entry name: (simple_identifier) @name) @symbol.constant

; The name may be an operator.
(function_declaration "func" . _ @name) @symbol.function
(protocol_function_declaration "func" . _ @name) @symbol.method
(init_declaration "init" @name) @symbol.method
(deinit_declaration "deinit" @name) @symbol.method
(subscript_declaration "subscript" @name (computed_property)? @body) @symbol.method

(source_file
  (property_declaration
    (value_binding_pattern) @_let
    name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.constant
  (#eq? @_let "let"))

(source_file
  (property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.variable)

; static let limit = 1
(property_declaration
  (modifiers (property_modifier) @_static)
  (value_binding_pattern) @_let
  name: (pattern bound_identifier: (simple_identifier) @name)
  (#match? @_static "^(static|class)$")
  (#eq? @_let "let")) @symbol.constant

; A property with code of its own.
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (computed_property) @body) @symbol.variable

(protocol_property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)) @symbol.variable
