(field_declaration
  (variable_declaration type: (_) @type (variable_declarator name: (identifier) @field)))
(property_declaration type: (_) @type name: (identifier) @field)

(local_declaration_statement
  (variable_declaration
    type: [(identifier) (qualified_name) (generic_name) (nullable_type)] @type
    (variable_declarator name: (identifier) @local)))
(local_declaration_statement
  (variable_declaration
    type: (implicit_type)
    (variable_declarator
      name: (identifier) @local
      [
        (object_creation_expression type: (_) @made)
        (invocation_expression function: (_) @made)
        (await_expression (invocation_expression function: (_) @made))
      ])))
(local_declaration_statement
  (variable_declaration type: (implicit_type) (variable_declarator name: (identifier) @local)))
(foreach_statement left: (identifier) @local)
(lambda_expression parameters: (implicit_parameter) @local)
