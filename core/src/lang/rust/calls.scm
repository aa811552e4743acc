(call_expression function: (identifier) @name) @call
(call_expression
  function: (field_expression value: (_) @receiver field: (field_identifier) @name)) @call
(call_expression
  function: (scoped_identifier path: (_) @receiver name: (identifier) @name)) @call

; parse::<u32>(x), text.parse::<u32>(), Vec::<u32>::with_capacity(1)
(call_expression function: (generic_function function: (identifier) @name)) @call
(call_expression
  function: (generic_function
    function: (field_expression value: (_) @receiver field: (field_identifier) @name))) @call
(call_expression
  function: (generic_function
    function: (scoped_identifier path: (_) @receiver name: (identifier) @name))) @call

(macro_invocation macro: (identifier) @name) @call
(macro_invocation macro: (scoped_identifier path: (_) @receiver name: (identifier) @name)) @call

; assert!(pool.is_empty()): the grammar leaves arguments of macros as tokens.
(macro_invocation) @tokens
