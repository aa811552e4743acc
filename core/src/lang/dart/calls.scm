(call_expression
  function: [
    (identifier) @name
    (instantiation_expression function: (identifier) @name)
  ]) @call

(call_expression
  function: [
    (member_expression object: _ @receiver property: (identifier) @name)
    (null_aware_member_expression object: _ @receiver property: (identifier) @name)
    (instantiation_expression
      function: (member_expression object: _ @receiver property: (identifier) @name))
  ]) @call

; store..refresh()
(cascade
  . (_) @receiver
  (cascade_section (cascade_call_expression property: (identifier) @name) @call))

; new Entry(name), const Position(0, 0)
[
  (new_expression type: (type . (type_identifier) @name .))
  (const_object_expression type: (type . (type_identifier) @name .))
] @call
[
  (new_expression type: (type (type_identifier) @receiver (type_identifier) @name))
  (const_object_expression type: (type (type_identifier) @receiver (type_identifier) @name))
] @call
