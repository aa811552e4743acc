; require "a.b"
((function_call
  name: (identifier) @_require
  arguments: (arguments . (string content: (_) @module))) @import
  (#match? @_require "^(require|dofile|loadfile)$"))

; local b = require("a.b")
(assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list . value: (function_call name: (identifier) @_require) @import)
  (#eq? @_require "require"))

; local open = require("a.b").open
(assignment_statement
  (variable_list . name: (identifier) @alias)
  (expression_list
    . value: (dot_index_expression
      table: (function_call name: (identifier) @_require) @import
      field: (identifier) @name))
  (#eq? @_require "require"))

; local ok, b = pcall(require, "a.b")
((function_call
  name: (identifier) @_pcall
  arguments: (arguments . (identifier) @_require . (string content: (_) @module))) @import
  (#match? @_pcall "^x?pcall$")
  (#eq? @_require "require"))
