(class_declaration
  "interface"
  name: (identifier) @name
  (class_body)? @body) @symbol.interface

(class_declaration
  (modifiers (class_modifier) @_enum)
  name: (identifier) @name
  (enum_class_body)? @body
  (#eq? @_enum "enum")) @symbol.enum

(class_declaration
  name: (identifier) @name
  (class_body)? @body) @symbol.class

(object_declaration
  name: (identifier) @name
  (class_body)? @body) @symbol.class

(companion_object
  name: (identifier) @name
  (class_body)? @body) @symbol.class

(enum_entry (identifier) @name (class_body)? @body) @symbol.constant
(type_alias type: (identifier) @name) @symbol.type

; A constant of an enumeration can have members of its own.
(enum_entry
  (class_body
    (function_declaration
      name: (identifier) @name
      (function_body)? @body) @symbol.method))

; fun String.greet(): the receiver's type owns the function.
(function_declaration
  [(user_type) (nullable_type)] @owner
  "."
  name: (identifier) @name
  (function_body)? @body) @symbol.function

(function_declaration
  name: (identifier) @name
  (function_body)? @body) @symbol.function

((secondary_constructor (block)? @body) @symbol.method
  (#set! name "constructor"))

(property_declaration
  (modifiers (property_modifier) @_const)
  (variable_declaration (identifier) @name)
  (#eq? @_const "const")) @symbol.constant

(source_file (property_declaration (variable_declaration (identifier) @name)) @symbol.variable)

; A property with code of its own.
(property_declaration
  (variable_declaration (identifier) @name)
  [(getter) (setter) (property_delegate)] @body) @symbol.variable

; What an interface asks for.
(class_declaration
  "interface"
  (class_body (property_declaration (variable_declaration (identifier) @name)) @symbol.variable))
