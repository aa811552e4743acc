(call_expression
  function: [
    (identifier) @name
    (generic_function function: (identifier) @name)
  ]) @call

(call_expression
  function: [
    (field_expression value: (_) @receiver field: (identifier) @name)
    (generic_function
      function: (field_expression value: (_) @receiver field: (identifier) @name))
  ]) @call

(instance_expression
  [
    (type_identifier) @name
    (generic_type type: (type_identifier) @name)
  ]) @call
