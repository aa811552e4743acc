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
(assignment left: (_ (identifier) @variable))
(named_expression name: (identifier) @variable)
(for_statement left: (identifier) @variable)
(for_statement left: (_ (identifier) @variable))
(for_in_clause left: (identifier) @variable)
(for_in_clause left: (_ (identifier) @variable))
(as_pattern_target (identifier) @variable)
(parameters (identifier) @variable)
(parameters (default_parameter name: (identifier) @variable))
(lambda_parameters (identifier) @variable)
