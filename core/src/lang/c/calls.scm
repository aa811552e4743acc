(call_expression function: (identifier) @name) @call
(call_expression
  function: (field_expression argument: (_) @receiver field: (field_identifier) @name)) @call
