(class_definition name: (identifier) @name) @symbol.class
(trait_definition name: (identifier) @name) @symbol.trait
(object_definition name: (identifier) @name) @symbol.class
(package_object name: (identifier) @name) @symbol.module
(enum_definition name: (identifier) @name) @symbol.enum
(simple_enum_case name: (identifier) @name) @symbol.constant
(full_enum_case name: (identifier) @name) @symbol.constant
(type_definition name: (type_identifier) @name) @symbol.type

(function_definition name: (_) @name) @symbol.function
(function_declaration name: (_) @name) @symbol.function

(given_definition name: (identifier) @name) @symbol.variable
; What has no name of its own is known by its type.
(given_definition !name return_type: (_) @name) @scope
(extension_definition parameters: (parameters . (parameter type: (_) @name))) @scope

; Constants are written with a capital.
(template_body
  [
    (val_definition pattern: (identifier) @name)
    (val_declaration name: (identifier) @name)
  ] @symbol.constant
  (#match? @name "^[A-Z]"))

; State of an object or file, which exists once.
(object_definition
  body: (template_body
    [
      (val_definition pattern: (identifier) @name)
      (var_definition pattern: (identifier) @name)
    ] @symbol.variable))

(compilation_unit
  [
    (val_definition pattern: (identifier) @name)
    (var_definition pattern: (identifier) @name)
  ] @symbol.variable)
