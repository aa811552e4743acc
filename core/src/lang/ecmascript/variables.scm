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
(variable_declarator name: (array_pattern (identifier) @variable))
(object_pattern
  [
    (shorthand_property_identifier_pattern) @variable
    (pair_pattern value: (identifier) @variable)
  ])
(assignment_expression left: [(identifier) (member_expression object: (this))] @variable)
(arrow_function parameter: (identifier) @variable)
(for_in_statement left: (identifier) @variable)
