(invocation_expression
  function: [
    (identifier) @name
    (generic_name . (identifier) @name)
  ]) @call

(invocation_expression
  function: (member_access_expression
    expression: (_) @receiver
    name: [
      (identifier) @name
      (generic_name . (identifier) @name)
    ])) @call

; placed?.Invoke()
(invocation_expression
  function: (conditional_access_expression
    condition: (_) @receiver
    (member_binding_expression name: (identifier) @name))) @call

(object_creation_expression
  type: [
    (identifier) @name
    (generic_name . (identifier) @name)
    (qualified_name name: (identifier) @name)
  ]) @call
