; A namespace without a body holds the rest of the file and needs no symbol.
(namespace_definition name: (namespace_name) @name body: (_)) @symbol.module

(class_declaration name: (name) @name) @symbol.class
(interface_declaration name: (name) @name) @symbol.interface
(trait_declaration name: (name) @name) @symbol.trait
(enum_declaration name: (name) @name) @symbol.enum
(enum_case name: (name) @name) @symbol.constant

(method_declaration name: (name) @name) @symbol.method
(function_definition name: (name) @name) @symbol.function

(const_declaration (const_element (name) @name)) @symbol.constant

; define('NAME', value)
((function_call_expression
  function: (name) @_define
  arguments: (arguments . (argument (string (string_content) @name)))) @symbol.constant
  (#eq? @_define "define"))
