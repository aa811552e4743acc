; The grammar reads the !read of !read(name) and the !options of !options.matches(name) as the type of
; a function's result.
(call_expression function: [
  (identifier) @name
  (error_union_type ok: (identifier) @name)
]) @call

(call_expression
  function: (field_expression
    object: [
      (identifier) (field_expression) (call_expression) (index_expression) (builtin_function)
      (struct_initializer) (dereference_expression) (null_coercion_expression)
      (parenthesized_expression)
    ] @receiver
    member: (identifier) @name)) @call

(call_expression
  function: (field_expression
    object: (error_union_type ok: (_) @receiver)
    member: (identifier) @name)) @call
