(function_declaration name: (identifier) @name) @symbol.function

(method_declaration
  receiver: (parameter_list (parameter_declaration type: (_) @owner))
  name: (field_identifier) @name) @symbol.method

(method_elem name: (field_identifier) @name) @symbol.method

(type_spec
  name: (type_identifier) @name
  type: (struct_type (field_declaration_list) @body)) @symbol.struct
(type_spec
  name: (type_identifier) @name
  type: (interface_type "{" @body)) @symbol.interface
(type_spec name: (type_identifier) @name) @symbol.type
(type_alias name: (type_identifier) @name) @symbol.type

(source_file
  (const_declaration (const_spec name: (identifier) @name) @symbol.constant)
  (#not-eq? @name "_"))
(source_file
  (var_declaration (var_spec name: (identifier) @name) @symbol.variable)
  (#not-eq? @name "_"))
(source_file
  (var_declaration (var_spec_list (var_spec name: (identifier) @name) @symbol.variable))
  (#not-eq? @name "_"))
