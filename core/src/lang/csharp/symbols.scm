(namespace_declaration name: (_) @name) @symbol.module

(class_declaration name: (identifier) @name) @symbol.class
(record_declaration name: (identifier) @name) @symbol.class
(struct_declaration name: (identifier) @name) @symbol.struct
(interface_declaration name: (identifier) @name) @symbol.interface
(enum_declaration name: (identifier) @name) @symbol.enum
(enum_member_declaration name: (identifier) @name) @symbol.constant
(delegate_declaration name: (identifier) @name) @symbol.type

(method_declaration name: (identifier) @name) @symbol.method
(constructor_declaration name: (identifier) @name) @symbol.method
(destructor_declaration name: (identifier) @name) @symbol.method
(operator_declaration operator: _ @name) @symbol.method
((indexer_declaration accessors: (accessor_list)? @body) @symbol.method
  (#set! name "this"))
(local_function_statement name: (identifier) @name) @symbol.function

(property_declaration
  name: (identifier) @name
  accessors: (accessor_list)? @body) @symbol.variable

(event_field_declaration
  (variable_declaration (variable_declarator name: (identifier) @name))) @symbol.variable

(field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_const "const")) @symbol.constant

(field_declaration
  (modifier) @_static
  (modifier) @_readonly
  (variable_declaration (variable_declarator name: (identifier) @name))
  (#eq? @_static "static")
  (#eq? @_readonly "readonly")) @symbol.constant
