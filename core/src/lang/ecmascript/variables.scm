; const store = new Store(), const store = await open()
(variable_declarator
  name: (identifier) @variable
  value: [
    (new_expression constructor: (_) @made)
    (call_expression function: (_) @made)
    (await_expression [(new_expression constructor: (_) @made) (call_expression function: (_) @made)])
  ])

; store = new Store(), this.store = new Store()
(assignment_expression
  left: [(identifier) (member_expression object: (this))] @variable
  right: [
    (new_expression constructor: (_) @made)
    (call_expression function: (_) @made)
    (await_expression (call_expression function: (_) @made))
  ])

(variable_declarator name: (identifier) @variable)
[
  (array_pattern (identifier) @variable)
  (array_pattern (assignment_pattern left: (identifier) @variable))
  (object_assignment_pattern left: (shorthand_property_identifier_pattern) @variable)
  (pair_pattern value: (assignment_pattern left: (identifier) @variable))
  (rest_pattern (identifier) @variable)
  (catch_clause parameter: (identifier) @variable)
  (function_expression name: (identifier) @variable)
  (generator_function name: (identifier) @variable)
]
(object_pattern
  [
    (shorthand_property_identifier_pattern) @variable
    (pair_pattern value: (identifier) @variable)
  ])
(assignment_expression left: [(identifier) (member_expression object: (this))] @variable)
(arrow_function parameter: (identifier) @variable)
(for_in_statement left: (identifier) @variable)
