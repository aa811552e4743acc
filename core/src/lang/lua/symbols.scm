; function M.open(): the fields of a module table are its functions.
(function_declaration
  name: (dot_index_expression table: (identifier) @_module field: (identifier) @name)
  (#not-match? @_module "^[A-Z][A-Za-z0-9_]*[a-z]")) @symbol.function

; function Store.new(), function Store:read(), function methods:read()
(function_declaration
  name: [
    (dot_index_expression table: (_) @owner field: (identifier) @name)
    (method_index_expression table: (_) @owner method: (identifier) @name)
  ]) @symbol.method

(function_declaration name: (identifier) @name) @symbol.function

; local by_size = function() … end
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_definition body: (_)? @body))) @symbol.function

; M.close = function() … end, Store.close = function() … end
(assignment_statement
  (variable_list
    . name: (dot_index_expression table: (identifier) @_module field: (identifier) @name))
  (expression_list . value: (function_definition body: (_)? @body))
  (#not-match? @_module "^[A-Z][A-Za-z0-9_]*[a-z]")) @symbol.function
(assignment_statement
  (variable_list . name: (dot_index_expression table: (_) @owner field: (identifier) @name))
  (expression_list . value: (function_definition body: (_)? @body))) @symbol.method

; { show = function() … end, ["count"] = function() … end }
(field
  name: [(identifier) @name (string content: (_) @name)]
  value: (function_definition body: (_)? @body)) @symbol.function

; A table with methods is as near as Lua comes to a class; by custom it has a capital.
(chunk
  [
    (variable_declaration
      (assignment_statement
        (variable_list . name: (identifier) @name)
        (expression_list . value: (table_constructor))) @symbol.class)
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list . value: (table_constructor))) @symbol.class
  ]
  (#match? @name "^[A-Z][A-Za-z0-9_]*[a-z]"))

; local Cache = Store:extend(), local Store = setmetatable({}, …), Store = class("Store")
(assignment_statement
  (variable_list . name: (identifier) @name)
  (expression_list . value: (function_call name: (_) @_maker))
  (#match? @name "^[A-Z][A-Za-z0-9_]*[a-z]")
  (#match? @_maker "^(setmetatable|[Cc]lass|.*[.:](class|extend|subclass|derive))$")) @symbol.class

; Names in capitals are constants by convention, other names of a file are its state. The table of
; the module itself (M) is neither.
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list
        . value: [
          (string) (number) (true) (false) (table_constructor) (unary_expression) (binary_expression)
        ])) @symbol.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(chunk
  (assignment_statement
    (variable_list . name: (dot_index_expression field: (identifier) @name))
    (expression_list
      . value: [
        (string) (number) (true) (false) (table_constructor) (unary_expression) (binary_expression)
      ])) @symbol.constant
  (#match? @name "^_*[A-Z][A-Z0-9_]+$"))
(chunk
  (variable_declaration
    (assignment_statement
      (variable_list . name: (identifier) @name)
      (expression_list
        . value: [
          (string) (number) (true) (false) (nil) (table_constructor) (unary_expression)
          (binary_expression)
        ])) @symbol.variable)
  (#not-match? @name "^_?M$"))
