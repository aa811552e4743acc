(call_expression function: (qualified_identifier) @name) @call
(call_expression function: (template_function name: (identifier) @name)) @call
(call_expression
  function: (field_expression
    argument: (_) @receiver
    field: (template_method name: (field_identifier) @name))) @call
(new_expression type: (_) @name) @call
