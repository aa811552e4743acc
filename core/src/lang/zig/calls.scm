(call_expression function: (identifier) @name) @call

(call_expression
  function: (field_expression
    object: [
      (identifier) (field_expression) (call_expression) (index_expression) (builtin_function)
      (struct_initializer) (dereference_expression) (null_coercion_expression)
      (parenthesized_expression)
    ] @receiver
    member: (identifier) @name)) @call

; The grammar reads !options.matches(name) as a call on !options.
(call_expression
  function: (field_expression
    object: (unary_expression argument: (_) @receiver)
    member: (identifier) @name)) @call
