(function_call_expression
  function: [
    (name) @name
    (qualified_name (name) @name)
  ]) @call

(member_call_expression object: (_) @receiver name: (name) @name) @call
(nullsafe_member_call_expression object: (_) @receiver name: (name) @name) @call
(scoped_call_expression scope: (_) @receiver name: (name) @name) @call

(object_creation_expression
  [
    (name) @name
    (qualified_name (name) @name)
  ]) @call
