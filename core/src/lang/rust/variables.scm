; let store = Store::new(), Store::open()?, open().await?, Store::open().unwrap()
(let_declaration
  pattern: (identifier) @local
  value: [
    (call_expression function: [(scoped_identifier) (identifier)] @made)
    (try_expression (call_expression function: [(scoped_identifier) (identifier)] @made))
    (await_expression (call_expression function: [(scoped_identifier) (identifier)] @made))
    (try_expression
      (await_expression (call_expression function: [(scoped_identifier) (identifier)] @made)))
  ])
((let_declaration
  pattern: (identifier) @local
  value: (call_expression
    function: (field_expression
      value: (call_expression function: [(scoped_identifier) (identifier)] @made)
      field: (field_identifier) @_unwrap)))
  (#any-of? @_unwrap "unwrap" "expect" "unwrap_or_default"))

(let_declaration pattern: (identifier) @local value: (struct_expression name: (_) @type))
(let_declaration pattern: (identifier) @local type: (_) @type)

(let_declaration pattern: (identifier) @local)
(tuple_pattern (identifier) @local)
(tuple_struct_pattern type: (_) (identifier) @local)
(field_pattern name: (shorthand_field_identifier) @local)
(closure_parameters
  [
    (identifier) @local
    (parameter pattern: (identifier) @local)
  ])
[
  (slice_pattern (identifier) @local)
  (ref_pattern (identifier) @local)
  (mut_pattern (identifier) @local)
  (captured_pattern (identifier) @local)
  (reference_pattern (identifier) @local)
  (field_pattern pattern: (identifier) @local)
  (match_pattern . (identifier) @local)
]
(for_expression pattern: (identifier) @local)

(field_declaration name: (field_identifier) @field type: (_) @type)
