; Only with round brackets or a closure: a subscript looks the same otherwise.
(call_expression
  . (simple_identifier) @name
  (call_suffix [(value_arguments "(") (lambda_literal)])) @call

(call_expression
  . (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @name))
  (call_suffix [(value_arguments "(") (lambda_literal)])) @call
