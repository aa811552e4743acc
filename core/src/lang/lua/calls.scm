((function_call name: (identifier) @name) @call
  (#not-match? @name "^(require|dofile|loadfile)$"))

(function_call
  name: [
    (dot_index_expression table: (_) @receiver field: (identifier) @name)
    (method_index_expression table: (_) @receiver method: (identifier) @name)
  ]) @call
