; local Cache = Store:extend("Cache")
(assignment_statement
  (expression_list
    . value: (function_call name: (method_index_expression table: (_) @base method: (identifier) @_extend)))
  (#eq? @_extend "extend"))

; local ReadOnly = setmetatable({}, { __index = Store })
(field
  name: (identifier) @_index
  value: [(identifier) (dot_index_expression)] @base
  (#eq? @_index "__index"))
