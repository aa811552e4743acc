; store := NewStore(), store, err := Open(), store := &Store{}
(short_var_declaration
  left: (expression_list . (identifier) @local)
  right: (expression_list . (call_expression function: [(identifier) (selector_expression)] @made) .))
(short_var_declaration
  left: (expression_list . (identifier) @local .)
  right: (expression_list . [
    (composite_literal type: (_) @type)
    (unary_expression operand: (composite_literal type: (_) @type))
  ] .))
(var_spec name: (identifier) @local type: (_) @type)
(short_var_declaration left: (expression_list (identifier) @local))
[
  (func_literal parameters: (parameter_list (parameter_declaration name: (identifier) @local)))
  (type_switch_statement alias: (expression_list (identifier) @local))
  (receive_statement left: (expression_list (identifier) @local))
  (var_spec name: (identifier) @local)
]
(range_clause left: (expression_list (identifier) @local))
(field_declaration name: (field_identifier) @field type: (_) @type)
