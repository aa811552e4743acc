; A string that opens a body is its documentation.
(class_definition
  name: (identifier) @name
  body: (block . (comment)* . (expression_statement . (string) @doc .))) @symbol.class

(class_definition
  name: (identifier) @name) @symbol.class

(function_definition
  name: (identifier) @name
  body: (block . (comment)* . (expression_statement . (string) @doc .))) @symbol.function

(function_definition
  name: (identifier) @name) @symbol.function

; Names in capitals are constants by convention, other names of a module are its state.
(module
  (expression_statement
    (assignment left: (identifier) @name) @symbol.constant)
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))

(module
  (expression_statement
    (assignment left: (identifier) @name) @symbol.variable))

; Constants of a class, members of an enumeration among them.
(class_definition
  body: (block
    (expression_statement
      (assignment left: (identifier) @name) @symbol.constant))
  (#match? @name "^_*[A-Z][A-Z0-9_]*$"))

; try: import fast … except ImportError: fast = None
(module
  [
    (try_statement (block (expression_statement (assignment left: (identifier) @name) @symbol.variable)))
    (try_statement (except_clause (block (expression_statement (assignment left: (identifier) @name) @symbol.variable))))
    (if_statement (block (expression_statement (assignment left: (identifier) @name) @symbol.variable)))
    (if_statement (else_clause (block (expression_statement (assignment left: (identifier) @name) @symbol.variable))))
  ])

(type_alias_statement
  left: (type (identifier) @name)) @symbol.type

(type_alias_statement
  left: (type (generic_type (identifier) @name))) @symbol.type
