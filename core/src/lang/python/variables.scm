; store = Store(), self.store = await Store.open()
(assignment
  left: [(identifier) (attribute object: (identifier))] @variable
  right: [
    (call function: (_) @made)
    (await (call function: (_) @made))
  ])

; store: Store, self.store: Store = …
(assignment
  left: [(identifier) (attribute object: (identifier))] @variable
  type: (type) @type)

(assignment left: [(identifier) (attribute object: (identifier))] @variable)
[
  (pattern_list (identifier) @variable)
  (tuple_pattern (identifier) @variable)
  (list_pattern (identifier) @variable)
  (list_splat_pattern (identifier) @variable)
  (augmented_assignment left: (identifier) @variable)
  (case_pattern (dotted_name . (identifier) @variable .))
  (keyword_pattern (dotted_name . (identifier) @variable .))
  (as_pattern (case_pattern) (identifier) @variable)
  (splat_pattern (identifier) @variable)
]
(named_expression name: (identifier) @variable)
(for_statement left: (identifier) @variable)
(for_in_clause left: (identifier) @variable)
(as_pattern_target
  [
    (identifier) @variable
    (list (identifier) @variable)
    (tuple (identifier) @variable)
  ])
(parameters (identifier) @variable)
(parameters (default_parameter name: (identifier) @variable))
(lambda_parameters (identifier) @variable)
