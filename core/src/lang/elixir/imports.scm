; Read by code: one alias can name several modules, and __MODULE__ is the one around it.
((call target: (identifier) @_import (arguments)) @import
  (#match? @_import "^(alias|import|require|use)$"))

((unary_operator operand: (call target: (identifier) @_behaviour (arguments . (alias)))) @import
  (#eq? @_behaviour "behaviour"))
