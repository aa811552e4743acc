(parameter_declaration
  type: (_) @type
  declarator: (reference_declarator (identifier) @name)) @parameter

(optional_parameter_declaration
  type: (_) @type
  declarator: [
    (identifier) @name
    (pointer_declarator declarator: (identifier) @name)
    (reference_declarator (identifier) @name)
  ]) @parameter
