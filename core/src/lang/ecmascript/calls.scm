((call_expression function: (identifier) @name) @call
  (#not-eq? @name "require"))

(call_expression function: (super) @name) @call

(call_expression
  function: (member_expression object: (_) @receiver property: (_) @name)) @call

(new_expression constructor: (identifier) @name) @call

(new_expression
  constructor: (member_expression object: (_) @receiver property: (_) @name)) @call
