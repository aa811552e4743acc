(field_declaration type: (_) @type declarator: (variable_declarator name: (identifier) @field))

(local_variable_declaration
  type: (_) @type
  declarator: (variable_declarator name: (identifier) @local)
  (#not-eq? @type "var"))
(local_variable_declaration
  declarator: (variable_declarator
    name: (identifier) @local
    value: [
      (object_creation_expression type: (_) @made)
      (method_invocation !object name: (identifier) @made)
    ]))
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local))
(enhanced_for_statement type: (_) @type name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier) @local)
