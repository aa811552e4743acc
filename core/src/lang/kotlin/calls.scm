(call_expression . (identifier) @name) @call

(call_expression
  . (navigation_expression . (_) @receiver (identifier) @name .)) @call

; class A : Base(1)
(delegation_specifier
  (constructor_invocation
    [
      (user_type (identifier) @name .)
      (user_type (identifier) @name . (type_arguments) .)
    ]) @call)
